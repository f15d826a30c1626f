"""Positions against the naive rules: play, symmetries, keys."""

from __future__ import annotations

import pickle
from functools import reduce

import pytest
from hypothesis import given

from arena.errors import IllegalMove
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules
from tests import naive
from tests.game.strategies import Game, games, random_games, twin


@given(games())
def test_a_position_is_what_the_naive_rules_say(game: Game) -> None:
    position, board, rules = game.position, game.board, game.rules
    for cell in board.cells():
        owner = position.owner(*cell)
        assert (naive.EMPTY if owner is None else owner) == board.at(*cell)
        assert position.disc(cell[0] * rules.depth + cell[1], cell[2]) == owner
    assert list(position.legal) == board.legal()
    assert list(position.moves) == board.moves
    assert (position.ply, position.to_move) == (len(board.moves), board.to_move())
    discs = position.first, position.second
    assert [each.bit_count() for each in discs] == [(position.ply + 1) // 2, position.ply // 2]
    assert (position.own, position.opponent) == (
        discs[position.to_move],
        discs[1 - position.to_move],
    )
    assert (position.winner, position.is_draw, position.is_over) == (
        board.winner(),
        board.is_draw(),
        board.is_over(),
    )
    lines = {(line.player, line.cells) for line in position.winning_lines}
    assert lines == {(owner, tuple(cells)) for owner, _, cells in board.full_lines()}
    assert (position.winning_line is None) == (board.winner() is None)
    winning = [c for c in board.legal() if board.drop(c).winner() is not None]
    assert [c for c in range(rules.columns) if position.wins_with(c)] == winning


@given(games())
def test_landing_is_the_lowest_empty_cell(game: Game) -> None:
    for number, column in enumerate(game.board.columns):
        bit = game.position.landing(number)
        if naive.EMPTY not in column:
            assert bit == 0
        else:
            level = column.index(naive.EMPTY)
            assert bit == 1 << game.rules.cell(*divmod(number, game.rules.depth), level)


@given(games())
def test_a_pickled_position_comes_back_whole(game: Game) -> None:
    position, back = game.position, pickle.loads(pickle.dumps(game.position))
    assert back == position
    assert (back.moves, back.winner, back.ply) == (position.moves, position.winner, position.ply)
    assert back.rules is position.rules


def test_playing_leaves_the_position_before_as_it_was() -> None:
    before = Position.parse("4453")
    seen = (before.first, before.second, before.moves, before.legal)
    before.play(3)
    assert (before.first, before.second, before.moves, before.legal) == seen


def test_positions_are_equal_when_board_and_discs_are() -> None:
    assert Position.parse("1234") == Position.parse("3214")
    assert hash(Position.parse("1234")) == hash(Position.parse("3214"))
    assert Position.parse("12") != Position.parse("21")
    assert Position(CONNECT4) != Position(SCORE4)
    assert Position(CONNECT4) != Position(Rules.flat(7, 6, 5))
    assert Position(CONNECT4) != "a position"


@pytest.mark.parametrize(
    ("position", "column", "sentence"),
    [
        (Position(), 7, r"^column 8 \(7 counted from 0\) is not on the board; expected 1 to 7"),
        (Position(), -1, r"^column 0 \(-1 counted from 0\) is not on the board; expected 1 to 7"),
        (Position.parse("333333"), 2, r"^column 3 \(2 counted from 0\) is full$"),
        (Position.parse("1212121"), 0, r"^the game is over: X has won$"),
        (Position.parse("1212121"), 99, r"^the game is over: X has won$"),
        (Position.parse("1111", Rules.flat(1, 4)), 0, r"^the game is over: the board is full$"),
    ],
)
def test_a_move_that_cannot_be_played_is_refused(
    position: Position, column: int, sentence: str
) -> None:
    with pytest.raises(IllegalMove, match=sentence):
        position.play(column)


def test_cells_are_read_by_column_and_row_and_in_space_by_level() -> None:
    position = Position.parse("443")
    assert (position.rules.columns, position.rules.rows) == (7, 6)
    assert [position.disc(3, row) for row in range(6)] == [FIRST, SECOND, None, None, None, None]
    position = Position(SCORE4).play(6).play(6)
    assert (SCORE4.columns, SCORE4.rows) == (16, 4)
    assert [position.disc(6, row) for row in (0, 1)] == [FIRST, SECOND]
    assert position.owner(1, 2, 1) == SECOND


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (7, 0), (0, -1), (0, 6)])
def test_no_cell_lies_outside_the_board(column: int, row: int) -> None:
    expected = f"column {column}, row {row} is not on the 7x6 board"
    with pytest.raises(IndexError, match=expected):
        Position().disc(column, row)
    with pytest.raises(IndexError, match="is not on the 7x6 board"):
        Position().owner(column, 0, row)


# ---- symmetries


@pytest.mark.parametrize(
    ("size", "count"),
    [("7x6", 2), ("4x4x4", 8), ("2x3x5", 4), ("1x6", 1), ("1x7x6", 2), ("1x1x4", 1), ("2x2x4", 8)],
)
def test_number_of_symmetries(size: str, count: int) -> None:
    symmetries = Rules.named(size).symmetries
    assert len(symmetries) == len(set(symmetries)) == count
    assert symmetries[0] == tuple(range(Rules.named(size).columns))


@given(games())
def test_images_are_the_pictures_that_turning_the_board_gives(game: Game) -> None:
    images = [game.position.image(symmetry) for symmetry in game.rules.symmetries]
    columns, pictures = [twin(image).columns for image in images], naive.images(game.board)
    assert all(picture in pictures for picture in columns)
    assert all(picture in columns for picture in pictures)
    for image in images:
        assert image.symmetry_key == game.position.symmetry_key
        assert image.winner == game.position.winner
        assert reduce(Position.play, image.moves, Position(game.rules)) == image
    assert game.position.mirrored().mirrored().moves == game.position.moves


@pytest.mark.parametrize("size", ["3x3c3", "2x2x2c2", "3x2x2c2", "4x4", "3x3x3c3"])
def test_keys_are_equal_exactly_when_the_boards_look_the_same(size: str) -> None:
    seen: dict[tuple[int, int], list[list[int]]] = {}
    pictures: list[list[list[int]]] = []
    for game in random_games(Rules.named(size), 400, seed=3):
        picture = min(naive.images(game.board))
        assert seen.setdefault(game.position.symmetry_key, picture) == picture
        if picture not in pictures:
            pictures.append(picture)
    assert len(seen) == len(pictures)


def test_mirrored_exchanges_left_and_right() -> None:
    assert Position.parse("1237").mirrored() == Position.parse("7651")
    assert Position.parse("444").mirrored() == Position.parse("444")
    # In space x changes sides and y stays: column 4 x + y + 1.
    assert Position.parse("2,16", SCORE4).mirrored() == Position.parse("14,4", SCORE4)


@pytest.mark.parametrize(("rules", "count"), [(CONNECT4, 4), (SCORE4, 3)])
def test_number_of_different_first_moves(rules: Rules, count: int) -> None:
    keys = {Position(rules).play(column).symmetry_key for column in range(rules.columns)}
    assert len(keys) == count
