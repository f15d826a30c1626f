"""What an answer of the solver may cost, and the one way to ask for it.

A kernel hears nobody while it searches. Whoever has to hear Ctrl-C, show progress or be stopped by
others asks in slices: the solver's table keeps most of what was learned in one for the next. The
longer a question lasts, the longer its slices.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from arena.solver.exact import ExactSolver

T = TypeVar("T")

SLICE, LONGEST_SLICE = 0.5, 4.0  # seconds in which nobody is heard, at first and in the end
NO_LIMIT = 1 << 62  # nodes
LONGEST = 1e9  # seconds: more would not fit the kernels' clock


class OutOfBudget(Exception):
    """The time or the nodes ran out before the answer was proven."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a question may cost; None is no limit.

    A moment of processor time, of all threads together, may bound many questions: what can be
    proven until then does not depend on who else uses the machine.
    """

    nodes: int | None = None
    seconds: float | None = None  # on the wall
    cpu: float | None = None  # seconds of the processor, for the thread that asks
    until: float | None = None  # a moment of `time.process_time`
    on_wait: Callable[[], None] | None = field(default=None, compare=False)  # after each slice

    @classmethod
    def lasting(
        cls,
        seconds: float | None,
        nodes: int | None = None,
        on_wait: Callable[[], None] | None = None,
    ) -> Budget:
        """So much processor time from now on for all questions together, so many nodes for each."""
        until = None if seconds is None else time.process_time() + seconds
        return cls(nodes, until=until, on_wait=on_wait)

    def with_nodes(self, nodes: int | None) -> Budget:
        """The same time, other nodes."""
        return replace(self, nodes=nodes)

    @property
    def time_left(self) -> float | None:
        """Seconds of the processor until the moment when all questions end."""
        return None if self.until is None else max(0.0, self.until - time.process_time())

    @property
    def is_over(self) -> bool:
        """Whether that moment has come, for this question and all others."""
        return self.until is not None and time.process_time() >= self.until


PATIENT = Budget(on_wait=lambda: None)  # no limit, but Ctrl-C is heard


def ask(solver: ExactSolver, question: Callable[[], T], budget: Budget | None = None) -> T:
    """The answer of a kernel on the solver's field, or OutOfBudget.

    The budget's `on_wait` is called after each slice, and may raise whatever ends the waiting.
    Several threads may ask one solver: they take turns, slice by slice.
    """
    record, budget = solver.field, budget or Budget()
    most = NO_LIMIT if budget.nodes is None else min(NO_LIMIT, solver.nodes + budget.nodes)
    wall = _moment(time.monotonic_ns(), budget.seconds)
    cpu = _moment(time.thread_time_ns(), budget.cpu)
    seconds = SLICE
    while not (budget.is_over or solver.nodes >= most or _is_past(wall, cpu)):
        with solver.turn:
            record.stopped, record.most = False, most
            record.deadline, record.cpu_deadline = _end_of_slice(budget, seconds, wall), cpu
            answer = question()
            if not record.stopped:
                return answer
        if budget.on_wait is not None:
            budget.on_wait()
        seconds = min(2 * seconds, LONGEST_SLICE)
    raise OutOfBudget


def _moment(now: int, seconds: float | None) -> int:
    """So many seconds from now in nanoseconds, as kernels want it; 0 is never."""
    return 0 if seconds is None else max(1, now + int(min(seconds, LONGEST) * 1e9))


def _is_past(wall: int, cpu: int) -> bool:
    """Whether one of two such moments has come, on the wall or for this thread."""
    return 0 < wall <= time.monotonic_ns() or 0 < cpu <= time.thread_time_ns()


def _end_of_slice(budget: Budget, seconds: float, wall: int) -> int:
    """When a kernel has to come back; without anybody to hear, when its time is over."""
    left = budget.time_left
    if left is None and budget.on_wait is None:
        return wall
    end = _moment(time.monotonic_ns(), seconds if left is None else min(seconds, left))
    return min(end, wall) if wall else end
