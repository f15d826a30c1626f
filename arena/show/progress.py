"""How far some work has come: one line on stderr, with the time that is left.

On a terminal the line is drawn again and again, and gone when the work is done. Elsewhere a line is
printed every few seconds. There is no thread behind it, which would disturb clocks and be lost in a
forked process: it is drawn when the work itself tells how far it is.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from arena.show.numbers import span
from arena.show.terminal import is_live

T = TypeVar("T")

PATIENCE = 1.0  # seconds in which a terminal stays as it is
REDRAW = 0.1  # seconds between two drawings on a terminal
LINE_EVERY = 3.0  # seconds between two lines where there is none
WIPE = "\r\x1b[K"


class Progress:
    """Tells how much of some work is done, and when the rest will be.

    `at_once` is for work whose first step may take long: a terminal shows it from the beginning.
    With `in_percent` the count is of something that nobody wants to count, such as bytes.
    """

    def __init__(
        self, doing: str, total: int = 0, at_once: bool = False, in_percent: bool = False
    ) -> None:
        self.in_percent = in_percent
        self.live = is_live(sys.stderr)
        self.shown = False
        self.due = time.monotonic() + (PATIENCE if self.live else LINE_EVERY)
        self._take_up(doing, total)
        if at_once and self.live:
            self._draw()

    def begin(self, doing: str, total: int = 0, before: int = 0) -> None:
        """Go over to other work; without a total it is only named.

        Of work that goes on where it was stopped, so much was done before: it took no time now.
        """
        self._take_up(doing, total)
        self.done = self.before = before
        if self.shown or time.monotonic() >= self.due:
            self._draw()

    def at(self, done: int, what: str = "") -> None:
        """So much is done; drawn if it is time to."""
        self.done, self.what = done, what
        if time.monotonic() >= self.due:
            self._draw()

    def step(self, what: str, number: int, count: int) -> None:
        """One of several steps begins; drawn at once on a terminal, as it may take long."""
        self.done, self.total, self.what = number - 1, count, f"{what} {number}/{count}"
        self.in_steps = True
        self.draw_again()

    def show(self, done: int, what: str = "") -> None:
        """So much is done; drawn at once on a terminal, and nowhere else."""
        self.done, self.what = done, what
        self.draw_again()

    def clear(self) -> None:
        """Wipe the line away, so that something else can be printed."""
        if self.shown:
            print(WIPE, end="", file=sys.stderr, flush=True)
            self.shown = False

    def draw_again(self) -> None:
        """Draw the line on a terminal, below what has been printed."""
        if self.live:
            self._draw()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def _take_up(self, doing: str, total: int) -> None:
        self.doing, self.total = doing, total
        self.began = time.monotonic()
        self.done, self.before, self.what, self.in_steps = 0, 0, "", False

    def _draw(self) -> None:
        now = time.monotonic()
        if self.live:
            line = self.line(now)[: _width() - 1]  # a longer one could not be wiped away
            print(f"{WIPE}{line}", end="", file=sys.stderr, flush=True)
            self.shown = True
            self.due = now + REDRAW
        else:
            print(self.line(now), file=sys.stderr, flush=True)
            self.due = now + LINE_EVERY

    def line(self, now: float) -> str:
        """All of it in words: `exporting games 40,000/100,000, ETA 0:12`."""
        words = [self.doing]
        if self.total and not self.in_steps:
            words.append(self._share())
        if self.what:
            words.append(self.what)
        left = self._seconds_left(now)
        return " ".join(words) + (" ..." if left is None else f", ETA {span(left)}")

    def _share(self) -> str:
        done = min(self.done, self.total)
        return f"{done / self.total:.0%}" if self.in_percent else f"{done:,}/{self.total:,}"

    def _seconds_left(self, now: float) -> float | None:
        if not self.before < self.done <= self.total:
            return None
        return (now - self.began) * (self.total - self.done) / (self.done - self.before)


def counted(items: Iterable[T], doing: str, total: int, at_once: bool = False) -> Iterator[T]:
    """The items, counted as they go by."""
    with Progress(doing, total, at_once) as progress:
        for done, item in enumerate(items, start=1):
            progress.at(done)
            yield item


def size_of(file: Path) -> int:
    """The size of a file in bytes; 0 for one that has none, or cannot be opened."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
