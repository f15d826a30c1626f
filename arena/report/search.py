"""Sections about what a move costs: time, nodes, depth, pruning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from arena.report.blocks import Block, Words
from arena.report.data import ReportData
from arena.show.numbers import amount, duration, one_digit, percent, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.branching import MOST_PAIRS, Family, Pruned
from arena.standings.results import Results
from arena.standings.sketch import Spread

TIMES = ("engine", "moves", "mean time", "p95 time", "mean CPU time", "mean nodes", "nodes/s",
         "mean depth", "used of allowed")  # the columns of `timing` that fit a page  # fmt: skip


def timing_section(data: ReportData) -> Iterator[Block]:
    """Time, nodes and depth, and how much of the time was waiting."""
    if not any(moves.count for moves in data.results.moves):
        return
    yield replace(timing(data.results, data.order), title="Time and search")
    words = (
        "A move of a bundled search takes some 10 µs beside the search itself; "
        "arena bench kernels measures it on your machine."
    )
    time = data.results.time
    if time.ratio is not None:
        words = (
            f"Wall/CPU ratio of longer moves: {time.ratio:.2f} ({duration(time.wall)}, of which "
            f"{duration(max(0.0, time.wall - time.cpu))} was waiting). {words}"
        )
    yield Words(words)


def timing(results: Results, order: Sequence[int]) -> Table:
    """Time, nodes and depth of each engine's moves."""
    columns = [Column("engine"), Column("moves", whole)]
    for clock, key in (("time", "time"), ("CPU time", "cpu")):
        columns += [
            Column(f"{part} {clock}", duration, f"{key}_{part}_s")
            for part in ("mean", "median", "p95", "max")
        ]
    columns += [
        Column("mean nodes", amount, "nodes_mean"),
        Column("nodes/s", amount, "nodes_per_s"),
        Column("mean depth", one_digit, "depth_mean"),
        Column("max depth", whole, "depth_max"),
        Column("used of allowed", percent),
    ]
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        moves = results.moves[player]
        nodes, _, _, _ = _spread(moves.nodes)
        depth, _, _, deepest = _spread(moves.depth)
        rows.append((results.names[player], moves.count, *_spread(moves.seconds),
                     *_spread(moves.cpu), nodes, moves.nodes_per_second, depth, deepest,
                     moves.used))  # fmt: skip
    brief = TIMES if any(row[-1] for row in rows) else TIMES[:-1]
    return Table("Time and search per move", tuple(columns), tuple(rows), brief, "timing.csv")


def _spread(spread: Spread | None) -> tuple[float | None, ...]:
    if spread is None:
        return (None, None, None, None)
    return spread.mean, spread.median, spread.p95, spread.most


def effort(data: ReportData) -> Iterator[Block]:
    """The nodes saved by pruning, and the growth of nodes with depth."""
    pairs, families = data.costs
    if pairs:
        more = f" The first {MOST_PAIRS} pairs are shown." if len(pairs) == MOST_PAIRS else ""
        yield Words(
            "Nodes per move of searches with the same depth and evaluation, compared over the "
            "same numbers of own moves. Pruned is the share of minimax's nodes that were not "
            f"needed.{more}"
        )
        yield pruning(pairs, data.names)
    if families:
        b = families[0].columns
        yield Words(
            "Engines that differ only in depth d, over the first half of the game. A full tree "
            f"grows as {b}^d, an optimally pruned one as {b}^(d/2). The branching factor is "
            "that of a full tree with the same number of nodes."
        )
        yield growth(families, data.names)


def pruning(pairs: Sequence[Pruned], names: Sequence[str]) -> Table:
    """Nodes of each searching engine beside those of minimax, evaluation and depth alike."""
    columns = (
        Column("depth", whole), Column("engine"), Column("nodes a move", amount),
        Column("beside"), Column("its nodes a move", amount), Column("moves", whole),
        Column("pruned", partial(percent, digits=2)),
    )  # fmt: skip
    rows = [
        (pair.depth, names[pair.player], pair.nodes, names[pair.minimax], pair.full, pair.moves,
         pair.share)
        for pair in pairs
    ]  # fmt: skip
    return Table("Nodes pruned", columns, tuple(rows))


def growth(families: Sequence[Family], names: Sequence[str]) -> Table:
    """Nodes by depth for engines that differ in depth alone, with what theory expects."""
    b = families[0].columns
    columns = (
        Column("engine"), Column("depth", whole), Column("nodes a move", amount),
        Column("times more a ply", one_digit), Column("branching factor", two_digits),
        Column(f"{b}^d", amount), Column(f"{b}^(d/2)", amount),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for family in families:
        figures = zip(family.players, family.depths.tolist(), family.nodes.tolist(),
                      family.growth, family.branching, strict=True)  # fmt: skip
        for player, depth, nodes, more, factor in figures:
            bounds = float(b) ** depth, float(b) ** (depth / 2)
            rows.append((names[player], depth, nodes, more, factor, *bounds))
    return Table("Growth with depth", columns, tuple(rows))
