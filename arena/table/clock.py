"""One player's time: what a move may take, what is left for the game, and the words of a loss.

What a busy machine made a process wait for a processor is, where the system counts it, not held
against a move that came late (arena/pauses.py).
"""

from __future__ import annotations

from dataclasses import replace

from arena.engine.limits import MARGIN, Limits, latest, spell


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
        """Take the time of a move off the clock; if it was too long, the words of a loss on time.

        `cpu` are the seconds of the processor, `waiting` those spent in waiting for one.
        """
        allowed = self.limits.cpu
        if allowed is not None and cpu > latest(allowed, self.margin):
            return f"took {cpu:.3f} s of the processor where {allowed:g} s were allowed"
        own = max(min(cpu, seconds), seconds - waiting)  # nobody waits while it runs
        allowed = self.limits.seconds
        if allowed is not None and own > latest(allowed, self.margin):
            return f"took {spell(seconds, waiting)} where {allowed:g} s were allowed"
        if self.left is not None:
            if own > self.left + self.margin:
                return f"took {spell(seconds, waiting)} with {self.left:.3f} s left on the clock"
            self.left = max(0.0, self.left - own) + self.limits.increment
        return None
