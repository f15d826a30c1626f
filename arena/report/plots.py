"""The plots of a report, and those with bars by ply: lengths, where games were decided, one game.

Each function draws one, or gives None if there is nothing to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from arena.report import curves, rows
from arena.report.canvas import COLOURS, FAINT, GRID, INK, label, one_axes, styled, whole_numbers
from arena.standings.accuracy import Accuracy
from arena.standings.branching import Family
from arena.standings.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arena.game.rules import Rules
    from arena.judge.game import Judged
    from arena.standings.rating import Ratings

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


def draw_plots(
    results: Results,
    ratings: Ratings,
    families: Sequence[Family] = (),
    accuracy: Accuracy | None = None,
) -> Iterator[tuple[str, Figure]]:
    """Every plot for which there are data, by name, in the order of the report."""
    order = ratings.order
    makers: dict[str, Callable[[], Figure | None]] = {
        "ratings": lambda: rows.ratings_plot(ratings),
        "crosstable": lambda: rows.crosstable(results, order),
        "time_by_move": lambda: curves.by_move(results, order, "time"),
        "nodes_by_move": lambda: curves.by_move(results, order, "nodes"),
        "depth_by_ply": lambda: curves.depth_by_ply(results, order),
        "nodes_by_depth": lambda: curves.growth_plot(families),
        "game_length": lambda: lengths_plot(results),
        "seats": lambda: rows.seats(results, order),
        "accuracy": lambda: rows.accuracy_plot(accuracy, order),
        "decided": lambda: decided_plot(accuracy),
        "rating_over_run": lambda: curves.over_run(results, order),
    }
    for name in NAMES:
        with styled():
            figure = makers[name]()
        if figure is not None:
            yield name, figure


def lengths_plot(results: Results) -> Figure | None:
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
    whole_numbers(axes)
    axes.set_xlabel("plies, opening included")
    axes.set_ylabel("games")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2)
    return figure


def decided_plot(accuracy: Accuracy | None) -> Figure | None:
    """How many games were decided by which disc, and whose it was."""
    if accuracy is None or not any(player.decisions.plies for player in accuracy.players):
        return None
    plies = [ply for _, decision in accuracy.games if (ply := decision.ply) is not None]
    counts = np.bincount(plies, minlength=accuracy.rules.cells)
    figure, axes = one_axes(8, 3.4, "Where games were decided")
    discs = np.arange(1, len(counts) + 1)
    axes.bar(discs[::2], counts[::2], width=0.85, color=COLOURS[0], label="by the first player")
    axes.bar(discs[1::2], counts[1::2], width=0.85, color=COLOURS[1], label="by the second")
    for third in (1, 2):
        axes.axvline(third * accuracy.rules.cells / 3 + 0.5, color=FAINT, linestyle=":")
    axes.grid(visible=False, axis="x")
    whole_numbers(axes)
    axes.set_xlim(0, accuracy.rules.cells + 1)
    axes.set_xlabel("disc of the mistake that decided")
    axes.set_ylabel("games")
    axes.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2)
    return figure


def game_plot(judged: Judged, rules: Rules, names: Sequence[str]) -> Figure:
    """The score of a game after each disc, from the first player's side; blunders are marked."""
    figure, axes = one_axes(8, 3.6, "Value of the game by ply")
    plies, scores = _scores(judged)
    colours = [COLOURS[0] if score > 0 else COLOURS[1] for score in scores]
    axes.axhline(0, color=INK, linewidth=1)
    axes.bar(plies, scores, width=0.85, color=colours)
    zeros = [ply for ply, score in zip(plies, scores, strict=True) if score == 0]
    axes.plot(zeros, [0] * len(zeros), linestyle="none", marker="o", markersize=4, color=INK)
    _blunders(axes, judged, rules, dict(zip(plies, scores, strict=True)))
    if judged.opening:
        axes.axvspan(-0.5, judged.opening - 0.5, color=GRID, linewidth=0, zorder=0)
    reach = max([abs(score) for score in scores], default=0) + 1.5
    axes.set_ylim(-reach, reach)
    axes.set_xlim(-0.5, max(len(judged.moves), 1) + 0.5)
    whole_numbers(axes)
    axes.set_xlabel("discs on the board" + ("; grey: opening" if judged.opening else ""))
    axes.set_ylabel(f"{label(names[1], 14)} wins   |   {label(names[0], 14)} wins", fontsize=8)
    return figure


def _scores(judged: Judged) -> tuple[list[int], list[int]]:
    """Plies with a proven score, and these scores for the first player."""
    proven = [
        (judged.opening + place, score)
        for place, score in enumerate(judged.scores)
        if score is not None
    ]
    return [ply for ply, _ in proven], [score * (-1) ** ply for ply, score in proven]


def _blunders(axes: Axes, judged: Judged, rules: Rules, scores: dict[int, int]) -> None:
    """A mark over the position that each blunder led to."""
    for ply, verdict in judged.verdicts(rules):
        if verdict is not None and not verdict.keeps_value:
            y = scores[ply + 1]
            axes.annotate("?" if verdict.size[0] == 1 else "??", (ply + 1, y), ha="center",
                          xytext=(0, 4 if y >= 0 else -12), textcoords="offset points",
                          color=INK, weight="bold")  # fmt: skip
