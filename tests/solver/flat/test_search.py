"""Exact scores on every position of small boards, against retrograde minimax."""

from __future__ import annotations

import pytest

from arena.game.rules import Rules
from arena.solver.flat.field import ALL_FEATURES, FEATURES, USUAL
from arena.solver.flat.solver import Solver
from tests.support.retrograde import solved
from tests.support.solver import wrong_scores

# Odd and even heights, few and many columns, lines of two to four.
BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "2x7", "6x2c3", "4x3c2", "5x3", "3x6", "4x4")
SMALL = 1 / 64  # MB: two thousand entries, most of which are soon written over


def eager(rules: Rules, megabytes: float, features: int = ALL_FEATURES) -> Solver:
    """A solver that uses everything on small boards that else is kept for many free cells."""
    solver = Solver(rules, megabytes, features, book=False)
    solver.field.table_from = solver.field.children_from = solver.field.mirror_from = 0
    return solver


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("megabytes", [SMALL, 1])
def test_every_position_has_its_exact_score(name: str, megabytes: float) -> None:
    """Asked in shuffled order of one solver, whose table remembers all the time."""
    board = solved(name)
    assert wrong_scores(eager(board.rules, megabytes), board) == []
    assert wrong_scores(eager(board.rules, megabytes, USUAL), board) == []


@pytest.mark.parametrize("name", ["4x4", "3x5c3", "5x3"])
@pytest.mark.parametrize("off", FEATURES)
def test_no_feature_changes_a_score(name: str, off: str) -> None:
    board = solved(name).first(4000)
    solver = eager(board.rules, SMALL, ALL_FEATURES & ~FEATURES[off])
    assert wrong_scores(solver, board) == []


@pytest.mark.parametrize("name", ["4x4", "4x4c3"])
def test_the_plainest_search_agrees(name: str) -> None:
    board = solved(name).first(500)
    assert wrong_scores(Solver(board.rules, SMALL, features=0, book=False), board) == []


def test_every_feature_is_of_use() -> None:
    """Switched off, each costs nodes: an ablation row that shows nothing would be a mistake."""
    board = solved("4x4").first(3000)
    nodes = {}
    for off in (None, *FEATURES):
        features = ALL_FEATURES & ~FEATURES.get(off or "", 0)
        solver = eager(board.rules, SMALL, features)
        solver.scores_of_words(board.own, board.discs, board.plies)
        nodes[off] = solver.nodes
    assert [off for off in FEATURES if nodes[off] == nodes[None]] == []
