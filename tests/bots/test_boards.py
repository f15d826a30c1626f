"""Boards as foreign code sees them, on positions that no mirror and no turn leaves as they are."""

from __future__ import annotations

import pytest
from hypothesis import given

from arena import Position, Rules
from arena.bots.boards import (
    NUMBERS,
    board_rows,
    board_text,
    flat_board,
    own_rows,
    read_flat_board,
)
from arena.errors import BadNotation
from tests.game.strategies import Game, games, sizes

WIDE = Rules.flat(5, 3, 3)

# X in the corner and beside it, O upon it: . . . . . / O . . . . / X X . . O after 1 1 2 5
POSITION = Position.parse("1125", WIDE)
AFTER = POSITION.play(4)  # and X upon the disc on the right


def test_rows_begin_on_top_and_on_the_left() -> None:
    assert board_rows(POSITION, NUMBERS) == [[0, 0, 0, 0, 0], [2, 0, 0, 0, 0], [1, 1, 0, 0, 2]]
    assert flat_board(AFTER, NUMBERS) == [0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1, 1, 0, 0, 2]


def test_text_is_put_together_as_a_dialect_wants_it() -> None:
    assert board_text(AFTER, ("0", "1", "2"), ",", ";") == "0,0,0,0,0;2,0,0,0,1;1,1,0,0,2"
    assert board_text(AFTER, (".", "0", "1"), ",", ",") == ".,.,.,.,.,1,.,.,.,0,0,0,.,.,1"
    assert board_text(AFTER, (".", "0", "1"), "", "\n") == ".....\n1...0\n00..1"


def test_own_discs_are_those_of_the_player_to_move() -> None:
    assert own_rows(POSITION, 0, 1, -1) == [[0, 0, 0, 0, 0], [-1, 0, 0, 0, 0], [1, 1, 0, 0, -1]]
    assert own_rows(AFTER, 0, 1, -1) == [[0, 0, 0, 0, 0], [1, 0, 0, 0, -1], [-1, -1, 0, 0, 1]]
    planes = own_rows(AFTER, (0, 0), (1, 0), (0, 1))
    assert [[cell[0] for cell in row] for row in planes] == [
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]
    assert [cell[1] for cell in planes[2]] == [1, 1, 0, 0, 0]


@given(games(sizes().filter(lambda rules: rules.is_flat)))
def test_what_is_written_is_read_back(game: Game) -> None:
    numbers = flat_board(game.position, NUMBERS)
    assert read_flat_board(numbers, game.rules, NUMBERS) == game.position
    letters = flat_board(game.position, (".", "0", "1"))
    assert read_flat_board(letters, game.rules, (".", "0", "1")) == game.position


def test_a_list_that_is_no_board_is_told() -> None:
    with pytest.raises(BadNotation, match="a 5x3 board has 15 cells, found 3"):
        read_flat_board([0, 1, 2], WIDE, NUMBERS)
    with pytest.raises(BadNotation, match="7 is not a cell; expected one of 0, 1, 2"):
        read_flat_board([7] * 15, WIDE, NUMBERS)
    with pytest.raises(BadNotation, match="column 1 floats"):
        read_flat_board([1, *[0] * 14], WIDE, NUMBERS)
