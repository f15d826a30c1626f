"""Images of a position: what looks the same from another side has the same key."""

from __future__ import annotations

import pytest
from hypothesis import given

from arena.game import CONNECT4, SCORE4, Position, Rules
from tests import naive
from tests.game.strategies import Game, games, random_games, twin


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
