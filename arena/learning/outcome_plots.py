"""The ends of games as plots: last evaluations by outcome, and moves to win (S3 figures 2 to 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from arena.learning.outcomes import DRAWN, LOST, WON, Outcomes
from arena.report.canvas import COLOURS, label, one_axes, styled, whole_numbers
from arena.report.curves import BINS, draw_values
from arena.show.numbers import two_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OUTCOME_NAMES = {
    "endings": "The last evaluation of won and lost games",
    "moves_to_win": "Moves to win",
}


def draw_outcomes(each: Sequence[Outcomes]) -> Iterator[tuple[str, Figure]]:
    """Every plot that has something to show, with its name."""
    sets = [outcomes for outcomes in each if outcomes.endings]
    with styled():
        if sets:
            yield "endings", endings_plot(sets)
        if any(len(outcomes.plies(WON)) for outcomes in sets):
            yield "moves_to_win", lengths_plot(sets)


def endings_plot(each: Sequence[Outcomes]) -> Figure:
    """The last evaluation before the end, by outcome, a panel for each set of games."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    figure.suptitle(OUTCOME_NAMES["endings"], x=0.01, ha="left", fontsize=12, weight="bold")
    panels = figure.subplots(1, len(each), squeeze=False)[0]
    for axes, outcomes in zip(panels, each, strict=True):
        _panel(axes, outcomes)
    panels[0].set_ylabel("games won (up) and lost (down)")
    panels[-1].legend(loc="best")
    return figure


def _panel(axes: Axes, outcomes: Outcomes) -> None:
    draw_values(axes, [outcomes.values(result) for result in (LOST, DRAWN, WON)])
    auc = outcomes.auc
    words = "" if auc is None else f", AUC {two_digits(auc)}"
    axes.set_title(f"{label(outcomes.name)}{words}", fontsize=9)
    axes.set_xlabel("evaluation before the last move")


def lengths_plot(each: Sequence[Outcomes]) -> Figure:
    """How many plies the won games had, each set beside the other."""
    figure, axes = one_axes(8, 3.6, OUTCOME_NAMES["moves_to_win"])
    plies = [outcomes.plies(WON) for outcomes in each]
    every = np.concatenate(plies)
    least, most = int(every.min()), int(every.max())
    step = 2 * max(1, round((most - least) / 2 / BINS))  # who wins moves every second ply
    edges = np.arange(least - least % 2, most + step + 1, step)
    axes.hist(
        plies,
        bins=list(edges),
        label=[label(outcomes.name) for outcomes in each],
        color=[COLOURS[k % len(COLOURS)] for k in range(len(each))],
    )
    whole_numbers(axes)
    axes.set_xlabel("plies of the game")
    axes.set_ylabel("won games")
    figure.legend(loc="outside right upper")
    return figure
