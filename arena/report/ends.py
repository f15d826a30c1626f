"""The ends of games: a table, and small plots side by side of lengths and of last evaluations.

After figures 2 to 4 of FourPlay's report (S3): moves to win, and the last evaluation by outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from arena.report.blocks import Block, Words
from arena.report.canvas import COLOURS, FAINT, INK, PAPER, label
from arena.show.numbers import amount, one_digit, percent, two_digit_range, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.endings import MOST_VALUES, SEEN, Endings
from arena.standings.evidence import Numbers
from arena.standings.games import DRAW, LOSS, WIN, Counts
from arena.standings.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS, ACROSS = 6, 3  # engines in one picture, and beside each other
BINS = 24
MOST_TICKS, LEAST_POWER = 6, -9  # of ten, on an axis that is not straight
FARTHEST = 1e12  # evaluations beyond are drawn here
WIDE = 20.0  # times the middle value that the largest may be on a straight axis
KINDS = ((WIN, "won", COLOURS[0]), (DRAW, "drawn", FAINT), (LOSS, "lost", COLOURS[1]))


def ends_table(results: Results, order: Sequence[int]) -> Table:
    """How long games were that each won and lost, and what its last evaluation told of them."""
    columns = (
        Column("engine"), Column("won by a line", whole), Column("plies to win", one_digit),
        Column("lost by a line", whole), Column("plies to lose", one_digit),
        Column("games evaluated", whole), Column("AUC", two_digits), Column("95 %"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        ends = results.endings[player]
        lengths: list[Cell] = []
        for outcome in (WIN, LOSS):
            lengths += [int(ends.lengths[outcome].sum()), ends.plies(outcome)]
        interval = ends.auc_interval
        words = None if interval is None else two_digit_range(*interval)
        rows.append((results.names[player], *lengths, ends.evaluated, ends.auc, words))
    return Table("Lengths of games, and last evaluations", columns, tuple(rows))


def ends_blocks(results: Results, order: Sequence[int]) -> Iterator[Block]:
    """The table, and what its figures are."""
    if not any(ends.lengths.any() or ends.evaluated for ends in results.endings):
        return
    yield ends_table(results, order)
    if any(ends.auc is not None for ends in results.endings):
        most = max(ends.evaluated for ends in results.endings)
        sample = f" Of more than {MOST_VALUES:,} won or lost games, so many are taken by chance."
        yield Words(
            "AUC: how well the last evaluation of a game that did not see its end yet, in the "
            "engine's own units, tells won games from lost ones: the chance that a won game was "
            "valued higher, 1 if always, 0.5 if it tells nothing (Mann and Whitney 1947; intervals "
            f"of Newcombe 2006). An evaluation of {percent(SEEN, 0)} of the engine's largest, or "
            "more, has seen the end, and the one before it is taken."
            f"{sample if most > MOST_VALUES else ''}"
        )


class Panel(NamedTuple):
    """One player's own small plot."""

    name: str
    ends: Endings


def lengths_plot(results: Results, order: Sequence[int]) -> Figure | None:
    """How many games each player won and lost after how many plies; lost ones hang down."""
    panels = [
        Panel(results.names[player], results.endings[player])
        for player in order
        if results.endings and results.endings[player].lengths[[LOSS, WIN]].any()
    ]
    if not panels:
        return None
    decided = sum((panel.ends.lengths[LOSS] + panel.ends.lengths[WIN] for panel in panels), 0)
    plies = np.flatnonzero(decided)

    def draw(axes: Axes, panel: Panel) -> None:
        draw_lengths(axes, panel.ends.lengths)
        axes.set_xlim(plies[0] - 1.5, plies[-1] + 1.5)

    return _small_multiples("Moves to win and to lose", panels, draw,
                            "plies of the game, opening included",
                            "games won (up) and lost (down)", (WIN, LOSS))  # fmt: skip


def draw_lengths(axes: Axes, lengths: Counts) -> None:
    """Games by plies: won ones upwards, lost ones downwards."""
    from matplotlib.ticker import MaxNLocator

    plies = np.arange(lengths.shape[1])
    axes.bar(plies, lengths[WIN], width=0.9, color=COLOURS[0])
    axes.bar(plies, -lengths[LOSS], width=0.9, color=COLOURS[1])
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.grid(visible=False, axis="x")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")


def evaluations_plot(results: Results, order: Sequence[int]) -> Figure | None:
    """The last evaluation that each player gave in its won and in its lost games."""
    panels = [
        Panel(results.names[player], results.endings[player])
        for player in order
        if results.endings and any(map(len, results.endings[player].values))
    ]
    if not panels:
        return None

    def draw(axes: Axes, panel: Panel) -> None:
        draw_values(axes, panel.ends.values)
        auc = panel.ends.auc
        words = "" if auc is None else f", AUC {two_digits(auc)}"
        axes.set_title(f"{label(panel.name, 17)}{words}", fontsize=9)

    return _small_multiples("Last evaluation before the end was seen", panels, draw,
                            "last evaluation, in the engine's own units",
                            "games won (up) and lost (down)", (WIN, DRAW, LOSS))  # fmt: skip


@dataclass(frozen=True)
class Axis:
    """A straight axis, or one on which values far beyond the middle one are drawn nearer.

    An engine that sees a win says a thousand where it said three before.
    """

    low: float
    high: float
    middle: float | None = None  # of a bent one: the size up to which it is nearly straight

    @classmethod
    def of(cls, values: Numbers) -> Axis:
        """The axis for some values, of which there is at least one."""
        sizes = np.abs(values[values != 0])
        low, high = float(values.min()), float(values.max())
        middle = float(np.median(sizes)) if sizes.size else 1.0
        return cls(low, high, middle if max(-low, high) > WIDE * middle else None)

    def place(self, values: Numbers) -> Numbers:
        """Where values lie on it."""
        return values if self.middle is None else np.arcsinh(values / self.middle)

    def value(self, places: Numbers) -> Numbers:
        """What lies there."""
        return places if self.middle is None else np.sinh(places) * self.middle

    def edges(self) -> Numbers:
        """Bins of equal width on it; the ends are exact, however the others are rounded."""
        ends = self.place(np.array([self.low, self.high]))
        edges = self.value(np.histogram_bin_edges(ends, bins=BINS))
        if self.low < self.high:
            edges[[0, -1]] = self.low, self.high
        return edges

    def limits(self) -> Numbers:
        """Its ends, with some room beyond the values."""
        low, high = self.place(np.array([self.low, self.high]))
        room = (high - low) / BINS
        return self.value(np.array([low - room, high + room]))

    def ticks(self) -> list[float]:
        """Of a bent axis: 0 and powers of ten, the largest first, as far as there is room."""
        powers = 10.0 ** np.arange(floor(log10(max(-self.low, self.high))), LEAST_POWER, -1)
        ticks = [x for x in (0.0, *np.outer(powers, (1, -1)).flat) if self.low <= x <= self.high]
        low, high = self.place(np.array([self.low, self.high]))
        chosen: list[float] = []
        for tick in ticks:
            gaps = np.abs(self.place(np.array(chosen)) - self.place(np.array([tick])))
            chosen += [float(tick)] if (gaps > (high - low) / MOST_TICKS).all() else []
        return sorted(chosen)


def draw_values(axes: Axes, values: Sequence[Numbers]) -> None:
    """Games by evaluation: won and drawn ones upwards, lost ones downwards."""
    from matplotlib.ticker import MaxNLocator, NullLocator

    values = [np.clip(each, -FARTHEST, FARTHEST) for each in values]
    axis = Axis.of(np.concatenate(values))
    for outcome, name, colour in KINDS:
        if len(values[outcome]):
            weights = np.full(len(values[outcome]), -1.0 if outcome == LOSS else 1.0)
            look: Literal["step", "stepfilled"] = "step" if outcome == DRAW else "stepfilled"
            axes.hist(values[outcome], bins=list(axis.edges()), weights=weights, histtype=look,
                      color=colour, linewidth=1.2, label=name)  # fmt: skip
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    if axis.middle is not None:
        axes.set_xscale("function", functions=(axis.place, axis.value))
        axes.set_xticks(axis.ticks())
        axes.set_xlim(*axis.limits())
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: amount(value))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
    axes.grid(visible=False, axis="x")


def _small_multiples(
    title: str,
    panels: Sequence[Panel],
    draw: Callable[[Axes, Panel], None],
    x: str,
    y: str,
    outcomes: Sequence[int],
) -> Figure:
    """A small plot for each of the first players, with one legend and one name for each axis."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    cut = panels[:MOST_PANELS]
    across = min(ACROSS, len(cut))
    rows = ceil(len(cut) / across)
    figure = Figure(figsize=(8, 1.3 + 2.0 * rows), layout="constrained")
    more = "" if len(cut) == len(panels) else f": the first {len(cut)} of {len(panels)}"
    figure.suptitle(f"{title}{more}", x=0.01, ha="left", fontsize=12, weight="bold", color=INK)
    grid = figure.subplots(rows, across, squeeze=False)
    for axes, panel in zip_longest(grid.flat, cut):
        if panel is None:
            axes.set_visible(False)
            continue
        axes.set_title(label(panel.name, 26), fontsize=9)
        draw(axes, panel)
        axes.tick_params(labelsize=8)
    figure.supxlabel(x, fontsize=9)
    figure.supylabel(y, fontsize=9)
    handles = [Patch(facecolor=colour, edgecolor=PAPER, label=name)
               for outcome, name, colour in KINDS if outcome in outcomes]  # fmt: skip
    figure.legend(handles=handles, ncols=3, loc="outside upper right")
    return figure
