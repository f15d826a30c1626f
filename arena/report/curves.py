"""Plots of lines by move, by ply, by depth and over the run, and the ends of games.

Few engines share a plot of lines, many get one each. Moves to win and last evaluations are after
figures 2 to 4 of FourPlay's report (S3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.report.canvas import (
    COLOURS,
    FAINT,
    GRID,
    INK,
    MAX_PANELS,
    PAPER,
    label,
    line_style,
    one_axes,
    small_plots,
    time_tick,
)
from arena.report.data import ReportData
from arena.show.numbers import amount, two_digits
from arena.standings.evidence import Numbers
from arena.standings.games import DRAW, LOSS, WIN, Counts
from arena.standings.moves import Curve
from arena.standings.rating import rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOGETHER = 8  # engines in one plot; more are drawn each in its own
MAX_RATED = 200  # engines whose ratings over the run are worth the time
MAX_FAMILIES = 7  # engines that differ in depth alone, in one plot
SNAPSHOTS = 40  # of the ratings, over a run
PARTS = 10  # of a player's games, in each of which its score is drawn
BINS = 24
FARTHEST = 1e12  # evaluations beyond are drawn here
WIDE = 20.0  # times the middle value that the largest may be on a straight axis
KINDS = ((WIN, "won", COLOURS[0]), (DRAW, "drawn", FAINT), (LOSS, "lost", COLOURS[1]))
RARE = 0.02  # of the moves at the busiest x: a mean of fewer is left out


class Trace(NamedTuple):
    """One player's line."""

    player: int
    x: NDArray[np.float64]
    y: NDArray[np.float64]


class Labels(NamedTuple):
    """The words around a plot of lines, and its vertical axis."""

    title: str
    x: str
    y: str
    unit: Callable[[float], str] | None = None  # of a logarithmic axis


def time_by_move(data: ReportData) -> Figure | None:
    """Mean time of each player's own first, second, third ... move."""
    curves = [moves.curve("time") for moves in data.results.moves]
    labels = Labels("Time by move", "own move after the opening", "time a move", time_tick)
    return _means(data, curves, labels)


def nodes_by_move(data: ReportData) -> Figure | None:
    """Mean nodes of each player's own first, second, third ... move."""
    curves = [moves.curve("nodes") for moves in data.results.moves]
    labels = Labels("Nodes by move", "own move after the opening", "nodes a move", amount)
    return _means(data, curves, labels)


def depth_by_ply(data: ReportData) -> Figure | None:
    """Mean depth that each player's search reached, by ply of the game."""
    curves = [moves.depth_by_ply for moves in data.results.moves]
    labels = Labels("Depth by ply of the game", "ply of the game", "plies searched")
    return _means(data, curves, labels)


def _means(data: ReportData, curves: Sequence[Curve | None], labels: Labels) -> Figure | None:
    """Curves without means of a handful of moves and values that the axis cannot show."""
    traces = []
    for player in data.order:
        if (curve := curves[player]) is not None:
            count, mean = np.asarray(curve.count), np.asarray(curve.mean, dtype=float)
            keep = (count > RARE * count.max(initial=0)) & np.isfinite(mean)
            keep &= (mean > 0) | (labels.unit is None)
            traces.append(Trace(player, np.asarray(curve.x, dtype=float)[keep], mean[keep]))
    return _lines(data, traces, labels)


def over_run(data: ReportData) -> Figure | None:
    """How the ratings settled while games came in."""
    if len(data.names) > MAX_RATED:
        return None
    played = data.results.scoreboard
    counts = {round(step * played.games / SNAPSHOTS) for step in range(1, SNAPSHOTS + 1)} - {0}
    ratings = [
        (count, rate(played.until(count).outcomes, names=data.names).elo)
        for count in sorted(counts)
    ]
    traces = []
    for player in data.order:
        points = [(games, elo[player]) for games, elo in ratings if elo[player] is not None]
        if len(points) > 1:
            x, y = np.array(points, dtype=float).T
            traces.append(Trace(player, x, y))
    return _lines(data, traces, Labels("Ratings over the run", "games", "Elo"))


def over_games(data: ReportData) -> Figure | None:
    """The score of each player in one part of its games after another, if engines learn."""
    if not data.learners:
        return None
    traces = []
    for player in data.order:
        points = data.results.scoreboard.points_of(player)
        parts = [part for part in np.array_split(points, PARTS) if part.size]
        ends = np.cumsum([part.size for part in parts], dtype=float)
        scores = np.array([100 * part.mean() for part in parts])
        traces.append(Trace(player, ends, scores))
    return _lines(data, traces, Labels("Score over the games", "own games so far", "score, %"))


def growth(data: ReportData) -> Figure | None:
    """Nodes a move by depth on a logarithmic axis, between b^(d/2) and b^d."""
    _, families = data.costs
    if not families:
        return None
    labels = Labels("Nodes by depth", "depth, plies", "nodes a move", amount)
    cut = sorted(families, key=lambda family: -len(family.depths))[:MAX_FAMILIES]
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
    return _with_names(figure, axes, labels)


def _lines(data: ReportData, traces: Sequence[Trace], labels: Labels) -> Figure | None:
    """Few lines in one plot, named at its side in the order of the standings; many in their own."""
    lines = [trace for trace in traces if len(trace.x)]
    if not lines:
        return None
    names = [data.names[trace.player] for trace in lines]
    if len(lines) > TOGETHER:
        return _apart(names, lines, labels)
    figure, axes = one_axes(8, 4.2, labels.title)
    few = all(trace.player < TOGETHER for trace in lines)  # the same look in every plot
    for place, (name, trace) in enumerate(zip(names, lines, strict=True)):
        style = line_style(trace.player if few else place)
        every = max(1, len(trace.x) // 12)
        axes.plot(trace.x, trace.y, label=label(name), markevery=every, **style)
    return _with_names(figure, axes, labels)


def _with_names(figure: Figure, axes: Axes, labels: Labels) -> Figure:
    _set_ticks(axes, labels)
    axes.set_xlabel(labels.x)
    axes.set_ylabel(labels.y)
    figure.legend(loc="outside right upper", handlelength=3.2)
    return figure


def _apart(names: Sequence[str], traces: Sequence[Trace], labels: Labels) -> Figure:
    """A small plot for each player, with the span of all of them in grey behind it."""
    cut = traces[:MAX_PANELS]
    every = np.unique(np.concatenate([trace.x for trace in cut]))
    lines = [np.interp(every, trace.x, trace.y, left=np.nan, right=np.nan) for trace in cut]
    span = every, np.nanmin(lines, axis=0), np.nanmax(lines, axis=0)

    def draw(axes: Axes, place: int) -> None:
        axes.fill_between(*span, color=GRID, linewidth=0, zorder=1)
        axes.plot(cut[place].x, cut[place].y, color=COLOURS[0], linewidth=1.8, zorder=2)
        _set_ticks(axes, labels, ticks=5)

    return small_plots(labels.title, names, draw, (labels.x, labels.y), shared=True)


def _set_ticks(axes: Axes, labels: Labels, ticks: int = 10) -> None:
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


# ---- the ends of games, a small plot for each player


def moves_to_win(data: ReportData) -> Figure | None:
    """How many games each player won and lost after how many plies; lost ones hang down."""
    endings = data.results.endings
    decided = {player: ends.lengths[[LOSS, WIN]].sum(axis=0) for player, ends in enumerate(endings)}
    order = [player for player in data.order if endings and decided[player].any()]
    if not order:
        return None
    plies = np.flatnonzero(sum(decided.values()))

    def draw(axes: Axes, place: int) -> None:
        draw_lengths(axes, endings[order[place]].lengths)
        axes.set_xlim(plies[0] - 1.5, plies[-1] + 1.5)

    names = [data.names[player] for player in order]
    return _ends("Moves to win and to lose", names, draw, "plies of the game, opening included")


def last_evaluations(data: ReportData) -> Figure | None:
    """The last evaluation that each player gave in its won and in its lost games."""
    endings = data.results.endings
    order = [player for player in data.order if endings and any(map(len, endings[player].values))]
    if not order:
        return None

    def draw(axes: Axes, place: int) -> None:
        ends = endings[order[place]]
        draw_values(axes, ends.values)
        if ends.auc is not None:
            name = label(data.names[order[place]], 17)
            axes.set_title(f"{name}, AUC {two_digits(ends.auc)}", fontsize=8, pad=3)

    names = [data.names[player] for player in order]
    title, x = "Last evaluation before the end was seen", "last evaluation, in the engine's units"
    return _ends(title, names, draw, x, has_draws=True)


def _ends(
    title: str,
    names: Sequence[str],
    draw: Callable[[Axes, int], None],
    x: str,
    has_draws: bool = False,
) -> Figure:
    from matplotlib.patches import Patch

    figure = small_plots(title, names, draw, (x, "games won (up) and lost (down)"))
    handles = [Patch(facecolor=colour, edgecolor=PAPER, label=name)
               for outcome, name, colour in KINDS if has_draws or outcome != DRAW]  # fmt: skip
    figure.legend(handles=handles, ncols=3, loc="upper right")
    return figure


def draw_lengths(axes: Axes, lengths: Counts) -> None:
    """Games by plies: won ones upwards, lost ones downwards."""
    from matplotlib.ticker import MaxNLocator

    plies = np.arange(lengths.shape[1])
    axes.bar(plies, lengths[WIN], width=0.9, color=COLOURS[0])
    axes.bar(plies, -lengths[LOSS], width=0.9, color=COLOURS[1])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    _count_up_and_down(axes)


def draw_values(axes: Axes, values: Sequence[Numbers]) -> None:
    """Games by evaluation: won and drawn ones upwards, lost ones downwards.

    An engine that sees a win says a thousand where it said three before: where values lie far
    beyond the middle one, the axis is logarithmic beyond that.
    """
    from matplotlib.ticker import MaxNLocator

    values = [np.clip(each, -FARTHEST, FARTHEST) for each in values]
    every = np.concatenate(values)
    sizes = np.abs(every[every != 0])
    middle = float(np.median(sizes)) if sizes.size else 1.0
    if np.abs(every).max() > WIDE * middle:
        axes.set_xscale("symlog", linthresh=middle)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    for outcome, name, colour in KINDS:
        if len(values[outcome]):
            weights = np.full(len(values[outcome]), -1.0 if outcome == LOSS else 1.0)
            look: Literal["step", "stepfilled"] = "step" if outcome == DRAW else "stepfilled"
            axes.hist(values[outcome], bins=list(_edges(axes, every)), weights=weights,
                      histtype=look, color=colour, linewidth=1.2, label=name)  # fmt: skip
    axes.xaxis.set_major_formatter(lambda value, _: amount(value))
    _count_up_and_down(axes)


def _edges(axes: Axes, values: Numbers) -> Numbers:
    """Bins that are equally wide on the axis; the ends are exact, however others are rounded."""
    scale = axes.xaxis.get_transform()
    low, high = float(values.min()), float(values.max())
    ends = scale.transform(np.array([low, high]))
    edges: Numbers = scale.inverted().transform(np.histogram_bin_edges(ends, bins=BINS))
    if low < high:
        edges[[0, -1]] = low, high
    return edges


def _count_up_and_down(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.axhline(0, color=INK, linewidth=0.8)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
