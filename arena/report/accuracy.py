"""Accuracy in a report: figures by engine, where games were decided, blunders; and files.

All of it comes from exact scores, and says how many games and moves these cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from shlex import quote
from typing import Any

from arena.game.notation import column_name, draw, move_data, move_words, play_moves, write_moves
from arena.game.position import DISCS, STEAL
from arena.game.rules import Rules
from arena.judge.judge import KINDS, PHASES, VALUES, Blunder, Verdict, nth
from arena.report.blocks import Block, Game, Words
from arena.report.data import ReportData
from arena.show.numbers import how_many, listed, percent, percent_range, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.accuracy import GROUPS, SEATS, Accuracy, Decisions
from arena.standings.evidence import Estimate, Interval, value_of

MAX_ENGINES = 10  # whose phases and seats are shown; accuracy.csv has all
MAX_PAIRINGS = 28
BRIEF = ("engine", "positions", "moves", "keeps value", "95 %", "keeps score", "mean loss")
GROUP_WORDS = {group: f"moving {group}" if group in SEATS else group for group in GROUPS}


def accuracy_section(data: ReportData) -> Iterator[Block]:
    """How much was judged, and how often each engine kept what it had."""
    accuracy = data.accuracy
    if accuracy is None:
        return
    yield Words(coverage(accuracy, "--accuracy"))
    if accuracy.moves:
        yield Words(
            "A move keeps the value if a won game stays won and a drawn game stays drawn. A "
            "position is critical if its legal moves differ in value."
        )
        yield overview_table(accuracy, data.order)


def accuracy_details(data: ReportData) -> Iterator[Block]:
    """The same by phase and by seat, and what moves gave away."""
    accuracy, order = data.accuracy, data.order
    if accuracy is None or not accuracy.moves:
        return
    yield Words(
        "A move keeps the score if no other move wins sooner or loses later. Loss is counted in "
        "own moves: winning one move later, or losing one move sooner, is a loss of 1. Intervals "
        "are 95 %, with the games of an opening as one observation, because moves within a game "
        "are correlated. An unjudged move counts as kept for the upper end of an interval and as "
        "lost for the lower end."
    )
    if len(order) <= MAX_ENGINES:
        yield Words(phases_in_words(accuracy.rules))
        yield group_table("Accuracy by phase of the game", accuracy, order, PHASES, BRIEF)
        yield group_table("Accuracy by seat", accuracy, order, SEATS, BRIEF)
    yield kinds_table(accuracy, order)


def decided_section(data: ReportData) -> Iterator[Block]:
    """Where games were decided, by engine and by pairing."""
    accuracy, order = data.accuracy, data.order
    if accuracy is None or not accuracy.moves:
        return
    yield Words(
        "A game is decided by the last move that changed its value. From the start: the value "
        "never changed after the opening. Not on the board: an engine forfeited, or the game was "
        "stopped."
    )
    yield decided_by_engine(accuracy, order)
    if 1 < len(accuracy.pairings) <= MAX_PAIRINGS:
        yield decided_by_pairing(accuracy, order)


def blunders_section(data: ReportData) -> Iterator[Block]:
    """The worst blunders with their boards."""
    if data.accuracy is not None:
        for blunder in data.blunders:
            yield blunder_block(blunder, data.accuracy, data.place)


def judged_words(accuracy: Accuracy) -> str:
    """How many games and moves have exact scores."""

    def some(part: int, total: int, noun: str) -> str:
        is_all = part == total
        return f"all {how_many(total, noun)}" if is_all else f"{part:,} of {total:,} {noun}s"

    games = some(len(accuracy.games), accuracy.of, "game")
    moves = some(accuracy.moves, accuracy.moves + accuracy.unjudged, "move")
    return f"Judged {games} by exact scores, {moves} in them."


def coverage(accuracy: Accuracy, option: str) -> str:
    """How much of the tournament was judged, and how more can be; option: what gives it time."""
    words = judged_words(accuracy)
    if not accuracy.rules.is_flat:
        words += " On 3-D boards only the ends of games can be solved; the rest is unjudged."
    if accuracy.unjudged:
        words += " The other moves are unjudged (scores not proven), so intervals are wider."
    if len(accuracy.games) < accuracy.of:
        how_far = "No more were judged for this report"
        if accuracy.seconds:
            how_far = f"The time limit was {accuracy.seconds:g} s per core"
        words += (
            " Whole games are judged, spread evenly over the pairings in an order set by the seed. "
            f"{how_far}; {option} SECONDS judges more."
        )
    return words


def phases_in_words(rules: Rules) -> str:
    """Which plies belong to which phase."""
    first, second = (-(-rules.cells * thirds // 3) for thirds in (1, 2))
    return (
        f"Phases are thirds of the board: discs 1 to {first} are the opening, {first + 1} to "
        f"{second} the middle, the rest the end."
    )


def group_table(
    title: str,
    accuracy: Accuracy,
    order: Sequence[int],
    groups: Sequence[str] = GROUPS,
    brief: Sequence[str] = (),
) -> Table:
    """A row for each engine in each of these groups of positions."""
    columns = (
        Column("engine"), Column("positions"), Column("moves", whole), Column("unjudged", whole),
        Column("keeps value", percent), Column("95 %", percents, "keeps_value", True),
        Column("keeps score", percent), Column("score, 95 %", percents, "keeps_score", True),
        Column("mean loss", two_digits), Column("loss, 95 %", hundredths, "mean_loss", True),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        for group in groups:
            count = accuracy.players[player].groups[group]
            shares = (count.kept_value, count.kept_score, count.mean_loss)
            cells = [cell for each in shares for cell in (value_of(each), _interval(each))]
            rows.append(
                (accuracy.names[player], GROUP_WORDS[group], count.moves, count.unjudged, *cells)
            )
    return Table(title, columns, tuple(rows), tuple(brief))


def overview_table(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """A row for each engine: all its moves, and those in critical positions."""
    columns = (
        Column("engine"), Column("moves", whole), Column("keeps value", percent),
        Column("95 %", percents, "keeps_value", True), Column("in critical positions", percent),
        Column("keeps score", percent), Column("mean loss", two_digits),
    )  # fmt: skip
    rows = []
    for player in order:
        groups = accuracy.players[player].groups
        every, critical = groups["all"], groups["critical"]
        rows.append(
            (accuracy.names[player], every.moves, value_of(every.kept_value),
             _interval(every.kept_value), value_of(critical.kept_value),
             value_of(every.kept_score), value_of(every.mean_loss))
        )  # fmt: skip
    return Table("Accuracy", columns, tuple(rows))


def _interval(estimate: Estimate | None) -> Interval | None:
    return None if estimate is None else estimate.interval()


def percents(ends: Interval) -> str:
    """An interval of a share: 45.1–63.0 %."""  # noqa: RUF002
    return f"{percent_range(*ends, 1)} %"


def hundredths(ends: Interval) -> str:
    """An interval of a number: 0.71–0.93."""  # noqa: RUF002
    return f"{ends.low:.2f}\N{EN DASH}{ends.high:.2f}"


def kinds_table(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """How many moves of each engine were best, how many gave away how much."""
    kinds = {player: accuracy.players[player].kinds.values() for player in order}
    columns = Column("engine"), *(Column(name, whole) for name in ("moves", *KINDS))
    rows: list[tuple[Cell, ...]] = [
        (accuracy.names[player], sum(counts), *counts) for player, counts in kinds.items()
    ]
    return Table("Moves by what they gave away", columns, tuple(rows))


def decided_by_engine(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """By whose mistake, and when, each engine's games were decided."""
    columns = Column("engine"), *_decided_columns("own mistake")
    rows = [(accuracy.names[player], *_decided(accuracy.players[player].decisions, accuracy.rules))
            for player in order]  # fmt: skip
    return Table("Where games were decided, by engine", columns, tuple(rows))


def decided_by_pairing(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """The same for each pairing, in the order of the standings."""
    columns = Column("engine"), Column("opponent"), *_decided_columns("its mistake")
    rows = []
    for player, other in combinations(order, 2):
        low, high = sorted((player, other))
        if (low, high) in accuracy.pairings:
            decided = accuracy.pairings[low, high]
            if player != low:
                decided = replace(decided, own=decided.others, others=decided.own)
            names = accuracy.names[player], accuracy.names[other]
            rows.append((*names, *_decided(decided, accuracy.rules)))
    return Table("Where games were decided, by pairing", columns, tuple(rows))


def _decided_columns(own: str) -> list[Column]:
    names = ("games", "from the start", own, "opponent's", *(f"in the {p}" for p in PHASES),
             "median disc", "not on the board", "not proven")  # fmt: skip
    return [Column(name, whole) for name in names]


def _decided(some: Decisions, rules: Rules) -> tuple[Cell, ...]:
    phases = (some.in_phase(phase, rules.cells) for phase in PHASES)
    return (some.games, some.start, len(some.own), len(some.others), *phases, some.middle,
            some.end, some.unknown)  # fmt: skip


def accuracy_figures(accuracy: Accuracy) -> dict[str, Any]:
    """The main figures as plain data."""
    return {
        "judged_games": len(accuracy.games),
        "games": accuracy.of,
        "seconds": accuracy.seconds,
        "judged_moves": accuracy.moves,
        "unjudged_moves": accuracy.unjudged,
        "engines": group_table("Accuracy", accuracy, range(len(accuracy.names))).records(),
    }


def decided_table(accuracy: Accuracy) -> Table:
    """Every judged game: by which move it was decided, if by any. Discs and columns are from 1."""
    names = ("game", "first", "second", "result", "reason", "decided", "disc", "engine", "column",
             "kind", "score before", "score after", "judged moves", "unjudged moves")  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for game, decision in accuracy.games:
        players = accuracy.names[game.first], accuracy.names[game.second]
        verdicts = dict(game.judged.verdicts(accuracy.rules))
        unjudged = list(verdicts.values()).count(None)
        move: tuple[Cell, ...] = (None,) * 6
        if decision.ply is not None:
            verdict = verdicts[decision.ply]
            assert verdict is not None, "what decides a game is judged"
            move = (decision.ply + 1, players[verdict.seat], move_data(verdict.column),
                    verdict.kind, verdict.before, verdict.after)  # fmt: skip
        rows.append((game.number, *players, game.result, game.reason, decision.how, *move,
                     len(verdicts) - unjudged, unjudged))  # fmt: skip
    return Table("Where games were decided", tuple(map(Column, names)), tuple(rows))


def blunders_table(accuracy: Accuracy, engine: str | None = None) -> Table:
    """Every blunder, or those of one engine: the position as moves, and what would have kept it."""
    names = ("engine", "opponent", "game", "disc", "position", "column", "kind", "score before",
             "score after", "better columns")  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for blunder in all_blunders(accuracy, engine):
        verdict = blunder.verdict
        better = " ".join(str(move_data(column)) for column in verdict.better_moves)
        rows.append(
            (accuracy.names[blunder.player], accuracy.names[blunder.opponent], blunder.game,
             verdict.ply + 1, write_moves(blunder.moves[:-1], accuracy.rules),
             move_data(verdict.column), verdict.kind, verdict.before, verdict.after, better or None)
        )  # fmt: skip
    return Table("Blunders", tuple(map(Column, names)), tuple(rows))


def all_blunders(accuracy: Accuracy, engine: str | None = None) -> list[Blunder]:
    """Every blunder of all engines or of one, the worst first."""
    every = (each for game, _ in accuracy.games for each in game.blunders(accuracy.rules))
    chosen = (each for each in every if engine in (None, accuracy.names[each.player]))
    return sorted(chosen, key=lambda blunder: blunder.order)


def opening_lines(blunders: Sequence[Blunder], rules: Rules) -> list[str]:
    """The positions of blunders as the lines of an opening file, each position once."""
    return list(dict.fromkeys(write_moves(each.moves[:-1], rules) for each in blunders))


def blunder_block(blunder: Blunder, accuracy: Accuracy, place: str) -> Game:
    """A blunder with its board; place is the journal as a command names it."""
    verdict, names, rules = blunder.verdict, accuracy.names, accuracy.rules
    mover, opponent = names[blunder.player], names[blunder.opponent]
    return Game(
        f"{mover}: {verdict.kind} in game {blunder.game}",
        blunder.game,
        f"{mover} ({DISCS[verdict.seat]}) against {opponent}, {nth(verdict.ply, rules)}: "
        f"{blunder_words(verdict, rules)}",
        marked_board(blunder.moves, verdict, rules),
        f"arena analyse {quote(place)} {blunder.game}",
        verdict.ply + 1,
    )


def blunder_words(verdict: Verdict, rules: Rules) -> str:
    """The value that a blunder gave away, and the moves that keep it."""
    before, after = (verdict.outcome(score, rules) for score in (verdict.before, verdict.after))
    words = f"the best move {before}, {move_words(verdict.column, rules)} {after}."
    columns = [column_name(column, rules) for column in verdict.better_moves if column != STEAL]
    right = [f"Column{'s' if len(columns) > 1 else ''} {listed(columns)}"] if columns else []
    right += ["A steal"] if STEAL in verdict.better_moves else []
    kept = f"would have kept the {VALUES[verdict.value_before]}."
    return " ".join([words, *(f"{which} {kept}" for which in right)])


def marked_board(moves: bytes, verdict: Verdict, rules: Rules) -> str:
    """The board before the move; below it ? for the column played, ! for those that were right."""
    board = draw(play_moves(moves[:-1], rules))
    if not rules.is_flat:
        return board
    marks = dict.fromkeys(verdict.better_moves, "!") | {verdict.column: "?"}
    width = len(str(rules.columns))
    cells = (marks.get(column, " ").rjust(width) for column in range(rules.columns))
    return f"{board}\n{' '.join(cells).rstrip()}"
