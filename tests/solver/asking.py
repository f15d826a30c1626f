"""What tests ask a solver besides its own questions."""

from __future__ import annotations

from arena.game.position import Position
from arena.solver.exact import ExactSolver


def best_columns(solver: ExactSolver, position: Position) -> list[int]:
    """The columns that keep the exact score."""
    scores = solver.scores(position)
    return [column for column, score in scores.items() if score == max(scores.values())]
