"""Positions: play, symmetries, keys."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from arena.errors import IllegalMove
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules
from tests import naive
from tests.game.strategies import Game, games, random_games, twin


def owners(position: Position, board: naive.Board) -> list[int]:
    """The position cell by cell, in the numbers of the naive board."""
    found = (position.owner(*cell) for cell in board.cells())
    return [naive.EMPTY if owner is None else owner for owner in found]


@given(games())
def test_every_cell_holds_the_disc_that_the_naive_board_holds(game: Game) -> None:
    assert owners(game.position, game.board) == [game.board.at(*c) for c in game.board.cells()]


@given(games())
def test_legal_columns_are_those_with_room_until_the_game_ends(game: Game) -> None:
    assert list(game.position.legal) == game.board.legal()


@given(games())
def test_winner_and_draw_and_end_agree_with_a_full_scan(game: Game) -> None:
    assert game.position.winner == game.board.winner()
    assert game.position.is_draw == game.board.is_draw()
    assert game.position.is_over == game.board.is_over()


@given(games())
def test_winning_lines_are_all_the_full_lines_and_no_others(game: Game) -> None:
    lines = {(line.player, line.cells) for line in game.position.winning_lines}
    assert lines == {(owner, tuple(cells)) for owner, _, cells in game.board.full_lines()}
    assert (game.position.winning_line is None) == (game.board.winner() is None)


@given(games())
def test_counts_and_turn_follow_from_the_moves(game: Game) -> None:
    position = game.position
    assert position.ply == len(game.board.moves)
    assert position.to_move == game.board.to_move()
    assert list(position.moves) == game.board.moves
    assert position.first.bit_count() == (position.ply + 1) // 2
    assert position.second.bit_count() == position.ply // 2
    assert {position.own, position.opponent} == {position.first, position.second}
    assert position.own == (position.first, position.second)[position.to_move]


@given(games())
def test_wins_with_tells_what_the_next_move_would_bring(game: Game) -> None:
    winning = [c for c in game.board.legal() if game.board.drop(c).winner() is not None]
    assert [c for c in range(game.rules.columns) if game.position.wins_with(c)] == winning


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
    back = pickle.loads(pickle.dumps(game.position))
    assert back == game.position
    assert (back.moves, back.winner, back.ply) == (
        game.position.moves,
        game.position.winner,
        game.position.ply,
    )
    assert back.rules is game.position.rules


def test_playing_leaves_the_position_before_as_it_was() -> None:
    before = Position.parse("4453")
    seen = (before.first, before.second, before.moves, before.legal)
    before.play(3)
    assert (before.first, before.second, before.moves, before.legal) == seen


def test_positions_are_equal_when_their_discs_are_whatever_the_order() -> None:
    assert Position.parse("1234") == Position.parse("3214")
    assert hash(Position.parse("1234")) == hash(Position.parse("3214"))
    assert Position.parse("12") != Position.parse("21")


def test_positions_on_different_boards_differ() -> None:
    assert Position(CONNECT4) != Position(SCORE4)
    assert Position(CONNECT4) != Position(Rules.flat(7, 6, 5))
    assert Position(CONNECT4) != "a position"


def test_a_column_off_the_board_is_refused_by_its_number() -> None:
    with pytest.raises(
        IllegalMove, match=r"^column 8 \(7 counted from 0\) is not on the board; expected 1 to 7"
    ):
        Position().play(7)
    with pytest.raises(
        IllegalMove, match=r"^column 0 \(-1 counted from 0\) is not on the board; expected 1 to 7"
    ):
        Position().play(-1)


def test_a_full_column_is_refused_by_its_number() -> None:
    with pytest.raises(IllegalMove, match=r"^column 3 \(2 counted from 0\) is full$"):
        Position.parse("333333").play(2)


def test_no_move_is_possible_after_a_win() -> None:
    won = Position.parse("1212121")
    assert won.legal == ()
    for column in (0, 6, 99):
        with pytest.raises(IllegalMove, match=r"^the game is over: X has won$"):
            won.play(column)


def test_no_move_is_possible_on_a_full_board() -> None:
    drawn = Position.parse("1111", Rules.flat(1, 4))
    assert drawn.is_draw
    with pytest.raises(IllegalMove, match=r"^the game is over: the board is full$"):
        drawn.play(0)


def test_the_first_player_moves_first_and_then_they_take_turns() -> None:
    position = Position()
    assert position.to_move == FIRST
    assert position.play(3).to_move == SECOND
    assert position.play(3).owner(3, 0, 0) == FIRST
    assert position.play(3).play(3).owner(3, 0, 1) == SECOND
    assert position.owner(3, 0, 0) is None


@given(games())
def test_disc_and_owner_agree_on_every_cell(game: Game) -> None:
    rules = game.position.rules
    for x, y, z in game.board.cells():
        assert game.position.disc(x * rules.depth + y, z) == game.position.owner(x, y, z)


def test_a_flat_board_is_read_by_column_and_row() -> None:
    position = Position.parse("443")
    assert (position.rules.columns, position.rules.rows) == (7, 6)
    assert [position.disc(3, row) for row in range(6)] == [FIRST, SECOND, None, None, None, None]
    assert position.disc(2, 0) == FIRST


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (7, 0), (0, -1), (0, 6)])
def test_disc_raises_outside_the_board(column: int, row: int) -> None:
    expected = f"column {column}, row {row} is not on the 7x6 board"
    with pytest.raises(IndexError, match=expected):
        Position().disc(column, row)


@pytest.mark.parametrize("cell", [(-1, 0, 0), (7, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 6)])
def test_owner_raises_outside_the_board(cell: tuple[int, int, int]) -> None:
    with pytest.raises(IndexError, match="is not on the 7x6 board"):
        Position().owner(*cell)


def test_rows_of_a_board_in_space_are_its_levels() -> None:
    position = Position(SCORE4).play(6).play(6)
    assert (SCORE4.columns, SCORE4.rows) == (16, 4)
    assert (position.disc(6, 0), position.disc(6, 1)) == (FIRST, SECOND)
    assert position.owner(1, 2, 1) == SECOND


def canonical(board: naive.Board) -> list[list[int]]:
    """The smallest of all the pictures of a board, as nested lists compare."""
    return min(naive.images(board))


@pytest.mark.parametrize(
    ("size", "count"),
    [("7x6", 2), ("4x4x4", 8), ("2x3x5", 4), ("1x6", 1), ("1x7x6", 2), ("1x1x4", 1), ("2x2x4", 8)],
)
def test_number_of_symmetries(size: str, count: int) -> None:
    symmetries = Rules.named(size).symmetries
    assert len(symmetries) == len(set(symmetries)) == count
    assert symmetries[0] == tuple(range(Rules.named(size).columns))


@given(games())
def test_every_image_is_a_picture_that_turning_the_board_gives(game: Game) -> None:
    pictures = naive.images(game.board)
    images = [twin(game.position.image(symmetry)) for symmetry in game.rules.symmetries]
    assert all(image.columns in pictures for image in images)
    assert all(picture in [image.columns for image in images] for picture in pictures)


@given(games())
def test_all_images_have_the_same_key_and_the_same_winner(game: Game) -> None:
    images = [game.position.image(symmetry) for symmetry in game.rules.symmetries]
    assert {image.symmetry_key for image in images} == {game.position.symmetry_key}
    assert {image.winner for image in images} == {game.board.winner()}


@given(games())
def test_an_image_is_what_its_own_moves_lead_to(game: Game) -> None:
    for symmetry in game.rules.symmetries:
        image = game.position.image(symmetry)
        replayed = Position(game.rules)
        for column in image.moves:
            replayed = replayed.play(column)
        assert replayed == image


@pytest.mark.parametrize("size", ["3x3c3", "2x2x2c2", "3x2x2c2", "4x4", "3x3x3c3"])
def test_keys_are_equal_exactly_when_the_boards_look_the_same(size: str) -> None:
    rules = Rules.named(size)
    seen: dict[tuple[int, int], list[list[int]]] = {}
    pictures: list[list[list[int]]] = []
    for game in random_games(rules, 400, seed=3):
        picture = canonical(game.board)
        assert seen.setdefault(game.position.symmetry_key, picture) == picture
        if picture not in pictures:
            pictures.append(picture)
    assert len(seen) == len(pictures)


@given(games())
def test_mirrored_twice_is_the_same_position(game: Game) -> None:
    assert game.position.mirrored().mirrored() == game.position
    assert game.position.mirrored().mirrored().moves == game.position.moves


def test_mirrored_exchanges_left_and_right() -> None:
    assert Position.parse("1237").mirrored() == Position.parse("7651")
    # In space x changes sides and y stays: column 4 x + y + 1.
    assert Position.parse("2,16", SCORE4).mirrored() == Position.parse("14,4", SCORE4)


def test_a_position_that_mirrors_itself_has_the_key_of_its_discs() -> None:
    middle = Position.parse("444")
    assert middle.mirrored() == middle
    assert middle.symmetry_key == (middle.first, middle.second)


def test_swapping_the_players_is_no_symmetry() -> None:
    assert Position.parse("12").symmetry_key != Position.parse("21").symmetry_key


def test_a_turned_board_in_space_is_the_same_position() -> None:
    corners = [Position.parse(column, SCORE4).symmetry_key for column in ("1", "4", "13", "16")]
    edges = [Position.parse(c, SCORE4).symmetry_key for c in ("2", "3", "5", "8", "9", "12", "15")]
    assert len(set(corners)) == len(set(edges)) == 1
    assert set(corners) != set(edges)


def test_there_are_four_different_first_moves_on_the_usual_board() -> None:
    keys = {Position().play(column).symmetry_key for column in range(CONNECT4.columns)}
    assert len(keys) == 4
    assert len({Position(SCORE4).play(column).symmetry_key for column in range(16)}) == 3
