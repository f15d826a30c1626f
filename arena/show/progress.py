"""How far some work has come: one line on stderr, with the time that is left.

On a terminal the line is drawn again and again, and gone when the work is done. Elsewhere a line is
printed every few seconds. There is no thread behind it, which would disturb clocks and be lost in a
forked process: it is drawn when the work itself tells how far it is. Only steps in which kernels
are loaded or compiled, which may tell nothing for long, have a timer where there is no terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, TypeVar

from arena.show.numbers import span
from arena.show.terminal import is_live, width_of
from arena.text import printable

if TYPE_CHECKING:
    from arena.engine.contract import Engine
    from arena.engine.warm_up import Report
    from arena.game.rules import Rules
    from arena.judge.judge import Judge

T = TypeVar("T")

LOADING, COMPILING = "loading", "compiling"
COMPILE_EVENT = "numba:compile"
PATIENCE = 1.0  # seconds in which a terminal stays as it is, and in which steps are silent
REDRAW = 0.1  # seconds between two drawings on a terminal
LINE_EVERY = 3.0  # seconds between two lines where there is none
WIPE = "\r\x1b[K"


class Progress:
    """Tells how much of some work is done, and when the rest will be.

    `at_once` is for work whose first step may take long: a terminal shows it from the beginning.
    `in_percent` is for counts that mean nothing to people, such as bytes.
    """

    def __init__(
        self, doing: str, total: int = 0, at_once: bool = False, in_percent: bool = False
    ) -> None:
        self.in_percent = in_percent
        self.live = is_live(sys.stderr)
        self.visible = False
        self.due = time.monotonic() + (PATIENCE if self.live else LINE_EVERY)
        self._start(doing, total)
        if at_once:
            self.draw_again()

    def begin(self, doing: str, total: int = 0, before: int = 0) -> None:
        """Go over to other work; without a total it is only named.

        What a resumed run did before took no time now.
        """
        self._start(doing, total, before)
        if self.visible or time.monotonic() >= self.due:
            self.draw()

    def at(self, done: int, what: str = "") -> None:
        """So much is done; drawn if it is time to."""
        self.done, self.what = done, what
        if time.monotonic() >= self.due:
            self.draw()

    def show(self, done: int, what: str = "") -> None:
        """So much is done; drawn at once on a terminal, and nowhere else."""
        self.done, self.what = done, what
        self.draw_again()

    def step(self, what: str, number: int, count: int) -> None:
        """One of several steps begins; drawn at once on a terminal, as it may take long."""
        self.done, self.total, self.what = number - 1, count, f"{what} {number}/{count}"
        self.in_steps = True
        self.draw_again()

    def clear(self) -> None:
        """Wipe the line away, so that something else can be printed."""
        if self.visible:
            print(WIPE, end="", file=sys.stderr, flush=True)
            self.visible = False

    def draw_again(self) -> None:
        """Draw the line on a terminal, below what has been printed."""
        if self.live:
            self.draw()

    def draw(self) -> None:
        """Draw the line on a terminal, or print it."""
        now = time.monotonic()
        line = printable(self.line(now))
        if self.live:
            room = width_of(sys.stderr) - 1  # a longer line could not be wiped away
            print(f"{WIPE}{line[:room]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)
        self.visible = self.live
        self.due = now + (REDRAW if self.live else LINE_EVERY)

    def line(self, now: float) -> str:
        """All of it in words: `exporting games 40,000/100,000, ETA 0:12`."""
        words = [self.doing]
        if self.total and not self.in_steps:
            done = min(self.done, self.total)
            share, count = f"{done / self.total:.0%}", f"{done:,}/{self.total:,}"
            words.append(share if self.in_percent else count)
        words += [self.what] if self.what else []
        if not self.before < self.done <= self.total:
            return " ".join(words) + " ..."
        left = (now - self.began) * (self.total - self.done) / (self.done - self.before)
        return f"{' '.join(words)}, ETA {span(left)}"

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def _start(self, doing: str, total: int, before: int = 0) -> None:
        self.doing, self.total, self.began = doing, total, time.monotonic()
        self.done = self.before = before
        self.what, self.in_steps = "", False


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


@contextmanager
def saying(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Something to call with what is being done now."""
    if quiet:
        yield lambda words: None
        return
    with Progress("") as progress:

        def say(words: str) -> None:
            progress.begin(words)
            progress.draw_again()

        yield say


def warm_up_with_progress(engines: Sequence[tuple[str, Engine]], rules: Rules) -> None:
    """Warm the engines up, and tell on stderr which one it is, and whether it is compiled."""
    from arena.engine.warm_up import warm_up

    with reporting() as report:
        warm_up(engines, rules, report)


def ready_judge(rules: Rules, quiet: bool = False) -> Judge:
    """The judge for a board, compiled before any clock runs; BadRules where there is none."""
    from arena.judge.judge import Judge

    judge = Judge(rules)
    if quiet:
        judge.solver.warm_up()
        return judge
    with reporting() as report:
        report("the exact solver", 1, 1)
        judge.solver.warm_up()
    return judge


class Steps(Progress):
    """Steps that may take long: each is drawn as it begins, without a terminal after a second.

    What is loaded is said to be compiled once numba compiles, and not before.
    """

    def __init__(self, doing: str) -> None:
        super().__init__(doing)
        self.first = doing
        self.events: Any = None  # of numba, once something has imported it
        self.listener: Any = None
        self.timer: Timer | None = None
        if not self.live:
            self.timer = Timer(PATIENCE, self._print_lines)
            self.timer.daemon = True
            self.timer.start()

    def step(self, what: str, number: int, count: int) -> None:
        """The next one begins."""
        if self.events is None and self.first == LOADING and "numba.core.event" in sys.modules:
            self.events = sys.modules["numba.core.event"]  # imported by what needs it, not here
            methods = {"on_start": lambda _, event: self._compiles(), "on_end": lambda *_: None}
            self.listener = type("CompileListener", (self.events.Listener,), methods)()
            self.events.register(COMPILE_EVENT, self.listener)
        self.doing = self.first
        super().step(what, number, count)

    def draw_again(self) -> None:
        """Draw the line, or print it after the first second."""
        if self.live or (self.timer is None and self.what):
            self.draw()

    def __exit__(self, *error: object) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.events is not None:
            self.events.unregister(COMPILE_EVENT, self.listener)
        self.clear()

    def _compiles(self) -> None:
        if self.doing == LOADING:
            self.doing = COMPILING
            self.draw_again()

    def _print_lines(self) -> None:
        self.timer = None
        self.draw_again()


@contextmanager
def reporting(doing: str = LOADING) -> Iterator[Report]:
    """Something to call with the name of what begins, its number and how many there are."""
    with Steps(doing) as steps:
        yield steps.step
