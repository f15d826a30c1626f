"""Plots with a row for each engine: ratings, seats, accuracy, and the crosstable as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.report.canvas import (
    COLOURS,
    FAINT,
    MARKERS,
    PAPER,
    engine_rows,
    first_of,
    label,
    one_axes,
)
from arena.standings.accuracy import Accuracy
from arena.standings.results import Results
from arena.standings.scoreboard import VALUES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arena.standings.rating import Ratings

MOST_ROWS, MOST_CELLS = 100, 60  # engines in a list, in a heat map
DARK, LIGHT = "#10141a", "#fdfdfd"  # text in cells, the same on light and dark pages
SHARES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("keeps the value", "all", "kept_value", {"marker": "o", "color": COLOURS[0]}),
    ("keeps it in critical positions", "critical", "kept_value",
     {"marker": "D", "color": COLOURS[1]}),
    ("keeps the exact score", "all", "kept_score", {"marker": "s", "color": COLOURS[2]}),
)  # fmt: skip


def ratings_plot(ratings: Ratings) -> Figure | None:
    """Ratings with error bars, the best on top; groups that never met stand apart."""
    rows = [player for player in ratings.order if ratings.elo[player] is not None]
    cut = rows[:MOST_ROWS]
    if not cut:
        return None
    groups = list(dict.fromkeys(ratings.group[player] for player in cut))
    rows_apart = [[player for player in cut if ratings.group[player] == g] for g in groups]
    height = 1.5 + 0.3 * (len(cut) + len(groups) - 1)
    figure, axes = one_axes(8, height, first_of("Ratings, 95 % intervals", len(cut), len(rows)))
    at, ticks, names = 0.0, [], []
    for number, players in enumerate(rows_apart):
        for player in players:
            _rating_row(axes, ratings, player, at, number)
            ticks.append(at)
            names.append(ratings.names[player])
            at += 1
        if number + 1 < len(rows_apart):
            axes.axhline(at, color=FAINT, linewidth=1, linestyle=":")
            at += 1
    engine_rows(axes, names, ticks)
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


def seats(results: Results, order: Sequence[int]) -> Figure | None:
    """Each player's score when it moves first and when it moves second."""
    by_seat = results.scoreboard.by_seat
    rows = [player for player in order if by_seat[player].sum()]
    cut = rows[:MOST_ROWS]
    if not cut:
        return None
    figure, axes = one_axes(8, 1.7 + 0.3 * len(cut), first_of("Score by seat", len(cut), len(rows)))
    for at, player in enumerate(cut):
        played = by_seat[player].sum(axis=1)
        points = 100 * (by_seat[player] @ VALUES) / np.maximum(played, 1)
        if played.all():
            axes.plot(points, [at, at], color=FAINT, linewidth=2, zorder=1)
        for seat in (0, 1):
            if played[seat]:
                axes.plot(points[seat], at, **_seat_style(seat), zorder=3 - seat)
    engine_rows(axes, [results.names[player] for player in cut])
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


def accuracy_plot(accuracy: Accuracy | None, order: Sequence[int]) -> Figure | None:
    """Shares of moves with their intervals, an engine a row, the best on top."""
    if accuracy is None or not accuracy.moves:
        return None
    rows = [player for player in order if accuracy.players[player].groups["all"].moves]
    cut = rows[:MOST_ROWS]
    title = first_of("Accuracy, 95 % intervals", len(cut), len(rows))
    figure, axes = one_axes(8, 1.9 + 0.42 * len(cut), title)
    for row, player in enumerate(cut):
        for place, (_, group, share, style) in enumerate(SHARES):
            count = accuracy.players[player].groups[group]
            _kept_share(axes, getattr(count, share), row + 0.22 * (place - 1), style)
    engine_rows(axes, [accuracy.names[player] for player in cut])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("moves, %")
    handles = [axes.plot([], [], linestyle="none", **style)[0] for *_, style in SHARES]
    figure.legend(handles, [words for words, *_ in SHARES], ncols=3, loc="outside lower center")
    return figure


def _kept_share(axes: Axes, share: Any, at: float, style: dict[str, Any]) -> None:
    if share.share is None:
        return
    low, high = share.interval
    axes.plot([100 * low, 100 * high], [at, at], color=style["color"], linewidth=1.4)
    axes.plot(100 * share.share, at, linestyle="none", markersize=5, **style)


def crosstable(results: Results, order: Sequence[int]) -> Figure | None:
    """A heat map of each player's score against each other, in percent."""
    from matplotlib.colors import LinearSegmentedColormap

    cut = list(order)[:MOST_CELLS]
    if len(cut) < 2 or not results.games:
        return None
    share = np.array([[_share(results, a, b) for b in cut] for a in cut])
    names = [f"{label(results.names[p])}  {n}" for n, p in enumerate(cut, start=1)]
    side = max(2.6, 0.42 * len(cut))
    title = first_of("Score against each other, %", len(cut), len(order))
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
    score = results.scoreboard.versus(player, other)
    return 100 * score.share if player != other and score.games else float("nan")


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
