"""Lines and rectangles have exactly the size that was asked for, whatever is in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.dashboard.blocks import (
    Block,
    Frame,
    above,
    beside,
    between,
    centred,
    column,
    fit,
    panel,
    plain,
    width_of,
)
from arena.dashboard.glyphs import UNICODE
from arena.printable import printable

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
    block = panel(title, lines, width, height, UNICODE, foot)
    assert [width_of(line) for line in block] == [width] * height


@given(TEXTS, WIDTHS)
def test_a_name_is_never_too_wide(name: str, width: int) -> None:
    assert cell_len(column(name, width, UNICODE)) == width


def test_a_cut_shows_where_something_is_missing() -> None:
    assert plain(fit([("alpha", ""), ("beta", "bold")], 7, UNICODE)) == "alphab…"


def test_half_a_wide_character_is_a_space() -> None:
    assert cell_len(column("日本日本", 5, UNICODE)) == 5


def test_a_panel_by_hand() -> None:
    block = panel("title", [[("one", "")], [("a long line", "")]], 11, 4, UNICODE, "foot")
    assert Frame(block).plain.splitlines() == [
        "╭─ title ─╮",
        "│ one     │",
        "│ a long… │",
        "╰─ foot ──╯",
    ]


def test_blocks_beside_and_above_each_other() -> None:
    one, two = ([[(letter, "")]] * 2 for letter in "ab")
    assert Frame(beside([one, two])).plain == "ab\nab"
    assert Frame(above([one, two])).plain == "a\na\nb\nb"


def test_lines_are_centred_together() -> None:
    lines = centred([[("1", "")], [("12345", "")]], 9, UNICODE)
    assert [plain(line) for line in lines] == ["  1      ", "  12345  "]
