"""When an engine that thinks for a time has to come back: its deadline, and a reserve before it.

A kernel looks at the clock now and then, and on a busy machine a process may have to wait for its
turn just when its time is over. How late an engine came back lately tells how much earlier it must
stop; nobody knows it beforehand.
"""

from __future__ import annotations

from functools import cache
from time import monotonic_ns, thread_time_ns
from typing import Any, NamedTuple

from arena.engine.limits import Limits
from arena.game.position import Position

USUAL = 0.002  # seconds before the limit, at most a tenth of it, for an engine that is never late
SHARE = 0.1
SAFETY = 1.25  # times the worst lateness that is remembered
FADES = 0.98  # by a move: a machine that was busy need not stay so
MOST = 0.5  # of the time there is


class Deadline(NamedTuple):
    """When to stop thinking, in nanoseconds of the monotonic and the thread's clock; 0: never."""

    wall: int = 0
    cpu: int = 0

    def __bool__(self) -> bool:
        return self.wall != 0 or self.cpu != 0


NEVER = Deadline()


class Reserve:
    """How long before its limit an engine stops; it learns from how late the engine came back."""

    def __init__(self) -> None:
        self.late = Lateness(), Lateness()  # on the wall, and of the processor

    def deadline(self, position: Position, limits: Limits, usual: float = USUAL) -> Deadline:
        """When the thinking that begins now has to end; `usual` seconds early, or as learned."""
        if not limits.timed:
            return NEVER
        wall, cpu = self.late
        return Deadline(
            wall.target(monotonic_ns(), limits.wall_budget(position), usual),
            0 if limits.cpu is None else cpu.target(thread_time_ns(), limits.cpu, usual),
        )

    def learn(self, deadline: Deadline) -> None:
        """The thinking has ended just now; the thread that has done it says so."""
        wall, cpu = self.late
        if deadline.wall:
            wall.note(monotonic_ns() - deadline.wall)
        if deadline.cpu:
            cpu.note(thread_time_ns() - deadline.cpu)


class Lateness:
    """The worst of the last moves by one clock, fading."""

    def __init__(self) -> None:
        self.worst = 0.0  # seconds

    def target(self, now: int, budget: float | None, usual: float) -> int:
        """The time to stop at, on the clock that shows `now`; 0 without a budget."""
        if budget is None:
            return 0
        early = max(min(usual, SHARE * budget), SAFETY * self.worst)
        return now + max(1, int(1e9 * (budget - min(early, MOST * budget))))

    def note(self, late: int) -> None:
        """Nanoseconds past the target; one who came back before it shows nothing."""
        if late > 0:
            self.worst = max(1e-9 * late, FADES * self.worst)


@cache
def reserve_of(kind: type[Any]) -> Reserve:
    """The reserve of all engines of a class in this process.

    How late an engine is depends on its code and the machine, not on the game: a new game, or an
    engine built anew, need not learn it again.
    """
    return Reserve()
