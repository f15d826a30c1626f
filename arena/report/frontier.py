"""Strength against time: who is worth the processor, and whom a quicker one beats."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

from arena.report.canvas import FAINT, label, line_style, one_axes, time_tick
from arena.standings.rating import Ratings
from arena.standings.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NAMED = 24  # engines whose names find room beside the plot
ROOM = 1.2  # between an engine and the end of the axis, as a factor


class Point(NamedTuple):
    """A player's mean processor time a move, and its rating with its error."""

    player: int
    seconds: float
    elo: float
    error: float


def frontier_plot(results: Results, ratings: Ratings) -> Figure | None:
    """Ratings by mean processor time a move, and a line along those that no quicker one reaches."""
    points = measured(results, ratings)
    if len(points) < 2 or len(points) > MOST_NAMED:
        return None
    figure, axes = one_axes(8, 4.6, "Strength against time")
    front = frontier(points)
    axes.plot([point.seconds for point in front], [point.elo for point in front],
              color=FAINT, linestyle="--", drawstyle="steps-post", zorder=1)  # fmt: skip
    for point in sorted(points, key=lambda point: -point.elo):
        look = {**line_style(point.player), "linestyle": "none", "markersize": 8}
        axes.errorbar(point.seconds, point.elo, yerr=point.error, capsize=3, elinewidth=1.2,
                      label=label(results.names[point.player]), **look)  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: time_tick(value))
    axes.xaxis.set_minor_formatter(lambda value, _: "")
    decades = floor(log10(points[0].seconds / ROOM)), ceil(log10(points[-1].seconds * ROOM))
    axes.set_xlim(10.0 ** decades[0], 10.0 ** decades[1])
    axes.set_xlabel("mean processor time a move; dashed: no quicker engine is rated higher")
    axes.set_ylabel("Elo")
    figure.legend(loc="outside right upper")
    return figure


def measured(results: Results, ratings: Ratings) -> list[Point]:
    """The players of the largest group whose time and rating are known, the quickest first."""
    points = []
    for player, moves in enumerate(results.moves):
        elo, error, spread = ratings.elo[player], ratings.error[player], moves.cpu
        if ratings.group[player] == 0 and elo is not None and spread is not None and spread.mean:
            points.append(Point(player, spread.mean, elo, error or 0.0))
    return sorted(points, key=lambda point: (point.seconds, -point.elo))


def frontier(points: Sequence[Point]) -> list[Point]:
    """Of points from the quickest on, those rated higher than all before them (Pareto)."""
    front: list[Point] = []
    for point in points:
        if not front or point.elo > front[-1].elo:
            front.append(point)
    return front
