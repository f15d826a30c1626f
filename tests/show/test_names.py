"""Names: never too wide, told apart by their ends, and limits in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.show.names import cut, cut_name, limits_in_words


@given(st.text(max_size=60), st.integers(0, 40))
def test_a_name_is_never_too_wide(name: str, width: int) -> None:
    assert cell_len(cut_name(name, width)) <= width
    assert cell_len(cut(name, width, "~")) <= width


def test_a_cut_shows_where_something_is_missing() -> None:
    assert cut("alphabeta", 9) == "alphabeta"
    assert cut("alphabeta", 6) == "alpha…"
    assert cut("alphabeta", 6, "~") == "alpha~"
    assert cut("alphabeta", 1) == "a"


def test_names_that_differ_at_the_end_are_told_apart() -> None:
    names = ("alphabeta evaluation=rivest", "alphabeta evaluation=counts")
    assert [cut_name(name, 16) for name in names] == ["alphabeta …ivest", "alphabeta …ounts"]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ("depth=4", "4 plies"), ("depth=1", "1 ply"), ("nodes=20000", "20,000 nodes"),
        ("playouts=2000", "2,000 playouts"), ("seconds=0.1", "0.1 s"),
        ("cpu=0.1", "0.1 s of processor time"), ("clock=60+0", "a clock of 60 s"),
        ("clock=60+0.5", "a clock of 60 s and 0.5 s a move"),
        ("depth=6 seconds=0.5", "6 plies and 0.5 s"),
        ("no limit", "no limit"), ("", ""), ("wishes=three", "wishes=three"),
    ],
)  # fmt: skip
def test_limits_in_words(limits: str, words: str) -> None:
    assert limits_in_words(limits) == words
