"""Where a run stands, and how it ended."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from arena.session.stop import StopRules
from arena.standings.games import Games
from arena.standings.moves import Timekeeping
from arena.standings.ranking import Standing, rank, standings
from arena.standings.rating import Ratings, rate_games
from arena.tournament.formats import GameResult, Ranking
from arena.tournament.schedule import Schedule


@dataclass
class RunProgress:
    """Where a run stands; whoever shows it reads it whenever it likes."""

    scoreboard: Games
    rules: StopRules
    schedule: Schedule | None = None
    timed: bool = False  # whether any player's time is limited
    total: int = 0  # a guess where results to come may change it
    played: int = 0  # in this run
    began: float = field(default_factory=time.monotonic)
    time: Timekeeping = field(default_factory=Timekeeping)
    results: list[GameResult] = field(default_factory=list)  # where the format asks for them

    @property
    def names(self) -> tuple[str, ...]:
        """The line-up."""
        return self.scoreboard.names

    @property
    def done(self) -> int:
        """How many games are in the journal."""
        return self.scoreboard.games

    @property
    def rate(self) -> float:
        """Games a second in this run."""
        elapsed = time.monotonic() - self.began
        return self.played / elapsed if elapsed > 0 else 0.0

    def count(self, game: GameResult) -> str | None:
        """A game is in the journal; why to stop, if that is so now."""
        self.scoreboard.add(game)
        if self.schedule is not None and self.schedule.needs_results:
            self.results.append(game)
        return self.rules.check()

    def ranking(self, ratings: Ratings | None) -> Ranking:
        """The players in the order of the format."""
        plan = self.schedule
        format_ = None if plan is None else (plan.format, plan.field)
        return rank(self.scoreboard, ratings, self.results, format_)

    def standings(self, out: Collection[int] = ()) -> tuple[Ranking, tuple[Standing, ...]]:
        """How the players stand now, with ratings, which takes a moment; who is out is marked."""
        ratings = rate_games(self.scoreboard) if self.done else None
        ranking = self.ranking(ratings)
        return ranking, standings(self.scoreboard, ranking, ratings, out)


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and why."""

    ending: Literal["finished", "decided", "incomplete", "interrupted"]
    why: str
    progress: RunProgress
