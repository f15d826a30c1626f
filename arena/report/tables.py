"""The tables of a report: from results and ratings to rows of plain values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import numpy as np

from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.report.accuracy import hundredths
from arena.show.numbers import amount, duration, halves, one_digit, percent, two_digits, whole
from arena.show.standings import OUTCOMES, RECORD, record
from arena.show.table import Cell, Column, Table
from arena.standings.branching import Family, Pruned
from arena.standings.evidence import Interval
from arena.standings.games import LOSS, WDL, WIN, Counts
from arena.standings.results import Results
from arena.standings.sketch import Spread

MAX_DIRECTIONS = 4  # of lines, in a table that fits a page
SLOPE_AND_AXIS = re.compile(r"^(rising|falling) | (along )?(x|y|x[+-]y)$")  # in space
TIMES = ("engine", "moves", "mean time", "p95 time", "mean CPU time", "mean nodes", "nodes/s",
         "mean depth", "used of allowed")  # the columns of `timing` that fit a page  # fmt: skip


def crosstable(results: Results, order: Sequence[int]) -> Table:
    """Each against each: the score of the row's player."""
    columns = [Column("place", whole), Column("engine")]
    columns += [
        Column(str(place), percent, f"score_against_{place}") for place in range(1, len(order) + 1)
    ]
    rows: list[tuple[Cell, ...]] = []
    for place, player in enumerate(order, start=1):
        cells: list[Cell] = []
        for other in order:
            wdl = results.scoreboard.versus(player, other)
            cells.append(wdl.share if wdl.games and player != other else None)
        rows.append((place, results.names[player], *cells))
    return Table("Scores against each other", tuple(columns), tuple(rows))


def head_to_head(results: Results, order: Sequence[int]) -> Table:
    """Each against each in one row, for those who met."""
    columns = (Column("engine"), Column("opponent"), *RECORD)
    games = results.scoreboard.outcomes.sum(axis=2)
    met, versus = games + games.T, results.scoreboard.versus
    rows = [
        (results.names[player], results.names[other], *record(versus(player, other)))
        for player in order
        for other in order
        if player != other and met[player, other]
    ]
    return Table("Head to head", columns, tuple(rows), file="crosstable.csv")


def by_seat(results: Results, order: Sequence[int]) -> Table:
    """What each made of moving first and of moving second."""
    columns = [Column("engine")]
    for seat in ("first", "second"):
        columns += [Column(f"score as {seat}", percent)]
        columns += [Column(f"{column.name} as {seat}", whole) for column in OUTCOMES]
    seats = results.scoreboard.by_seat
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        both = [WDL.of(counts) for counts in seats[player]]
        cells = [(wdl.share if wdl.games else None, *wdl) for wdl in both]
        rows.append((results.names[player], *cells[0], *cells[1]))
    return Table("By seat", tuple(columns), tuple(rows))


def causes(results: Results, order: Sequence[int]) -> Table:
    """How many games each lost, and by what."""
    names = sorted(results.causes, key=lambda reason: (reason != "line", reason))
    columns = (Column("engine"), Column("lost", whole), *(Column(name, whole) for name in names))
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        lost_by = [int(results.causes[name][player]) for name in names]
        rows.append((results.names[player], results.scoreboard.scores[player].lost, *lost_by))
    return Table("Games lost, by cause", columns, tuple(rows))


def missed_wins(results: Results, order: Sequence[int]) -> Table:
    """How often each could have won at once, and did something else."""
    columns = (
        Column("engine"), Column("could win at once", whole), Column("missed", whole),
        Column("missed, share", percent),
    )  # fmt: skip
    rows = [(results.names[player], *results.missed[player], results.missed[player].share)
            for player in order]  # fmt: skip
    return Table("Immediate wins missed", columns, tuple(rows))


def lines_made(results: Results, order: Sequence[int]) -> Table:
    """By which direction of the line each won its games; a page puts the 13 of space together."""
    kinds: dict[str, Counts] = {}
    if len(results.lines) > MAX_DIRECTIONS:
        for name, counts in results.lines.items():
            kind = SLOPE_AND_AXIS.sub("", name)
            kinds[kind] = kinds.get(kind, 0) + counts
    lines = kinds | {name: counts for name, counts in results.lines.items() if name not in kinds}
    names = ("engine", "won by a line", *lines)
    columns = (Column("engine"), *(Column(name, whole) for name in names[1:]))
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        total = sum(int(counts[player]) for counts in results.lines.values())
        rows.append(
            (results.names[player], total, *(int(counts[player]) for counts in lines.values()))
        )
    brief = names[: 2 + len(kinds)] if kinds else ()
    return Table("Games won, by direction of the line", columns, tuple(rows), brief)


def ends_table(results: Results, order: Sequence[int]) -> Table:
    """How long the games were that each won and lost, and how its last evaluation fits them."""
    columns = (
        Column("engine"), Column("won by a line", whole), Column("plies to win", one_digit),
        Column("lost by a line", whole), Column("plies to lose", one_digit),
        Column("games evaluated", whole), Column("AUC", two_digits),
        Column("95 %", hundredths, "auc", True),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        ends = results.endings[player]
        lengths: list[Cell] = []
        for outcome in (WIN, LOSS):
            lengths += [int(ends.lengths[outcome].sum()), ends.plies(outcome)]
        interval = ends.auc_interval and Interval(*ends.auc_interval)
        rows.append((results.names[player], *lengths, ends.evaluated, ends.auc, interval))
    return Table("Lengths of games, and last evaluations", columns, tuple(rows))


def timing(results: Results, order: Sequence[int]) -> Table:
    """Time, nodes and depth of each engine's moves."""
    columns = [Column("engine"), Column("moves", whole)]
    for clock, key in (("time", "time"), ("CPU time", "cpu")):
        columns += [Column(f"{what} {clock}", duration, f"{key}_{what}_s")
                    for what in ("mean", "median", "p95", "max")]  # fmt: skip
    columns += [Column("mean nodes", amount, "nodes_mean"),
                Column("nodes/s", amount, "nodes_per_s"),
                Column("mean depth", one_digit, "depth_mean"),
                Column("max depth", whole, "depth_max"),
                Column("used of allowed", percent)]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        moves = results.moves[player]
        mean_depth, _, _, max_depth = _spread(moves.depth)
        rows.append(
            (results.names[player], moves.count, *_spread(moves.seconds), *_spread(moves.cpu),
             _spread(moves.nodes)[0], moves.nodes_per_second, mean_depth, max_depth,
             moves.used)
        )  # fmt: skip
    brief = [name for name in TIMES if name != "used of allowed" or any(row[-1] for row in rows)]
    title = "Time and search per move"
    return Table(title, tuple(columns), tuple(rows), tuple(brief), "timing.csv")


def _spread(spread: Spread | None) -> tuple[float | None, ...]:
    if spread is None:
        return (None, None, None, None)
    return spread.mean, spread.median, spread.p95, spread.most


def by_fifths(results: Results, order: Sequence[int]) -> Table:
    """Each engine's score in the first fifth of its games, in the second, and so on."""
    fifths = ("first", "second", "third", "fourth", "last")
    columns = (
        Column("engine"), Column("games", whole),
        *(Column(f"{fifth} fifth", percent) for fifth in fifths),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        points = results.scoreboard.points_of(player)
        parts = np.array_split(points, len(fifths))
        means = [float(part.mean()) if part.size else None for part in parts]
        rows.append((results.names[player], len(points), *means))
    return Table("Score by fifths of the games", columns, tuple(rows))


def openings(results: Results, rules: Rules) -> Table:
    """How the first player did from each opening, the most played ones first."""
    columns = (
        Column("opening"), Column("games", whole), Column("points", halves),
        Column("score of first", percent), *OUTCOMES,
    )  # fmt: skip
    named, others = results.scoreboard.by_opening()
    most_played = sorted(named.items(), key=lambda item: -int(item[1].sum()))
    rows = [(write_moves(moves, rules) or "empty board", *record(WDL.of(counts)))
            for moves, counts in most_played]  # fmt: skip
    if others.any():
        rows.append(("others", *record(WDL.of(others))))
    return Table("Openings", columns, tuple(rows))


def game_lengths(results: Results) -> Table:
    """Games and their plies in one row, with what the first move was worth."""
    columns = (
        Column("games", whole), Column("shortest", whole), Column("mean plies", one_digit),
        Column("median", whole), Column("longest", whole), Column("distinct", percent),
        Column("score of first", percent),
    )  # fmt: skip
    lengths = results.scoreboard.lengths
    plies = np.arange(len(lengths))
    games = int(lengths.sum())
    if not games:
        nothing = (results.games, None, None, None, None, results.distinct, None)
        return Table("Game lengths", columns, (nothing,))
    played = np.flatnonzero(lengths)
    middle = int(np.searchsorted(lengths.cumsum(), (games + 1) // 2))
    mean = float(plies @ lengths / games)
    row = (results.games, int(played[0]), mean, middle, int(played[-1]), results.distinct,
           results.scoreboard.first_share)  # fmt: skip
    return Table("Game lengths", columns, (row,))


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
