"""Boards: discs, the last one, winning lines, and plain letters."""

from __future__ import annotations

import pytest

from arena.game import SCORE4, Position, Rules
from arena.game.notation import draw
from arena.human.board import Painter, plain_board

SMALL = Rules.flat(4, 3, 3)


def drawn(painter: Painter, position: Position, roomy: bool = False) -> list[str]:
    return [line.plain.rstrip() for line in painter.board(position, roomy)]


def test_a_compact_board() -> None:
    painter = Painter(has_colour=True)
    assert drawn(painter, Position.parse("1122", SMALL)) == [
        "        ▼",
        "  ┌───────────────┐",
        "  │ ·   ·   ·   · │",
        "  │ ●  (●)  ·   · │",
        "  │ ●   ●   ·   · │",
        "  └───────────────┘",
        "    1   2   3   4",
    ]


def test_a_roomy_board_with_a_winning_line() -> None:
    painter = Painter(has_colour=False)
    assert drawn(painter, Position.parse("11223", SMALL), roomy=True) == [
        "            ▼",
        "  ┌───┬───┬───┬───┐",
        "  │ . │ . │ . │ . │",
        "  ├───┼───┼───┼───┤",
        "  │ O │ O │ . │ . │",
        "  ├───┼───┼───┼───┤",
        "  │[X]│[X]│[X]│ . │",
        "  └───┴───┴───┴───┘",
        "    1   2   3   4",
    ]


def test_levels_side_by_side_or_below_each_other() -> None:
    position = Position.parse("7,7", SCORE4)
    wide = drawn(Painter(False, width=80), position)
    assert wide == [
        "  y   level 1       level 2       level 3       level 4",
        "  1  .  .  .  .    .  .  .  .    .  .  .  .    .  .  .  .",
        "  2  .  .  .  .    .  .  .  .    .  .  .  .    .  .  .  .",
        "  3  .  X  .  .    . (O) .  .    .  .  .  .    .  .  .  .",
        "  4  .  .  .  .    .  .  .  .    .  .  .  .    .  .  .  .",
        "  x  1  2  3  4    1  2  3  4    1  2  3  4    1  2  3  4",
    ]
    narrow = drawn(Painter(False, width=40), position)
    assert len(narrow) == 13
    assert max(map(len, narrow)) <= 40
    assert narrow[:6] == [line[:31].rstrip() for line in wide]


def test_the_sides_differ_with_and_without_colour() -> None:
    coloured, plain = Painter(has_colour=True), Painter(has_colour=False)
    assert coloured.disc(0).style != coloured.disc(1).style
    assert plain.disc(0).plain != plain.disc(1).plain


def test_discs_are_coloured_by_their_owner() -> None:
    (row,) = [line for line in Painter(True).board(Position.parse("12"))
              if "●" in line.plain and "│" in line.plain]  # fmt: skip
    styles = {row.plain[span.start : span.end]: span.style for span in row.spans}
    assert styles[" ● "] == "bright_red"
    assert styles["(●)"] == "bright_yellow"


def test_plain_rows_are_those_of_the_assignment() -> None:
    assert plain_board(Position.parse("4453")) == (
        "-------\n-------\n-------\n-------\n---O---\n--OXX--\n1234567"
    )


@pytest.mark.parametrize(
    ("rules", "moves"), [(Rules.flat(10, 6), "10,1,5,5"), (SCORE4, "6,6,1"), (Rules(11, 2, 2), "3")]
)
def test_plain_boards_of_all_kinds_are_ascii_and_can_be_read(rules: Rules, moves: str) -> None:
    position = Position.parse(moves, rules)
    shown = plain_board(position)
    assert shown.isascii()
    if rules.is_flat:
        assert Position.parse(shown, rules) == position
    else:
        rows = [line.split()[1:] for line in shown.splitlines()[1:-1]]
        assert shown.splitlines()[0].split()[0] == "y"
        assert shown.splitlines()[-1].split()[0] == "x"
        cells = ["".join(row).replace("-", ".") for row in rows]
        expected = [line.replace(" ", "") for line in draw(position).splitlines()[1:]]
        assert cells == expected
