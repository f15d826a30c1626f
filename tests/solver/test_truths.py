"""Exact scores known from elsewhere: benchmark sets, other boards, and retrograde minimax."""

from __future__ import annotations

import pytest

import arena
from tests.support.retrograde import solved
from tests.support.solver import (
    published_scores,
    searched_scores,
    searched_value,
    wrong_searches,
)

pytestmark = pytest.mark.contract

# file, board, number of the first column
SETS = (
    ("Test_L3_R1", "7x6", 1),
    ("Test_L2_R1", "7x6", 1),
    ("Test_L2_R2", "7x6", 1),
    ("Test_L1_R1", "7x6", 1),
    ("9x5_endgame_L1.txt", "9x5", 0),
    ("9x5_midgame_L1.txt", "9x5", 0),
)


@pytest.mark.parametrize(("file", "name", "first_column"), SETS)
def test_scores_of_the_benchmark_sets(file: str, name: str, first_column: int) -> None:
    rules = arena.Rules.named(name)
    rows = published_scores(file, rules, first_column)
    assert searched_scores([position for position, _ in rows], rules) == [row[1] for row in rows]


# From the empty board: 1 the first player wins, -1 the second, 0 nobody.
VALUES = {
    "4x4": 0, "5x4": 0, "6x4": -1, "7x4": 0, "8x4": -1,
    "4x5": 0, "5x5": 0, "6x5": 0, "7x5": 0, "8x5": 1,
    "4x6": 0, "5x6": 0, "6x6": -1, "7x6": 1,
    "4x7": 0, "5x7": 0, "6x7": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_who_wins_on_other_boards(name: str) -> None:
    assert searched_value(arena.Rules.named(name)) == VALUES[name]


# Odd and even heights, few and many columns, lines of two to four.
BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "2x7", "6x2c3", "4x3c2", "5x3", "3x6", "4x4")


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("megabytes", [1 / 64, 1])
def test_every_position_of_a_small_board(name: str, megabytes: float) -> None:
    """Against retrograde minimax; the smaller table soon overwrites its two thousand entries."""
    assert wrong_searches(solved(name), megabytes) == []


def test_the_scores_of_the_first_moves() -> None:
    """Known since the game was solved in 1988."""
    solution = arena.solve("")
    assert solution.scores == dict(enumerate([-2, -1, 0, 1, 0, -1, -2]))
    assert (solution.score, solution.best) == (1, [3])
