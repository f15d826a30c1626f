"""How far some work has come: one line on stderr, with the time that is left.

On a terminal the line is drawn again and again, and gone when the work is done. Elsewhere a line is
printed every few seconds. There is no thread behind it, which would disturb clocks and be lost in a
forked process: it is drawn when the work itself tells how far it is. Only lines about kernels that
are loaded or compiled, which may tell nothing for long, have a timer where there is no terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
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
PATIENCE = 1.0  # seconds in which a terminal stays as it is, and in which kernels are silent
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
        self.visible = False
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
        if self.visible or time.monotonic() >= self.due:
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
        if self.visible:
            print(WIPE, end="", file=sys.stderr, flush=True)
            self.visible = False

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
            room = width_of(sys.stderr) - 1  # a longer line could not be wiped away
            print(f"{WIPE}{printable(self.line(now))[:room]}", end="", file=sys.stderr, flush=True)
            self.visible = True
            self.due = now + REDRAW
        else:
            print(printable(self.line(now)), file=sys.stderr, flush=True)
            self.due = now + LINE_EVERY

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


@contextmanager
def reporting(doing: str = LOADING) -> Iterator[Report]:
    """Something to call with the name of what begins, its number and how many there are.

    What is loaded is said to be compiled once the compiler is at work, and not before.
    """
    with ExitStack() as stack:
        lines: Progress | LateLines
        if is_live(sys.stderr):
            lines = stack.enter_context(Progress(doing))
        else:
            lines = LateLines(doing)
            stack.callback(lines.stop)
        if doing != LOADING:
            yield lines.step
            return
        compiler = CompilerWatch(lines)
        stack.callback(compiler.leave)
        yield compiler.step


class CompilerWatch:
    """Hears from numba when it compiles, and has that said of the step that is under way."""

    def __init__(self, lines: Progress | LateLines) -> None:
        self.lines = lines
        self.events: Any = None  # of numba, once something has imported it
        self.listener: Any = None

    def step(self, name: str, number: int, count: int) -> None:
        """The next one begins."""
        if self.events is None and "numba.core.event" in sys.modules:
            self.events = sys.modules["numba.core.event"]  # imported by whoever needs it, not here
            methods = {"on_start": lambda _, event: self.compiles(), "on_end": lambda *_: None}
            self.listener = type("CompileListener", (self.events.Listener,), methods)()
            self.events.register(COMPILE_EVENT, self.listener)
        self.lines.doing = LOADING
        self.lines.step(name, number, count)

    def compiles(self) -> None:
        """Numba has begun to compile."""
        if self.lines.doing == LOADING:
            self.lines.doing = COMPILING
            self.lines.draw_again()

    def leave(self) -> None:
        """Hear no more."""
        if self.events is not None:
            self.events.unregister(COMPILE_EVENT, self.listener)


class LateLines:
    """Prints nothing in the first second, then the line that holds now and each later one."""

    def __init__(self, doing: str = LOADING) -> None:
        self.doing = doing
        self.what = ""
        self.late = False
        self.began = time.monotonic()
        self.timer = Timer(PATIENCE, self._begin)
        self.timer.daemon = True
        self.timer.start()

    def step(self, name: str, number: int, count: int) -> None:
        """Say this from now on."""
        self.what = f"{name} {number}/{count}"
        if number > 1:
            left = (time.monotonic() - self.began) * (count - number + 1) / (number - 1)
            self.what += f", ETA {span(left)}"
        self.draw_again()

    def draw_again(self) -> None:
        """Print the line that holds now, if it is time for lines."""
        if self.late and self.what:
            print(f"{self.doing} {self.what}", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Say no more."""
        self.timer.cancel()

    def _begin(self) -> None:
        self.late = True
        self.draw_again()
