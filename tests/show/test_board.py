"""Boards as runs of characters: the same cells in every look."""

from __future__ import annotations

from arena.game.notation import draw, play_moves, read_moves
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.show.board import Board, Look, as_plain, board_text, board_width, last_cell

WON = "4141414"
MARKS = Look(around="", around_last="", around_winning="", last_style="reverse")


def test_a_flat_board_is_that_of_the_notation_with_brackets() -> None:
    position = play_moves(read_moves(WON, CONNECT4), CONNECT4)
    lines = board_text(position).plain.splitlines()
    assert lines[2] == "   .  .  . [X] .  .  . "
    assert lines[-1] == "   1  2  3  4  5  6  7"
    signs = [line.replace("[", " ").replace("]", " ").split() for line in lines]
    assert signs == [line.split() for line in draw(position).splitlines()]
    assert max(map(len, lines)) == board_width(position)


def test_levels_stand_side_by_side() -> None:
    position = play_moves(read_moves("1,1,16", SCORE4), SCORE4)
    lines = board_text(position).plain.splitlines()
    assert lines[0].split() == ["level", "1", "level", "2", "level", "3", "level", "4"]
    assert len(lines) == 1 + SCORE4.depth
    assert lines[1].startswith("   X  .  .  .    O  .  .  . ")
    assert lines[4][2:14] == " .  .  .  X "


def test_a_look_without_brackets_marks_the_last_disc_by_its_style() -> None:
    rules = Rules.named("5x4")
    position = play_moves(read_moves("33", rules), rules)
    rows = Board(position, MARKS).rows(gap=" ")
    assert as_plain(rows).splitlines() == [". . . . .", ". . . . .", ". . O . .", ". . X . ."]
    assert ("O", "reverse yellow") in rows[2]
    assert ("X", "red") in rows[3]
    assert last_cell(position) == (2, 0, 1)
    assert last_cell(play_moves(b"", rules)) is None


def test_the_last_disc_in_space() -> None:
    position = play_moves(read_moves("6,6", SCORE4), SCORE4)
    assert last_cell(position) == (1, 1, 1)
