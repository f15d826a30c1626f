"""report.md: everything in order, and nobody's name is markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.journal import Journal, Session
from arena.report.blocks import fold
from arena.report.data import ReportData, data_of
from arena.report.markdown import cell, escape, fenced
from arena.report.sections import final_board
from arena.report.summary import cautions
from arena.report.tables import lines_made
from arena.report.write import key_figures
from arena.show.table import Cell
from arena.standings.games import Games
from arena.standings.rating import rate
from arena.standings.results import read
from arena.standings.timekeeping import Timekeeping
from tests.journal.examples import fill, make_header, make_row, short_row
from tests.report.samples import HOSTILE, markdown


def content(journal: Path) -> ReportData:
    with Journal.read(journal) as opened:
        results = read(opened)
        return data_of(opened, results, rate(results.scoreboard.outcomes, names=results.names))


def test_sections_stand_in_order(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 30)
    text = markdown(content(tmp_path))
    assert text.startswith(
        "# example\n\n30 games of 7x6 connect 4, 3 engines. Limits differ.\n\nalpha came first "
    )
    assert re.findall("^## (.*)", text, flags=re.MULTILINE) == [
        "Standings", "Crosstable", "Head to head", "Time and search", "Immediate wins missed",
        "Seats and the first move", "Openings", "Games", "Ends of games", "Notable games",
        "How it was played", "What the numbers mean", "Environment", "The tournament file",
    ]  # fmt: skip
    assert "Prior: " in text
    assert "name: example" in text
    assert not re.search(r"\b(nan|inf)\b", text, flags=re.IGNORECASE)


def test_a_notable_game_has_its_board_its_line_and_its_command(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        row = short_row(7, "4141414", first=0, second=1)
        journal.write(replace(row, detail="alpha made a column (4,1) (4,2) (4,3) (4,4)"))
    text = markdown(content(tmp_path))
    assert "### Shortest win: game 7" in text
    assert "alpha (X) against beta (O): alpha made a column (4,1) (4,2) (4,3) (4,4)" in text
    assert "\n. . . X . . .\nO . . X . . .\nO . . X . . .\nO . . X . . .\n1 2 3 4 5 6 7\n" in text
    assert re.search(r"```sh\narena replay \S*games.db 7\n```", text)


def test_the_line_is_named_even_if_nobody_did(tmp_path: Path) -> None:
    rules = make_header().rules
    board, line = final_board(bytes([3, 0, 3, 0, 3, 0, 3]), rules)
    assert board.count("X") == 4
    assert line == "column (4,1) (4,2) (4,3) (4,4)"
    assert final_board(bytes([3, 3]), rules)[1] == ""
    assert "full" in final_board(bytes([3] * 7), rules)[0]


def test_no_games_at_all(tmp_path: Path) -> None:
    Journal.open(tmp_path, make_header()).close()
    report = content(tmp_path)
    text = markdown(report)
    assert "0 games of 7x6 connect 4, 3 engines" in text
    assert "Crosstable" not in text
    assert not re.search(r"\b(nan|inf)\b", text, flags=re.IGNORECASE)
    assert key_figures(report)["games"] == 0


def test_wins_that_were_missed_are_figures_for_programs(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        journal.write(short_row(1, "1212123", first=1, second=0))  # in column 1 it was won
        journal.write(short_row(2, "1212121", first=2, second=0))
    report = content(tmp_path)
    figures = key_figures(report)
    assert figures["immediate_wins"] == [
        {"engine": "alpha", "chances": 0, "missed": 0},
        {"engine": "beta", "chances": 1, "missed": 1},
        {"engine": "gamma", "chances": 1, "missed": 0},
    ]
    nothing = {"row": 0, "rising_diagonal": 0, "falling_diagonal": 0}
    assert figures["wins_by_direction"] == [
        {"engine": "alpha", "won_by_a_line": 0, "column": 0, **nothing},
        {"engine": "beta", "won_by_a_line": 0, "column": 0, **nothing},
        {"engine": "gamma", "won_by_a_line": 1, "column": 1, **nothing},
    ]
    assert re.search(r"## Immediate wins missed\n\n.*\n\n\| engine \|", markdown(report))


def total(cells: Sequence[Cell]) -> int:
    return sum(cell for cell in cells if isinstance(cell, int))


def test_directions_of_space_are_put_together_on_the_page(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 20, "score4")
    report = content(tmp_path)
    table = lines_made(report.results, report.order)
    brief, _ = fold(table)
    kinds = ("column", "row", "diagonal", "level diagonal", "space diagonal")
    assert brief.headings() == ("engine", "won by a line", *kinds)
    assert [column.name for column in table.columns if column.name in report.results.lines]
    for row, part in zip(table.rows, brief.rows, strict=True):
        assert total(part[2:]) == part[1] == row[1]
    assert "columns](tables/games-won-by-direction-of-the-line.csv)" in markdown(report)


def test_games_in_space(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 10, "score4")
    assert "level 1   level 2   level 3   level 4" in markdown(content(tmp_path))


def test_names_are_only_text(tmp_path: Path) -> None:
    header = make_header()
    named = zip(header.players, HOSTILE, strict=False)
    players = tuple(replace(player, name=name) for player, name in named)
    with Journal.open(tmp_path, replace(header, name=HOSTILE[0], players=players)) as journal:
        for number in range(12):
            journal.write(make_row(number, detail=f"{HOSTILE[0]}: oops"))
    text = markdown(content(tmp_path))
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
        (
            9.0,
            "game 5 could not be played: its worker was killed or stopped repeatedly",
            "ended with “game 5 could not be played",
        ),
        (9.0, "all games are played", None),
    ],
)
def test_an_unfinished_tournament_says_so(
    tmp_path: Path, ended: float | None, why: str | None, part: str | None
) -> None:
    fill(tmp_path / "games.db", 2)
    sessions = (Session("arena run x.yaml", 2, {"cores": 2}, 1.0, ended, why),)
    text = markdown(replace(content(tmp_path), sessions=sessions))
    assert ("> **Caution:** This tournament is unfinished" in text) == (part is not None)
    assert part is None or part in text
    assert "```sh\narena run x.yaml\n```" in text


def test_doubts_are_at_the_top(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 2)
    report = content(tmp_path)
    assert "machine was busy" not in markdown(
        replace(report, results=replace(report.results, time=Timekeeping(wall=1.1, cpu=1.0)))
    )
    doubtful = replace(report.results, time=Timekeeping(wall=3.0, cpu=1.0))
    top = markdown(replace(report, results=doubtful)).split("## Crosstable")[0]
    assert "Moves took 3.0 times their processor time: the machine was" in top
    assert "or an engine waits for something other than a processor" in top  # a bot that sleeps


def test_copies_are_told(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 2)
    report = content(tmp_path)
    games = Games(["a", "b"])
    for number in range(10):
        games.append(0, 1, 1, b"\3", number, b"\3" if number < 9 else b"\4")
    data = replace(report, results=replace(report.results, scoreboard=games))
    told = {caution.topic: caution.text for caution in cautions(data)}
    assert told["repeated games"].startswith("Only 20.0 % of the games are different: copies add")
