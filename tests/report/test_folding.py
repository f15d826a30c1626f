"""Long and wide tables: a part on the page, all of it behind a click and in a file."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import pytest

from arena.journal import Contestant, Journal
from arena.report.blocks import FIRST, FOLDED, LONG, Fold, folded, slug
from arena.report.tables import TIMES
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
        return write_report(journal, folder, html=True, formats=())


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


def test_a_table_stays_whole_or_is_cut() -> None:
    def table(rows: int) -> Table:
        return Table(
            "Some table", (Column("a"), Column("b")), tuple(("x", "y") for _ in range(rows))
        )

    assert folded(table(LONG)) == table(LONG)
    cut = folded(table(LONG + 1))
    assert isinstance(cut, Fold)
    assert (len(cut.brief.rows), len(cut.whole.rows)) == (FIRST, LONG + 1)
    assert (cut.file, cut.all_of_it) == ("tables/some-table.csv", f"all {LONG + 1} rows")
    narrow = folded(table(3), ["b"])
    assert isinstance(narrow, Fold)
    assert (narrow.brief.headings(), narrow.all_of_it) == (("b",), "all 2 columns")
    both = folded(table(99), ["b"])
    assert isinstance(both, Fold)
    assert both.all_of_it == "all 99 rows and 2 columns"


def test_no_table_of_the_markdown_is_long_and_all_of_it_is_in_a_file(many: Report) -> None:
    text = many.markdown.read_text(encoding="utf-8")
    tables = markdown_tables(text)
    long = {title for title, rows in tables.items() if len(rows) > LONG + 1}
    assert long == {"Standings"}
    assert len(tables["Standings"]) == COUNT + 1
    assert len(tables["By seat"]) == FIRST + 1
    assert len(many.content.folds) > 4
    for fold in many.content.folds:
        assert f"]({fold.file})" in text
        with (many.folder / fold.file).open(encoding="utf-8") as file:
            assert len(list(csv.DictReader(file))) >= len(fold.whole.rows)


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


def test_the_timing_table_has_at_most_eight_columns(many: Report) -> None:
    text = many.markdown.read_text(encoding="utf-8")
    assert len(TIMES) <= 8
    rows = markdown_tables(text)["Time and search per move"]
    assert {row.count("|") for row in rows} == {len(TIMES) + 1}
    assert "[All 20 rows and 15 columns](timing.csv)" in text


def test_every_folded_file_is_known_to_who_cleans_up(many: Report, tmp_path: Path) -> None:
    judged = report(small(tmp_path, 6), lambda: JUDGE)
    for content in (many.content, judged.content):
        names = {slug(table.title) for table in content.tables if table.columns[0].name != "what"}
        files = {Path(fold.file).stem for fold in content.folds if "/" in fold.file}
        assert files <= set(FOLDED)
        short = {"standings", "head-to-head", "time-and-search-per-move", "game-lengths", "runs",
                 "scores-against-each-other"}  # fmt: skip
        assert names - short <= set(FOLDED)


def test_a_file_that_is_no_longer_needed_goes(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    old, others = tmp_path / "tables" / "by-seat.csv", tmp_path / "tables" / "mine.csv"
    old.touch()
    others.touch()
    report(small(tmp_path, 3), lambda: JUDGE)
    assert not old.exists()
    assert others.exists()


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
