"""Plots: there if there are data, the same every time, whatever the names are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from arena.report import curves
from arena.report.canvas import can_plot, label, picture, styled, time_tick
from arena.report.curves import draw_values
from arena.report.data import ReportData
from arena.report.plots import pareto, times_and_ratings
from arena.report.sections import SECTIONS
from arena.report.write import plots_of
from arena.standings.accuracy import accuracy
from arena.standings.branching import Family
from arena.standings.sketch import Spread
from tests.report.samples import HOSTILE, data_of, made_results, scoreboard_of
from tests.standings.test_accuracy import RULES, surveyed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.skipif(not can_plot(), reason="matplotlib is not installed")


def figures(data: ReportData) -> dict[str, Figure]:
    with styled():
        drawn = {plot.name: plot.draw(data) for plot in plots_of(SECTIONS)}
    return {name: figure for name, figure in drawn.items() if figure is not None}


def pictures(data: ReportData, form: str = "svg") -> dict[str, bytes]:
    return {name: picture(figure, form) for name, figure in figures(data).items()}


def test_all_plots_for_strange_names_in_both_forms() -> None:
    families = [Family(n, 7, (0, 1), np.array([2, 3]), np.array([20.0, 90.0])) for n in HOSTILE]
    judged = accuracy(surveyed(), 24, 20.0, HOSTILE, RULES)
    data = replace(data_of(made_results(HOSTILE)), accuracy=judged)
    data.__dict__.update(costs=([], families), learners=(0,))
    for form, start in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        plots = pictures(data, form)
        assert list(plots) == [plot.name for plot in plots_of(SECTIONS)]
        assert all(data.startswith(start) for data in plots.values())


def test_the_same_results_give_the_same_bytes() -> None:
    one, other = (pictures(data_of(made_results(["a", "b"]))) for _ in range(2))
    assert one == other
    assert all(b"dc:date" not in data for data in one.values())


def test_many_engines_get_a_small_plot_each() -> None:
    results = made_results([f"engine {number}" for number in range(50)], games=2)
    drawn = figures(data_of(results))
    panels = {name: len(figure.axes) for name, figure in drawn.items()}
    assert panels["time_by_move"] == panels["rating_over_run"] == panels["moves_to_win"] == 40
    assert panels["ratings"] == 1
    assert drawn["moves_to_win"].get_suptitle().endswith("the first 40 of 50")
    few = figures(data_of(made_results("abcdefghi", games=2)))
    assert [axes.get_visible() for axes in few["time_by_move"].axes] == [True] * 9 + [False] * 3


def test_plots_without_data_are_left_out() -> None:
    results = made_results(["a", "b", "c"], games=0)
    silent = replace(results.moves[0], by_move=(), depth_by_ply=None)
    assert pictures(data_of(replace(results, moves=(silent,) * 3))) == {}


def test_engines_that_never_met_and_perfect_scores() -> None:
    outcomes = np.zeros((5, 5, 3), dtype=np.int64)
    outcomes[0, 1, 2] = 7
    outcomes[2, 3, 1] = 3
    results = replace(made_results("abcde"), scoreboard=scoreboard_of("abcde", outcomes))
    data = data_of(results)
    plots = pictures(data)
    assert {"ratings", "rating_over_run", "crosstable"} <= plots.keys()
    assert not [name for name, data in plots.items() if b"nan" in data.lower()]
    (axes,) = figures(data)["ratings"].axes
    assert sorted(map(int, axes.get_yticks())) == [0, 1, 3, 4], "a gap between groups"


def test_strength_against_time_marks_the_pareto_front() -> None:
    results = made_results("abcd")  # each weaker than the one before
    moves = [
        replace(moves, cpu=Spread(mean, mean, mean, mean, 9))
        for moves, mean in zip(results.moves, (0.1, 0.001, 0.01, 0.0001), strict=True)
    ]
    points = times_and_ratings(data_of(replace(results, moves=tuple(moves))))
    assert [point.player for point in points] == [3, 1, 2, 0]
    assert [point.player for point in pareto(points)] == [3, 1, 0]


@pytest.mark.parametrize(
    "values",
    [
        [5.0], [3.0, 3.0], [0.0] * 5, [-1e6, -3.0, 2.0, 1e6, 4.0, 5.0, 1.0],
        [-20.0, 3.0, 1.0, 999_999.0], [-0.25, 0.001, 1e12], [1e-12, 2e-12],
    ],
)  # fmt: skip
def test_every_evaluation_has_its_place_on_the_axis(values: list[float]) -> None:
    from matplotlib.figure import Figure

    with styled():
        figure = Figure()
        axes = figure.subplots()
        draw_values(axes, [np.array(values), np.zeros(0), np.array(values)])
        low, high = axes.get_xlim()
        assert low <= min(values) <= max(values) <= high
        assert np.histogram(values, curves._edges(axes, np.array(values)))[0].sum() == len(values)
        assert b"nan" not in picture(figure, "svg").lower()


def test_labels_can_be_drawn() -> None:
    assert label("alphabeta") == "alphabeta"
    assert label("a\n\x1b[31m名") == "a??[31m?"
    assert label("") == "?"
    assert len(label("long " * 40)) == 26
    assert label("x" * 30 + "end").endswith("end")
    assert [time_tick(x) for x in (1e-7, 1e-5, 1e-2, 1, 100)] == [
        "100 ns", "10 µs", "10 ms", "1 s", "100 s",
    ]  # fmt: skip
