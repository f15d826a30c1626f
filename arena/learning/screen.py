"""A training as somebody watches it: a few lines drawn again and again, or one now and then.

There is no thread behind it: it is drawn when the training tells how far it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table as Grid
from rich.text import Text

from arena.learning.curve import Point
from arena.learning.line_plot import line_plot
from arena.learning.spec import Training
from arena.learning.train import Progress
from arena.show.numbers import (
    duration,
    how_many,
    pace,
    percent_range,
    signed,
    span,
    whole,
    whole_percent,
)
from arena.show.table import cut

LINE_EVERY = 3.0  # seconds between two lines where there is no terminal to draw on
REDRAW = 0.1  # seconds between two drawings
PLOT_WIDTH, PLOT_HEIGHT = 60, 5
MOST_FIGURES = 6  # of a learner, in a line


def about(training: Training[Any]) -> str:
    """A training in a line: what learns, on which board, against whom."""
    games = how_many(training.settings.games, "game")
    if training.records:
        games += f" from {how_many(len(training.records), 'record')}"
    elif training.opponent is not None:
        games += f" against {training.opponent.name}"
    else:
        games += " in self-play"
    return f"{training.name}: {training.method} on {training.rules.name}, {games}"


def lasting(seconds: float) -> str:
    """A time of training: 6.51 ms, 12.3 s, 12:03."""
    return duration(seconds) if seconds < 60 else span(seconds)


def strength_words(point: Point) -> list[str]:
    """What was measured, a few words each: `perfect play 85 % (77-91)`."""
    return [
        f"{name} {whole_percent(share)} ({percent_range(low, high)})"
        for name, (share, low, high) in point.strength.scores().items()
    ]


def figure_words(point: Point) -> list[str]:
    """Some figures of the learner itself, where nothing else is measured."""
    return [f"{name} {signed(value)}" for name, value in point.figures.items()][:MOST_FIGURES]


def point_words(point: Point) -> str:
    """A moment of the curve as a line."""
    words = strength_words(point) or figure_words(point)
    return f"after {how_many(point.games, 'game')}: {', '.join(words)}"


def progress_words(progress: Progress) -> str:
    """How far it is, in a line."""
    words = [f"{progress.games:,}/{progress.of:,} games"]
    words += [pace(progress.pace)] if progress.pace else []
    words += [f"ETA {span(progress.left)}"] if progress.left is not None else []
    return f"{doing(progress)}, {', '.join(words)}"


def doing(progress: Progress) -> str:
    """What is being done now."""
    return progress.doing + ("" if progress.step is None else " {}/{}".format(*progress.step))


class PlainLines:
    """A line every few seconds, and one for each measurement."""

    def __init__(
        self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.write, self.clock = write, clock
        self.due = clock() + LINE_EVERY
        self.points = 0

    def __call__(self, progress: Progress) -> None:
        """Something has happened."""
        if progress.doing == "measured" and progress.points:
            self.write(point_words(progress.points[-1]))
            self.due = self.clock() + LINE_EVERY
        elif self.clock() >= self.due:
            self.write(progress_words(progress))
            self.due = self.clock() + LINE_EVERY


class LiveLines:
    """The last lines of a terminal, drawn again and again, and gone when the training ends."""

    def __init__(self, training: Training[Any], console: Console, fine: bool) -> None:
        self.training, self.console, self.fine = training, console, fine
        self.live = Live(console=console, auto_refresh=False, transient=True)
        self.due = 0.0

    def __enter__(self) -> LiveLines:
        self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.live.stop()

    def __call__(self, progress: Progress) -> None:
        """Something has happened; drawn if it is time to."""
        if time.monotonic() >= self.due:
            self.live.update(self.frame(progress), refresh=True)
            self.due = time.monotonic() + REDRAW

    def frame(self, progress: Progress) -> Group:
        """All lines: what is trained, how far it is, the curve so far, the last strength."""
        width = self.console.width
        lines: list[Any] = [Text(cut(about(self.training), width), style="bold")]
        bar = Grid.grid(padding=(0, 1))
        room = max(10, min(40, width - 50))
        state = progress_words(progress).removeprefix(f"{doing(progress)}, ")
        bar.add_row(ProgressBar(progress.of, progress.games, width=room), Text(state))
        lines += [bar, Text(cut(doing(progress), width), style="dim")]
        if progress.points:
            lines += [Text(), *self._curve(progress.points)]
            lines.append(Text(point_words(progress.points[-1])))
        return Group(*lines)

    def _curve(self, points: tuple[Point, ...]) -> list[Text]:
        """The first of all figures over the games: perfect play where the board has it."""
        name = next(iter(points[-1].strength.scores()), None)
        if name is None:
            return []
        shares = [(p.games, p.strength.scores()[name][0]) for p in points]
        width = max(20, min(PLOT_WIDTH, self.console.width - 10))
        rows = line_plot(shares, width, PLOT_HEIGHT, fine=self.fine)
        scale = ["100 %", *[""] * (PLOT_HEIGHT - 2), "0 %"]
        lines = [Text(name, style="bold")]
        for mark, row in zip(scale, rows, strict=True):
            lines.append(Text(f"{mark:>6} ").append(row, style="cyan"))
        last = whole(points[-1].games)
        return [*lines, Text(f"{'':7}0{last:>{width - 1}} games", style="dim")]
