"""The functions behind ratings and sequential tests, which contract tests call through here."""

from __future__ import annotations

from arena.standings.evidence import Numbers, expected_score
from arena.standings.games import Counts, Games
from arena.standings.rating import Ratings, rate, rate_games
from arena.standings.sprt import after_stop, llr, nelo_with_error, sprt_state
from arena.tournament.sprt import MAX_ELO, MIN_DISTANCE, Model, Sprt

__all__ = [
    "MAX_ELO",
    "MIN_DISTANCE",
    "Counts",
    "Games",
    "Model",
    "Numbers",
    "Ratings",
    "Sprt",
    "after_stop",
    "expected_score",
    "llr",
    "nelo_with_error",
    "rate",
    "rate_games",
    "sprt_state",
]
