"""The pictures of a report. Each function draws one, or gives None if there is nothing to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.report import curves
from arena.report.accuracy_plots import accuracy_plot, decided_plot
from arena.report.canvas import (
    COLOURS,
    FAINT,
    INK,
    MARKERS,
    PAPER,
    label,
    one_axes,
    styled,
)
from arena.report.effort import growth_plot
from arena.standings.accuracy import Accuracy
from arena.standings.growth import Family
from arena.standings.results import VALUES, Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arena.standings.rating import Ratings

MOST_ROWS, MOST_CELLS = 100, 60  # engines in a list, in a heat map
NAMES = {
    "ratings": "Ratings with 95 % intervals",
    "crosstable": "Score of each engine against each",
    "time_by_move": "Time by move",
    "nodes_by_move": "Nodes by move",
    "depth_by_ply": "Depth by ply of the game",
    "nodes_by_depth": "Nodes by depth",
    "game_length": "Length of the games",
    "seats": "Score by seat",
    "accuracy": "Accuracy by exact scores",
    "decided": "Where games were decided",
    "rating_over_run": "Ratings over the run",
}
DARK, LIGHT = "#10141a", "#fdfdfd"  # text in cells, the same on light and dark pages


@dataclass(frozen=True)
class Plot:
    """A picture: its file name without ending, what it shows in words, and the figure."""

    name: str
    words: str
    figure: Figure


def draw_plots(
    results: Results,
    ratings: Ratings,
    history: Sequence[curves.Moment] = (),
    families: Sequence[Family] = (),
    accuracy: Accuracy | None = None,
) -> Iterator[Plot]:
    """Every picture for which there are data, in the order of the report."""
    order = ratings.order
    makers: dict[str, Callable[[], Figure | None]] = {
        "ratings": lambda: ratings_plot(ratings),
        "crosstable": lambda: crosstable(results, order),
        "time_by_move": lambda: curves.by_move(results, order, "time"),
        "nodes_by_move": lambda: curves.by_move(results, order, "nodes"),
        "depth_by_ply": lambda: curves.depth_by_ply(results, order),
        "nodes_by_depth": lambda: growth_plot(families),
        "game_length": lambda: lengths(results),
        "seats": lambda: seats(results, order),
        "accuracy": lambda: accuracy_plot(accuracy, order),
        "decided": lambda: decided_plot(accuracy),
        "rating_over_run": lambda: curves.over_run(history, order, results.names),
    }
    for name, words in NAMES.items():
        with styled():
            figure = makers[name]()
        if figure is not None:
            yield Plot(name, words, figure)


def ratings_plot(ratings: Ratings) -> Figure | None:
    """Ratings with error bars, the best on top; groups that never met stand apart."""
    rows = [player for player in ratings.order if ratings.elo[player] is not None]
    cut = rows[:MOST_ROWS]
    if not cut:
        return None
    groups = list(dict.fromkeys(ratings.group[player] for player in cut))
    rows_apart = [[player for player in cut if ratings.group[player] == g] for g in groups]
    height = 1.5 + 0.3 * (len(cut) + len(groups) - 1)
    figure, axes = one_axes(8, height, _of("Ratings, 95 % intervals", len(cut), len(rows)))
    at, ticks, names = 0.0, [], []
    for number, players in enumerate(rows_apart):
        for player in players:
            _rating_row(axes, ratings, player, at, number)
            ticks.append(at)
            names.append(label(ratings.names[player]))
            at += 1
        if number + 1 < len(rows_apart):
            axes.axhline(at, color=FAINT, linewidth=1, linestyle=":")
            at += 1
    axes.set_yticks(ticks, names)
    axes.set_ylim(at - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Elo" if len(groups) == 1 else "Elo; groups that never met are not comparable")
    axes.margins(x=0.06)
    return figure


def _rating_row(axes: Axes, ratings: Ratings, player: int, at: float, group: int) -> None:
    elo, error = ratings.elo[player], ratings.error[player]
    assert elo is not None
    axes.errorbar(
        elo, at, xerr=error, capsize=3, markersize=6, elinewidth=1.4,
        color=COLOURS[group % len(COLOURS)], marker=MARKERS[group % len(MARKERS)],
    )  # fmt: skip
    words = f"{elo:z.0f}" if error is None else f"{elo:z.0f} ± {error:.0f}"
    words = words.replace("-", "\N{MINUS SIGN}")
    place = axes.get_yaxis_transform()
    axes.text(1.01, at, words, transform=place, va="center", fontsize=8)


def crosstable(results: Results, order: Sequence[int]) -> Figure | None:
    """A heat map of each player's score against each other, in percent."""
    from matplotlib.colors import LinearSegmentedColormap

    cut = list(order)[:MOST_CELLS]
    met = results.outcomes.sum(axis=2) + results.outcomes.sum(axis=2).T
    if len(cut) < 2 or not met.sum():
        return None
    share = np.array([[_share(results, a, b) for b in cut] for a in cut])
    names = [f"{label(results.names[p])}  {n}" for n, p in enumerate(cut, start=1)]
    side = max(2.6, 0.42 * len(cut))
    title = _of("Score against each other, %", len(cut), len(order))
    figure, axes = one_axes(side + 0.6 + 0.085 * max(map(len, names)), side + 0.9, title)
    shades = LinearSegmentedColormap.from_list("shades", ["#f3f7fa", "#56b4e9", "#00446b"])
    axes.pcolormesh(np.ma.masked_invalid(share), cmap=shades, vmin=0, vmax=100, edgecolors=PAPER,
                    linewidth=1.5)  # fmt: skip
    for row, column in np.ndindex(share.shape):
        _cell(axes, float(share[row, column]), row, column)
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


def _share(results: Results, player: int, other: int) -> float:
    """Points in percent; nan, which stays inside the plot, where they have not met."""
    counts = results.versus(player, other)
    if player == other or not counts.sum():
        return float("nan")
    return float(100 * (counts @ VALUES) / counts.sum())


def _cell(axes: Axes, share: float, row: int, column: int) -> None:
    from matplotlib.patches import Rectangle

    if np.isnan(share):
        blank = Rectangle((column, row), 1, 1, facecolor="none", edgecolor=FAINT, linewidth=0)
        blank.set_hatch("////" if row == column else "..")
        axes.add_patch(blank)
        return
    colour = LIGHT if share > 62 else DARK
    text = axes.text(column + 0.5, row + 0.5, f"{share:.0f}", ha="center", va="center")
    text.set(color=colour, fontsize=8, in_layout=False)


def lengths(results: Results) -> Figure | None:
    """How many games took how many plies."""
    counts = np.asarray(results.lengths)
    if not counts.sum():
        return None
    plies = np.flatnonzero(counts)
    figure, axes = one_axes(8, 3.4, "Length of the games")
    axes.bar(np.arange(len(counts)), counts, width=0.85, color=COLOURS[0])
    middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
    axes.axvline(middle, color=INK, linestyle="--", linewidth=1.2, label=f"median {middle} plies")
    axes.set_xlim(plies[0] - 1.5, plies[-1] + 1.5)
    axes.grid(visible=False, axis="x")
    _whole_numbers(axes)
    axes.set_xlabel("plies, opening included")
    axes.set_ylabel("games")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2)
    return figure


def _whole_numbers(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=15))


def seats(results: Results, order: Sequence[int]) -> Figure | None:
    """Each player's score when it moves first and when it moves second."""
    by_seat = results.by_seat
    rows = [player for player in order if by_seat[player].sum()]
    cut = rows[:MOST_ROWS]
    if not cut:
        return None
    figure, axes = one_axes(8, 1.7 + 0.3 * len(cut), _of("Score by seat", len(cut), len(rows)))
    for at, player in enumerate(cut):
        played = by_seat[player].sum(axis=1)
        points = 100 * (by_seat[player] @ VALUES) / np.maximum(played, 1)
        if played.all():
            axes.plot(points, [at, at], color=FAINT, linewidth=2, zorder=1)
        for seat in (0, 1):
            if played[seat]:
                axes.plot(points[seat], at, **_seat_style(seat), zorder=3 - seat)
    axes.set_yticks(range(len(cut)), [label(results.names[player]) for player in cut])
    axes.set_ylim(len(cut) - 0.4, -0.6)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("score, %")
    handles = [axes.plot([], [], **_seat_style(seat))[0] for seat in (0, 1)]
    axes.legend(handles, ["moves first", "moves second"], ncols=2, loc="lower right",
                bbox_to_anchor=(1, 1), borderaxespad=0.2)  # fmt: skip
    return figure


def _seat_style(seat: int) -> dict[str, Any]:
    filled = COLOURS[0] if seat == 0 else PAPER
    edge = COLOURS[0] if seat == 0 else COLOURS[1]
    return {"marker": "os"[seat], "color": filled, "markeredgecolor": edge, "linestyle": "none",
            "markersize": 7, "markeredgewidth": 1.8}  # fmt: skip


def _of(title: str, shown: int, all_: int) -> str:
    """The title, and how many engines are shown if not all are."""
    return title if shown == all_ else f"{title}: the first {shown} of {all_}"
