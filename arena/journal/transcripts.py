"""Games as FourPlay (Lee, Park, Ma) wrote them: transcripts, and a table.

A transcript has a head of three lines, and a line for each move: ours, of `arena games
--transcript`, and that of FourPlay's own program. Several games may follow each other.

    level: oracle-hard against mcts       GAME TRANSCRIPT LEVEL HARD FOR: game1
    winner: mcts                          WINNER: Us
    time: 12.5                            PLAY TIME = 22.685392
    oracle-hard, 0, 0                     oracle, 0, 0
    mcts, 1, 3                            fourplay AI, 1, 3

The table is CSV with a game in each row, and two digits for each move.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.errors import ArenaError, IllegalMove
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.table.game import Reason, in_words

DRAWS = ("draw", "none", "tie")
ORACLE, AGENT = "oracle", "agent"
HEAD = {  # what begins each line of the head, in its order
    "level": re.compile(r"(level\s*:|game transcript level\b)\s*", re.IGNORECASE),
    "winner": re.compile(r"winner\s*:\s*", re.IGNORECASE),
    "time": re.compile(r"(time\s*:|play time\s*=)\s*", re.IGNORECASE),
}
GAME_NAME = re.compile(r"\s+for\s*:.*", re.IGNORECASE)  # behind the level, in FourPlay's own
MOVE = re.compile(r"(.+?)\s*,\s*(?:(\d{1,3})\s*,\s*(\d{1,3})|steal)", re.IGNORECASE | re.ASCII)
COLUMNS = ("agent", "oracle_level", "game", "first", "winner", "plies", "moves_xy")


class Mistake(ArenaError):
    """What is wrong with a game, and on which line."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


class Line(NamedTuple):
    """A line of a file, by its number from 1."""

    number: int
    text: str


class Move(NamedTuple):
    """A move, and the line that it stands on."""

    line: int
    column: int


class Transcript(NamedTuple):
    """A game that was replayed, and what is odd about its end, if anything."""

    line: int  # where the winner stands
    players: tuple[str, str]
    moves: bytes
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: Reason
    detail: str
    seconds: float
    oddity: str = ""


def read_games(data: bytes, rules: Rules) -> Iterator[Transcript | Mistake]:
    """Every game of a file, or what is wrong with it."""
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
    elif COLUMNS[-1] in next(csv.reader([written[0].text])):
        yield from _table(lines, rules)
    elif HEAD["level"].match(written[0].text):
        for head, moves in _blocks(written):
            try:
                yield _transcript(head, moves, rules)
            except Mistake as mistake:
                yield mistake
    else:
        yield Mistake(
            1,
            "no games in a form that is known; expected an export, transcripts, or a table with "
            f"the column {COLUMNS[-1]}",
        )


def _replay(
    line: int, players: tuple[str, str], result: int, moves: Sequence[Move], seconds: float,
    rules: Rules,
) -> Transcript:  # fmt: skip
    """The game with its end: as the board shows it, or as it is recorded where it shows none."""
    position = Position(rules)
    for number, column in moves:
        try:
            position = position.play(column)
        except IllegalMove as error:
            raise Mistake(number, str(error)) from None
    recorded = f"recorded as {_end(players, result)}"
    columns, oddity = bytes(column for _, column in moves), ""
    reason: Reason = "adjudicated"
    if position.is_over:
        on_board = {None: 0, 0: 1, 1: -1}[position.winner]
        if result != on_board:
            raise Mistake(line, f"{recorded}, but on the board it is {_end(players, on_board)}")
        reason, detail = "full board", "the board is full and nobody has a line"
        if (winning := position.winning_line) is not None:
            reason, detail = "line", f"{players[winning.player]} made a {in_words(winning, rules)}"
    else:
        detail = oddity = f"{recorded}, but the game is not over on the board"
    return Transcript(line, players, columns, result, reason, detail, seconds, oddity)


def _end(players: tuple[str, str], result: int) -> str:
    return f"won by {players[result < 0]!r}" if result else "a draw"


def _column(line: int, x: int, y: int, rules: Rules) -> Move:
    """The move above x and y of the floor."""
    if x >= rules.width or y >= rules.depth:
        room = f"x is 0 to {rules.width - 1} and y 0 to {rules.depth - 1}"
        raise Mistake(line, f"{x}, {y} is not on {rules}, where {room}; --game names another board")
    return Move(line, x * rules.depth + y)


def _blocks(lines: Iterable[Line]) -> Iterator[tuple[list[Line], list[Line]]]:
    """The head and the moves of each game: moves have commas, and a head has three lines."""
    head: list[Line] = []
    moves: list[Line] = []
    for line in lines:
        if "," in line.text:
            moves.append(line)
            continue
        if moves or len(head) == len(HEAD):
            yield head, moves
            head, moves = [], []
        head.append(line)
    yield head, moves


def _transcript(head: list[Line], lines: list[Line], rules: Rules) -> Transcript:
    """One game by its lines."""
    level, winner, time = _head(head, lines)
    movers, moves = [], []
    for line in lines:
        match = MOVE.fullmatch(line.text)
        if match is None:
            raise Mistake(line.number, f"{line.text!r} is no move; expected player, x, y")
        player, x, y = match.groups()
        move = Move(line.number, STEAL)
        movers.append(player)
        moves.append(move if x is None else _column(line.number, int(x), int(y), rules))
    written = _players(level, movers)
    for ply, (player, line) in enumerate(zip(movers, lines, strict=True)):
        if player != written[ply % 2]:
            raise Mistake(line.number, f"it is the turn of {written[ply % 2]!r}, not of {player!r}")
    players, words = written, GAME_NAME.sub("", level.text)
    if " against " not in words:  # FourPlay's oracle is named with its level
        first, second = (f"{ORACLE} {words.lower()}" if p == ORACLE else p for p in written)
        players = first, second
    result = _result(winner, written, players)
    try:
        seconds = float(time.text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise Mistake(time.number, f"the time is {time.text!r}; expected seconds")
    return _replay(winner.number, players, result, moves, seconds, rules)


def _head(head: list[Line], moves: list[Line]) -> list[Line]:
    """Level, winner and time without their keys."""
    values: list[Line] = []
    lines = [*head, *(moves or head)[:1] * len(HEAD)]  # what stands in the place of those missing
    for (key, pattern), line in zip(HEAD.items(), lines, strict=False):
        begin = pattern.match(line.text)
        if begin is None:
            raise Mistake(line.number, f"expected the {key}, but found {line.text!r}")
        values.append(Line(line.number, line.text[begin.end() :]))
    return values


def _players(level: Line, movers: list[str]) -> tuple[str, str]:
    """The two players as they are written: those of the first two moves, or of the level."""
    first, against, second = level.text.partition(" against ")
    if len(movers) > 1 or (movers and against):
        first, second = (*movers[:2], second)[:2]
    elif not against:
        words = "who played? expected two moves, or level: FIRST against SECOND"
        raise Mistake(level.number, words)
    if first == second:
        raise Mistake(level.number, f"both players are {first!r}")
    return first, second


def _result(winner: Line, written: tuple[str, str], players: tuple[str, str]) -> int:
    """Who won, for the first player; where the oracle plays, FourPlay wrote Us and Web."""
    results: dict[str, int] = {}
    for result, name, player in zip((1, -1), written, players, strict=True):
        results |= {name: result, player: result}
        if ORACLE in written:
            results["web" if name == ORACLE else "us"] = result
    results |= dict.fromkeys(DRAWS, 0)
    for word in (winner.text, winner.text.lower()):
        if word in results:
            return results[word]
    expected = f"draw, {players[0]!r} or {players[1]!r}"
    raise Mistake(winner.number, f"the winner is {winner.text!r}; expected {expected}")


def _table(lines: list[str], rules: Rules) -> Iterator[Transcript | Mistake]:
    """The games of a table, a row each."""
    reader = csv.DictReader(lines)
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        yield Mistake(1, f"the column {missing[0]} is missing")
        return
    try:
        for row in reader:
            cells = {name: (row[name] or "").strip() for name in COLUMNS}
            try:
                yield _row(reader.line_num, cells, rules)
            except Mistake as mistake:
                yield mistake
    except csv.Error as error:
        yield Mistake(reader.line_num + 1, f"not a row of CSV ({error})")


def _row(line: int, cells: dict[str, str], rules: Rules) -> Transcript:
    """The game of a row, by its cells."""
    for name in ("agent", "oracle_level"):
        if not cells[name]:
            raise Mistake(line, f"{name} is missing")
    if cells["first"] not in (ORACLE, AGENT):
        raise Mistake(line, f"first is {cells['first']!r}; expected oracle or agent")
    seats = (ORACLE, AGENT) if cells["first"] == ORACLE else (AGENT, ORACLE)
    if cells["winner"] not in (*seats, *DRAWS):
        raise Mistake(line, f"winner is {cells['winner']!r}; expected oracle, agent or draw")
    names = {ORACLE: f"{ORACLE} {cells['oracle_level']}", AGENT: cells["agent"]}
    moves = []
    for digits in cells["moves_xy"].split():
        if not re.fullmatch(r"\d\d", digits, re.ASCII):
            raise Mistake(line, f"{digits!r} is no move; expected two digits, x and y")
        moves.append(_column(line, int(digits[0]), int(digits[1]), rules))
    if cells["plies"] != str(len(moves)):
        raise Mistake(line, f"plies is {cells['plies']!r}, but there are {len(moves)} moves")
    result = {seats[0]: 1, seats[1]: -1}.get(cells["winner"], 0)
    return _replay(line, (names[seats[0]], names[seats[1]]), result, moves, 0.0, rules)
