"""The plots of a report: those with a row for each engine, and those with bars by ply.

Each function draws one, or gives None if there is nothing to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.report import curves, ends
from arena.report.canvas import (
    COLOURS,
    FAINT,
    GRID,
    INK,
    MARKERS,
    PAPER,
    engine_rows,
    label,
    one_axes,
    styled,
    whole_numbers,
)
from arena.report.frontier import frontier_plot
from arena.standings.accuracy import Accuracy
from arena.standings.branching import Family
from arena.standings.games import VALUES
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
    "strength_by_time": "Strength against time",
    "time_by_move": "Time by move",
    "nodes_by_move": "Nodes by move",
    "depth_by_ply": "Depth by ply of the game",
    "nodes_by_depth": "Nodes by depth",
    "game_length": "Length of the games",
    "moves_to_win": "Moves to win and to lose",
    "last_evaluations": "Last evaluation before the end was seen, of won and lost games",
    "seats": "Score by seat",
    "accuracy": "Accuracy by exact scores",
    "decided": "Where games were decided",
    "rating_over_run": "Ratings over the run",
    "score_over_games": "Score over the games",
}
MOST_ROWS, MOST_CELLS = 100, 60  # engines in a list, in a heat map
DARK, LIGHT = "#10141a", "#fdfdfd"  # text in cells, the same on light and dark pages
SHARES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("keeps the value", "all", "kept_value", {"marker": "o", "color": COLOURS[0]}),
    ("keeps it in critical positions", "critical", "kept_value",
     {"marker": "D", "color": COLOURS[1]}),
    ("keeps the exact score", "all", "kept_score", {"marker": "s", "color": COLOURS[2]}),
)  # fmt: skip


def draw_plots(
    results: Results,
    ratings: Ratings,
    families: Sequence[Family] = (),
    accuracy: Accuracy | None = None,
    learners: Sequence[int] = (),
    wanted: Iterable[str] = NAMES,
) -> Iterator[tuple[str, Figure]]:
    """Every plot that is wanted and for which there are data, by name."""
    order = ratings.order
    makers: dict[str, Callable[[], Figure | None]] = {
        "ratings": lambda: ratings_plot(ratings),
        "crosstable": lambda: crosstable_plot(results, order),
        "strength_by_time": lambda: frontier_plot(results, ratings),
        "time_by_move": lambda: curves.by_move(results, order, "time"),
        "nodes_by_move": lambda: curves.by_move(results, order, "nodes"),
        "depth_by_ply": lambda: curves.depth_by_ply(results, order),
        "nodes_by_depth": lambda: curves.growth_plot(families),
        "game_length": lambda: lengths_plot(results),
        "moves_to_win": lambda: ends.lengths_plot(results, order),
        "last_evaluations": lambda: ends.evaluations_plot(results, order),
        "seats": lambda: seats_plot(results, order),
        "accuracy": lambda: accuracy_plot(accuracy, order),
        "decided": lambda: decided_plot(accuracy),
        "rating_over_run": lambda: curves.over_run(results, order),
        "score_over_games": lambda: curves.over_games(results, order) if learners else None,
    }
    for name in wanted:
        with styled():
            figure = makers[name]()
        if figure is not None:
            yield name, figure


def ratings_plot(ratings: Ratings) -> Figure | None:
    """Ratings with error bars, the best on top; groups that never met stand apart."""
    rows = [player for player in ratings.order if ratings.elo[player] is not None]
    cut = rows[:MOST_ROWS]
    if not cut:
        return None
    groups = list(dict.fromkeys(ratings.group[player] for player in cut))
    height = 1.5 + 0.3 * (len(cut) + len(groups) - 1)
    figure, axes = one_axes(8, height, _first_of("Ratings, 95 % intervals", len(cut), len(rows)))
    places: dict[int, int] = {}
    at = 0
    for number, group in enumerate(groups):
        if number:
            axes.axhline(at, color=FAINT, linewidth=1, linestyle=":")
            at += 1
        for player in cut:
            if ratings.group[player] == group:
                _rating_row(axes, ratings, player, at, number)
                places[player] = at
                at += 1
    engine_rows(axes, [ratings.names[player] for player in places], list(places.values()))
    axes.grid(visible=False, axis="y")
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


def _first_of(title: str, count: int, total: int) -> str:
    """The title, and how many engines the plot has, if not all."""
    return title if count == total else f"{title}: the first {count} of {total}"


def seats_plot(results: Results, order: Sequence[int]) -> Figure | None:
    """Each player's score when it moves first and when it moves second."""
    by_seat = results.scoreboard.by_seat
    rows = [player for player in order if by_seat[player].sum()]
    cut = rows[:MOST_ROWS]
    if not cut:
        return None
    figure, axes = one_axes(
        8, 1.7 + 0.3 * len(cut), _first_of("Score by seat", len(cut), len(rows))
    )
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
    title = _first_of("Accuracy, 95 % intervals", len(cut), len(rows))
    figure, axes = one_axes(8, 1.9 + 0.42 * len(cut), title)
    for row, player in enumerate(cut):
        for place, (_, group, share, style) in enumerate(SHARES):
            kept = getattr(accuracy.players[player].groups[group], share)
            if kept is not None:
                ends, at = [100 * end for end in kept.interval()], row + 0.22 * (place - 1)
                axes.plot(ends, [at, at], color=style["color"], linewidth=1.4)
                axes.plot(100 * kept.value, at, linestyle="none", markersize=5, **style)
    engine_rows(axes, [accuracy.names[player] for player in cut])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("moves, %")
    handles = [axes.plot([], [], linestyle="none", **style)[0] for *_, style in SHARES]
    figure.legend(handles, [words for words, *_ in SHARES], ncols=3, loc="outside lower center")
    return figure


def crosstable_plot(results: Results, order: Sequence[int]) -> Figure | None:
    """A heat map of each player's score against each other, in percent."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    cut = list(order)[:MOST_CELLS]
    if len(cut) < 2 or not results.games:
        return None
    share = np.full((len(cut), len(cut)), np.nan)  # which stays inside the plot
    for row, column in np.ndindex(share.shape):
        score = results.scoreboard.versus(cut[row], cut[column])
        if row != column and score.games:
            share[row, column] = 100 * score.share
    names = [f"{label(results.names[p])}  {n}" for n, p in enumerate(cut, start=1)]
    side = max(2.6, 0.42 * len(cut))
    title = _first_of("Score against each other, %", len(cut), len(order))
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


def lengths_plot(results: Results) -> Figure | None:
    """How many games took how many plies."""
    counts = np.asarray(results.scoreboard.lengths)
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
    axes.set_xlim(0, accuracy.rules.max_moves + 1)
    what = "move" if accuracy.rules.pie else "disc"
    axes.set_xlabel(f"{what} of the mistake that decided")
    axes.set_ylabel("games")
    axes.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2)
    return figure


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
