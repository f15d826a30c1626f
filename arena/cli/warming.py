"""What the user sees while kernels are compiled: a line that changes, or several that stay."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from arena.cli.progress import Progress
from arena.cli.show import is_live
from arena.dashboard.words import span

if TYPE_CHECKING:
    from arena.engine import Engine
    from arena.game.rules import Rules
    from arena.warmup import Report

PATIENCE = 1.0  # seconds of silence where there is no terminal


def warm_up_shown(engines: Sequence[tuple[str, Engine]], rules: Rules) -> None:
    """Warm the engines up, and tell on stderr which one is being compiled."""
    from arena.warmup import warm_up

    with reporting() as report:
        warm_up(engines, rules, report)


@contextmanager
def reporting(doing: str = "compiling") -> Iterator[Report]:
    """Something to call with the name of what begins, its number and how many there are."""
    if is_live(sys.stderr):
        with Progress(doing) as progress:
            yield progress.step
        return
    lines = LateLines(doing)
    try:
        yield lines
    finally:
        lines.stop()


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

    def __init__(self, doing: str = "compiling") -> None:
        self.doing = doing
        self.current = ""
        self.late = False
        self.began = time.monotonic()
        self.timer = Timer(PATIENCE, self._begin)
        self.timer.daemon = True
        self.timer.start()

    def __call__(self, name: str, number: int, count: int) -> None:
        """Say this from now on."""
        self.current = f"{self.doing} {name} {number}/{count}"
        if number > 1:
            left = (time.monotonic() - self.began) * (count - number + 1) / (number - 1)
            self.current += f", ETA {span(left)}"
        if self.late:
            self._print()

    def stop(self) -> None:
        """Say no more."""
        self.timer.cancel()

    def _begin(self) -> None:
        self.late = True
        self._print()

    def _print(self) -> None:
        if self.current:
            print(self.current, file=sys.stderr, flush=True)
