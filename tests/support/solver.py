"""Exact scores by a search without an opening book."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arena import Position, Rules
from arena.bench.solver import solve_all
from arena.solver.flat.search import Solver
from arena.solver.solver import ExactSolver
from tests.support.data import data_file
from tests.support.retrograde import Solved


def searched_scores(positions: Iterable[Position], rules: Rules) -> list[int]:
    solver = Solver(rules, 16, book=False)
    return [solver.score(position) for position in positions]


def searched_value(rules: Rules) -> int | None:
    """The value of the empty board: 1 the first player wins, -1 the second, 0 nobody."""
    return Solver(rules, 64, book=False).sign(Position(rules))


def wrong_scores(solver: Solver, board: Solved) -> list[str]:
    """The first positions whose score is wrong, asked in shuffled order of one solver."""
    found = solve_all(solver, board.own, board.discs, board.plies)
    return [
        f"{hex(board.own[i])} of {hex(board.discs[i])}: {found[i]}, is {board.scores[i]}"
        for i in np.flatnonzero(found != board.scores)[:3]
    ]


def wrong_searches(board: Solved, megabytes: float) -> list[str]:
    """As `wrong_scores`, by a solver with a table of this size and the usual settings."""
    return wrong_scores(Solver(board.rules, megabytes, book=False), board)


def published_scores(file: str, rules: Rules, first_column: int) -> list[tuple[Position, int]]:
    """The positions of a benchmark set with their scores; columns count from `first_column`."""
    found = []
    for line in data_file(file).read_text().splitlines():
        moves, score = line.split()
        position = Position(rules)
        for column in moves:
            position = position.play(int(column) - first_column)
        found.append((position, int(score)))
    return found


def best_columns(solver: ExactSolver, position: Position) -> list[int]:
    """The columns that keep the exact score."""
    scores = solver.scores(position)
    return [column for column, score in scores.items() if score == max(scores.values())]
