"""Won and drawn games, one for each way to win, with the line they end on."""

from __future__ import annotations

import pytest

from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules, WinningLine
from arena.game.rules import Cell

FLAT_WINS = [
    ("3634373", FIRST, "column", ((2, 0), (2, 1), (2, 2), (2, 3))),
    ("16763616", SECOND, "column", ((5, 0), (5, 1), (5, 2), (5, 3))),
    ("5363764", FIRST, "row", ((3, 0), (4, 0), (5, 0), (6, 0))),
    ("13242516", SECOND, "row", ((2, 0), (3, 0), (4, 0), (5, 0))),
    ("34433222144", FIRST, "rising diagonal", ((0, 0), (1, 1), (2, 2), (3, 3))),
    ("6774776655", SECOND, "rising diagonal", ((3, 0), (4, 1), (5, 2), (6, 3))),
    ("32321141261", FIRST, "falling diagonal", ((0, 3), (1, 2), (2, 1), (3, 0))),
    ("4425232233", SECOND, "falling diagonal", ((1, 3), (2, 2), (3, 1), (4, 0))),
]

# Columns of a 4x4x4 board are 4 x + y + 1.
SPACE_WINS = [
    ("3,9,3,1,3,5,3", "column", ((0, 2, 0), (0, 2, 1), (0, 2, 2), (0, 2, 3))),
    ("8,2,16,3,12,5,4", "row along x", ((0, 3, 0), (1, 3, 0), (2, 3, 0), (3, 3, 0))),
    ("7,12,6,4,5,15,8", "row along y", ((1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0))),
    ("16,5,6,5,11,12,1", "level diagonal x+y", ((0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 3, 0))),
    ("7,15,13,13,4,16,10", "level diagonal x-y", ((0, 3, 0), (1, 2, 0), (2, 1, 0), (3, 0, 0))),
    (
        "14,14,10,6,6,3,2,13,14,10,14,7,10",
        "rising diagonal along x",
        ((0, 1, 0), (1, 1, 1), (2, 1, 2), (3, 1, 3)),
    ),
    (
        "2,5,12,11,2,2,14,10,6,6,10,7,6,13,2",
        "falling diagonal along x",
        ((0, 1, 3), (1, 1, 2), (2, 1, 1), (3, 1, 0)),
    ),
    (
        "12,10,7,12,12,3,10,11,9,4,12,11,11",
        "rising diagonal along y",
        ((2, 0, 0), (2, 1, 1), (2, 2, 2), (2, 3, 3)),
    ),
    (
        "9,3,2,1,1,1,3,13,7,8,1,7,4,2,2",
        "falling diagonal along y",
        ((0, 0, 3), (0, 1, 2), (0, 2, 1), (0, 3, 0)),
    ),
    (
        "16,12,16,6,12,14,6,11,3,13,6,11,1,16,10,8,16,4,11",
        "rising space diagonal x+y",
        ((0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3)),
    ),
    (
        "8,1,1,1,16,11,11,11,1,10,3,6,6,11,6",
        "falling space diagonal x+y",
        ((0, 0, 3), (1, 1, 2), (2, 2, 1), (3, 3, 0)),
    ),
    (
        "9,2,13,10,8,13,13,7,13,1,4,5,14,10,3,6,10,16,7",
        "rising space diagonal x-y",
        ((0, 3, 0), (1, 2, 1), (2, 1, 2), (3, 0, 3)),
    ),
    (
        "9,2,4,9,14,7,13,11,8,7,9,4,7,12,10,4,10,13,4",
        "falling space diagonal x-y",
        ((0, 3, 3), (1, 2, 2), (2, 1, 1), (3, 0, 0)),
    ),
]

LAST_DISC_WINS = "231265243776122744716756416465135137325453"
DRAW = "736536436212766145172111622455574775343234"


@pytest.mark.parametrize(("moves", "winner", "direction", "cells"), FLAT_WINS)
def test_a_flat_win_names_its_line(
    moves: str, winner: int, direction: str, cells: tuple[tuple[int, int], ...]
) -> None:
    won = Position.parse(moves)
    assert won.winner == winner
    assert won.is_over
    assert not won.is_draw
    in_space = tuple((x, 0, z) for x, z in cells)
    assert won.winning_lines == (WinningLine(winner, in_space, direction),)
    assert Position.parse(moves[:-1]).winner is None


@pytest.mark.parametrize(("moves", "direction", "cells"), SPACE_WINS)
def test_a_win_in_space_names_its_line(moves: str, direction: str, cells: tuple[Cell, ...]) -> None:
    won = Position.parse(moves, SCORE4)
    assert won.winning_lines == (WinningLine(FIRST, cells, direction),)
    assert Position.parse(moves.rpartition(",")[0], SCORE4).winner is None


def test_the_space_games_above_show_every_direction_once() -> None:
    shown = sorted(direction for _, direction, _ in SPACE_WINS)
    assert shown == sorted(d.name_on(flat=False) for d in SCORE4.directions)


def test_the_very_last_disc_can_win_or_end_in_a_draw() -> None:
    won, drawn = Position.parse(LAST_DISC_WINS), Position.parse(DRAW)
    assert not Position.parse(LAST_DISC_WINS[:-1]).is_over
    assert won.ply == drawn.ply == CONNECT4.cells
    assert won.winning_line == WinningLine(
        SECOND, ((0, 0, 5), (1, 0, 5), (2, 0, 5), (3, 0, 5)), "row"
    )
    assert (won.winner, won.is_draw) == (SECOND, False)
    assert (drawn.winner, drawn.is_draw, drawn.winning_line) == (None, True, None)


def test_one_disc_can_complete_several_lines() -> None:
    won = Position.parse("55661122463")  # X in columns 1 to 6 of the lowest row, 3 dropped last
    spans = [[x for x, _, _ in line.cells] for line in won.winning_lines]
    assert spans == [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]]
    assert {line.direction for line in won.winning_lines} == {"row"}


def test_a_line_does_not_continue_on_the_other_side_of_the_board() -> None:
    # The two highest cells of column 1 and the two lowest of column 2 have consecutive numbers.
    position = Position.parse("X....../X....../O....../O....../XX...../OX.O.O.")
    assert [CONNECT4.coordinates(cell) for cell in (4, 5, 6, 7)] == [
        (0, 0, 4),
        (0, 0, 5),
        (1, 0, 0),
        (1, 0, 1),
    ]
    assert position.winner is None
    assert position.winning_lines == ()


@pytest.mark.parametrize(
    ("rules", "moves"),
    [("2x1c2", "12"), ("1x2c2", "11"), ("1x1x2c2", "11"), ("1x3c3", "111"), ("3x1c3", "123")],
)
def test_the_smallest_boards_end_in_a_draw(rules: str, moves: str) -> None:
    assert Position.parse(moves, Rules.named(rules)).is_draw


def test_connect_two_is_won_with_the_third_disc() -> None:
    won = Position.parse("131", Rules.flat(3, 3, 2))
    assert won.winner == FIRST
    assert won.winning_line == WinningLine(FIRST, ((0, 0, 0), (0, 0, 1)), "column")
