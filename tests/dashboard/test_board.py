"""Small boards: every disc where it belongs, the last move or the winning line marked."""

from __future__ import annotations

import pytest

from arena.dashboard.blocks import plain, width_of
from arena.dashboard.board import HUGE, LARGE, TIGHT, USUAL, Scale, board_size, draw_board, scales
from arena.dashboard.glyphs import ASCII, UNICODE
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules


def rows(position: Position, scale: Scale = USUAL) -> list[str]:
    return [plain(line).rstrip() for line in draw_board(position, scale, ASCII)]


def marked(position: Position) -> list[tuple[int, int]]:
    """The cells that stand out, as column and row of the drawing."""
    found = []
    for row, line in enumerate(draw_board(position, TIGHT, UNICODE)):
        at = 0
        for text, style in line:
            found += [(at, row)] if "reverse" in style else []
            at += len(text)
    return found


def test_a_flat_board() -> None:
    assert rows(Position.parse("44453")) == [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . X . . .",
        ". . . O . . .",
        ". . X X O . .",
    ]


def test_it_is_the_board_that_notation_draws() -> None:
    position = Position.parse("443526771")
    drawn = str(position).splitlines()[:-1]
    assert rows(position) == drawn


def test_a_large_board_has_air_between_its_cells() -> None:
    drawn = rows(Position.parse("12"), LARGE)
    assert drawn[-1] == "X   O   .   .   .   .   ."
    assert drawn[-2] == ""
    assert len(drawn) == 11


def test_levels_stand_side_by_side_the_lowest_first() -> None:
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
        block = draw_board(Position(rules), scale, UNICODE)
        wide, high = board_size(rules, scale)
        assert len(block) == high
        assert max(width_of(line) for line in block) == wide


def test_wide_boards_are_drawn_tight() -> None:
    assert scales(Rules.named("16x4")) == [TIGHT]
    assert scales(CONNECT4) == [USUAL, LARGE, HUGE]
