"""Exact scores on every position of small boards, against retrograde minimax."""

from __future__ import annotations

import pytest

from arena.game.rules import Rules
from arena.solver.flat.search import Solver
from tests.support.retrograde import solved
from tests.support.solver import wrong_scores

# Odd and even heights, few and many columns, lines of two to four.
BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "2x7", "6x2c3", "4x3c2", "5x3", "3x6", "4x4")
SMALL = 1 / 64  # MB: two thousand entries, most of which are soon written over


def eager(rules: Rules, megabytes: float) -> Solver:
    """A solver that uses everything on small boards that else is kept for many free cells."""
    solver = Solver(rules, megabytes, book=False)
    solver.field.table_from = solver.field.children_from = solver.field.mirror_from = 0
    return solver


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("megabytes", [SMALL, 1])
def test_every_position_has_its_exact_score(name: str, megabytes: float) -> None:
    """Asked in shuffled order of one solver, whose table remembers all the time."""
    board = solved(name)
    assert wrong_scores(eager(board.rules, megabytes), board) == []
    assert wrong_scores(Solver(board.rules, megabytes, book=False), board) == []
