"""One way in for all who want exact scores, whatever the board."""

from __future__ import annotations

from arena.game.rules import Rules
from arena.solver.exact import MEGABYTES, ExactSolver
from arena.solver.flat.solver import Solver
from arena.solver.space.solver import SpaceSolver


def solver_for(rules: Rules, megabytes: float = MEGABYTES, book: bool = True) -> ExactSolver:
    """The solver for a board; BadRules, with the reason, for a flat one that is too large.

    Flat boards are solved from any position, given time. Boards in space are solved near the end
    alone: ask about those with a budget.
    """
    if rules.is_flat:
        return Solver(rules, megabytes, book=book)
    return SpaceSolver(rules, megabytes)
