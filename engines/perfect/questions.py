"""Questions to the exact solver, and how much may still be spent on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from time import monotonic_ns, thread_time_ns
from typing import TypeVar

from arena import Position, Rules
from arena.engine.reserve import NEVER, Deadline
from arena.solver.exact import Budget, OutOfBudget, until_answered
from arena.solver.flat.solver import Solver

T = TypeVar("T")


class Questions:
    """A solver, the nodes that are left, and a deadline; without either it takes its time.

    A question that cannot be answered within them raises OutOfBudget.
    """

    def __init__(
        self, solver: Solver, nodes: int | None = None, deadline: Deadline = NEVER
    ) -> None:
        self.solver = solver
        self.began = solver.nodes
        self.nodes = nodes
        self.deadline = deadline

    @property
    def limited(self) -> bool:
        """Whether an answer may fail to come."""
        return self.nodes is not None or bool(self.deadline)

    @property
    def asked(self) -> int:
        """The nodes that were searched for all questions so far."""
        return self.solver.nodes - self.began

    def score(self, position: Position) -> int:
        """What a position is worth to the player to move."""
        return self._ask(lambda budget: self.solver.score(position, budget))

    def beats(self, position: Position, score: int, share: float = 1.0) -> bool:
        """Whether it is worth more than a score, for a share of what is left."""
        return self._ask(lambda budget: self.solver.beats(position, score, budget), share)

    def _ask(self, question: Callable[[Budget], T], share: float = 1.0) -> T:
        return question(self._left(share)) if self.limited else patiently(question)

    def _left(self, share: float) -> Budget:
        nodes = seconds = cpu = None
        if self.nodes is not None:
            nodes = int(share * (self.nodes - self.asked))
        if self.deadline.wall:
            seconds = share * 1e-9 * (self.deadline.wall - monotonic_ns())
        if self.deadline.cpu:
            cpu = share * 1e-9 * (self.deadline.cpu - thread_time_ns())
        if (nodes is not None and nodes < 1) or _is_over(seconds) or _is_over(cpu):
            raise OutOfBudget
        return Budget(nodes, seconds, cpu)


def _is_over(seconds: float | None) -> bool:
    return seconds is not None and seconds <= 0


@lru_cache(maxsize=2)
def shared_solver(rules: Rules, megabytes: int) -> Solver:
    """The solver of this process for a board: what it remembers changes no answer, only the time.

    Only for questions without limits, where nobody gains by what others have asked.
    """
    return Solver(rules, megabytes)


_at_work = Lock()  # two threads may not ask one solver


def patiently(question: Callable[[Budget], T]) -> T:
    """Ask until there is an answer, with a pause now and then in which Ctrl-C is heard."""

    def in_turn(budget: Budget) -> T:
        with _at_work:
            return question(budget)

    return until_answered(in_turn)
