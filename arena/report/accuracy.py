"""Accuracy as a report shows it: figures by engine, blunders with boards, where games were decided.

All of it comes from exact scores, and says how many games and moves these cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from arena.game.notation import draw, play_moves
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.judge.blunders import EXPLAINED, Blunder
from arena.judge.verdict import KINDS, PHASES, VALUES, Verdict, in_words
from arena.report.blocks import Block, Game, Words
from arena.show.numbers import percent, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.accuracy import SEATS, Accuracy, Decisions
from arena.standings.shares import Count, Share

MOST_BLUNDERS = EXPLAINED  # shown with boards
MOST_ENGINES = 10  # whose phases and seats are shown; accuracy.csv has all
MOST_PAIRINGS = 28
GROUP_WORDS = {
    "all": "all",
    "critical": "critical",
    **{phase: phase for phase in PHASES},
    **{seat: f"moving {seat}" for seat in SEATS},
}


def accuracy_blocks(accuracy: Accuracy, order: Sequence[int]) -> Iterator[Block]:
    """Everything but the pictures and the blunders."""
    yield Words(coverage(accuracy, "--accuracy"))
    if not accuracy.moves:
        return
    yield Words(
        "A move keeps the value if a won game stays won and a drawn one drawn; it keeps the score "
        "if no other wins sooner or loses later. The loss is counted in own moves: to win one "
        "move later, or to lose one sooner, is a loss of 1. A position is critical if its legal "
        "moves differ in value; unjudged there means that it is not proven whether they do. "
        "Intervals are 95 %. The moves of a game hang together: a whole game is one observation; "
        "unjudged moves count both ways, as kept for the upper end and as given away for the lower."
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
        "A game is decided by the last move that changed its value: after that, both kept what "
        "the result says. From the start: the value stood when the engines took over and never "
        "changed. Not on the board: somebody forfeited, or the game was broken off."
    )
    yield decided_by_engine(accuracy, order)
    if 1 < len(accuracy.pairings) <= MOST_PAIRINGS:
        yield decided_by_pairing(accuracy, order)


def judged_words(accuracy: Accuracy) -> str:
    """How many games and moves have exact scores."""
    judged, moves = len(accuracy.games), accuracy.moves + accuracy.unjudged
    return (
        f"Judged {_of(judged, accuracy.of, 'game')} by exact scores, "
        f"{_of(accuracy.moves, moves, 'move')} in them."
    )


def _of(part: int, total: int, noun: str) -> str:
    plural = "" if total == 1 else "s"
    return f"all {total:,} {noun}{plural}" if part == total else f"{part:,} of {total:,} {noun}s"


def coverage(accuracy: Accuracy, option: str) -> str:
    """How much of the tournament was judged, and how more can be; option: what gives it time."""
    words = judged_words(accuracy)
    if not accuracy.rules.is_flat:
        words += " In space only the ends of games can be proven: this says nothing of the rest."
    if accuracy.unjudged:
        words += " The others are unjudged: their scores were not proven, which widens intervals."
    if len(accuracy.games) < accuracy.of:
        words += (
            " These are whole games, evenly over the pairings in an order that the seed decides. "
            f"{_how_far(accuracy)}; {option} SECONDS goes on from there."
        )
    return words


def _how_far(accuracy: Accuracy) -> str:
    if not accuracy.seconds:
        return "They were judged before, and nothing more was asked for"
    return f"That is as far as {accuracy.seconds:g} s of each core led, on top of what was known"


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
                 accuracy.players[player].unjudged[group], count.kept_value.share,
                 interval(count.kept_value), count.kept_score.share, interval(count.kept_score),
                 count.mean_loss, loss_interval(count))
            )  # fmt: skip
    table = Table(title, columns, tuple(rows))
    hidden = {"positions"} if len(groups) == 1 else set()
    hidden |= set() if any(row[3] for row in rows) else {"unjudged"}
    return table.only(title, [name for name in table.headings() if name not in hidden])


def interval(share: Share) -> str | None:
    """The interval of a share, in percent."""
    low, high = share.interval
    return None if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f} %"  # noqa: RUF001


def loss_interval(count: Count) -> str | None:
    """The interval of a mean loss."""
    low, high = count.loss_interval
    return None if low is None or high is None else f"{low:.2f}–{high:.2f}"  # noqa: RUF001


def kinds_table(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """How many moves of each engine were best, how many gave away how much."""
    columns = (Column("engine"), Column("moves", whole), *(Column(kind, whole) for kind in KINDS))
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        kinds = accuracy.players[player].kinds
        rows.append((accuracy.names[player], sum(kinds.values()), *kinds.values()))
    return Table("Moves by what they gave away", columns, tuple(rows))


def decided_by_engine(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """By whose mistake, and when, each engine's games were decided."""
    rows = [
        (accuracy.names[player], *_decided(accuracy.players[player].decisions, accuracy.rules))
        for player in order
    ]
    columns = (Column("engine"), *_decided_columns("own mistake", "opponent's"))
    return Table("Where games were decided, by engine", columns, tuple(rows))


def decided_by_pairing(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """The same for each two engines that met."""
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        for (one, other), decisions in accuracy.pairings.items():
            if player == one:
                names = accuracy.names[one], accuracy.names[other]
                rows.append((*names, *_decided(decisions, accuracy.rules)))
    columns = (Column("engine"), Column("opponent"), *_decided_columns("its mistake", "opponent's"))
    return Table("Where games were decided, by pairing", columns, tuple(rows))


def _decided_columns(own: str, others: str) -> tuple[Column, ...]:
    names = ("games", "from the start", own, others, *(f"in the {phase}" for phase in PHASES),
             "median disc", "not on the board", "not proven")  # fmt: skip
    return tuple(Column(name, whole) for name in names)


def _decided(found: Decisions, rules: Rules) -> tuple[Cell, ...]:
    phases = (found.in_phase(phase, rules.cells) for phase in PHASES)
    return (found.games, found.start, len(found.own), len(found.others), *phases, found.middle,
            found.end, found.unknown)  # fmt: skip


def blunder_block(blunder: Blunder, accuracy: Accuracy, place: str) -> Game:
    """A blunder with its board; place is the journal as a command names it."""
    verdict, names, rules = blunder.verdict, accuracy.names, accuracy.rules
    mover, opponent = names[blunder.player], names[blunder.opponent]
    return Game(
        f"{mover}: {verdict.kind} in game {blunder.game}",
        blunder.game,
        f"{mover} ({DISCS[verdict.seat]}) against {opponent}, disc {verdict.ply + 1}: "
        f"{blunder_words(verdict, rules)}",
        marked_board(blunder.moves, verdict, rules),
        f"arena analyse {quote(place)} {blunder.game}",
        verdict.ply + 1,
    )


def blunder_words(verdict: Verdict, rules: Rules) -> str:
    """What was given away, and what would have kept it."""
    before, after = (
        in_words(score, verdict.ply, rules.cells) for score in (verdict.before, verdict.after)
    )
    words = f"the best move {before}, column {verdict.column + 1} {after}."
    if not verdict.keepers:
        return words
    columns = [str(column + 1) for column in verdict.keepers]
    plural = "s" if len(columns) > 1 else ""
    listed = " and ".join([", ".join(columns[:-1]), columns[-1]] if plural else columns)
    return f"{words} Column{plural} {listed} would have kept the {VALUES[verdict.value_before]}."


def marked_board(moves: bytes, verdict: Verdict, rules: Rules) -> str:
    """The board before the move; below it ? for the column played, ! for those that were right."""
    board = draw(play_moves(moves[:-1], rules))
    if not rules.is_flat:
        return board
    marks = dict.fromkeys(verdict.keepers, "!") | {verdict.column: "?"}
    width = len(str(rules.columns))
    cells = (marks.get(column, " ").rjust(width) for column in range(rules.columns))
    return f"{board}\n{' '.join(cells).rstrip()}"
