"""Boards as runs of characters: the same cells in every look, and as HTML."""

from __future__ import annotations

import pytest

from arena.game.notation import draw, play_moves, read_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.show.board import (
    LARGE,
    TIGHT,
    USUAL,
    Board,
    Look,
    Scale,
    as_plain,
    board_html,
    board_size,
    board_text,
    board_width,
    last_cell,
    scaled_board,
    scales,
)

WON = "4141414"
SIGNS = Look(
    around="", around_last="", around_winning="", last_style="reverse", winning_style="reverse"
)
MARKS = Look(around="", around_last="", around_winning="", last_style="reverse")


def test_a_flat_board_is_that_of_the_notation_with_brackets() -> None:
    position = play_moves(read_moves(WON, CONNECT4), CONNECT4)
    lines = board_text(position).plain.splitlines()
    assert lines[2] == "   .  .  . [X] .  .  . "
    assert lines[-1] == "   1  2  3  4  5  6  7"
    signs = [line.replace("[", " ").replace("]", " ").split() for line in lines]
    assert signs == [line.split() for line in draw(position).splitlines()]
    assert max(map(len, lines)) == board_width(position)


def test_a_look_without_brackets_marks_the_last_disc_by_its_style() -> None:
    rules = Rules.named("5x4")
    position = play_moves(read_moves("33", rules), rules)
    rows = Board(position, MARKS).rows(gap=" ")
    assert as_plain(rows).splitlines() == [". . . . .", ". . . . .", ". . O . .", ". . X . ."]
    assert ("O", "reverse yellow") in rows[2]
    assert ("X", "red") in rows[3]
    assert last_cell(position) == (2, 0, 1)
    assert last_cell(play_moves(b"", rules)) is None


def rows(position: Position, scale: Scale = USUAL) -> list[str]:
    return [line.rstrip() for line in as_plain(scaled_board(position, scale, SIGNS)).split("\n")]


def marked(position: Position) -> list[tuple[int, int]]:
    """The cells that stand out, as column and row of the drawing."""
    cells = []
    for row, line in enumerate(scaled_board(position, TIGHT, SIGNS)):
        at = 0
        for text, style in line:
            cells += [(at, row)] if "reverse" in style else []
            at += len(text)
    return cells


def test_it_is_the_board_that_notation_draws() -> None:
    position = Position.parse("443526771")
    drawn = str(position).splitlines()[:-1]
    assert rows(position) == drawn


def test_a_large_board_has_air_between_its_cells() -> None:
    drawn = rows(Position.parse("12"), LARGE)
    assert drawn[-1] == "X   O   .   .   .   .   ."
    assert drawn[-2] == ""
    assert len(drawn) == 11


def test_scaled_levels_stand_side_by_side_the_lowest_first() -> None:
    drawn = rows(Position.parse("1,1,2,16", SCORE4), TIGHT)
    assert drawn == [
        " 1    2    3    4",
        "X... O... .... ....",
        "X... .... .... ....",
        ".... .... .... ....",
        "...O .... .... ....",
    ]


def test_the_last_move_is_marked() -> None:
    assert marked(Position.parse("4443")) == [(2, 5)]
    assert marked(Position.parse("444")) == [(3, 3)]
    assert marked(Position.parse("")) == []
    assert marked(Position.parse("1,1,2", SCORE4)) == [(0, 2)]


def test_the_winning_line_is_marked() -> None:
    assert marked(Position.parse("1122334")) == [(0, 5), (1, 5), (2, 5), (3, 5)]


@pytest.mark.parametrize("game", ["connect4", "score4", "9x7", "16x4", "2x2x16c2", "3x3c3"])
def test_boards_have_the_size_they_say(game: str) -> None:
    rules = Rules.named(game)
    for scale in scales(rules):
        block = scaled_board(Position(rules), scale, SIGNS)
        wide, high = board_size(rules, scale)
        assert len(block) == high
        assert max(map(len, as_plain(block).split("\n"))) == wide


def test_a_page_shows_flat_boards_and_those_in_space() -> None:
    page = board_html(Position.parse("4545454"))
    assert page.count("●") == 7
    assert page.count("underline") == 4
    assert "1 2 3 4 5 6 7" in page
    space = board_html(Position.parse("1,1", Rules.named("4x4x4")))
    assert space.count("●") == 2
    assert "level 4" in space
