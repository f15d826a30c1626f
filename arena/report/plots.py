"""The plots of a report: those with a row for each engine, and those with bars by ply.

Each function draws one, or gives None if there is nothing to draw. Plots of lines are in curves.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arena.report.canvas import (
    COLOURS,
    FAINT,
    GRID,
    INK,
    MARKERS,
    PAPER,
    first_of,
    label,
    line_style,
    name_rows,
    one_axes,
    time_tick,
    whole_numbers,
)
from arena.report.data import ReportData
from arena.standings.accuracy import Accuracy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arena.game.rules import Rules
    from arena.judge.game import Judged
    from arena.standings.rating import Ratings

MAX_ROWS, MAX_CELLS = 100, 60  # engines in a list, in a heat map
MAX_NAMED = 24  # engines whose names find room beside a plot
ROOM = 1.2  # between an engine and the end of an axis of times, as a factor
DARK, LIGHT = "#10141a", "#fdfdfd"  # text in cells, the same on light and dark pages
SHARES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("keeps the value", "all", "kept_value", {"marker": "o", "color": COLOURS[0]}),
    ("keeps it in critical positions", "critical", "kept_value",
     {"marker": "D", "color": COLOURS[1]}),
    ("keeps the exact score", "all", "kept_score", {"marker": "s", "color": COLOURS[2]}),
)  # fmt: skip


def ratings(data: ReportData) -> Figure | None:
    """Ratings with error bars, the best on top; groups that never met stand apart."""
    ratings = data.ratings
    rows = [player for player in ratings.order if ratings.elo[player] is not None]
    cut = rows[:MAX_ROWS]
    if not cut:
        return None
    groups = list(dict.fromkeys(ratings.group[player] for player in cut))
    cut.sort(key=lambda player: groups.index(ratings.group[player]))
    places = [at + groups.index(ratings.group[player]) for at, player in enumerate(cut)]
    height = 1.5 + 0.3 * (places[-1] + 1)
    figure, axes = one_axes(8, height, first_of("Ratings, 95 % intervals", len(cut), len(rows)))
    for gap in sorted({*range(places[-1])} - {*places}):
        axes.axhline(gap, color=FAINT, linewidth=1, linestyle=":")
    for at, player in zip(places, cut, strict=True):
        _rating_row(axes, ratings, player, at, groups.index(ratings.group[player]))
    name_rows(axes, [ratings.names[player] for player in cut], places)
    axes.set_xlabel("Elo" if len(groups) == 1 else "Elo; groups that never met are not comparable")
    axes.margins(x=0.06)
    return figure


def _rating_row(axes: Axes, ratings: Ratings, player: int, at: int, group: int) -> None:
    elo, error = ratings.elo[player], ratings.error[player]
    assert elo is not None
    axes.errorbar(
        elo, at, xerr=error, capsize=3, markersize=6, elinewidth=1.4,
        color=COLOURS[group % len(COLOURS)], marker=MARKERS[group % len(MARKERS)],
    )  # fmt: skip
    words = f"{elo:z.0f}" if error is None else f"{elo:z.0f} ± {error:.0f}"
    words = words.replace("-", "\N{MINUS SIGN}")
    axes.text(1.01, at, words, transform=axes.get_yaxis_transform(), va="center", fontsize=8)


def accuracy(data: ReportData) -> Figure | None:
    """Shares of moves with their intervals, an engine a row, the first of the standings on top."""
    return None if data.accuracy is None else accuracy_plot(data.accuracy, data.order)


def accuracy_plot(accuracy: Accuracy, order: Sequence[int]) -> Figure | None:
    """The same for any order of the engines."""
    if not accuracy.moves:
        return None
    rows = [player for player in order if accuracy.players[player].groups["all"].moves]
    cut = rows[:MAX_ROWS]
    title = first_of("Accuracy, 95 % intervals", len(cut), len(rows))
    figure, axes = one_axes(8, 1.9 + 0.42 * len(cut), title)
    for row, player in enumerate(cut):
        for place, (_, group, share, style) in enumerate(SHARES):
            kept = getattr(accuracy.players[player].groups[group], share)
            if kept is not None:
                ends, at = [100 * end for end in kept.interval()], row + 0.22 * (place - 1)
                axes.plot(ends, [at, at], color=style["color"], linewidth=1.4)
                axes.plot(100 * kept.value, at, linestyle="none", markersize=5, **style)
    name_rows(axes, [accuracy.names[player] for player in cut])
    axes.set_xlabel("moves, %")
    handles = [axes.plot([], [], linestyle="none", **style)[0] for *_, style in SHARES]
    figure.legend(handles, [words for words, *_ in SHARES], ncols=3, loc="outside lower center")
    return figure


def crosstable(data: ReportData) -> Figure | None:
    """A heat map of each player's score against each other, in percent."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    results, order = data.results, data.order
    cut = list(order)[:MAX_CELLS]
    if len(cut) < 2 or not results.games:
        return None
    share = np.full((len(cut), len(cut)), np.nan)  # which stays inside the plot
    for row, column in np.ndindex(share.shape):
        score = results.scoreboard.versus(cut[row], cut[column])
        if row != column and score.games:
            share[row, column] = 100 * score.share
    names = [f"{label(results.names[p])}  {n}" for n, p in enumerate(cut, start=1)]
    side = max(2.6, 0.42 * len(cut))
    title = first_of("Score against each other, %", len(cut), len(order))
    figure, axes = one_axes(side + 0.6 + 0.085 * max(map(len, names)), side + 0.9, title)
    shades = LinearSegmentedColormap.from_list("shades", ["#f3f7fa", "#56b4e9", "#00446b"])
    axes.pcolormesh(np.ma.masked_invalid(share), cmap=shades, vmin=0, vmax=100, edgecolors=PAPER,
                    linewidth=1.5)  # fmt: skip
    for (row, column), percent in np.ndenumerate(share):
        if np.isnan(percent):
            hatch = "////" if row == column else ".."
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=FAINT,
                                     linewidth=0, hatch=hatch))  # fmt: skip
        else:
            colour = LIGHT if percent > 62 else DARK
            text = axes.text(column + 0.5, row + 0.5, f"{percent:.0f}", ha="center", va="center")
            text.set(color=colour, fontsize=8, in_layout=False)
    places = np.arange(len(cut)) + 0.5
    axes.set_yticks(places, names)
    axes.set_xticks(places, [str(n) for n in range(1, len(cut) + 1)])
    axes.xaxis.tick_top()
    axes.set_ylim(len(cut), 0)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def lengths(data: ReportData) -> Figure | None:
    """How many games took how many plies."""
    counts = np.asarray(data.results.scoreboard.lengths)
    if not counts.sum():
        return None
    plies = np.flatnonzero(counts)
    figure, axes = one_axes(8, 3.4, "Length of the games")
    axes.bar(np.arange(len(counts)), counts, width=0.85, color=COLOURS[0])
    middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
    axes.axvline(middle, color=INK, linestyle="--", linewidth=1.2, label=f"median {middle} plies")
    axes.set_xlim(plies[0] - 1.5, plies[-1] + 1.5)
    axes.grid(visible=False, axis="x")
    whole_numbers(axes)
    axes.set_xlabel("plies, opening included")
    axes.set_ylabel("games")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2)
    return figure


class Point(NamedTuple):
    """A player's mean processor time a move, and its rating with its error."""

    player: int
    seconds: float
    elo: float
    error: float


def frontier(data: ReportData) -> Figure | None:
    """Ratings by mean processor time a move, with a line along the Pareto front."""
    points = times_and_ratings(data)
    if len(points) < 2 or len(points) > MAX_NAMED:
        return None
    figure, axes = one_axes(8, 4.6, "Strength against time")
    front = pareto(points)
    axes.plot([point.seconds for point in front], [point.elo for point in front],
              color=FAINT, linestyle="--", drawstyle="steps-post", zorder=1)  # fmt: skip
    for point in sorted(points, key=lambda point: -point.elo):
        look = {**line_style(point.player), "linestyle": "none", "markersize": 8}
        axes.errorbar(point.seconds, point.elo, yerr=point.error, capsize=3, elinewidth=1.2,
                      label=label(data.names[point.player]), **look)  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: time_tick(value))
    axes.xaxis.set_minor_formatter(lambda value, _: "")
    decades = floor(log10(points[0].seconds / ROOM)), ceil(log10(points[-1].seconds * ROOM))
    axes.set_xlim(10.0 ** decades[0], 10.0 ** decades[1])
    axes.set_xlabel("mean processor time a move; dashed: no quicker engine is rated higher")
    axes.set_ylabel("Elo")
    figure.legend(loc="outside right upper")
    return figure


def times_and_ratings(data: ReportData) -> list[Point]:
    """The players of the largest group whose time and rating are known, the quickest first."""
    points, ratings = [], data.ratings
    for player, moves in enumerate(data.results.moves):
        elo, error, spread = ratings.elo[player], ratings.error[player], moves.cpu
        if ratings.group[player] == 0 and elo is not None and spread is not None and spread.mean:
            points.append(Point(player, spread.mean, elo, error or 0.0))
    return sorted(points, key=lambda point: (point.seconds, -point.elo))


def pareto(points: Sequence[Point]) -> list[Point]:
    """Of points from the quickest on, those rated higher than all before them."""
    front: list[Point] = []
    for point in points:
        if not front or point.elo > front[-1].elo:
            front.append(point)
    return front


def game_plot(judged: Judged, rules: Rules, names: Sequence[str]) -> Figure:
    """The score of a game after each disc, from the first player's side; blunders are marked."""
    figure, axes = one_axes(8, 3.6, "Value of the game by ply")
    proven = {
        judged.opening + place: score * (-1) ** (judged.opening + place)
        for place, score in enumerate(judged.scores)
        if score is not None
    }
    plies, scores = list(proven), list(proven.values())
    colours = [COLOURS[0] if score > 0 else COLOURS[1] for score in scores]
    axes.axhline(0, color=INK, linewidth=1)
    axes.bar(plies, scores, width=0.85, color=colours)
    zeros = [ply for ply, score in proven.items() if score == 0]
    axes.plot(zeros, [0] * len(zeros), linestyle="none", marker="o", markersize=4, color=INK)
    for ply, verdict in judged.verdicts(rules):
        if verdict is not None and not verdict.keeps_value:
            y = proven[ply + 1]
            axes.annotate("?" if verdict.size[0] == 1 else "??", (ply + 1, y), ha="center",
                          xytext=(0, 4 if y >= 0 else -12), textcoords="offset points",
                          color=INK, weight="bold")  # fmt: skip
    if judged.opening:
        axes.axvspan(-0.5, judged.opening - 0.5, color=GRID, linewidth=0, zorder=0)
    reach = max([abs(score) for score in scores], default=0) + 1.5
    axes.set_ylim(-reach, reach)
    axes.set_xlim(-0.5, max(len(judged.moves), 1) + 0.5)
    whole_numbers(axes)
    count = "moves so far" if rules.pie else "discs on the board"
    axes.set_xlabel(count + ("; grey: opening" if judged.opening else ""))
    axes.set_ylabel(f"{label(names[1], 14)} wins   |   {label(names[0], 14)} wins", fontsize=8)
    return figure
