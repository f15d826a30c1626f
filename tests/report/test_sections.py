"""The sections of a report: one list, from the top down, of which one may choose."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadOption
from arena.journal import Journal
from arena.report.sections import BRIEF, SECTIONS, read_sections
from arena.report.write import Report, write_report
from tests.journal.examples import fill
from tests.report.test_accuracy import JUDGE, small

TITLES = [section.title for section in SECTIONS]


def written(folder: Path, *sections: str, **options: Any) -> Report:
    with Journal.read(folder) as journal:
        chosen = read_sections(",".join(sections) or "all")
        return write_report(journal, folder, sections=chosen, **{"formats": (), **options})


def titles(report: Report) -> list[str]:
    """The headings of the Markdown, which those of the page must be too."""
    text = report.markdown.read_text(encoding="utf-8")
    told = re.findall("^## (.*)", text, flags=re.MULTILINE)
    if report.html is not None:
        page = report.html.read_text(encoding="utf-8")
        headings = re.findall(r"<section id=\"section-[^\"]*\">\n<h2>(.*)</h2>", page)
        assert headings == told
        links = re.findall(r'<a href="#section-[^"]*">([^<]*)</a>', page)
        assert links == told
    return told


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("standings", ["Standings"]),
        ("accuracy, STANDINGS,time and search",
         ["Standings", "Accuracy", "Time and search"]),
        ("time-and-search", ["Time and search"]),
        ("Time  And_Search ,", ["Time and search"]),
        ("files,files", ["Files"]),
        (",".join(reversed(TITLES)), TITLES),
        ("all", TITLES),
    ],
)  # fmt: skip
def test_sections_are_named_as_one_likes(text: str, chosen: list[str]) -> None:
    assert [section.title for section in read_sections(text)] == chosen


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("standing", "unknown section 'standing'; did you mean 'Standings'?"),
        ("standings,time-an-serch", "unknown section 'time-an-serch'; did you mean 'Time and s"),
        ("q", f"unknown section 'q'; expected one of all, {', '.join(TITLES)}"),
        ("", f"no section is named; expected all or some of {', '.join(TITLES)}"),
        (",,", "no section is named"),
    ],
)
def test_a_section_that_is_none(text: str, told: str) -> None:
    with pytest.raises(BadOption, match=re.escape(told)):
        read_sections(text)


def test_a_short_report_has_the_answer_and_five_plots(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 300)
    with Journal.read(tmp_path) as journal:
        report = write_report(journal, tmp_path, formats=("svg",), html=True)
    told = report.markdown.read_text(encoding="utf-8")
    assert told.count("\n") <= 120
    assert len(re.findall(r"^!\[", told, re.MULTILINE)) <= 5
    assert "arena report" in told
    shown = set(re.findall("^## (.*)", told, re.MULTILINE))
    assert shown <= {section.title for section in BRIEF}
    page = report.page.read_text(encoding="utf-8")
    assert "The tournament file" in page, "the page has everything"


def test_a_report_reads_from_the_answer_to_how_it_was_made(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 20)
    told = titles(written(tmp_path, html=True))
    assert told == [title for title in TITLES if title in told]
    assert told[0] == "Standings"
    assert told[-2:] == ["Environment", "The tournament file"]
    assert len(told) > 12


@pytest.mark.parametrize("html", [True, False])
def test_only_what_is_asked_for_is_written(tmp_path: Path, html: bool) -> None:
    fill(tmp_path / "games.db", 20, "score4")
    report = written(tmp_path, "Standings", "Openings", html=html, latex=True)
    assert titles(report) == ["Standings", "Openings"]
    sheets = [path.name for path in report.latex]
    assert sheets == ["standings.tex", "openings.tex"]
    folds = [path.name for path in report.tables if path.parent.name == "tables"]
    assert set(folds) <= {"openings.csv"}
    assert {"standings.csv", "games.csv"} <= {path.name for path in report.tables}


def test_pictures_are_those_of_the_sections(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    fill(tmp_path / "games.db", 20)
    everything = {path.stem for path in written(tmp_path, formats=("svg",)).plots}
    report = written(tmp_path, "Games", "Ends of games", formats=("svg",))
    assert {path.stem for path in report.plots} == {
        "game_length",
        "moves_to_win",
        "last_evaluations",
    }
    assert {path.stem for path in (tmp_path / "plots").iterdir()} < everything
    text = report.markdown.read_text(encoding="utf-8")
    assert all((tmp_path / link).is_file() for link in re.findall(r"\]\(([^)]+)\)", text))


def test_nothing_to_say_is_told_and_no_mistake(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)
    report = written(tmp_path, "Learning", html=True)
    assert titles(report) == []
    assert report.silent == ("Learning",)
    assert "3 games of 7x6 connect 4, 3 engines" in report.markdown.read_text(encoding="utf-8")


@pytest.mark.parametrize(("section", "replay"), [("Games", True), ("Standings", False)])
def test_the_board_is_there_with_the_games(tmp_path: Path, section: str, replay: bool) -> None:
    fill(tmp_path / "games.db", 3)
    page = written(tmp_path, section, html=True).page.read_text(encoding="utf-8")
    assert ('href="#replay"' in page) == replay
    assert ('id="replay"' in page) == replay


@pytest.mark.parametrize(("section", "judged"), [("Accuracy", True), ("Standings", False)])
def test_moves_are_judged_where_a_section_shows_it(
    tmp_path: Path, section: str, judged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.report.data.ready_judge", lambda rules, quiet: JUDGE)
    small(tmp_path, 3)
    report = written(tmp_path, section, judging=60.0)
    assert (report.data.accuracy is not None) == judged
