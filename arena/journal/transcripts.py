"""Transcripts as FourPlay (Lee, Park, Ma) wrote them, and as `arena games --transcript` does.

A head of three lines, and a line for each move; ours, and that of FourPlay's own program:

    level: oracle-hard against mcts       GAME TRANSCRIPT LEVEL HARD FOR: game1
    winner: mcts                          WINNER: Us
    time: 12.5                            PLAY TIME = 22.685392
    oracle-hard, 0, 0                     oracle, 0, 0
    mcts, 1, 3                            fourplay AI, 1, 3

The head may also go without its keys. Several games may follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.game.position import STEAL
from arena.game.rules import Rules
from arena.journal.written import DRAWS, Mistake, Move, WrittenGame, column_of

ORACLE = "oracle"
HEAD = {  # what begins each line of the head, in its order
    "level": re.compile(r"(level\s*:|game transcript level\b)\s*", re.IGNORECASE),
    "winner": re.compile(r"winner\s*:\s*", re.IGNORECASE),
    "time": re.compile(r"(time\s*:|play time\s*=)\s*", re.IGNORECASE),
}
GAME_NAME = re.compile(r"\s+for\s*:.*", re.IGNORECASE)  # behind the level, in FourPlay's own
MOVE = re.compile(r"(.+?)\s*,\s*(?:(\d{1,3})\s*,\s*(\d{1,3})|steal)", re.IGNORECASE | re.ASCII)


class Line(NamedTuple):
    """A line of a file, by its number from 1."""

    number: int
    text: str


def is_transcript(lines: list[str]) -> bool:
    """Whether these are the first four lines of a transcript, or fewer if there are no more."""
    return bool(HEAD["level"].match(lines[0]) or MOVE.fullmatch(lines[-1]))


def transcripts(text: str, rules: Rules) -> Iterator[WrittenGame | Mistake]:
    """The games of a file, one after the other."""
    lines = [Line(n, line.strip()) for n, line in enumerate(text.splitlines(), start=1)]
    for head, moves in _blocks(line for line in lines if line.text):
        try:
            yield _transcript(head, moves, rules)
        except Mistake as mistake:
            yield mistake


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


def _transcript(head: list[Line], moves: list[Line], rules: Rules) -> WrittenGame:
    """One game by its lines."""
    level, winner, time = _head(head, moves)
    played = [_move(line, rules) for line in moves]
    written = _players(level, [player for player, _ in played])
    for ply, (player, move) in enumerate(played):
        if player != written[ply % 2]:
            raise Mistake(move.line, f"it is the turn of {written[ply % 2]!r}, not of {player!r}")
    players = _with_level(written, level.text)
    result = _result(winner, written, players)
    moves_made = tuple(move for _, move in played)
    return WrittenGame(winner.number, players, result, moves_made, _seconds(time))


def _head(head: list[Line], moves: list[Line]) -> list[Line]:
    """Level, winner and time without their keys."""
    if len(head) < len(HEAD):
        number = (*head, *moves)[0].number
        raise Mistake(
            number, f"expected level, winner and time first, but there is {len(head)} of 3"
        )
    values: list[Line] = []
    for (key, pattern), line in zip(HEAD.items(), head, strict=True):
        begins = [name for name, other in HEAD.items() if other.match(line.text)]
        if begins and begins[0] != key:
            raise Mistake(line.number, f"the {begins[0]} stands where the {key} is expected")
        begin = pattern.match(line.text)
        values.append(Line(line.number, line.text[begin.end() if begin else 0 :]))
    return values


def _move(line: Line, rules: Rules) -> tuple[str, Move]:
    """The player and the move of a line."""
    move = MOVE.fullmatch(line.text)
    if move is None:
        raise Mistake(line.number, f"{line.text!r} is no move; expected player, x, y")
    player, x, y = move.groups()
    column = STEAL if x is None else column_of(line.number, int(x), int(y), rules)
    return player, Move(line.number, column)


def _players(level: Line, movers: list[str]) -> tuple[str, str]:
    """The two players as they are written: those of the first two moves, or of the level."""
    first, against, second = level.text.partition(" against ")
    if len(movers) > 1 or (movers and against):
        first, second = (*movers[:2], second)[:2]
    elif not against:
        raise Mistake(
            level.number, "who played? expected two moves, or level: FIRST against SECOND"
        )
    if first == second:
        raise Mistake(level.number, f"both players are {first!r}")
    return first, second


def _with_level(players: tuple[str, str], level: str) -> tuple[str, str]:
    """The players by their names, FourPlay's oracle with its level."""
    level = GAME_NAME.sub("", level)
    if " against " in level:
        return players
    first, second = (f"{ORACLE} {level.lower()}" if p == ORACLE else p for p in players)
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


def _seconds(time: Line) -> float:
    try:
        seconds = float(time.text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise Mistake(time.number, f"the time is {time.text!r}; expected seconds")
    return seconds
