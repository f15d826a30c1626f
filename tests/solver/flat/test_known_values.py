"""Scores known from elsewhere: the well-known benchmark sets, and values of other boards."""

from __future__ import annotations

import pytest

from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.flat.solver import Solver
from tests.support.data import data_file

# file, board, number of the first column
SETS = (
    ("Test_L3_R1", "7x6", 1),
    ("Test_L2_R1", "7x6", 1),
    ("Test_L2_R2", "7x6", 1),
    ("Test_L1_R1", "7x6", 1),
    ("9x5_endgame_L1.txt", "9x5", 0),
    ("9x5_midgame_L1.txt", "9x5", 0),
)


def read(file: str, rules: Rules, first_column: int) -> list[tuple[Position, int]]:
    found = []
    for line in data_file(file).read_text().splitlines():
        moves, score = line.split()
        position = Position(rules)
        for column in moves:
            position = position.play(int(column) - first_column)
        found.append((position, int(score)))
    return found


@pytest.mark.parametrize(("file", "name", "first_column"), SETS)
def test_scores_of_the_benchmark_sets(file: str, name: str, first_column: int) -> None:
    rules = Rules.named(name)
    rows = read(file, rules, first_column)
    solver = Solver(rules, 16, book=False)
    assert solver.all_scores(position for position, _ in rows) == [score for _, score in rows]


# From the empty board: 1 the first player wins, -1 the second, 0 nobody.
VALUES = {
    "4x4": 0, "5x4": 0, "6x4": -1, "7x4": 0, "8x4": -1,
    "4x5": 0, "5x5": 0, "6x5": 0, "7x5": 0, "8x5": 1,
    "4x6": 0, "5x6": 0, "6x6": -1, "7x6": 1,
    "4x7": 0, "5x7": 0, "6x7": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_who_wins_on_other_boards(name: str) -> None:
    rules = Rules.named(name)
    assert Solver(rules, 64, book=False).sign(Position(rules)) == VALUES[name]
