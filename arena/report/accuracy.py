"""Accuracy as a report shows it: figures by engine, where games were decided, blunders; and files.

All of it comes from exact scores, and says how many games and moves these cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from arena.game.notation import column_name, draw, move_data, move_words, play_moves
from arena.game.position import DISCS, STEAL
from arena.game.rules import Rules
from arena.judge.judge import EXPLAINED, KINDS, PHASES, VALUES, Blunder, Verdict, nth
from arena.report.blocks import Block, Game, Words
from arena.show.numbers import how_many, listed, percent, percent_range, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.accuracy import GROUPS, SEATS, Accuracy, Decisions
from arena.standings.evidence import Estimate, ends_of, value_of

MOST_ENGINES = 10  # whose phases and seats are shown; accuracy.csv has all
MOST_PAIRINGS = 28
MOST_BLUNDERS = EXPLAINED  # shown with boards
ACCURACY_FIELDS = (
    "engine", "positions", "moves", "unjudged", "keeps value", "keeps value low",
    "keeps value high", "keeps score", "keeps score low", "keeps score high", "mean loss",
    "mean loss low", "mean loss high",
)  # fmt: skip
DECIDED_FIELDS = (
    "game", "first", "second", "result", "reason", "decided", "disc", "by", "column", "kind",
    "score before", "score after", "judged moves", "unjudged moves",
)  # fmt: skip
GROUP_WORDS = {group: f"moving {group}" if group in SEATS else group for group in GROUPS}


def accuracy_blocks(accuracy: Accuracy, order: Sequence[int]) -> Iterator[Block]:
    """Everything but the pictures and the blunders."""
    yield Words(coverage(accuracy, "--accuracy"))
    if not accuracy.moves:
        return
    yield Words(
        "A move keeps the value if a won game stays won and a drawn game stays drawn. It keeps the "
        "score if no other move wins sooner or loses later. Loss is counted in own moves: winning "
        "one move later, or losing one move sooner, is a loss of 1. A position is critical if its "
        "legal moves differ in value. Intervals are 95 %, with the games of an opening as one "
        "observation, because moves within a game are correlated. An unjudged move counts as kept "
        "for the upper end of an interval and as lost for the lower end."
    )
    yield group_table("Accuracy of all moves", accuracy, order, ["all"])
    yield group_table("Accuracy in critical positions", accuracy, order, ["critical"])
    if len(order) <= MOST_ENGINES:
        yield Words(phases_in_words(accuracy.rules))
        yield group_table("Accuracy by phase of the game", accuracy, order, PHASES)
        yield group_table("Accuracy by seat", accuracy, order, SEATS)
    yield kinds_table(accuracy, order)


def decided_blocks(accuracy: Accuracy, order: Sequence[int]) -> Iterator[Block]:
    """Where games were decided, by engine and by pairing."""
    if not accuracy.moves:
        return
    yield Words(
        "A game is decided by the last move that changed its value. From the start: the value "
        "never changed after the opening. Not on the board: an engine forfeited, or the game was "
        "stopped."
    )
    yield decided_by_engine(accuracy, order)
    if 1 < len(accuracy.pairings) <= MOST_PAIRINGS:
        pairings = sorted(accuracy.pairings.items(), key=lambda item: order.index(item[0][0]))
        who = ("engine", "opponent")
        yield _decided("pairing", who, "its mistake", dict(pairings), accuracy)


def judged_words(accuracy: Accuracy) -> str:
    """How many games and moves have exact scores."""

    def some(part: int, total: int, noun: str) -> str:
        whole = part == total
        return f"all {how_many(total, noun)}" if whole else f"{part:,} of {total:,} {noun}s"

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
    title: str, accuracy: Accuracy, order: Sequence[int], groups: Sequence[str]
) -> Table:
    """A row for each engine, or for each of its groups of positions where there are several."""
    columns = (
        Column("engine"), Column("positions"), Column("moves", whole), Column("unjudged", whole),
        Column("keeps value", percent), Column("value, 95 %"), Column("keeps score", percent),
        Column("score, 95 %"), Column("mean loss", two_digits), Column("loss, 95 %"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        for group in groups:
            count = accuracy.players[player].groups[group]
            rows.append(
                (accuracy.names[player], GROUP_WORDS[group], count.moves,
                 count.unjudged, value_of(count.kept_value),
                 _interval(count.kept_value), value_of(count.kept_score),
                 _interval(count.kept_score), value_of(count.mean_loss),
                 _loss_interval(count.mean_loss))
            )  # fmt: skip
    hidden = {"positions"} if len(groups) == 1 else set()
    hidden |= set() if any(row[3] for row in rows) else {"unjudged"}
    return Table(title, columns, tuple(rows)).without(*hidden)


def _interval(share: Estimate | None) -> str | None:
    low, high = ends_of(share)
    return None if low is None or high is None else f"{percent_range(low, high, 1)} %"


def _loss_interval(loss: Estimate | None) -> str | None:
    low, high = ends_of(loss)
    return None if low is None or high is None else f"{low:.2f}–{high:.2f}"  # noqa: RUF001


def kinds_table(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """How many moves of each engine were best, how many gave away how much."""
    columns = (Column("engine"), Column("moves", whole), *(Column(kind, whole) for kind in KINDS))
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        counts = accuracy.players[player].kinds.values()
        rows.append((accuracy.names[player], sum(counts), *counts))
    return Table("Moves by what they gave away", columns, tuple(rows))


def decided_by_engine(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """By whose mistake, and when, each engine's games were decided."""
    decisions: dict[tuple[int, ...], Decisions]
    decisions = {(player,): accuracy.players[player].decisions for player in order}
    return _decided("engine", ["engine"], "own mistake", decisions, accuracy)


def _decided(
    by: str,
    who: Sequence[str],
    own: str,
    decisions: Mapping[tuple[int, ...], Decisions],
    accuracy: Accuracy,
) -> Table:
    """By whose mistake, and when, the games of these players were decided."""
    figures = ("games", "from the start", own, "opponent's", *(f"in the {p}" for p in PHASES),
               "median disc", "not on the board", "not proven")  # fmt: skip
    columns = (*map(Column, who), *(Column(name, whole) for name in figures))
    rows: list[tuple[Cell, ...]] = []
    for players, some in decisions.items():
        phases = (some.in_phase(phase, accuracy.rules.cells) for phase in PHASES)
        rows.append((*(accuracy.names[player] for player in players), some.games, some.start,
                     len(some.own), len(some.others), *phases, some.middle, some.end,
                     some.unknown))  # fmt: skip
    return Table(f"Where games were decided, by {by}", columns, tuple(rows))


def accuracy_figures(accuracy: Accuracy) -> dict[str, Any]:
    """The main figures as plain data."""
    return {
        "judged_games": len(accuracy.games),
        "games": accuracy.of,
        "seconds": accuracy.seconds,
        "judged_moves": accuracy.moves,
        "unjudged_moves": accuracy.unjudged,
        "engines": accuracy_table(accuracy, range(len(accuracy.names))).records(),
    }


def accuracy_table(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """Every engine in every group of positions, intervals as numbers."""
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        for group in GROUPS:
            count = accuracy.players[player].groups[group]
            figures = (count.kept_value, count.kept_score, count.mean_loss)
            cells = [cell for each in figures for cell in (value_of(each), *ends_of(each))]
            rows.append(
                (accuracy.names[player], GROUP_WORDS[group], count.moves, count.unjudged, *cells)
            )
    return Table("Accuracy", tuple(map(Column, ACCURACY_FIELDS)), tuple(rows))


def decided_table(accuracy: Accuracy) -> Table:
    """Every judged game: by which move it was decided, if by any. Discs and columns are from 1."""
    rows: list[tuple[Cell, ...]] = []
    for game, decision in accuracy.games:
        names = accuracy.names[game.first], accuracy.names[game.second]
        verdicts = dict(game.judged.verdicts(accuracy.rules))
        unjudged = list(verdicts.values()).count(None)
        move: tuple[Cell, ...] = (None,) * 6
        if decision.ply is not None:
            verdict = verdicts[decision.ply]
            assert verdict is not None, "what decides a game is judged"
            move = (decision.ply + 1, names[verdict.seat], move_data(verdict.column), verdict.kind,
                    verdict.before, verdict.after)  # fmt: skip
        rows.append((game.number, *names, game.result, game.reason, decision.how, *move,
                     len(verdicts) - unjudged, unjudged))  # fmt: skip
    return Table("Where games were decided", tuple(map(Column, DECIDED_FIELDS)), tuple(rows))


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
    """What was given away, and what would have kept it."""
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
