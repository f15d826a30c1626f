"""Questions to the exact solver, and how much may still be spent on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from time import monotonic
from typing import TypeVar

from arena import Position, Rules
from arena.solver.exact import Budget, OutOfBudget, until_answered
from arena.solver.flat.solver import Solver

T = TypeVar("T")


class Questions:
    """A solver, and the nodes and seconds that are left; without either it takes its time.

    A question that cannot be answered within them raises OutOfBudget.
    """

    def __init__(
        self, solver: Solver, nodes: int | None = None, seconds: float | None = None
    ) -> None:
        self.solver = solver
        self.began = solver.nodes
        self.nodes = nodes
        self.deadline = None if seconds is None else monotonic() + seconds

    @property
    def limited(self) -> bool:
        """Whether an answer may fail to come."""
        return self.nodes is not None or self.deadline is not None

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
        nodes = seconds = None
        if self.nodes is not None:
            nodes = int(share * (self.nodes - self.asked))
        if self.deadline is not None:
            seconds = share * (self.deadline - monotonic())
        if (nodes is not None and nodes < 1) or (seconds is not None and seconds <= 0):
            raise OutOfBudget
        return Budget(nodes, seconds)


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
