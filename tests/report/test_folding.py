"""Long and wide tables: a part on the page, all of it behind a click and in a file."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from arena.journal import Contestant, Journal
from arena.report.blocks import FIRST, LONG, file_of, fold
from arena.report.sections import SECTIONS, compose
from arena.report.write import Report, write_report
from arena.show.table import Column, Table
from tests.journal.examples import make_header, make_row
from tests.report.browser import Browser, needs_browser
from tests.report.test_accuracy import JUDGE, report, small

COUNT = 20


def players(limits: str = "depth={}") -> tuple[Contestant, ...]:
    return tuple(Contestant(f"engine {n}", "x", {}, limits.format(n)) for n in range(1, COUNT + 1))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of a tournament with many engines, each against each."""
    folder = tmp_path_factory.mktemp("many")
    with Journal.open(folder, make_header(players=players())) as journal:
        for number, (first, second) in enumerate(combinations(range(COUNT), 2)):
            journal.write(make_row(number, first=first, second=second))
    with Journal.read(folder) as journal:
        return write_report(journal, folder, html=True, formats=(), sections=SECTIONS)


def markdown_tables(text: str) -> dict[str, list[str]]:
    """The rows of every table by the heading above it."""
    tables: dict[str, list[str]] = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("#"):
            title = line.lstrip("# ")
        elif line.startswith("|") and not line.startswith("| --"):
            tables.setdefault(title, []).append(line)
    return tables


def all_tables(report: Report) -> list[Table]:
    """Every table of the whole report."""
    _, sections = compose(report.data, SECTIONS)
    return [block for blocks in sections.values() for block in blocks if isinstance(block, Table)]


def test_a_table_stays_whole_or_is_cut() -> None:
    def table(rows: int) -> Table:
        return Table(
            "Some table", (Column("a"), Column("b")), tuple(("x", "y") for _ in range(rows))
        )

    assert fold(table(LONG)) == (table(LONG), "")
    cut, words = fold(table(LONG + 1))
    assert (len(cut.rows), words) == (FIRST, f"all {LONG + 1} rows")
    assert file_of(table(1)) == "tables/some-table.csv"
    narrow, words = fold(replace(table(3), brief=("b",)))
    assert (narrow.headings(), words) == (("b",), "all 2 columns")
    assert fold(replace(table(99), brief=("b",)))[1] == "all 99 rows and 2 columns"


def test_no_table_of_the_markdown_is_long_and_all_of_it_is_in_a_file(many: Report) -> None:
    text = many.markdown.read_text(encoding="utf-8")
    tables = markdown_tables(text)
    long = {title for title, rows in tables.items() if len(rows) > LONG + 1}
    assert long == {"Standings"}
    assert len(tables["Standings"]) == COUNT + 1
    assert len(tables["By seat"]) == FIRST + 1
    folded = [table for table in all_tables(many) if fold(table)[1]]
    assert len(folded) > 4
    for table in folded:
        assert f"]({file_of(table)})" in text
        with (many.folder / file_of(table)).open(encoding="utf-8") as file:
            assert len(list(csv.DictReader(file))) >= len(table.rows)


def test_files_hold_names_alone_and_limits_beside_them(many: Report) -> None:
    with (many.folder / "tables" / "by-seat.csv").open(encoding="utf-8") as file:
        assert {row["engine"] for row in csv.DictReader(file)} == {one.name for one in players()}
    for name in ("standings.csv", "timing.csv"):
        with (many.folder / name).open(encoding="utf-8") as file:
            rows = {row["engine"]: row["limits"] for row in csv.DictReader(file)}
        assert rows == {player.name: player.limits for player in players()}


def test_the_standings_have_a_column_for_limits_that_differ(many: Report) -> None:
    tables = markdown_tables(many.markdown.read_text(encoding="utf-8"))
    assert "| engine | limits |" in tables["Standings"][0]
    assert any("| engine 3 | 3 plies |" in row for row in tables["Standings"])
    assert not any("plies" in row for row in tables["By seat"])


def test_a_page_shows_some_columns_of_the_timing_table(many: Report) -> None:
    text = many.markdown.read_text(encoding="utf-8")
    rows = markdown_tables(text)["Time and search"]
    assert {row.count("|") for row in rows} == {9}
    assert "[All 20 rows and 15 columns](timing.csv)" in text


def test_files_and_pages_name_columns_in_snake_case_with_units(many: Report) -> None:
    for path in many.tables:
        with path.open(encoding="utf-8") as file:
            keys = next(csv.reader(file))
        assert all(re.fullmatch(r"[a-z0-9_]+", key) for key in keys), path.name
        assert len(set(keys)) == len(keys), path.name
    with (many.folder / "timing.csv").open(encoding="utf-8") as file:
        assert {"time_mean_s", "cpu_p95_s", "nodes_per_s"} <= set(next(csv.reader(file)))


def test_every_table_has_keys_of_its_own(tmp_path: Path) -> None:
    judged = report(small(tmp_path, 6), lambda: JUDGE)
    for table in all_tables(judged):
        assert len(set(table.headers())) == len(table.headers()), table.title
        assert all(re.fullmatch(r"[a-z0-9_]+", key) for key in table.headers()), table.title


def test_a_file_that_is_no_longer_needed_goes(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    old, others = tmp_path / "tables" / "by-seat.csv", tmp_path / "tables" / "mine.txt"
    old.touch()
    others.touch()
    report(small(tmp_path, 3), lambda: JUDGE)
    assert not old.exists()
    assert others.exists(), "not a table"


@needs_browser
def test_a_table_unfolds_in_its_place(many: Report, chromium: Browser) -> None:
    assert many.html is not None
    chromium.open(many.html, "")
    visible_rows = (
        "[...document.querySelectorAll('#section-seats-and-the-first-move tbody tr')]"
        ".filter(row => row.checkVisibility()).length"
    )
    assert chromium.ask(visible_rows) == FIRST
    chromium.click("#section-seats-and-the-first-move summary")
    assert chromium.ask(visible_rows) == COUNT
    chromium.click("#section-seats-and-the-first-move details th button")
    assert chromium.ask(visible_rows) == COUNT
