"""Who looks on: whatever happens in a run is told to its watchers, in the order of events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.session.progress import Outcome, RunProgress
from arena.table.runner import GameOver, TableLost, TableView

if TYPE_CHECKING:
    from arena.session.run import Run


class Watcher:
    """Whoever shows a run to the user, or writes down what happens in it.

    It overrides what it cares for; everything is called from the one loop that runs it all.
    """

    def began(self, run: Run) -> None:
        """A run begins, or goes on."""

    def checking(self, name: str, number: int, count: int) -> None:
        """A player is being checked and warmed up; or openings, of which so many are done."""

    def checked(self, name: str, wrong: str | None, compiled: float = 0.0) -> None:
        """It has been; what was wrong, if anything, and for how long its own code was compiled."""

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """A game has been recorded."""

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A table was set anew."""

    def warned(self, words: str) -> None:
        """Something about this run that the user should know before it begins."""

    def tick(self, tables: Sequence[TableView]) -> None:
        """A few times a second, whether something happens or not: a look at the tables."""

    def stopping(self, why: str) -> None:
        """No further game begins; those on the tables are finished."""

    def ended(self, outcome: Outcome) -> None:
        """The run is over, one way or the other."""


class Watchers(Watcher):
    """Several watchers of one run: each is told everything, in the same order."""

    def __init__(self, *watchers: Watcher) -> None:
        for name in vars(Watcher):
            if not name.startswith("_"):
                setattr(self, name, self._each([getattr(watcher, name) for watcher in watchers]))

    @staticmethod
    def _each(calls: Sequence[Callable[..., None]]) -> Callable[..., None]:
        def call(*news: object) -> None:
            for one in calls:
                one(*news)

        return call
