"""Plots: there if there are data, the same every time, whatever the names are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from arena.journal import Contestant
from arena.report.canvas import can_plot, label, picture, styled, time_tick
from arena.report.data import ReportData
from arena.report.plots import pareto, times_and_ratings
from arena.report.sections import SECTIONS
from arena.report.write import plots_of
from arena.show.numbers import amount
from arena.standings.accuracy import Accuracy, accuracy
from arena.standings.branching import Family
from arena.standings.rating import rate
from arena.standings.results import Results
from arena.standings.sketch import Spread
from tests.journal.examples import make_header
from tests.report.samples import HOSTILE, made_results, scoreboard_of
from tests.standings.test_accuracy import RULES, surveyed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.skipif(not can_plot(), reason="matplotlib is not installed")


def data_of(results: Results, judged: Accuracy | None = None) -> ReportData:
    ratings = rate(results.scoreboard.outcomes, names=results.names)
    players = tuple(Contestant(name, "x", {}, "") for name in results.names)
    return ReportData(make_header(players=players), (), results, ratings, judged)


def figures(data: ReportData) -> dict[str, Figure]:
    with styled():
        drawn = {plot.name: plot.draw(data) for plot in plots_of(SECTIONS)}
    return {name: figure for name, figure in drawn.items() if figure is not None}


def drawn(data: ReportData, form: str = "svg") -> dict[str, bytes]:
    return {name: picture(figure, form) for name, figure in figures(data).items()}


def test_all_plots_for_strange_names_in_both_forms() -> None:
    results = made_results(HOSTILE)
    families = [Family(n, 7, (0, 1), np.array([2, 3]), np.array([20.0, 90.0])) for n in HOSTILE]
    data = data_of(results, accuracy(surveyed(), 24, 20.0, HOSTILE, RULES))
    data.__dict__.update(costs=([], families), learners=(0,))
    for form, start in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        plots = drawn(data, form)
        assert list(plots) == [plot.name for plot in plots_of(SECTIONS)]
        assert all(data.startswith(start) for data in plots.values())


def test_the_same_results_give_the_same_bytes() -> None:
    one, other = (drawn(data_of(made_results(["a", "b"]))) for _ in range(2))
    assert one == other
    assert all(b"dc:date" not in data for data in one.values())


def test_many_engines_get_a_panel_each() -> None:
    results = made_results([f"engine {number}" for number in range(12)], games=2)
    panels = {name: len(figure.axes) for name, figure in figures(data_of(results)).items()}
    assert panels["time_by_move"] == panels["rating_over_run"] == 12
    assert panels["nodes_by_move"] == 1  # eight of them tell their nodes
    assert panels["ratings"] == 1


def test_plots_without_data_are_left_out() -> None:
    results = made_results(["a", "b", "c"], games=0)
    silent = replace(results.moves[0], by_move=(), depth_by_ply=None)
    assert drawn(data_of(replace(results, moves=(silent,) * 3))) == {}


def test_engines_that_never_met_and_perfect_scores() -> None:
    outcomes = np.zeros((5, 5, 3), dtype=np.int64)
    outcomes[0, 1, 2] = 7
    outcomes[2, 3, 1] = 3
    results = replace(made_results("abcde"), scoreboard=scoreboard_of("abcde", outcomes))
    plots = drawn(data_of(results))
    assert {"ratings", "rating_over_run", "crosstable"} <= plots.keys()
    assert not [name for name, data in plots.items() if b"nan" in data.lower()]


def test_strength_against_time_marks_those_whom_no_quicker_one_reaches() -> None:
    results = made_results("abcd")  # each weaker than the one before
    times = [0.1, 0.001, 0.01, 0.0001]
    moves = [
        replace(moves, cpu=Spread(mean, mean, mean, mean, 9))
        for moves, mean in zip(results.moves, times, strict=True)
    ]
    results = replace(results, moves=tuple(moves))
    points = times_and_ratings(data_of(results))
    assert [point.player for point in points] == [3, 1, 2, 0]
    assert [point.player for point in pareto(points)] == [3, 1, 0]


def test_labels_can_be_drawn() -> None:
    assert label("alphabeta") == "alphabeta"
    assert label("a\n\x1b[31m名") == "a??[31m?"
    assert label("") == "?"
    assert len(label("long " * 40)) == 26
    assert label("x" * 30 + "end").endswith("end")


def test_powers_of_ten() -> None:
    assert [amount(x) for x in (1, 100, 1e3, 1e7, 1e10)] == ["1", "100", "1 k", "10 M", "10 G"]
    assert [time_tick(x) for x in (1e-7, 1e-5, 1e-2, 1, 100)] == [
        "100 ns", "10 µs", "10 ms", "1 s", "100 s",
    ]  # fmt: skip
