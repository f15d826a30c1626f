"""The progress of a run, how it ended, and the watchers that show or record it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from arena.session.stop import StopRules
from arena.standings.games import Games
from arena.standings.ranking import Standing, rank, standings
from arena.standings.rating import Ratings, rate_games
from arena.standings.timekeeping import Timekeeping
from arena.table.runner import GameOver, TableLost, TableView
from arena.tournament.formats import Ranking
from arena.tournament.games import GameResult
from arena.tournament.schedule import Schedule

if TYPE_CHECKING:
    from arena.session.run import Run


@dataclass
class RunProgress:
    """The progress of a run; watchers may read it at any time."""

    scoreboard: Games
    rules: StopRules
    schedule: Schedule
    timed: bool = False  # whether any player's time is limited
    total: int = 0  # an estimate where later rounds depend on results
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
        """Count a game that is in the journal; the reason to stop, if there is one now."""
        self.scoreboard.add(game)
        if self.schedule.needs_results:
            self.results.append(game)
        return self.rules.check()

    def ranking(self, ratings: Ratings | None) -> Ranking:
        """The players in the order of the format."""
        format_ = self.schedule.format, self.schedule.field
        return rank(self.scoreboard, ratings, self.results, format_)

    def standings(self, out: Collection[int] = ()) -> tuple[Ranking, tuple[Standing, ...]]:
        """The standings with ratings, which take a moment; players that are out are marked."""
        ratings = rate_games(self.scoreboard) if self.done else None
        ranking = self.ranking(ratings)
        return ranking, standings(self.scoreboard, ranking, ratings, out)


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and why."""

    ending: Literal["finished", "decided", "incomplete", "interrupted"]
    why: str
    progress: RunProgress


class Watcher:
    """Shows a run to the user, or records what happens in it.

    Subclasses override what they need; everything is called from the loop of the run.
    """

    def began(self, run: Run) -> None:
        """A run begins or resumes."""

    def checking(self, name: str, number: int, count: int) -> None:
        """A player is being checked and warmed up, or openings are being solved."""

    def checked(self, name: str, wrong: str | None, compiled: float = 0.0) -> None:
        """The check has ended: the mistake, if any, and how long the player's code compiled."""

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """A game has been recorded."""

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A worker was lost and replaced."""

    def warned(self, words: str) -> None:
        """The user should read this about the run."""

    def tick(self, tables: Sequence[TableView]) -> None:
        """A few times a second, whether something happens or not."""

    def stopping(self, why: str) -> None:
        """No further game begins; the current ones are finished."""

    def ended(self, outcome: Outcome) -> None:
        """The run has ended."""


class Watchers(Watcher):
    """Several watchers of one run; each gets every call, in this order."""

    def __init__(self, *watchers: Watcher) -> None:
        for name in vars(Watcher):
            if not name.startswith("_"):
                setattr(self, name, partial(_call, [getattr(each, name) for each in watchers]))


def _call(methods: Sequence[Callable[..., None]], *news: object) -> None:
    for method in methods:
        method(*news)
