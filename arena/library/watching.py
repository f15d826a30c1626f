"""Watchers of a run that a program starts: a line or bar of progress, and a call for each game."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arena.errors import warn_caller
from arena.library.game import Game
from arena.session import Outcome, Run, RunProgress, Watcher
from arena.show.numbers import how_many
from arena.show.progress import Progress
from arena.table.runner import GameOver

REDRAW = 0.3  # seconds between two drawings in a notebook
WIDTH = 40  # characters of the bar

OnGame = Callable[[Game], object]


class GameCalls(Watcher):
    """Calls a function with each game, and warns at the line that started the run."""

    def __init__(self, on_game: OnGame | None) -> None:
        self.on_game = on_game

    def began(self, run: Run) -> None:
        """Note the names and the board of the games."""
        self.names, self.rules = run.progress.names, run.tournament.rules

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """Call the function."""
        if self.on_game is not None:
            self.on_game(Game(event.game, self.names, self.rules))

    def warned(self, words: str) -> None:
        """Warn the program."""
        warn_caller(words)


class RunBar(Watcher):
    """The progress of a run: a bar in a notebook, a line on a terminal."""

    def __init__(self) -> None:
        self.bar: NotebookBar | Progress
        in_notebook = Console().is_jupyter
        self.bar = NotebookBar() if in_notebook else Progress("getting ready", at_once=True)

    def __enter__(self) -> RunBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if isinstance(self.bar, Progress):
            self.bar.clear()

    def checking(self, name: str, number: int, count: int) -> None:
        """Show which player gets ready."""
        self.bar.begin(f"getting ready: {name}", count, number - 1)

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """Count the game."""
        if progress.played == 1:
            self.bar.begin("playing games", progress.total, progress.done - 1)
        self.bar.total = progress.total
        self.bar.at(progress.done)

    def stopping(self, why: str) -> None:
        """Show why the run ends."""
        self.bar.begin(f"finishing: {why}")

    def ended(self, outcome: Outcome) -> None:
        """Leave a sentence in a notebook."""
        if isinstance(self.bar, NotebookBar):
            self.bar.end(f"{how_many(outcome.progress.done, 'game')}: {outcome.why}")


class NotebookBar:
    """A bar of rich that is drawn again in the output of a notebook's cell."""

    def __init__(self) -> None:
        self.doing, self.total, self.done = "getting ready", 0, 0
        self.due = 0.0
        self.handle: Any = None

    def begin(self, doing: str, total: int = 0, before: int = 0) -> None:
        """Begin other work, of which `before` steps are done."""
        self.doing, self.total, self.done = doing, total, before
        self._draw()

    def at(self, done: int) -> None:
        """Show how much is done."""
        self.done = done
        if time.monotonic() >= self.due:
            self._draw()

    def end(self, words: str) -> None:
        """Replace the bar with a sentence."""
        self._show(Text(words))

    def _draw(self) -> None:
        self.due = time.monotonic() + REDRAW
        grid = Table.grid(padding=(0, 1))
        counts = f"{self.done:,}/{self.total:,}" if self.total else ""
        bar = ProgressBar(self.total or None, self.done, width=WIDTH, pulse=not self.total)
        grid.add_row(self.doing, bar, counts)
        self._show(grid)

    def _show(self, what: Any) -> None:
        from IPython import display  # there is one, as this is a notebook

        if self.handle is None:
            self.handle = display.display(what, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self.handle.update(what)
