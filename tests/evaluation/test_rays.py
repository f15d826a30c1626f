"""H1, the rays of the disc dropped last (Blair 2011), by hand and against the naive one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evaluation import Evaluation
from arena.evaluation.evaluation import h1
from arena.game import FIRST, SCORE4, SECOND, Position, Rules
from tests import naive
from tests.evaluation.naive_value import value_of
from tests.game.strategies import Game, games

DOWN = Evaluation("down", rays="down")
UP = Evaluation("up", rays="up")
SLANTED = Evaluation("slanted", rays="down", diagonals=True)


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("4", 6 + 6),  # left and right: my disc 3, three empty cells 1 each; below is off the board
        ("1", 6),  # left is off the board
        ("2", 6),  # two cells to the left are not enough for a ray of four
        ("5", 6),
        ("34", 6),  # to the left lies a disc of theirs: nothing; to the right 3 + 1 + 1 + 1
        ("374", 8),  # left: 3 + 3 + 1 + 1; right: theirs in column 7
        ("314", 6),  # left: theirs in column 1
        ("7746", 0),  # left: theirs in column 4; right: off the board
        ("44", 6 + 6),  # on level 2; below only two cells
        ("4444", 6 + 6),  # below: theirs
    ],
)
def test_rays_to_the_left_to_the_right_and_down(moves: str, value: int) -> None:
    position = Position.parse(moves)
    mover = 1 - position.to_move
    assert value_of(DOWN, position, mover) == value
    assert value_of(DOWN, position, 1 - mover) == -value


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("4", 6 + 6 + 6),
        ("444", 6 + 6 + 6),  # levels 3 to 6
        ("4444", 6 + 6),  # levels 4 to 7: off the board
        ("1", 6 + 6),
    ],
)
def test_up_looks_above_the_disc_instead_of_below(moves: str, value: int) -> None:
    position = Position.parse(moves)
    assert value_of(UP, position, 1 - position.to_move) == value


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("4", 12 + 6 + 6),  # both diagonals upward
        ("1", 6 + 6),  # one of them
        ("15144", 8 + 6 + 6 + 6),  # left on level 2: 3 + 1 + 1 + 3; right; both diagonals upward
        ("4132", 0 + 6),  # from column 2: theirs to the right; one diagonal upward
    ],
)
def test_diagonals_add_the_slanted_rays(moves: str, value: int) -> None:
    position = Position.parse(moves)
    assert value_of(SLANTED, position, 1 - position.to_move) == value


def test_a_column_of_four_is_the_only_ray_that_goes_down() -> None:
    won = Position.parse("1212121")  # below: four of mine; right of level 4: 3 + 1 + 1 + 1
    assert h1(won) == 12 + 6


def test_the_owner_of_the_disc_is_the_one_whose_value_it_is() -> None:
    assert h1(Position.parse("473")) == 8  # right: 3 + 3 + 1 + 1
    assert h1(Position.parse("3147")) == 0  # left: X in column 4


@pytest.mark.parametrize(
    ("column", "down", "up", "slanted"),
    [
        ("1", 6 + 6, 6 + 6 + 6, 12 + 4 * 6),  # a corner: three diagonals on planes, one in space
        ("2", 6, 6 + 6, 6 + 6),  # an edge: along x, up, and the diagonal between them
        ("6", 0, 6, 0),  # an inner column: four cells fit nowhere but upward
    ],
)
def test_rays_in_space_run_along_both_axes(column: str, down: int, up: int, slanted: int) -> None:
    position = Position.parse(column, SCORE4)
    assert value_of(DOWN, position, FIRST) == down
    assert value_of(UP, position, FIRST) == up
    assert value_of(SLANTED, position, FIRST) == slanted


def test_no_value_where_no_move_is_known() -> None:
    drawn = Position.parse("......./......./......./......./......./...X...")
    assert value_of(DOWN, drawn, FIRST) == value_of(DOWN, Position(), SECOND) == 0


FOUR_IN_LINE = st.sampled_from(["7x6", "8x7", "5x4", "4x4x4", "4x2x8"]).map(Rules.named)


@given(games(FOUR_IN_LINE), st.booleans(), st.booleans())
def test_h1_is_what_a_walk_along_each_ray_gives(game: Game, up: bool, diagonals: bool) -> None:
    evaluation = Evaluation(rays="up" if up else "down", diagonals=diagonals)
    for player in (FIRST, SECOND):
        expected = naive.h1(game.board, player, vertical=1 if up else -1, diagonals=diagonals)
        assert value_of(evaluation, game.position, player) == expected
