"""One player's time: what a move may take, and what is left for the rest of the game."""

from __future__ import annotations

from dataclasses import replace

from arena.engine import Limits

MARGIN = 0.020  # seconds by which any answer may be late: the machine's share, not the engine's
MARGIN_SHARE = 0.10  # of the limit, where that is more


def latest(seconds: float, margin: float = MARGIN) -> float:
    """When an answer that is due after so many seconds is too late."""
    return seconds + max(margin, MARGIN_SHARE * seconds)


class Clock:
    """Runs down while its player thinks; tells what it may still use, and when it is too late."""

    __slots__ = ("left", "limits", "margin", "timed")

    def __init__(self, limits: Limits, margin: float = MARGIN) -> None:
        self.limits = limits
        self.margin = margin
        self.left = limits.clock
        self.timed = limits.seconds is not None or limits.clock is not None

    def limits_now(self) -> Limits:
        """The limits of the next move, with what is left on the clock."""
        if self.left is None or self.left == self.limits.clock:
            return self.limits
        return replace(self.limits, clock=self.left)

    def spend(self, seconds: float) -> str | None:
        """Take the time of a move off the clock; a sentence if it was too long."""
        if not self.timed:
            return None
        allowed = self.limits.seconds
        if allowed is not None and seconds > latest(allowed, self.margin):
            return f"took {seconds:.3f} s where {allowed:g} s were allowed"
        if self.left is not None:
            if seconds > self.left + self.margin:
                return f"took {seconds:.3f} s with {self.left:.3f} s left on the clock"
            self.left = max(0.0, self.left - seconds) + self.limits.increment
        return None
