"""One way in for all who want exact scores, whatever the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.solver import MEGABYTES, Budget, Solver
from arena.solver.space import SpaceSolver


class ExactSolver(Protocol):
    """What both solvers answer; each answer is proven, or OutOfBudget is raised."""

    rules: Rules

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def score(self, position: Position, budget: Budget | None = None) -> int:
        """What a position is worth to the player to move."""

    def beats(self, position: Position, score: int, budget: Budget | None = None) -> bool:
        """Whether a position is worth more than a score."""

    def sign(self, position: Position, budget: Budget | None = None) -> int:
        """Who wins: 1 the player to move, 0 nobody, -1 the other one."""

    def scores(self, position: Position, budget: Budget | None = None) -> dict[int, int]:
        """What each legal column is worth to the player to move."""

    def best(self, position: Position, budget: Budget | None = None) -> list[int]:
        """The columns that keep the exact score."""

    def all_scores(self, positions: Iterable[Position]) -> list[int]:
        """Scores of many positions, none of them over."""

    def forget(self) -> None:
        """Empty the table."""


def judge_for(rules: Rules, megabytes: float = MEGABYTES) -> ExactSolver:
    """The solver for a board; BadRules, with the reason, for a flat one that is too large.

    Flat boards are solved from any position, given time. Boards in space are solved near the end
    alone: ask about those with a budget.
    """
    return Solver(rules, megabytes) if rules.is_flat else SpaceSolver(rules, megabytes)
