"""What the user sees while kernels are compiled: a line that changes, or several that stay."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from arena.cli.show import console

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
    """Something to call with a name, its number and how many there are.

    The line on a terminal is drawn when it changes and has no thread, which would disturb clocks
    and be lost in a forked process.
    """
    if sys.stderr.isatty():
        from rich.live import Live

        with Live(console=console(stderr=True), auto_refresh=False, transient=True) as live:
            yield lambda name, number, count: live.update(
                f"{doing} {name} {number}/{count}", refresh=True
            )
        return
    lines = LateLines(doing)
    try:
        yield lines
    finally:
        lines.stop()


@contextmanager
def saying(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Something to call with what is being done: a line of the terminal that changes."""
    shown = sys.stderr.isatty() and not quiet

    def say(words: str) -> None:
        if shown:
            print(f"\r\x1b[K{words} ...", end="", file=sys.stderr, flush=True)

    try:
        yield say
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class LateLines:
    """Prints nothing in the first second, then the line that holds now and each later one."""

    def __init__(self, doing: str = "compiling") -> None:
        self.doing = doing
        self.current = ""
        self.late = False
        self.timer = Timer(PATIENCE, self._begin)
        self.timer.daemon = True
        self.timer.start()

    def __call__(self, name: str, number: int, count: int) -> None:
        """Say this from now on."""
        self.current = f"{self.doing} {name} {number}/{count}"
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
