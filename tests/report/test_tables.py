"""Tables say what the results say, in figures that people can read."""

from __future__ import annotations

from typing import Any

import pytest

from arena.engine.contract import Limits
from arena.game.rules import CONNECT4
from arena.report import tables
from arena.show.numbers import UNKNOWN
from arena.show.standings import standings_table
from arena.show.table import Table
from arena.standings.games import Games
from arena.standings.rating import rate
from arena.standings.results import Results, collect
from arena.table.game import Game
from tests.journal.examples import make_row

NAMES = ("alpha", "beta", "gamma")


def results_of(rows: list[Game]) -> Results:
    return collect(rows, Games(NAMES), [Limits(seconds=2.0), Limits(), Limits()], CONNECT4)


def every_table(results: Results) -> list[Table]:
    ratings = rate(results.scoreboard.outcomes, names=results.names)
    order = ratings.order
    ordered = (tables.crosstable, tables.head_to_head, tables.by_seat, tables.causes,
               tables.missed_wins, tables.lines_made,
               tables.timing, tables.by_fifths)  # fmt: skip
    return [
        standings_table(results.scoreboard, ratings),
        *(make(results, order) for make in ordered),
        tables.openings(results, CONNECT4),
        tables.game_lengths(results),
    ]


@pytest.mark.parametrize("count", [0, 1, 60])
@pytest.mark.parametrize("reason", ["line", "crash"])
def test_every_cell_can_be_read(count: int, reason: str) -> None:
    record: dict[str, Any] = (
        {} if reason == "line" else {"telemetry": b"", "reason": reason, "result": -1}
    )
    rows = [make_row(number, **record) for number in range(1, count + 1)]
    for table in every_table(results_of(rows)):
        text = table.text()
        assert len(text) == len(table.rows)
        for line in text:
            assert len(line) == len(table.headings())
            assert not {"nan", "inf", "none", ""} & {cell.lower() for cell in line}


def test_the_standings_of_a_few_games() -> None:
    def game(first: int, second: int, result: int) -> Game:
        return make_row(1, first=first, second=second, result=result, opening=b"", round=1)

    results = results_of([game(0, 1, 1), game(1, 0, 0), game(0, 2, 1), game(2, 1, -1)])
    standings = every_table(results)[0]
    assert "group" not in standings.headings()
    names = ("place", "engine", "games", "points", "score", "won", "drawn", "lost")
    assert standings.only("short", names).text() == [
        ("1", "alpha", "3", "2.5", "83.3 %", "2", "1", "0"),
        ("2", "beta", "3", "1.5", "50.0 %", "1", "1", "1"),
        ("3", "gamma", "2", "0", "0.0 %", "0", "0", "2"),
    ]
    cross = tables.crosstable(results, (0, 1, 2))
    assert cross.text()[0] == ("1", "alpha", UNKNOWN, "75.0 %", "100.0 %")


def test_players_who_never_met_are_in_groups() -> None:
    results = results_of([make_row(1, first=0, second=1)])
    standings = every_table(results)[0]
    assert [line[2] for line in standings.text()] == ["1", "1", "2"]


def test_scores_are_told_by_fifths_of_each_engines_own_games() -> None:
    won_by = [0, 0, 1, 0, 1, 1, 1, 1, 1, 1]  # of ten games that alpha begins
    rows = [make_row(n, first=0, second=1, result=1 - 2 * w) for n, w in enumerate(won_by, 1)]
    table = tables.by_fifths(results_of(rows), (1, 0, 2))
    assert [row[:2] for row in table.rows] == [("beta", 10), ("alpha", 10), ("gamma", 0)]
    assert table.rows[0][2:] == (0.0, 0.5, 1.0, 1.0, 1.0)
    assert table.rows[1][2:] == (1.0, 0.5, 0.0, 0.0, 0.0)
    assert table.rows[2][2:] == (None,) * 5
