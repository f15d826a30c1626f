"""The ends of games in a report: a table and two pictures, of whatever engines say."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.journal import Journal
from arena.report import curves
from arena.report.canvas import can_plot, picture, styled
from arena.report.curves import draw_values, last_evaluations, moves_to_win
from arena.report.data import ReportData, data_of
from arena.report.sections import ends
from arena.report.tables import ends_table
from arena.report.write import key_figures
from arena.standings.endings import Endings
from arena.standings.evidence import Interval
from arena.standings.rating import rate, rate_games
from arena.standings.results import Results, read
from tests.journal.examples import fill, make_header
from tests.report.samples import HOSTILE, made_results, markdown

drawn = pytest.mark.skipif(not can_plot(), reason="matplotlib is not there")


def with_ends(names: tuple[str, ...], *values: tuple[list[float], list[float]]) -> ReportData:
    """Players with these last evaluations of lost and of won games, all of 20 plies."""
    endings = []
    for lost, won in values:
        lengths = np.zeros((3, 43), np.int64)
        lengths[0, 20], lengths[2, 20] = len(lost), len(won)
        evaluations = (np.array(lost, float), np.zeros(0), np.array(won, float))
        endings.append(Endings(lengths, evaluations, len(lost) + len(won)))
    return data_from(replace(made_results(names), endings=tuple(endings)))


def data_from(results: Results) -> ReportData:
    return ReportData(make_header(), (), results, rate_games(results.scoreboard))


def test_the_table_by_hand() -> None:
    results = with_ends(("a", "b"), ([1.0], [5.0, 1.0]), ([], []))
    table = ends_table(results.results, [0, 1])
    assert table.rows[0][:7] == ("a", 2, 20.0, 1, 20.0, 3, 0.75)
    interval = table.rows[0][7]
    assert isinstance(interval, Interval)
    assert 0 < interval.low < 0.75 < interval.high < 1
    assert table.rows[1] == ("b", 0, None, 0, None, 0, None, None)


def test_auc_is_explained_where_there_is_one() -> None:
    blocks = [len(list(ends(data))) for data in (
        with_ends(("a",), ([1.0], [5.0])), with_ends(("a",), ([1.0], [])),
        with_ends(("a",), ([], [])), data_from(replace(made_results(("a",)), endings=())),
    )]  # fmt: skip
    assert blocks == [2, 1, 0, 0]


def test_the_section_has_all_and_programs_have_it_too(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 40)
    with Journal.read(tmp_path) as journal:
        results = read(journal)
        ratings = rate(results.scoreboard.outcomes, names=results.names)
        data = data_of(journal, results, ratings)
    section = markdown(data).split("## Ends of games\n")[1].split("\n## ")[0]
    assert re.findall("^### (.*)", section, flags=re.MULTILINE) == [
        "Lengths of games, and last evaluations",
        "Games won, by direction of the line",
    ]
    told: Any = json.loads(json.dumps(key_figures(data)))["ends"]
    assert [each["engine"] for each in told] == list(results.names)
    assert {"plies_to_win", "auc", "auc_low", "auc_high"} < told[0].keys()


@pytest.mark.parametrize(
    "values",
    [
        [5.0],
        [3.0, 3.0],
        [0.0] * 5,
        [-1e6, -3.0, 2.0, 1e6, 4.0, 5.0, 1.0],
        [-20.0, 3.0, 1.0, 999_999.0],
        [-0.25, 0.001, 1e12],
        [1e-12, 2e-12],
    ],
)
@drawn
def test_every_value_has_its_place_on_the_axis(values: list[float]) -> None:
    from matplotlib.figure import Figure

    with styled():
        figure = Figure()
        axes = figure.subplots()
        draw_values(axes, [np.array(values), np.zeros(0), np.array(values)])
        low, high = axes.get_xlim()
        assert low <= min(values) <= max(values) <= high
        assert np.histogram(values, curves._edges(axes, np.array(values)))[0].sum() == len(values)
        assert b"nan" not in picture(figure, "svg").lower()


@drawn
@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_the_first_players_have_a_small_plot_each(count: int) -> None:
    names = tuple((*HOSTILE, *"abcdefgh")[:count])
    data = with_ends(names, *[([-1.0, 0.5], [2.0])] * count)
    for maker in (moves_to_win, last_evaluations):
        with styled():
            figure = maker(data)
        assert figure is not None
        panels = [axes for axes in figure.axes if axes.get_visible()]
        assert len(panels) == min(count, curves.MAX_SMALL)
        title = figure.get_suptitle()
        assert title.endswith("the first 6 of 9") == (count == 9)
        assert picture(figure, "svg").startswith(b"<?xml")
        assert b"nan" not in picture(figure, "svg").lower()


@drawn
def test_without_ends_there_is_no_picture() -> None:
    nobody = with_ends(("a", "b"), ([], []), ([], []))
    for data in (nobody, data_from(replace(nobody.results, endings=()))):
        assert moves_to_win(data) is None
        assert last_evaluations(data) is None
