"""Sections about how games ended: faults, missed wins, lengths, lines, notable games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from shlex import quote

from arena.errors import IllegalMove
from arena.game.notation import draw, play_moves, write_moves
from arena.game.rules import Rules
from arena.report.accuracy import hundredths
from arena.report.blocks import Block, Code, Game, Words
from arena.report.data import ReportData
from arena.show.numbers import one_digit, percent, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.endings import MOST_VALUES, SEEN
from arena.standings.evidence import Interval
from arena.standings.games import LOSS, WIN, Counts
from arena.standings.results import Results
from arena.table.game import GOOD_ENDS, in_words

MAX_MISTAKES = 10
MAX_DIRECTIONS = 4  # of lines, in a table that fits a page
SLOPE_AND_AXIS = re.compile(r"^(rising|falling) | (along )?(x|y|x[+-]y)$")  # in space


def causes(data: ReportData) -> Iterator[Block]:
    """How many games each lost by what, if somebody forfeited one."""
    lost_by = data.results.causes
    if not lost_by.keys() - {*GOOD_ENDS}:
        return
    reasons = sorted(lost_by, key=lambda reason: (reason != "line", reason))
    columns = Column("engine"), *(Column(name, whole) for name in ("lost", *reasons))
    rows: list[tuple[Cell, ...]] = []
    for player in data.order:
        lost = data.results.scoreboard.scores[player].lost
        rows.append((data.names[player], lost, *(int(lost_by[why][player]) for why in reasons)))
    yield Table("Games lost, by cause", columns, tuple(rows))


def missed_wins(data: ReportData) -> Iterator[Block]:
    """How often each could have won at once, and did something else."""
    missed = data.results.missed
    if not any(each.chances for each in missed):
        return
    yield Words(
        "How often an engine could have won with its next disc, and how often it did not. "
        "Opening moves are not counted."
    )
    columns = (
        Column("engine"), Column("could win at once", whole), Column("missed", whole),
        Column("missed, share", percent),
    )  # fmt: skip
    rows = [(data.names[each], *missed[each], missed[each].share) for each in data.order]
    yield Table("Immediate wins missed", columns, tuple(rows))


def mistakes(data: ReportData) -> Iterator[Block]:
    """The mistakes that lost games, each once, with the lines that led to it."""
    every = data.results.mistakes
    for mistake in every[:MAX_MISTAKES]:
        games = "Once, in" if mistake.is_new else f"{mistake.count:,} times, first in"
        yield Words(f"{games} game {mistake.first}: {mistake.detail}")
        if mistake.trace:
            yield Code(mistake.trace)
        if mistake.printed:
            yield Words("Its last output:")
            yield Code("\n".join(mistake.printed))
    if len(every) > MAX_MISTAKES:
        others = f"{len(every) - MAX_MISTAKES:,} more kinds of mistakes"
        yield Words(f"{others}: arena games {quote(data.place)} --bad")


def ends(data: ReportData) -> Iterator[Block]:
    """How long won and lost games were, what evaluations knew of them, and the lines that won."""
    results = data.results
    if any(ends.lengths.any() or ends.evaluated for ends in results.endings):
        yield ends_table(results, data.order)
    if any(ends.auc is not None for ends in results.endings):
        most = max(ends.evaluated for ends in results.endings)
        sample = f" If there are more than {MOST_VALUES:,} won or lost games, this is a sample."
        yield Words(
            "AUC: the probability that the last evaluation of a won game is higher than that of a "
            "lost game. 1 means always, 0.5 that the evaluation says nothing about the result "
            "(Mann and Whitney 1947; intervals of Newcombe 2006). An evaluation of "
            f"{percent(SEEN, 0)} or more of the engine's largest has seen the end of the game, so "
            "the one before it counts."
            f"{sample if most > MOST_VALUES else ''}"
        )
    if any(counts.any() for counts in results.lines.values()):
        yield lines_made(results, data.order)


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
        games = (
            cell
            for outcome in (WIN, LOSS)
            for cell in (int(ends.lengths[outcome].sum()), ends.plies(outcome))
        )
        interval = ends.auc_interval and Interval(*ends.auc_interval)
        rows.append((results.names[player], *games, ends.evaluated, ends.auc, interval))
    return Table("Lengths of games, and last evaluations", columns, tuple(rows))


def lines_made(results: Results, order: Sequence[int]) -> Table:
    """By which direction of the line each won its games; a page puts the 13 of space together."""
    kinds: dict[str, Counts] = {}
    if len(results.lines) > MAX_DIRECTIONS:
        for name, counts in results.lines.items():
            kind = SLOPE_AND_AXIS.sub("", name)
            kinds[kind] = kinds.get(kind, 0) + counts
    lines = kinds | {name: counts for name, counts in results.lines.items() if name not in kinds}
    names = ("won by a line", *lines)
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        total = sum(int(counts[player]) for counts in results.lines.values())
        by_line = (int(counts[player]) for counts in lines.values())
        rows.append((results.names[player], total, *by_line))
    columns = Column("engine"), *(Column(name, whole) for name in names)
    brief = ("engine", "won by a line", *kinds) if kinds else ()
    return Table("Games won, by direction of the line", columns, tuple(rows), brief)


def notable(data: ReportData) -> Iterator[Block]:
    """The shortest win, the longest game, and the first of each kind of fault."""
    for why, game in data.results.notable.items():
        board, line = final_board(game.moves, data.rules)
        names = data.names[game.first], data.names[game.second]
        yield Game(
            f"{why.capitalize()}: game {game.number}",
            game.number,
            f"{names[0]} (X) against {names[1]} (O): {game.detail or line or game.reason}, after "
            f"{len(game.moves)} plies. Moves: {write_moves(game.moves, data.rules) or 'none'}.",
            board,
            f"arena games {quote(data.place)} {game.number}",
        )


def final_board(moves: bytes, rules: Rules) -> tuple[str, str]:
    """The board at the end of a game, drawn, and the line that won it, in words."""
    try:
        position = play_moves(moves, rules)
    except IllegalMove as error:  # a journal from elsewhere
        return f"({error})", ""
    line = position.winning_line
    return draw(position), in_words(line, rules) if line else ""
