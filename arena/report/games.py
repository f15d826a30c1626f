"""Single games in a report: those worth a look, and the mistakes by which games were lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from arena.errors import IllegalMove
from arena.game.notation import draw, play_moves, write_moves
from arena.game.rules import Rules
from arena.journal import Journal
from arena.play.mistakes import Mistake, Mistakes
from arena.play.record import in_words
from arena.report.blocks import Block, Code, Game, Words
from arena.standings.results import Notable

MANY_MISTAKES = 10


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
