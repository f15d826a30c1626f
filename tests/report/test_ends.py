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
from arena.report import ends
from arena.report.canvas import can_plot, picture, styled
from arena.report.ends import Axis, ends_blocks, ends_table, evaluations_plot, lengths_plot
from arena.report.markdown import markdown
from arena.report.reading import content_of
from arena.report.write import key_figures
from arena.standings.endings import Endings
from arena.standings.rating import rate
from arena.standings.results import Results, read
from tests.journal.examples import fill
from tests.report.samples import HOSTILE, made_results

drawn = pytest.mark.skipif(not can_plot(), reason="matplotlib is not there")


def with_ends(names: tuple[str, ...], *values: tuple[list[float], list[float]]) -> Results:
    """Players with these last evaluations of lost and of won games, all of 20 plies."""
    endings = []
    for lost, won in values:
        lengths = np.zeros((3, 43), np.int64)
        lengths[0, 20], lengths[2, 20] = len(lost), len(won)
        evaluations = (np.array(lost, float), np.zeros(0), np.array(won, float))
        endings.append(Endings(lengths, evaluations, len(lost) + len(won)))
    return replace(made_results(names), endings=tuple(endings))


def test_the_table_by_hand() -> None:
    results = with_ends(("a", "b"), ([1.0], [5.0, 1.0]), ([], []))
    table = ends_table(results, [0, 1])
    assert table.rows[0][:7] == ("a", 2, 20.0, 1, 20.0, 3, 0.75)
    assert re.fullmatch(r"0\.\d\d to 0\.\d\d", str(table.rows[0][7]))
    assert table.rows[1] == ("b", 0, None, 0, None, 0, None, None)


def test_auc_is_explained_where_there_is_one() -> None:
    words = [len(list(ends_blocks(results, [0]))) for results in (
        with_ends(("a",), ([1.0], [5.0])), with_ends(("a",), ([1.0], [])),
        with_ends(("a",), ([], [])), replace(made_results(("a",)), endings=()),
    )]  # fmt: skip
    assert words == [2, 1, 0, 0]


def test_the_section_has_all_and_programs_have_it_too(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 40)
    with Journal.read(tmp_path) as journal:
        results = read(journal)
        ratings = rate(results.scoreboard.outcomes, names=results.names)
        content = content_of(journal, results, ratings)
    section = markdown(content).split("## Ends of games\n")[1].split("\n## ")[0]
    assert re.findall("^### (.*)", section, flags=re.MULTILINE) == [
        "Lengths of games, and last evaluations",
        "Games won, by direction of the line",
    ]
    told: Any = json.loads(json.dumps(key_figures(content)))["ends"]
    assert [each["engine"] for each in told] == list(results.names)
    assert {"plies_to_win", "AUC", "AUC_95"} < told[0].keys()


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
def test_every_value_has_its_place_on_the_axis(values: list[float]) -> None:
    axis = Axis.of(np.array(values))
    assert np.histogram(values, axis.edges())[0].sum() == len(values)
    assert np.allclose(axis.value(axis.place(np.array(values))), values)
    if axis.middle is not None:
        places = axis.place(np.array(axis.ticks()))
        assert 2 <= len(places) <= 7
        assert np.diff(places).min() > np.ptp(axis.place(np.array(values))) / 7
    if can_plot():
        drawn_axis(values)


def drawn_axis(values: list[float]) -> None:
    from matplotlib.figure import Figure

    with styled():
        figure = Figure()
        ends.draw_values(figure.subplots(), [np.array(values), np.zeros(0), np.array(values)])
        assert picture(figure, "svg").startswith(b"<?xml")


@drawn
@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_the_first_players_have_a_small_plot_each(count: int) -> None:
    names = tuple((*HOSTILE, *"abcdefgh")[:count])
    results = with_ends(names, *[([-1.0, 0.5], [2.0])] * count)
    for maker in (lengths_plot, evaluations_plot):
        with styled():
            figure = maker(results, range(count))
        assert figure is not None
        panels = [axes for axes in figure.axes if axes.get_visible()]
        assert len(panels) == min(count, ends.MOST_PANELS)
        title = figure.get_suptitle()
        assert title.endswith("the first 6 of 9") == (count == 9)
        assert picture(figure, "svg").startswith(b"<?xml")
        assert b"nan" not in picture(figure, "svg").lower()


@drawn
def test_without_ends_there_is_no_picture() -> None:
    nobody = with_ends(("a", "b"), ([], []), ([], []))
    for results in (nobody, replace(nobody, endings=())):
        assert lengths_plot(results, [0, 1]) is None
        assert evaluations_plot(results, [0, 1]) is None
