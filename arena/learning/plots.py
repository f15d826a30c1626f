"""The plots of a training: shares and Elo over the games, and the way that few weights went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arena.learning.curve import Point
from arena.learning.outcome_plots import OUTCOME_NAMES, draw_outcomes
from arena.learning.outcomes import Outcomes
from arena.learning.trajectory import Course
from arena.report.canvas import COLOURS, FAINT, label, line_style, one_axes, styled
from arena.show.numbers import amount, whole_percent
from arena.standings.rating import rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = {
    "exact": "Success by exact values over the games",
    "ladder": "Score against each opponent over the games",
    "elo": "Elo against the ladder over the games",
    "weights": "Weights over the steps of learning",
    **OUTCOME_NAMES,
}
MARKS = 12  # of a line, at most
NAMED = 8  # weights with a name beside the plot; more are drawn all alike


def draw_plots(
    points: Sequence[Point], course: Course, outcomes: Sequence[Outcomes] = ()
) -> Iterator[tuple[str, Figure]]:
    """Every plot that has something to show, with its name."""
    with styled():
        against = dict.fromkeys(name for point in points for name in point.strength.against)
        ladder = [f"against {name}" for name in against]
        every = dict.fromkeys(name for point in points for name in point.strength.scores())
        exact = [name for name in every if name not in ladder]
        if len(points) > 1 and exact:
            yield "exact", _shares(points, exact, NAMES["exact"])
        if len(points) > 1 and against:
            yield "ladder", _shares(points, ladder, NAMES["ladder"])
            yield "elo", _elo(points, list(against))
        if course.names:
            yield "weights", _weights(course)
    yield from draw_outcomes(outcomes)


def _shares(points: Sequence[Point], names: Sequence[str], title: str) -> Figure:
    """Shares with their 95 % intervals."""
    figure, axes = one_axes(8, 4.2, title)
    for place, name in enumerate(names):
        rows = [
            (p.games, *p.strength.scores()[name]) for p in points if name in p.strength.scores()
        ]
        games, share, low, high = np.array(rows).T
        style = line_style(place)
        axes.fill_between(games, low, high, color=style["color"], alpha=0.15, linewidth=0)
        every = max(1, len(games) // MARKS)
        axes.plot(games, share, label=label(name), markevery=every, **style)
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(lambda value, _: whole_percent(value))
    _over_games(axes, "share, with 95 % interval")
    figure.legend(loc="outside right upper", handlelength=3.2)
    return figure


def _elo(points: Sequence[Point], ladder: Sequence[str]) -> Figure:
    """The rating of each moment, from all games of all moments together."""
    games, elo, error = elo_of(points, ladder)
    figure, axes = one_axes(8, 4.2, NAMES["elo"])
    axes.fill_between(games, elo - error, elo + error, color=COLOURS[0], alpha=0.15, linewidth=0)
    axes.plot(games, elo, markevery=max(1, len(games) // MARKS), **line_style(0))
    axes.axhline(0, color=FAINT, linewidth=0.8)
    _over_games(axes, "Elo, the mean of the ladder is 0")
    return figure


def elo_of(
    points: Sequence[Point], ladder: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Games, Elo and its 95 % error of each moment; the mean of the ladder is 0.

    A learner at different moments is as many players, who all met the ladder.
    """
    moments = [f"after {point.games}" for point in points]
    names = [*ladder, *moments]
    outcomes = np.zeros((len(names), len(names), 3), np.int64)
    for place, point in enumerate(points, start=len(ladder)):
        for name, score in point.strength.against.items():
            outcomes[place, names.index(name)] = score.trinomial
    ratings = rate(outcomes, names=names, zero=ladder, first_advantage=False)
    places = range(len(ladder), len(names))
    elo = np.array([ratings.elo[place] for place in places], float)
    error = np.array([ratings.error[place] or np.nan for place in places], float)
    return np.array([point.games for point in points], float), elo, error


def _weights(course: Course) -> Figure:
    """A line for each weight, by step."""
    figure, axes = one_axes(8, 4.2, NAMES["weights"])
    few = len(course.names) <= NAMED
    for place, name in enumerate(course.names):
        style = line_style(place)
        axes.plot(
            course.steps,
            course.rows[:, place],
            color=style["color"],
            linestyle=style["linestyle"] if few else "-",
            linewidth=1.6 if few else 0.7,
            label=label(name) if few else None,
        )
    axes.set_xlabel("steps")
    axes.set_ylabel("weight")
    axes.yaxis.set_major_formatter(lambda value, _: amount(value))
    if few:
        figure.legend(loc="outside right upper", handlelength=3.2)
    return figure


def _over_games(axes: Axes, words: str) -> None:
    axes.set_xlabel("games")
    axes.set_ylabel(words)
    axes.xaxis.set_major_formatter(lambda value, _: amount(value))
