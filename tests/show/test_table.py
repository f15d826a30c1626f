"""A table on a screen, for programs, on a page and in a paper.

LaTeX is read back by a small reader that knows as much of TeX as a table needs.
"""

from __future__ import annotations

import io
import re
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from arena.show.numbers import percent, whole
from arena.show.table import SIGNS, Column, Table, cut, cut_name, escape, table_html, tex, titled
from arena.standings.evidence import Interval
from tests.report.samples import HOSTILE

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


PAGE = Table("Who & what", (Column("<name>"), Column("won", whole)), (("a<b", 3), ("c\x1b", None)))


def test_a_page_shows_untrusted_words_and_numbers_to_sort_by() -> None:
    assert escape("<b>\x1b") == "&lt;b&gt; "
    page = PAGE._repr_html_()
    assert page == titled("Who & what", table_html(PAGE))
    assert "<strong>Who &amp; what</strong>" in page
    assert "<td>a&lt;b</td>" in page
    assert "\x1b" not in page
    assert '<td class="number" data-v="3">3</td>' in page
    assert '<button type="button">won</button>' in table_html(PAGE, sorted_by_hand=True)
    assert "<button" not in page


WORDS = {
    "quotes": '"', "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textless": "<", "textgreater": ">", "textbar": "|", "textasciigrave": "`",
    "textquotesingle": "'", "textemdash": "—", "textendash": "–", "textmu": "µ",  # noqa: RUF001
    "textquotedblleft": "“", "textquotedblright": "”", "pm": "±",
}  # fmt: skip
TOKEN = re.compile(r"\\([a-zA-Z]+)(?:\{\})?|\\(.)|(.)", re.DOTALL)


def read(text: str) -> str:
    """What TeX would print; anything else that it would do fails."""
    text = text.replace(r"$\frac{1}{2}$", "½").replace(r"$\pm$", "±").replace("$-$", "-")
    text = text.replace(r"{\char34}", r"\quotes{}")
    printed, depth = [], 0
    for command, sign, char in TOKEN.findall(text):
        if command:
            printed.append(WORDS[command])
        elif sign:
            assert sign in "{}$&#_%", f"\\{sign} is no sign"
            printed.append(sign)
        elif char in "{}":
            depth += 1 if char == "{" else -1
            assert depth >= 0
        elif char == "~":
            printed.append(" ")
        else:
            assert char not in "\\$&#_%^\"'`<>|", f"{char} would do something"
            assert depth or char not in "[]*", f"{char} would belong to the end of the line before"
            printed.append(char)
    assert depth == 0
    for pair in ("--", ",,"):
        assert pair not in text, "would be printed as one sign"
    return "".join(printed)


@settings(max_examples=60)
@given(st.text(max_size=20) | st.text(alphabet="".join(SIGNS) + "-, a", max_size=20))
def test_what_is_escaped_is_printed_as_it_was(text: str) -> None:
    printable = "".join(char if char.isprintable() else " " for char in text)
    assert read(tex(text)) == " ".join(printable.split())


@pytest.mark.parametrize("text", [*HOSTILE, r"\input{/etc/passwd}", "%\n", "[2pt]", "*", "a--b,,"])
def test_names_do_nothing(text: str) -> None:
    assert read(tex(text)).split() == "".join(c if c.isprintable() else " " for c in text).split()


def test_a_table_line_by_line() -> None:
    columns = (Column("engine"), Column("Elo", lambda value: f"{value:.1f}"), Column("score_%"))
    table = Table("50 % \\ off", columns, (("[a] & b", -31.25, "54.3 %"), ("*", None, "½ ± 1")))
    assert table.latex().splitlines() == [
        "% 50 % \\ off; needs booktabs",
        r"\begin{tabular}{@{}lrl@{}}",
        r"\toprule",
        r"engine & Elo & score\_\% \\",
        r"\midrule",
        r"{[}a{]} \& b & $-$31.2 & 54.3~\% \\",
        r"{*} & \textemdash{} & $\frac{1}{2}$ $\pm$ 1 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
