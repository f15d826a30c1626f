"""Several watchers of one run, each told everything in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.run import Watcher

if TYPE_CHECKING:
    from arena.play.table import Table
    from arena.run import Outcome, Run, RunProgress
    from arena.runners.local import GameOver, TableLost


class Watchers(Watcher):
    """Passes everything on."""

    def __init__(self, *watchers: Watcher) -> None:
        self.watchers = watchers

    def began(self, session: Run) -> None:
        """A run begins."""
        for watcher in self.watchers:
            watcher.began(session)

    def checking(self, name: str, number: int, count: int) -> None:
        """A player is being checked."""
        for watcher in self.watchers:
            watcher.checking(name, number, count)

    def checked(self, name: str, wrong: str | None) -> None:
        """It has been."""
        for watcher in self.watchers:
            watcher.checked(name, wrong)

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """A game has been recorded."""
        for watcher in self.watchers:
            watcher.game_over(event, progress)

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A table was set anew."""
        for watcher in self.watchers:
            watcher.table_lost(event, progress)

    def warned(self, words: str) -> None:
        """Something to know beforehand."""
        for watcher in self.watchers:
            watcher.warned(words)

    def tick(self, tables: Sequence[Table]) -> None:
        """A look at the tables."""
        for watcher in self.watchers:
            watcher.tick(tables)

    def stopping(self, why: str) -> None:
        """No further game begins."""
        for watcher in self.watchers:
            watcher.stopping(why)

    def ended(self, outcome: Outcome) -> None:
        """The run is over."""
        for watcher in self.watchers:
            watcher.ended(outcome)
