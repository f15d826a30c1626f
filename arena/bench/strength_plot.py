"""Strength against time: which engine makes the most of a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.bench.strength import Strength
from arena.report.canvas import FAINT, label, line_style, one_axes, picture, styled, time_tick

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arena.standings.shares import Share

GROUP = "critical"


def frontier(rows: Sequence[Strength]) -> list[Strength]:
    """Those that nobody beats in the same time or less, the quickest first (Pareto)."""
    best: list[Strength] = []
    for row in sorted(rows, key=lambda row: (row.seconds, -(_kept(row).share or 0.0))):
        if not best or (_kept(row).share or 0.0) > (_kept(best[-1]).share or 0.0):
            best.append(row)
    return best


def picture_of(rows: Sequence[Strength], form: str) -> bytes:
    """The share of critical positions in which the value was kept, by time; one line an engine."""
    examined = [row for row in rows if _kept(row).moves]
    with styled():
        figure, axes = one_axes(8.0, 4.8, "Strength against time")
        engines = list(dict.fromkeys(row.engine for row in examined))
        for number, engine in enumerate(engines):
            _draw(axes, number, engine, [row for row in examined if row.engine == engine])
        front = frontier(examined)
        axes.plot(
            [row.seconds for row in front], [_kept(row).share or 0.0 for row in front],
            color=FAINT, linewidth=6, alpha=0.35, zorder=0, label="best for its time",
        )  # fmt: skip
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda seconds, _: time_tick(seconds))
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        axes.set_xlabel("mean time a move")
        axes.set_ylabel("value kept in critical positions")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return picture(figure, form)


def _draw(axes: Axes, number: int, engine: str, rows: list[Strength]) -> None:
    """An engine with its budgets, and the 95 % interval of each."""
    shares, seconds = [_kept(row).share or 0.0 for row in rows], [row.seconds for row in rows]
    ends = [_kept(row).interval for row in rows]
    lows = [share - (low or 0.0) for share, (low, _) in zip(shares, ends, strict=True)]
    highs = [(high or 1.0) - share for share, (_, high) in zip(shares, ends, strict=True)]
    style = line_style(number)
    axes.errorbar(
        seconds, shares, yerr=[lows, highs], capsize=2, elinewidth=0.8, label=label(engine), **style
    )


def _kept(row: Strength) -> Share:
    return row.counts[GROUP].kept_value
