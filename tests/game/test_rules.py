"""The geometry: lines, columns, names and sizes, and the boards that are refused."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from arena.errors import BadRules, UnknownName
from arena.game import CONNECT4, NAMED_GAMES, SCORE4, Rules
from arena.game.bits import MAX_PLACES
from tests.game.strategies import empty, sizes

ALL_DIRECTIONS = {
    "column",
    "row along x",
    "row along y",
    "rising diagonal along x",
    "falling diagonal along x",
    "rising diagonal along y",
    "falling diagonal along y",
    "level diagonal x+y",
    "level diagonal x-y",
    "rising space diagonal x+y",
    "falling space diagonal x+y",
    "rising space diagonal x-y",
    "falling space diagonal x-y",
}


@pytest.mark.parametrize(
    ("size", "lines"),
    [
        ("7x6", 69),  # columns 7*3, rows 6*4, diagonals 2 * 4*3
        ("4x4x4", 76),  # 3*16 straight, 3 * 2*4 on planes, 4 through space
        ("8x7", 107),  # 8*4 + 7*5 + 2 * 5*4
        ("5x4", 17),  # 5*1 + 4*2 + 2 * 2*1
        ("3x3c3", 8),
        ("4x1", 1),
        ("1x4", 1),
    ],
)
def test_number_of_winning_lines(size: str, lines: int) -> None:
    assert len(Rules.named(size).lines) == lines


@given(sizes())
def test_lines_are_those_a_scan_of_all_directions_finds(rules: Rules) -> None:
    lines = [frozenset(rules.coordinates(cell) for cell in line.cells) for line in rules.lines]
    scanned = {frozenset(cells) for _, cells in empty(rules).lines()}
    assert len(lines) == len(set(lines))
    assert set(lines) == scanned


@given(sizes())
def test_the_mask_of_a_line_holds_its_cells(rules: Rules) -> None:
    for line in rules.lines:
        assert line.mask == sum(1 << cell for cell in line.cells)


@given(sizes())
def test_lines_through_a_cell_are_the_lines_that_contain_it(rules: Rules) -> None:
    for cell, masks in enumerate(rules.lines_through):
        assert sorted(masks) == sorted(line.mask for line in rules.lines if cell in line.cells)


@given(sizes())
def test_cells_are_numbered_column_by_column_from_the_bottom(rules: Rules) -> None:
    numbers = [rules.cell(*cell) for cell in empty(rules).cells()]
    assert numbers == list(range(rules.cells))
    assert [rules.coordinates(number) for number in numbers] == list(empty(rules).cells())


def test_no_board_has_more_places_on_lines_than_the_tables_hold() -> None:
    most = 0
    for cells in (64, 63):
        for width in (w for w in range(1, cells + 1) if cells % w == 0):
            for depth in (d for d in range(1, cells // width + 1) if cells // width % d == 0):
                height = cells // width // depth
                for connect in range(2, max(width, depth, height) + 1):
                    rules = Rules(width, depth, height, connect)
                    most = max(most, connect * len(rules.lines))
    assert most <= MAX_PLACES


def test_space_lines_run_in_thirteen_directions_each_with_its_own_name() -> None:
    assert {direction.name_on(flat=False) for direction in SCORE4.directions} == ALL_DIRECTIONS
    assert len(SCORE4.directions) == 13


def test_flat_lines_run_in_four_directions() -> None:
    names = {direction.name_on(flat=True) for direction in CONNECT4.directions}
    assert names == {"column", "row", "rising diagonal", "falling diagonal"}


def test_columns_from_the_centre_out() -> None:
    assert CONNECT4.centre_order == (3, 2, 4, 1, 5, 0, 6)
    assert SCORE4.centre_order == (5, 6, 9, 10, 0, 3, 12, 15, 1, 2, 4, 7, 8, 11, 13, 14)


@pytest.mark.parametrize(
    ("size", "columns"),
    [("7x6", (3,)), ("8x7", (3, 4)), ("4x4x4", (5, 6, 9, 10)), ("3x3x3c3", (4,)), ("1x6", (0,))],
)
def test_the_centre_is_the_middle_column_or_the_middle_ones(
    size: str, columns: tuple[int, ...]
) -> None:
    assert Rules.named(size).centre_columns == columns


@pytest.mark.parametrize(
    ("name", "size", "connect"),
    [
        ("connect4", (7, 1, 6), 4),
        ("connect4-8x7", (8, 1, 7), 4),
        ("connect4-9x7", (9, 1, 7), 4),
        ("connect4-5x4", (5, 1, 4), 4),
        ("score4", (4, 4, 4), 4),
        ("Connect4", (7, 1, 6), 4),
        ("8x5", (8, 1, 5), 4),
        ("9x6c5", (9, 1, 6), 5),
        ("3X3C3", (3, 1, 3), 3),
        ("2x3x5", (2, 3, 5), 4),
        ("3x3x3c3", (3, 3, 3), 3),
    ],
)
def test_games_are_found_by_name_and_by_size(
    name: str, size: tuple[int, int, int], connect: int
) -> None:
    rules = Rules.named(name)
    assert (rules.width, rules.depth, rules.height) == size
    assert rules.connect == connect


@given(sizes())
def test_the_name_of_any_board_reads_back(rules: Rules) -> None:
    assert Rules.named(rules.name) == rules


def test_named_boards_call_themselves_by_their_name() -> None:
    assert {name: rules.name for name, rules in NAMED_GAMES.items()} == {n: n for n in NAMED_GAMES}
    assert Rules.space(7, 1, 6).name == "connect4"
    assert Rules.flat(7, 6, 5).name == "7x6c5"
    assert str(SCORE4) == "4x4x4 connect 4"


@given(sizes())
def test_a_pickled_board_comes_back_as_the_same_object(rules: Rules) -> None:
    assert pickle.loads(pickle.dumps(rules)) is rules


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("9x8", "a 9x8 board has 72 cells; boards of up to 64 cells are supported"),
        ("5x5x5", "a 5x5x5 board has 125 cells; boards of up to 64 cells are supported"),
        ("7x6c8", "connect 8 does not fit on a 7x6 board"),
        ("3x3", "connect 4 does not fit on a 3x3 board"),
        ("3x3x3", "connect 4 does not fit on a 3x3x3 board"),
        ("7x6c1", "connect must be 2 or more, not 1"),
        ("7x6c0", "connect must be 2 or more, not 0"),
        ("0x6", "a board needs at least one cell in each direction, not 0x6"),
        ("4x4x0", "a board needs at least one cell in each direction, not 4x4x0"),
    ],
)
def test_boards_that_make_no_game_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadRules) as refused:
        Rules.named(text)
    assert str(refused.value) == sentence


def test_a_negative_side_is_refused() -> None:
    with pytest.raises(BadRules, match=r"at least one cell in each direction"):
        Rules.flat(-7, -6)


def test_a_misspelt_game_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match=r"^unknown game 'conect4'; did you mean 'connect4'\?$"):
        Rules.named("conect4")


@pytest.mark.parametrize("text", ["", "chess", "7x", "7x6x", "7 x 6", "7x6c"])
def test_what_is_no_size_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(UnknownName, match=r"^unknown game .* COLUMNSxROWS, WIDTHxDEPTHxHEIGHT"):
        Rules.named(text)
