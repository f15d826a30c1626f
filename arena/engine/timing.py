"""Timing: when an engine must stop to answer in time, and how fast this host is.

A kernel reads the clock every few nodes, and on a busy machine its process may have to wait for a
processor when its time is over. So an engine stops early, by as much as its last answers were late.

The exact solver measures the speed of a host, on one core and by processor time; the best of a few
runs counts. A busy host has the same speed, though it has less time for each process.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from time import monotonic_ns, thread_time, thread_time_ns
from typing import Any, NamedTuple

from arena.engine.limits import Limits
from arena.game.position import Position

USUAL = 0.002  # seconds to stop before the limit, at most a tenth of it, if never late
SHARE = 0.1
SAFETY = 1.25  # times the worst lateness
DECAY = 0.98  # of the worst lateness with each move: a busy machine may become quiet
MAX_SHARE = 0.5  # of the limit
NODES, REPEATS, MEGABYTES = 200_000, 8, 1  # of the search that measures a host


class Deadline(NamedTuple):
    """When to stop, in nanoseconds of the monotonic and the thread's clock; 0: never."""

    wall: int = 0
    cpu: int = 0

    def __bool__(self) -> bool:
        return self.wall != 0 or self.cpu != 0


NEVER = Deadline()


class Reserve:
    """The time before its limit at which an engine stops; it learns from late answers."""

    def __init__(self) -> None:
        self.late = Lateness(), Lateness()  # on the wall, and of the processor

    def deadline(self, position: Position, limits: Limits, usual: float = USUAL) -> Deadline:
        """The deadline of a move that begins now: `usual` seconds early, or as learned."""
        if not limits.timed:
            return NEVER
        wall, cpu = self.late
        return Deadline(
            wall.target(monotonic_ns(), limits.wall_budget(position), usual),
            0 if limits.cpu is None else cpu.target(thread_time_ns(), limits.cpu, usual),
        )

    def learn(self, deadline: Deadline) -> None:
        """Note that a move has just ended, in the thread that made it."""
        wall, cpu = self.late
        if deadline.wall:
            wall.note(monotonic_ns() - deadline.wall)
        if deadline.cpu:
            cpu.note(thread_time_ns() - deadline.cpu)


class Lateness:
    """The worst lateness of the last moves by one clock; older ones count less."""

    def __init__(self) -> None:
        self.worst = 0.0  # seconds

    def target(self, now: int, budget: float | None, usual: float) -> int:
        """The time to stop at, on the clock that shows `now`; 0 without a budget."""
        if budget is None:
            return 0
        early = max(min(usual, SHARE * budget), SAFETY * self.worst)
        return now + max(1, int(1e9 * (budget - min(early, MAX_SHARE * budget))))

    def note(self, late: int) -> None:
        """Note nanoseconds past the target; an earlier answer changes nothing."""
        if late > 0:
            self.worst = max(1e-9 * late, DECAY * self.worst)


@cache
def reserve_of(kind: type[Any]) -> Reserve:
    """The reserve of all engines of a class in this process, in all games."""
    return Reserve()


def positions_a_second() -> float:
    """Positions that the exact solver searches in a second of processor time, at its best."""
    from arena.game.rules import CONNECT4  # with kernels, which most limits do not need
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
    """Limits in seconds of this host; those of the reference are scaled by its speed."""
    return limits if limits.on is None else limits.at_speed(speed_of_this_host())
