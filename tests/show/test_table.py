"""A table on a screen, for programs, and in part."""

from __future__ import annotations

import io
from math import inf

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from arena.show.numbers import percent, whole
from arena.show.table import Column, Table, cut, cut_name
from arena.standings.evidence import Interval

TABLE = Table(
    "Some scores",
    (Column("engine"), Column("games played", whole), Column("score", percent)),
    (("alpha\x1b[31m", 12345, 0.5), ("beta", 1, None)),
)


def on_screen(width: int = 80, **how: bool) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(TABLE.screen(**how))  # type: ignore[arg-type]
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_cells_are_read_by_people_and_records_by_programs() -> None:
    assert TABLE.text() == [("alpha\x1b[31m", "12,345", "50.0 %"), ("beta", "1", "—")]
    assert TABLE.records()[1] == {"engine": "beta", "games_played": 1, "score": None}


def test_programs_get_both_ends_of_an_interval_in_columns_of_their_own() -> None:
    columns = (Column("engine"), Column("95 %", str, "share", is_interval=True))
    rows = (("a", Interval(0.25, 0.5)), ("b", Interval(-inf, inf)), ("c", None))
    table = Table("Shares", columns, rows)
    assert table.headers() == ("engine", "share_low", "share_high")
    assert table.values() == [("a", 0.25, 0.5), ("b", None, None), ("c", None, None)]
    assert [row[1] for row in table.text()] == ["0.25 to 0.5", "—", "—"]


def test_some_columns() -> None:
    assert TABLE.only("x", ["score", "engine"]).rows[1] == (None, "beta")
    assert TABLE.without("engine", "score").headings() == ("games played",)


def test_on_a_screen_nobody_s_name_is_an_escape_and_numbers_are_at_the_right() -> None:
    lines = on_screen(ruled=False)
    assert lines[0] == "Some scores"
    assert lines[1] == "engine         games played   score"
    assert lines[2] == "alpha\\x1b[31m        12,345  50.0 %"
    assert lines[3] == "beta                      1       —"


def test_headings_may_be_broken() -> None:
    lines = on_screen(ruled=False, broken=True)
    assert [line.split() for line in lines[1:3]] == [["games"], ["engine", "played", "score"]]


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
