"""One player's time: what a move may take, and what is left for the rest of the game.

On a busy machine a process that could run has to wait for a processor. That time is the machine's
and not the engine's: where the system counts it, it is not held against a move that came late.
"""

from __future__ import annotations

from dataclasses import replace

from arena.engine import Limits

MARGIN = 0.020  # seconds by which any answer may be late: the machine's share, not the engine's
MARGIN_SHARE = 0.10  # of the limit, where that is more


def latest(seconds: float, margin: float = MARGIN) -> float:
    """When an answer that is due after so many seconds is too late."""
    return seconds + max(margin, MARGIN_SHARE * seconds)


def waited(process: int | None = None) -> float:
    """Seconds that a thread was ready to run and had to wait for a processor, since it began.

    Of the main thread of a process, or of the thread that asks; 0 where the system does not tell.
    """
    owner = "thread-self" if process is None else str(process)
    try:
        with open(f"/proc/{owner}/schedstat", "rb", buffering=0) as figures:
            return 1e-9 * int(figures.read(64).split()[1])  # ran, waited, times
    except (OSError, ValueError, IndexError):
        return 0.0


class Clock:
    """Runs down while its player thinks; tells what it may still use, and when it is too late."""

    __slots__ = ("left", "limits", "margin", "on_wall", "timed")

    def __init__(self, limits: Limits, margin: float = MARGIN) -> None:
        self.limits = limits
        self.margin = margin
        self.left = limits.clock
        self.on_wall = limits.by_clock
        self.timed = limits.timed

    def limits_now(self) -> Limits:
        """The limits of the next move, with what is left on the clock."""
        if self.left is None or self.left == self.limits.clock:
            return self.limits
        return replace(self.limits, clock=self.left)

    def spend(self, seconds: float, cpu: float = 0.0, waiting: float = 0.0) -> str | None:
        """Take the time of a move off the clock; a sentence if it was too long.

        `cpu` are the seconds of the processor, `waiting` those spent in waiting for one.
        """
        allowed = self.limits.cpu
        if allowed is not None and cpu > latest(allowed, self.margin):
            return f"took {cpu:.3f} s of the processor where {allowed:g} s were allowed"
        own = max(0.0, seconds - waiting)
        allowed = self.limits.seconds
        if allowed is not None and own > latest(allowed, self.margin):
            return f"took {spell(seconds, waiting)} where {allowed:g} s were allowed"
        if self.left is not None:
            if own > self.left + self.margin:
                return f"took {spell(seconds, waiting)} with {self.left:.3f} s left on the clock"
            self.left = max(0.0, self.left - own) + self.limits.increment
        return None


def spell(seconds: float, waiting: float) -> str:
    """A time, and how much of it the machine is to blame for."""
    if waiting < 0.0005:
        return f"{seconds:.3f} s"
    return f"{seconds:.3f} s ({waiting:.3f} s of it waiting for a processor)"
