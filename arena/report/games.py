"""Single games in a report: those worth a look, blunders, and mistakes by which games were lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from arena.engine.errors import Mistake, Mistakes
from arena.errors import IllegalMove
from arena.game.notation import draw, play_moves, write_moves
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.verdict import EXPLAINED, VALUES, Blunder, Verdict
from arena.judge.verdict import in_words as score_in_words
from arena.play.record import in_words
from arena.report.blocks import Block, Code, Game, Words
from arena.show.numbers import listed
from arena.standings.accuracy import Accuracy
from arena.standings.results import Notable

MANY_MISTAKES = 10
MOST_BLUNDERS = EXPLAINED  # shown with boards


def notable_block(notable: Notable, line_up: Sequence[str], rules: Rules, place: str) -> Game:
    """A game worth showing, with its final board; place is the journal as a command names it."""
    names = line_up[notable.first], line_up[notable.second]
    board, line = final_board(notable.moves, rules)
    end = notable.detail or line or notable.reason
    moves = write_moves(notable.moves, rules) or "none"
    return Game(
        f"{notable.why.capitalize()}: game {notable.number}",
        notable.number,
        f"{names[0]} (X) against {names[1]} (O): {end}, after {len(notable.moves)} plies. "
        f"Moves: {moves}.",
        board,
        f"arena replay {quote(place)} {notable.number}",
    )


def final_board(moves: bytes, rules: Rules) -> tuple[str, str]:
    """The board at the end of a game, drawn, and the line that won it, in words."""
    try:
        position = play_moves(moves, rules)
    except IllegalMove as error:  # a journal from elsewhere
        return f"({error})", ""
    line = position.winning_line
    return draw(position), in_words(line, rules) if line else ""


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
        score_in_words(score, verdict.ply, rules.cells) for score in (verdict.before, verdict.after)
    )
    words = f"the best move {before}, column {verdict.column + 1} {after}."
    if not verdict.keepers:
        return words
    columns = [str(column + 1) for column in verdict.keepers]
    right = f"Column{'s' if len(columns) > 1 else ''} {listed(columns)}"
    return f"{words} {right} would have kept the {VALUES[verdict.value_before]}."


def marked_board(moves: bytes, verdict: Verdict, rules: Rules) -> str:
    """The board before the move; below it ? for the column played, ! for those that were right."""
    board = draw(play_moves(moves[:-1], rules))
    if not rules.is_flat:
        return board
    marks = dict.fromkeys(verdict.keepers, "!") | {verdict.column: "?"}
    width = len(str(rules.columns))
    cells = (marks.get(column, " ").rjust(width) for column in range(rules.columns))
    return f"{board}\n{' '.join(cells).rstrip()}"


def mistakes_of(journal: Journal) -> tuple[Mistake, ...]:
    """All mistakes by which games were lost, the most frequent first."""
    mistakes = Mistakes()
    for row in journal.rows(bad=True, telemetry=False):
        mistakes.add(row.number, row.detail, row.log)
    return tuple(mistakes)


def mistake_blocks(mistakes: Sequence[Mistake], place: str) -> Iterator[Block]:
    """What engines lost games by, each mistake once, with the lines that led to it."""
    for mistake in mistakes[:MANY_MISTAKES]:
        games = "Once, in" if mistake.is_new else f"{mistake.count:,} times, first in"
        yield Words(f"{games} game {mistake.first}: {mistake.detail}")
        if mistake.trace:
            yield Code(mistake.trace)
    if len(mistakes) > MANY_MISTAKES:
        others = f"{len(mistakes) - MANY_MISTAKES:,} more kinds of mistakes"
        yield Words(f"{others}: arena games {quote(place)} --bad")
