"""The functions behind ratings and sequential tests, which contract tests call through here."""

from __future__ import annotations

from arena.standings.compare import by_ratings, head_to_head
from arena.standings.intervals import Numbers, elo_with_error, expected_score
from arena.standings.rating import Ratings, rate, rate_scoreboard
from arena.standings.scoreboard import Counts, GameLog, Scoreboard
from arena.standings.sprt import (
    after_stop,
    likelihood_of_superiority,
    llr,
    nelo_with_error,
    sprt_state,
    worse_end,
)
from arena.tournament.sprt import MAX_ELO, MIN_DISTANCE, Model, Sprt

__all__ = [
    "MAX_ELO",
    "MIN_DISTANCE",
    "Counts",
    "GameLog",
    "Model",
    "Numbers",
    "Ratings",
    "Scoreboard",
    "Sprt",
    "after_stop",
    "by_ratings",
    "elo_with_error",
    "expected_score",
    "head_to_head",
    "likelihood_of_superiority",
    "llr",
    "nelo_with_error",
    "rate",
    "rate_scoreboard",
    "sprt_state",
    "worse_end",
]
