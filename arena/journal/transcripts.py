"""Games as transcripts, the format of FourPlay (Lee, Park, Ma): a head, and a line for each move.

    level: oracle-hard against mcts
    winner: mcts
    time: 12.5
    oracle-hard, 0, 0
    mcts, 1, 3

x and y count from 0; y is always 0 on a flat board. By the pie rule a move may be `mcts, steal`.
Several games may follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from arena.errors import ArenaError, IllegalMove
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.journal.records import Header
from arena.table.game import Game, Reason, in_words

HEAD = ("level", "winner", "time")
AGAINST = " against "
DRAW = "draw"
MOVE = re.compile(r"(.+?)\s*,\s*(?:(\d{1,3})\s*,\s*(\d{1,3})|steal)", re.IGNORECASE | re.ASCII)
SECONDS = re.compile(r"\d{1,9}(\.\d*)?", re.ASCII)


class Mistake(ArenaError):
    """A mistake in a game, with its line."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


class Transcript(NamedTuple):
    """A game that was replayed."""

    line: int  # of the winner
    players: tuple[str, str]
    moves: bytes
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: Reason
    detail: str
    seconds: float


class Line(NamedTuple):
    """A line of a file, by its number from 1."""

    number: int
    text: str


def write_transcript(row: Game, header: Header) -> str:
    """One game as a transcript."""
    names = [_in_one_cell(header.names[player]) for player in (row.first, row.second)]
    lines = [
        f"level: {names[0]}{AGAINST}{names[1]}",
        f"winner: {DRAW if row.winner is None else names[row.winner]}",
        f"time: {row.seconds:.6f}",
    ]
    for ply, column in enumerate(row.moves):
        x, y = divmod(column, header.rules.depth)
        move = "steal" if column == STEAL else f"{x}, {y}"
        lines.append(f"{names[ply % 2]}, {move}")
    return "\n".join(lines) + "\n"


def _in_one_cell(name: str) -> str:
    """A name without what separates cells and lines."""
    return " ".join(name.replace(",", ";").split())


def read_transcripts(data: bytes, rules: Rules) -> Iterator[Transcript | Mistake]:
    """Every game of a file, or its first mistake."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        yield Mistake(1, "not text in UTF-8")
        return
    written = [Line(n, text.strip()) for n, text in enumerate(lines, start=1) if text.strip()]
    if not written:
        yield Mistake(1, "an empty file")
    elif written[0].text.startswith(("{", "[")):
        yield Mistake(1, "an export, which stands alone")
    elif not is_first(written[0]):
        yield Mistake(1, "no games in a known format; expected an export or transcripts")
    starts = [index for index, line in enumerate(written) if is_first(line)]
    for start, end in pairwise([*starts, len(written)]):
        try:
            yield _read(written[start:end], rules)
        except Mistake as mistake:
            yield mistake


def is_first(line: Line) -> bool:
    """Whether a game begins with this line: only moves have commas."""
    return line.text.lower().startswith(f"{HEAD[0]}:") and "," not in line.text


def _read(lines: list[Line], rules: Rules) -> Transcript:
    """One game by its lines."""
    level, winner, time = (_value(key, lines, n) for n, key in enumerate(HEAD))
    lines = lines[len(HEAD) :]
    moves = [_read_move(line, rules) for line in lines]
    first = moves[0][0] if moves else level.text.partition(AGAINST)[0]  # "against" in a name
    players = first, level.text.removeprefix(first + AGAINST)
    if players[1] == level.text:
        raise Mistake(level.number, f"the level is {level.text!r}; expected FIRST against SECOND")
    if first == players[1]:
        raise Mistake(level.number, f"both players are {first!r}")
    position = Position(rules)
    for ply, (line, (player, column)) in enumerate(zip(lines, moves, strict=True)):
        if player != players[ply % 2]:
            raise Mistake(line.number, f"it is the turn of {players[ply % 2]!r}, not of {player!r}")
        try:
            position = position.play(column)
        except IllegalMove as error:
            raise Mistake(line.number, str(error)) from None
    results = {players[0]: 1, players[1]: -1, DRAW: 0}
    if winner.text not in results:
        expected = f"{DRAW}, {players[0]!r} or {players[1]!r}"
        raise Mistake(winner.number, f"the winner is {winner.text!r}; expected {expected}")
    if not SECONDS.fullmatch(time.text):
        raise Mistake(time.number, f"the time is {time.text!r}; expected seconds")
    result = results[winner.text]
    reason, detail = _end(position, players, result, winner.number)
    return Transcript(
        winner.number, players, bytes(position.moves), result, reason, detail, float(time.text)
    )


def _value(key: str, lines: list[Line], place: int) -> Line:
    """A line of the head without its key."""
    number, text = lines[min(place, len(lines) - 1)]
    name, _, value = text.partition(":")
    if name.strip().lower() != key:
        raise Mistake(number, f"expected the {key}, but found {text!r}")
    return Line(number, value.strip())


def _read_move(line: Line, rules: Rules) -> tuple[str, int]:
    """A player, and the column above x and y of the floor."""
    match = MOVE.fullmatch(line.text)
    if match is None:
        raise Mistake(line.number, f"{line.text!r} is no move; expected player, x, y")
    player, *cell = match.groups()
    if cell[0] is None:
        return player, STEAL
    x, y = map(int, cell)
    if x >= rules.width or y >= rules.depth:
        room = f"x is 0 to {rules.width - 1} and y 0 to {rules.depth - 1}"
        words = f"{x}, {y} is not on {rules}, where {room}; --game names another board"
        raise Mistake(line.number, words)
    return player, x * rules.depth + y


def _end(
    position: Position, players: tuple[str, str], result: int, line: int
) -> tuple[Reason, str]:
    """Reason and detail: as the board shows the end, or as it is recorded where it shows none."""

    def in_short(result: int) -> str:
        return f"won by {players[result < 0]!r}" if result else "a draw"

    recorded = f"recorded as {in_short(result)}"
    if not position.is_over:
        return "adjudicated", f"{recorded}, but the game is not over on the board"
    on_board = {None: 0, 0: 1, 1: -1}[position.winner]
    if result != on_board:
        raise Mistake(line, f"{recorded}, but on the board it is {in_short(on_board)}")
    if (winning := position.winning_line) is None:
        return "full board", "the board is full and nobody has a line"
    return "line", f"{players[winning.player]} made a {in_words(winning, position.rules)}"
