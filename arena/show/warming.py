"""What the user sees while kernels are loaded or compiled: a line that changes, or several."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any

from arena.show.numbers import span
from arena.show.progress import Progress
from arena.show.terminal import is_live

if TYPE_CHECKING:
    from arena.engine.contract import Engine
    from arena.engine.warm_up import Report
    from arena.game.rules import Rules

PATIENCE = 1.0  # seconds of silence where there is no terminal
LOADING, COMPILING = "loading", "compiling"
COMPILE_EVENT = "numba:compile"


def warm_up_shown(engines: Sequence[tuple[str, Engine]], rules: Rules) -> None:
    """Warm the engines up, and tell on stderr which one it is, and whether it is compiled."""
    from arena.engine.warm_up import warm_up

    with reporting() as report:
        warm_up(engines, rules, report)


@contextmanager
def reporting(doing: str = LOADING) -> Iterator[Report]:
    """Something to call with the name of what begins, its number and how many there are.

    What is loaded is said to be compiled once the compiler is at work, and not before.
    """
    with ExitStack() as stack:
        shown: Progress | LateLines
        if is_live(sys.stderr):
            shown = stack.enter_context(Progress(doing))
        else:
            shown = LateLines(doing)
            stack.callback(shown.stop)
        if doing != LOADING:
            yield shown.step
            return
        compiler = CompilerWatch(shown)
        stack.callback(compiler.leave)
        yield compiler.step


class CompilerWatch:
    """Hears from numba when it compiles, and has that said of the step that is under way."""

    def __init__(self, shown: Progress | LateLines) -> None:
        self.shown = shown
        self.events: Any = None  # of numba, once something has imported it
        self.listener: Any = None

    def step(self, name: str, number: int, count: int) -> None:
        """The next one begins."""
        if self.events is None and "numba.core.event" in sys.modules:
            self.events = sys.modules["numba.core.event"]
            self.listener = self._make_listener()
            self.events.register(COMPILE_EVENT, self.listener)
        self.shown.doing = LOADING
        self.shown.step(name, number, count)

    def compiles(self) -> None:
        """Numba has begun to compile."""
        if self.shown.doing == LOADING:
            self.shown.doing = COMPILING
            self.shown.draw_again()

    def leave(self) -> None:
        """Hear no more."""
        if self.events is not None:
            self.events.unregister(COMPILE_EVENT, self.listener)

    def _make_listener(self) -> Any:
        """A listener as numba wants it; numba is imported by whoever needs it, not here."""
        does = {
            "on_start": lambda _, event: self.compiles(),
            "on_end": lambda _, event: None,
        }
        return type("CompileListener", (self.events.Listener,), does)()


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
