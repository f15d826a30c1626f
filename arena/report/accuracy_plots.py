"""The pictures of accuracy: shares kept by engine, where games were decided, one game's value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.report.canvas import COLOURS, FAINT, GRID, INK, label, one_axes
from arena.standings.accuracy import Accuracy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arena.game.rules import Rules
    from arena.judge.game import Judged

MOST_ROWS = 100
SHARES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("keeps the value", "all", "kept_value", {"marker": "o", "color": COLOURS[0]}),
    ("keeps it in critical positions", "critical", "kept_value",
     {"marker": "D", "color": COLOURS[1]}),
    ("keeps the exact score", "all", "kept_score", {"marker": "s", "color": COLOURS[2]}),
)  # fmt: skip


def accuracy_plot(accuracy: Accuracy | None, order: Sequence[int]) -> Figure | None:
    """Shares of moves with their intervals, an engine a row, the best on top."""
    if accuracy is None or not accuracy.moves:
        return None
    rows = [player for player in order if accuracy.players[player].groups["all"].moves]
    cut = rows[:MOST_ROWS]
    more = "" if len(cut) == len(rows) else f": the first {len(cut)} of {len(rows)}"
    figure, axes = one_axes(8, 1.9 + 0.42 * len(cut), f"Accuracy, 95 % intervals{more}")
    for row, player in enumerate(cut):
        for place, (_, group, share, style) in enumerate(SHARES):
            count = accuracy.players[player].groups[group]
            _share(axes, getattr(count, share), row + 0.22 * (place - 1), style)
    axes.set_yticks(range(len(cut)), [label(accuracy.names[player]) for player in cut])
    axes.set_ylim(len(cut) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("moves, %")
    handles = [axes.plot([], [], linestyle="none", **style)[0] for *_, style in SHARES]
    figure.legend(handles, [words for words, *_ in SHARES], ncols=3, loc="outside lower center")
    return figure


def _share(axes: Axes, share: Any, at: float, style: dict[str, Any]) -> None:
    if share.share is None:
        return
    low, high = share.interval
    axes.plot([100 * low, 100 * high], [at, at], color=style["color"], linewidth=1.4)
    axes.plot(100 * share.share, at, linestyle="none", markersize=5, **style)


def decided_plot(accuracy: Accuracy | None) -> Figure | None:
    """How many games were decided by which disc, and whose it was."""
    if accuracy is None or not any(player.decisions.plies for player in accuracy.players):
        return None
    plies = [ply for _, found in accuracy.games if (ply := found.ply) is not None]
    counts = np.bincount(plies, minlength=accuracy.rules.cells)
    figure, axes = one_axes(8, 3.4, "Where games were decided")
    discs = np.arange(1, len(counts) + 1)
    axes.bar(discs[::2], counts[::2], width=0.85, color=COLOURS[0], label="by the first player")
    axes.bar(discs[1::2], counts[1::2], width=0.85, color=COLOURS[1], label="by the second")
    for third in (1, 2):
        axes.axvline(third * accuracy.rules.cells / 3 + 0.5, color=FAINT, linestyle=":")
    axes.grid(visible=False, axis="x")
    _whole_numbers(axes)
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
    _whole_numbers(axes)
    axes.set_xlabel("discs on the board" + ("; grey: opening" if judged.opening else ""))
    axes.set_ylabel(f"{label(names[1], 14)} wins   |   {label(names[0], 14)} wins", fontsize=8)
    return figure


def _scores(judged: Judged) -> tuple[list[int], list[int]]:
    """Plies with a proven score, and these scores for the first player."""
    known = [
        (judged.opening + place, score)
        for place, score in enumerate(judged.scores)
        if score is not None
    ]
    return [ply for ply, _ in known], [score * (-1) ** ply for ply, score in known]


def _blunders(axes: Axes, judged: Judged, rules: Rules, scores: dict[int, int]) -> None:
    """A mark over the position that each blunder led to."""
    for ply, verdict in judged.verdicts(rules):
        if verdict is not None and not verdict.keeps_value:
            y = scores[ply + 1]
            axes.annotate("?" if verdict.size[0] == 1 else "??", (ply + 1, y), ha="center",
                          xytext=(0, 4 if y >= 0 else -12), textcoords="offset points",
                          color=INK, weight="bold")  # fmt: skip


def _whole_numbers(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=15))
