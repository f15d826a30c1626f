"""The sections of a report: one list to choose from, and Markdown in which no name is markup."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.errors import BadOption
from arena.journal import Journal, Session
from arena.report.blocks import fold
from arena.report.data import ReportData, read_data
from arena.report.endings import lines_made
from arena.report.markdown import cell, escape, fenced
from arena.report.programs import key_figures
from arena.report.scores import learning
from arena.report.sections import BRIEF, SECTIONS, read_sections
from arena.report.write import Report, write_report
from arena.show.table import Table
from tests.journal.examples import fill, make_header, make_row, short_row
from tests.report.samples import HOSTILE, data_of, made_results, markdown, scoreboard_of

TITLES = [section.title for section in SECTIONS]


def written(folder: Path, *sections: str, **options: Any) -> Report:
    with Journal.read(folder) as journal:
        chosen = read_sections(",".join(sections) or "all")
        return write_report(journal, folder, sections=chosen, **{"formats": (), **options})


def read(folder: Path) -> ReportData:
    with Journal.read(folder) as journal:
        return read_data(journal)


def titles(report: Report) -> list[str]:
    """The headings of the Markdown, which those of the page must be too."""
    told = re.findall("^## (.*)", report.markdown.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if report.html is not None:
        page = report.html.read_text(encoding="utf-8")
        assert re.findall(r"<section id=\"section-[^\"]*\">\n<h2>(.*)</h2>", page) == told
        assert re.findall(r'<a href="#section-[^"]*">([^<]*)</a>', page) == told
    return told


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("standings", ["Standings"]),
        ("accuracy, STANDINGS,time and search", ["Standings", "Accuracy", "Time and search"]),
        ("time-and-search", ["Time and search"]),
        ("Time  And_Search ,", ["Time and search"]),
        ("files,files", ["Files"]),
        (",".join(reversed(TITLES)), TITLES),
        ("all", TITLES),
    ],
)  # fmt: skip
def test_sections_have_names_in_any_spelling(text: str, chosen: list[str]) -> None:
    assert [section.title for section in read_sections(text)] == chosen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("standing", "unknown section 'standing'; did you mean 'Standings'?"),
        ("standings,time-an-serch", "unknown section 'time-an-serch'; did you mean 'Time and s"),
        ("q", f"unknown section 'q'; expected one of all, {', '.join(TITLES)}"),
        (",,", f"no section is named; expected all or some of {', '.join(TITLES)}"),
    ],
)
def test_an_unknown_section(text: str, message: str) -> None:
    with pytest.raises(BadOption, match=re.escape(message)):
        read_sections(text)


def test_a_short_report_has_the_answer_and_five_plots(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 300)
    with Journal.read(tmp_path) as journal:
        report = write_report(journal, tmp_path, formats=("svg",), html=True)
    text = report.markdown.read_text(encoding="utf-8")
    assert text.count("\n") <= 120
    assert len(re.findall(r"^!\[", text, re.MULTILINE)) <= 5
    assert "arena report" in text
    assert len(text.split("\n\n")[1].split()) <= 60
    shown = set(re.findall("^## (.*)", text, re.MULTILINE))
    assert shown <= {section.title for section in BRIEF}
    page = report.page.read_text(encoding="utf-8")
    assert "The tournament file" in page, "the page has everything"


@pytest.mark.parametrize("html", [True, False])
def test_only_chosen_sections_are_written(tmp_path: Path, html: bool) -> None:
    fill(tmp_path / "games.db", 20, "score4")
    report = written(tmp_path, "Standings", "Openings", html=html, latex=True)
    assert titles(report) == ["Standings", "Openings"]
    assert [path.name for path in report.latex] == ["standings.tex", "openings.tex"]
    folded = [path.name for path in report.tables if path.parent.name == "tables"]
    assert set(folded) <= {"openings.csv"}
    assert {"standings.csv", "games.csv"} <= {path.name for path in report.tables}
    report = written(tmp_path, "Learning", html=html)
    assert (titles(report), report.silent) == ([], ("Learning",))


def test_plots_are_those_of_the_sections(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    fill(tmp_path / "games.db", 20)
    report = written(tmp_path, "Games", "Ends of games", formats=("svg",))
    names = {path.stem for path in report.plots}
    assert names == {"game_length", "moves_to_win", "last_evaluations"}
    text = report.markdown.read_text(encoding="utf-8")
    assert all((tmp_path / link).is_file() for link in re.findall(r"\]\(([^)]+)\)", text))


def test_a_journal_without_games(tmp_path: Path) -> None:
    Journal.open(tmp_path, make_header()).close()
    data = read(tmp_path)
    text = markdown(data)
    assert "0 games of 7x6 connect 4, 3 engines" in text
    assert "Crosstable" not in text
    assert key_figures(data)["games"] == 0


def test_directions_of_space_are_put_together_on_the_page(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 20, "score4")
    data = read(tmp_path)
    table = lines_made(data.results, data.order)
    brief, _ = fold(table)
    kinds = ("column", "row", "diagonal", "level diagonal", "space diagonal")
    assert brief.headings() == ("engine", "won by a line", *kinds)
    for row, part in zip(table.rows, brief.rows, strict=True):
        assert sum(int(str(cell)) for cell in part[2:]) == part[1] == row[1]
    text = markdown(data)
    assert "columns](tables/games-won-by-direction-of-the-line.csv)" in text
    assert "level 1   level 2   level 3   level 4" in text


def test_scores_by_fifths_of_each_engines_own_games() -> None:
    results = made_results(("alpha", "beta", "gamma"))
    games = scoreboard_of(results.names, np.zeros((3, 3, 3), np.int64))
    for number, result in enumerate((1, 1, -1, 1, -1, -1, -1, -1, -1, -1)):
        games.append(0, 1, result, b"", number)
    data = data_of(replace(results, scoreboard=games))
    data.__dict__["learners"] = (0,)
    _, table = learning(data)
    assert isinstance(table, Table)
    assert {row[0]: row[1:] for row in table.rows} == {
        "beta": (10, 0.0, 0.5, 1.0, 1.0, 1.0),
        "alpha": (10, 1.0, 0.5, 0.0, 0.0, 0.0),
        "gamma": (0, None, None, None, None, None),
    }


def test_files_of_engines_are_named_as_their_tournament_names_them(tmp_path: Path) -> None:
    header = make_header()
    options = {"variants": "/srv/somebody/cup/our.ini", "depth": 4}
    player = replace(header.players[0], engine="uci:/srv/somebody/cup/fish", options=options)
    entry = {"name": player.name, "engine": "uci:fish",
             "options": {"variants": {"file": "our.ini", "sha256": "0"}, "depth": 4}}  # fmt: skip
    header = replace(header, players=(player, *header.players[1:]), canonical={"engines": [entry]})
    with Journal.open(tmp_path / "games.db", header) as journal:
        journal.write(short_row(1, "4455667"))
    text = written(tmp_path).markdown.read_text(encoding="utf-8")
    assert "uci:fish | variants=our.ini, depth=4" in text
    assert "/srv/somebody" not in text


def test_names_are_only_text(tmp_path: Path) -> None:
    header = make_header()
    named = zip(header.players, HOSTILE, strict=False)
    players = tuple(replace(player, name=name) for player, name in named)
    with Journal.open(tmp_path, replace(header, name=HOSTILE[0], players=players)) as journal:
        for number in range(12):
            journal.write(make_row(number, detail=f"{HOSTILE[0]}: oops"))
    text = markdown(read(tmp_path))
    assert "<script" not in text
    rows = [line for line in text.splitlines() if "alert" in line and line.startswith("|")]
    assert rows
    assert all("|`" not in row and r"\`=cmd()\`" in row for row in rows)
    table = text.split("## Standings\n\n")[1].split("\n\n")[0].splitlines()
    assert {line.count("|") for line in table} == {9}


def test_escapes() -> None:
    assert escape("a_b*c|d") == r"a\_b\*c\|d"
    assert escape("<b> & @you http://x") == "&lt;b&gt; &amp; &#64;you http&#58;//x"
    assert escape("> a > b->c") == "&gt; a > b-&gt;c"  # at the start it would be a quotation
    assert cell("> 99.9 %") == "> 99.9 %"
    assert escape("two\n\nlines\x1b[1m") == r"two lines \[1m"
    assert fenced("a\n````\nb") == "`````text\na\n````\nb\n`````"


@pytest.mark.parametrize(
    ("ended", "why", "part"),
    [
        (None, None, "is still going or was cut short"),
        (9.0, "interrupted", "ended with “interrupted”"),
        (9.0, "game 5 could not be played: its worker was killed or stopped repeatedly",
         "ended with “game 5 could not be played"),
        (9.0, "all games are played", None),
    ],
)  # fmt: skip
def test_an_unfinished_tournament_says_so(
    tmp_path: Path, ended: float | None, why: str | None, part: str | None
) -> None:
    fill(tmp_path / "games.db", 2)
    sessions = (Session("arena run x.yaml", 2, {"cores": 2}, 1.0, ended, why),)
    text = markdown(replace(read(tmp_path), sessions=sessions))
    assert ("> **Caution:** This tournament is unfinished" in text) == (part is not None)
    assert part is None or part in text
    assert "```sh\narena run x.yaml\n```" in text
