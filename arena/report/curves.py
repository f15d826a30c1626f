"""Plots of lines: by move, by ply, by depth, over the run; few engines share one, many do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.report.canvas import (
    COLOURS,
    FAINT,
    GRID,
    INK,
    label,
    line_style,
    one_axes,
    time_tick,
)
from arena.show.numbers import amount
from arena.standings.branching import Family
from arena.standings.moves import Curve
from arena.standings.rating import rate
from arena.standings.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOGETHER = 8  # engines in one plot; more are drawn each in its own
MOST_PANELS, ACROSS = 40, 4
MOST_RATED = 200  # engines whose ratings over the run are worth the time
MOST_FAMILIES = 7  # engines that differ in depth alone, in one plot
PARTS = 10  # of a player's games, in each of which its score is drawn
RARE = 0.02  # of the moves at the busiest x: a mean of fewer is left out


class Trace(NamedTuple):
    """One player's line."""

    player: int
    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]


class Labels(NamedTuple):
    """The words around a plot of lines, and its vertical axis."""

    title: str
    x: str
    y: str
    unit: Callable[[float], str] | None = None  # of a logarithmic axis


def by_move(results: Results, order: Sequence[int], figure: str) -> Figure | None:
    """Mean time or nodes of each player's own first, second, third ... move."""
    curves = [(p, results.moves[p].curve(figure)) for p in order]
    traces = [_trace(results, p, curve, positive=True) for p, curve in curves if curve is not None]
    unit = time_tick if figure == "time" else amount
    title, x = f"{figure.capitalize()} by move", "own move after the opening"
    return _draw(traces, Labels(title, x, f"{figure} a move", unit))


def depth_by_ply(results: Results, order: Sequence[int]) -> Figure | None:
    """Mean depth that each player's search reached, by ply of the game."""
    curves = [(p, results.moves[p].depth_by_ply) for p in order]
    traces = [_trace(results, p, curve) for p, curve in curves if curve is not None]
    return _draw(traces, Labels("Depth by ply of the game", "ply of the game", "plies searched"))


def over_run(results: Results, order: Sequence[int]) -> Figure | None:
    """How the ratings settled while games came in."""
    if len(results.names) > MOST_RATED:
        return None
    ratings = [
        (games, rate(outcomes, names=results.names).elo)
        for games, outcomes in results.scoreboard.over_time()
    ]
    traces = []
    for player in order:
        points = [(games, elo[player]) for games, elo in ratings if elo[player] is not None]
        if len(points) > 1:
            x, y = np.array(points, dtype=float).T
            traces.append(Trace(player, results.names[player], x, y))
    return _draw(traces, Labels("Ratings over the run", "games", "Elo"))


def over_games(results: Results, order: Sequence[int]) -> Figure | None:
    """The score of each player in one part of its games after another."""
    traces = []
    for player in order:
        points = results.scoreboard.points_of(player)
        parts = [part for part in np.array_split(points, PARTS) if part.size]
        ends = np.cumsum([part.size for part in parts], dtype=float)
        scores = np.array([100 * part.mean() for part in parts])
        traces.append(Trace(player, results.names[player], ends, scores))
    return _draw(traces, Labels("Score over the games", "own games so far", "score, %"))


def growth_plot(families: Sequence[Family]) -> Figure | None:
    """Nodes a move by depth on a logarithmic axis, between b^(d/2) and b^d."""
    if not families:
        return None
    labels = Labels("Nodes by depth", "depth, plies", "nodes a move", amount)
    cut = sorted(families, key=lambda family: -len(family.depths))[:MOST_FAMILIES]
    figure, axes = one_axes(8, 4.2, labels.title)
    for place, family in enumerate(cut):
        axes.plot(family.depths, family.nodes, label=label(family.kind), **line_style(place))
    b = cut[0].columns
    depths = np.arange(min(f.depths[0] for f in cut), max(f.depths[-1] for f in cut) + 1)
    for power, words, dashes in ((1.0, "d", "--"), (0.5, "(d/2)", ":")):
        axes.plot(depths, float(b) ** (power * depths), color=FAINT, linestyle=dashes, zorder=1)
        end = float(b) ** (power * depths[-1])
        axes.annotate(f"{b}^{words}", (depths[-1], end), xytext=(5, 0), va="center",
                      textcoords="offset points", color=INK, fontsize=8)  # fmt: skip
    axes.margins(x=0.1)
    return _named(figure, axes, labels)


def _trace(results: Results, player: int, curve: Curve, positive: bool = False) -> Trace:
    """A curve without what a handful of moves says and without what the axis cannot show."""
    count, mean = np.asarray(curve.count), np.asarray(curve.mean, dtype=float)
    keep = (count > RARE * count.max(initial=0)) & np.isfinite(mean)
    if positive:
        keep &= mean > 0
    x = np.asarray(curve.x, dtype=float)[keep]
    return Trace(player, results.names[player], x, mean[keep])


def _draw(traces: Sequence[Trace], labels: Labels) -> Figure | None:
    lines = [trace for trace in traces if len(trace.x)]
    if not lines:
        return None
    return _together(lines, labels) if len(lines) <= TOGETHER else _apart(lines, labels)


def _together(traces: Sequence[Trace], labels: Labels) -> Figure:
    """All lines in one plot, named at its side in the order of the standings."""
    figure, axes = one_axes(8, 4.2, labels.title)
    few = all(trace.player < TOGETHER for trace in traces)  # the same look in every plot
    for place, trace in enumerate(traces):
        style = line_style(trace.player if few else place)
        every = max(1, len(trace.x) // 12)
        axes.plot(trace.x, trace.y, label=label(trace.name), markevery=every, **style)
    return _named(figure, axes, labels)


def _named(figure: Figure, axes: Axes, labels: Labels) -> Figure:
    """A plot with ticks, the names of its axes, and the names of its lines at its side."""
    _set_ticks(axes, labels)
    axes.set_xlabel(labels.x)
    axes.set_ylabel(labels.y)
    figure.legend(loc="outside right upper", handlelength=3.2)
    return figure


def _apart(traces: Sequence[Trace], labels: Labels) -> Figure:
    """A small plot for each player, with what all of them span in grey behind it."""
    from matplotlib.figure import Figure

    cut = traces[:MOST_PANELS]
    rows = ceil(len(cut) / ACROSS)
    figure = Figure(figsize=(10, 1.3 + 1.5 * rows))
    more = "" if len(cut) == len(traces) else f": the first {len(cut)} of {len(traces)}"
    figure.suptitle(
        f"{labels.title}{more}", x=0.01, ha="left", fontsize=12, weight="bold", color=INK
    )
    grid = figure.subplots(rows, ACROSS, sharex=True, sharey=True, squeeze=False)
    every = np.unique(np.concatenate([trace.x for trace in cut]))
    lines = [np.interp(every, trace.x, trace.y, left=np.nan, right=np.nan) for trace in cut]
    span = every, np.nanmin(lines, axis=0), np.nanmax(lines, axis=0)
    for panel, above, trace in zip_longest(grid.flat, [None] * ACROSS + list(grid.flat), cut):
        if trace is None:
            if panel is not None:
                panel.set_visible(False)
                above.tick_params(labelbottom=True)
            continue
        panel.fill_between(*span, color=GRID, linewidth=0, zorder=1)
        panel.plot(trace.x, trace.y, color=COLOURS[0], linewidth=1.8, zorder=2)
        panel.set_title(label(trace.name, 24), fontsize=8, pad=3)
        panel.tick_params(labelsize=7)
        _set_ticks(panel, labels, ticks=5)
    figure.supxlabel(labels.x, fontsize=9, y=0.1 / figure.get_figheight())
    figure.supylabel(labels.y, fontsize=9)
    # Margins by hand, in inches: fitting them to many panels would take longer than drawing.
    wide, high = figure.get_size_inches()
    figure.subplots_adjust(
        left=0.85 / wide, right=1 - 0.2 / wide, bottom=0.6 / high, top=1 - 0.7 / high,
        wspace=0.08, hspace=0.28,
    )  # fmt: skip
    return figure


def _set_ticks(axes: Axes, labels: Labels, ticks: int = 10) -> None:
    """Ticks of both axes, the vertical one logarithmic where the labels have one."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=ticks))
    if labels.unit is None:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
        return
    unit = labels.unit
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: unit(value))
