"""Lines and rectangles have exactly the size that was asked for, whatever is in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.dashboard.cells import (
    ASCII,
    COLOURLESS,
    TITLE,
    UNICODE,
    Block,
    beside,
    between,
    centred,
    fit,
    glyphs_for,
    padded_name,
    panel,
    width_of,
)
from arena.show.board import as_plain
from arena.text import printable

TEXTS = st.text("ab 日本€é😀…\t\n", max_size=30).map(printable)
LINES = st.lists(st.tuples(TEXTS, st.sampled_from(["", "dim", "bold red"])), max_size=6)
WIDTHS = st.integers(0, 40)


@given(LINES, WIDTHS)
def test_a_line_fits_exactly(line: list[tuple[str, str]], width: int) -> None:
    assert width_of(fit(line, width, UNICODE)) == width


@given(LINES, LINES, WIDTHS)
def test_two_parts_share_a_line(
    left: list[tuple[str, str]], right: list[tuple[str, str]], width: int
) -> None:
    assert width_of(between(left, right, width, UNICODE)) == width


@given(TEXTS, st.lists(LINES, max_size=5), TEXTS, WIDTHS, st.integers(0, 9))
def test_a_panel_has_its_size(title: str, lines: Block, foot: str, width: int, height: int) -> None:
    block = panel((title, TITLE), lines, width, height, UNICODE, (foot, "dim"))
    assert [width_of(line) for line in block] == [width] * height


@given(TEXTS, WIDTHS)
def test_a_name_is_never_too_wide(name: str, width: int) -> None:
    assert cell_len(padded_name(name, width, UNICODE)) == width


def test_a_cut_shows_where_something_is_missing() -> None:
    assert as_plain([fit([("alpha", ""), ("beta", "bold")], 7, UNICODE)]) == "alphab…"


def test_half_a_wide_character_is_a_space() -> None:
    assert cell_len(padded_name("日本日本", 5, UNICODE)) == 5


def test_a_panel_by_hand() -> None:
    lines: Block = [[("one", "")], [("a long line", "")]]
    block = panel(("title", TITLE), lines, 11, 4, UNICODE, ("foot", "dim"))
    assert as_plain(block).splitlines() == [
        "╭─ title ─╮",
        "│ one     │",
        "│ a long… │",
        "╰─ foot ──╯",
    ]


def test_blocks_beside_each_other() -> None:
    one, two = ([[(letter, "")]] * 2 for letter in "ab")
    assert as_plain(beside(one, two)) == "ab\nab"


def test_lines_are_centred_together() -> None:
    lines = centred([[("1", "")], [("12345", "")]], 9, UNICODE)
    assert as_plain(lines) == "  1      \n  12345  "


def test_the_characters_suit_the_terminal() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("utf-8", colour=False) is COLOURLESS
    assert glyphs_for("ascii") is ASCII
    assert glyphs_for("latin-1") is ASCII
    assert glyphs_for("no such encoding") is ASCII
