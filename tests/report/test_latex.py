"""Tables as LaTeX: read back by a small reader that knows as much of TeX as a table needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.journal import Journal
from arena.report.latex import LONG, SIGNS, escape, latex_table
from arena.report.write import Report, write_report
from arena.show.table import Column, Table
from tests.journal.examples import make_header, make_row
from tests.report.samples import HOSTILE

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
    assert read(escape(text)) == " ".join(printable.split())


@pytest.mark.parametrize("text", [*HOSTILE, r"\input{/etc/passwd}", "%\n", "[2pt]", "*", "a--b,,"])
def test_names_do_nothing(text: str) -> None:
    assert (
        read(escape(text)).split() == "".join(c if c.isprintable() else " " for c in text).split()
    )


def rows(text: str) -> Iterator[list[str]]:
    """The cells of each line between the rules."""
    for line in text.splitlines():
        if line.endswith(r" \\"):
            yield [read(cell) for cell in re.split(r"(?<!\\)&", line.removesuffix(r" \\"))]


def test_a_table_line_by_line() -> None:
    columns = (Column("engine"), Column("Elo", lambda value: f"{value:.1f}"), Column("score_%"))
    table = Table("50 % \\ off", columns, (("[a] & b", -31.25, "54.3 %"), ("*", None, "½ ± 1")))
    assert latex_table(table).splitlines() == [
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


def test_a_long_table_breaks_across_pages_with_its_heading() -> None:
    table = Table("Long", (Column("a"),), tuple((str(n),) for n in range(LONG + 1)))
    text = latex_table(table)
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == 1
    assert text.index(r"\midrule") < text.index(r"\endhead") < text.index("40")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("latex")
    header = make_header()
    named = zip(header.players, HOSTILE, strict=False)
    players = tuple(replace(player, name=name) for player, name in named)
    with Journal.open(folder, replace(header, name=HOSTILE[0], players=players)) as journal:
        for number in range(12):
            journal.write(make_row(number))
    with Journal.read(folder) as journal:
        return write_report(journal, folder, latex=True, formats=())


def test_every_table_of_the_report_is_a_file_with_all_its_cells(hostile: Report) -> None:
    sheets = {path.stem: path.read_text(encoding="utf-8") for path in hostile.latex}
    tables = hostile.content.tables
    assert len(sheets) == len(tables) + 1
    for table, text in zip(tables, sheets.values(), strict=False):
        wanted = [table.headings(), *table.text()]
        plain = [[" ".join("".join(c if c.isprintable() else " " for c in cell).split())
                  for cell in line] for line in wanted]  # fmt: skip
        assert [[cell.strip() for cell in line] for line in rows(text)] == plain


def test_the_document_shows_them_all_and_the_report_links_to_it(hostile: Report) -> None:
    text = hostile.latex[-1].read_text(encoding="utf-8")
    assert hostile.latex[-1] == hostile.folder / "latex" / "tables.tex"
    inputs = re.findall(r"\\input\{([a-z0-9-]+)\}", text)
    assert [f"{name}.tex" for name in inputs] == [path.name for path in hostile.latex[:-1]]
    for kind in ("document", "adjustbox"):
        assert text.count(rf"\begin{{{kind}}}") == text.count(rf"\end{{{kind}}}") > 0
    assert "](latex/tables.tex)" in hostile.markdown.read_text(encoding="utf-8")


def test_without_the_option_there_are_none(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        journal.write(make_row(0))
    with Journal.read(tmp_path) as journal:
        assert write_report(journal, tmp_path, formats=()).latex == ()
    assert not (tmp_path / "latex").exists()
