"""A game that somebody wrote down, and whether it can have been played so on its board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from arena.errors import ArenaError, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules
from arena.table.game import Reason, in_words

DRAWS = ("draw", "none", "tie")


class Mistake(ArenaError):
    """What is wrong with a game, and on which line."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


class Move(NamedTuple):
    """A move, and the line that it stands on."""

    line: int
    column: int


@dataclass(frozen=True)
class WrittenGame:
    """A game that is written down: both players, who won by the record, its moves and its time."""

    line: int  # where the winner stands
    players: tuple[str, str]
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    moves: tuple[Move, ...]
    seconds: float = 0.0


class CheckedGame(NamedTuple):
    """A game that was played through, and what is odd about its end, if anything."""

    game: WrittenGame
    result: int
    reason: Reason
    detail: str
    oddity: str = ""


def played_through(game: WrittenGame, rules: Rules) -> CheckedGame:
    """The game with its end: as the board shows it, or as it is recorded where it shows none."""
    position = Position(rules)
    for line, column in game.moves:
        try:
            position = position.play(column)
        except IllegalMove as error:
            raise Mistake(line, str(error)) from None
    shown = {None: 0, 0: 1, 1: -1}[position.winner]
    if not position.is_over:
        oddity = f"recorded as {_end(game, game.result)}, but the game is not over on the board"
        return CheckedGame(game, game.result, "adjudicated", oddity, oddity)
    if game.result != shown:
        ends = _end(game, game.result), _end(game, shown)
        raise Mistake(game.line, f"recorded as {ends[0]}, but on the board it is {ends[1]}")
    winning = position.winning_line
    if winning is None:
        return CheckedGame(game, 0, "full board", "the board is full and nobody has a line")
    detail = f"{game.players[winning.player]} made a {in_words(winning, rules)}"
    return CheckedGame(game, shown, "line", detail)


def _end(game: WrittenGame, result: int) -> str:
    """A result in words."""
    return f"won by {game.players[result < 0]!r}" if result else "a draw"


def column_of(line: int, x: int, y: int, rules: Rules) -> int:
    """The column above x and y of the floor."""
    if x >= rules.width or y >= rules.depth:
        room = f"x is 0 to {rules.width - 1} and y 0 to {rules.depth - 1}"
        raise Mistake(line, f"{x}, {y} is not on {rules}, where {room}; --game names another board")
    return x * rules.depth + y
