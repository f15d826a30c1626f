"""Timing: when an engine that thinks for a time has to come back, and how fast this host is.

A kernel looks at the clock now and then, and on a busy machine a process may have to wait for its
turn just when its time is over. How late an engine came back lately tells how much earlier it must
stop; nobody knows it beforehand.

The speed of a host is measured by the exact solver, on one core and by processor time, of which the
best of a few counts. So the figure is the same on a busy host; that such a host has less time for
everybody, or that two threads share one core, it does not tell.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from time import monotonic_ns, thread_time, thread_time_ns
from typing import Any, NamedTuple

from arena.engine.limits import Limits
from arena.game.position import Position

USUAL = 0.002  # seconds before the limit, at most a tenth of it, for an engine that is never late
SHARE = 0.1
SAFETY = 1.25  # times the worst lateness that is remembered
DECAY = 0.98  # by a move: a machine that was busy need not stay so
MOST = 0.5  # of the time there is
NODES, REPEATS, MEGABYTES = 200_000, 8, 1  # of the search that measures a host


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
            self.worst = max(1e-9 * late, DECAY * self.worst)


@cache
def reserve_of(kind: type[Any]) -> Reserve:
    """The reserve of all engines of a class in this process.

    How late an engine is depends on its code and the machine, not on the game: a new game, or an
    engine built anew, need not learn it again.
    """
    return Reserve()


def positions_a_second() -> float:
    """Positions that the exact solver looks at in a second of processor time, at its best."""
    from arena.game.position import Position  # with kernels, which few need who read limits
    from arena.game.rules import CONNECT4
    from arena.solver.solver import Budget, OutOfBudget, solver_for

    solver = solver_for(CONNECT4, MEGABYTES, book=False)
    solver.warm_up()
    best = 0.0
    for _ in range(REPEATS):
        solver.forget()
        before, begun = solver.nodes, thread_time()
        with suppress(OutOfBudget):
            solver.score(Position(CONNECT4), Budget(nodes=NODES))
        best = max(best, (solver.nodes - before) / max(thread_time() - begun, 1e-9))
    return best


@cache
def speed_of_this_host() -> float:
    """The speed of this machine, measured once in a process."""
    return positions_a_second()


def on_this_host(limits: Limits) -> Limits:
    """Limits as they are here; only those on the reference have the speed measured."""
    return limits if limits.on is None else limits.at_speed(speed_of_this_host())
