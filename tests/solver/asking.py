"""What tests ask a solver besides its own questions."""

from __future__ import annotations

import time

from arena.game.position import Position
from arena.solver.solver import ExactSolver


def best_columns(solver: ExactSolver, position: Position) -> list[int]:
    """The columns that keep the exact score."""
    scores = solver.scores(position)
    return [column for column, score in scores.items() if score == max(scores.values())]


def after(seconds: float) -> int:
    """A moment so many seconds from now, as deadlines have it."""
    return time.monotonic_ns() + int(seconds * 1e9)
