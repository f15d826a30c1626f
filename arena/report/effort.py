"""What searches cost, as a report shows it: nodes pruned, and their growth with depth (T2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from arena.report.blocks import Block, Words
from arena.report.canvas import FAINT, INK, label, line_style, one_axes
from arena.report.curves import Look, prepare
from arena.show.numbers import amount, one_digit, percent, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.growth import MOST_PAIRS, Family, Pruned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_FAMILIES = 7  # lines in a plot
GROWTH = Look("Nodes by depth", "depth, plies", "nodes a move", amount)


def effort_blocks(
    pairs: Sequence[Pruned], families: Sequence[Family], names: Sequence[str]
) -> Iterator[Block]:
    """Both tables with their words; nothing where nothing can be compared."""
    if pairs:
        more = f" The first {MOST_PAIRS} pairs are shown." if len(pairs) == MOST_PAIRS else ""
        yield Words(
            "Nodes a move of searches to the same depth in plies by the same evaluation, compared "
            "at equal numbers of their own moves; pruned is the share of minimax's nodes that were "
            "not needed." + more
        )
        yield pruning_table(pairs, names)
    if families:
        b = families[0].columns
        yield Words(
            "Engines that differ in depth d alone, over the first half of the game. A full tree "
            f"grows like {b}^d, one pruned in the best order like {b}^(d/2). The branching factor "
            "is that of a full tree with as many nodes."
        )
        yield growth_table(families, names)


def pruning_table(pairs: Sequence[Pruned], names: Sequence[str]) -> Table:
    """Nodes of each searching engine beside those of minimax, evaluation and depth alike."""
    columns = (
        Column("depth", whole), Column("engine"), Column("nodes a move", whole),
        Column("beside"), Column("its nodes a move", whole), Column("moves", whole),
        Column("pruned", partial(percent, digits=2)),
    )  # fmt: skip
    rows = [
        (pair.depth, names[pair.player], pair.nodes, names[pair.minimax], pair.full, pair.moves,
         pair.share)
        for pair in pairs
    ]  # fmt: skip
    return Table("Nodes pruned", columns, tuple(rows))


def growth_table(families: Sequence[Family], names: Sequence[str]) -> Table:
    """Nodes by depth for engines that differ in depth alone, with what theory expects."""
    b = families[0].columns if families else 0
    columns = (
        Column("engine"), Column("depth", whole), Column("nodes a move", whole),
        Column("times more a ply", one_digit), Column("branching factor", two_digits),
        Column(f"{b}^d", whole), Column(f"{b}^(d/2)", whole),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for family in families:
        figures = zip(family.players, family.depths.tolist(), family.nodes.tolist(),
                      family.growth, family.branching, strict=True)  # fmt: skip
        for player, depth, nodes, more, factor in figures:
            bounds = float(b) ** depth, float(b) ** (depth / 2)
            rows.append((names[player], depth, nodes, more, factor, *bounds))
    return Table("Growth with depth", columns, tuple(rows))


def growth_plot(families: Sequence[Family]) -> Figure | None:
    """Nodes a move by depth on a logarithmic axis, between b^(d/2) and b^d."""
    if not families:
        return None
    cut = sorted(families, key=lambda family: -len(family.depths))[:MOST_FAMILIES]
    figure, axes = one_axes(8, 4.2, GROWTH.title)
    for place, family in enumerate(cut):
        axes.plot(family.depths, family.nodes, label=label(family.kind), **line_style(place))
    b = cut[0].columns
    depths = np.arange(min(f.depths[0] for f in cut), max(f.depths[-1] for f in cut) + 1)
    for power, words, dashes in ((1.0, "d", "--"), (0.5, "(d/2)", ":")):
        axes.plot(depths, float(b) ** (power * depths), color=FAINT, linestyle=dashes, zorder=1)
        end = float(b) ** (power * depths[-1])
        axes.annotate(f"{b}^{words}", (depths[-1], end), xytext=(5, 0), va="center",
                      textcoords="offset points", color=INK, fontsize=8)  # fmt: skip
    prepare(axes, GROWTH)
    axes.margins(x=0.1)
    axes.set_xlabel(GROWTH.x)
    axes.set_ylabel(GROWTH.y)
    figure.legend(loc="outside right upper", handlelength=3.2)
    return figure
