"""What is written down about a game: every move with its telemetry, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.game.notation import play_moves
from arena.game.position import Position, WinningLine
from arena.game.rules import Rules

Reason = Literal[
    "line", "full board", "max plies", "adjudicated",
    "illegal move", "exception", "memory", "time", "crash",
]  # fmt: skip
GOOD_ENDS = ("line", "full board", "max plies", "adjudicated")  # the others are somebody's fault


class MoveRecord(NamedTuple):
    """One move: what was played, how long it took, and what the engine said about it."""

    column: int
    seconds: float  # on the wall
    cpu: float  # seconds of the processor; far less than `seconds` on a busy machine
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game; it holds all that is needed to replay it."""

    rules: str
    players: tuple[str, str]
    opening: tuple[int, ...]
    moves: tuple[MoveRecord, ...]
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: Reason
    detail: str
    seed: int
    trace: str = ""  # the engine's own frames, where an exception ended the game

    @property
    def columns(self) -> tuple[int, ...]:
        """Every column of the game, those of the opening first."""
        return self.opening + tuple(move.column for move in self.moves)

    @property
    def plies(self) -> int:
        """How many discs were dropped, the opening included."""
        return len(self.opening) + len(self.moves)

    @property
    def points(self) -> tuple[float, float]:
        """What the game brings to each player: a point, half a point or nothing."""
        return (1 + self.result) / 2, (1 - self.result) / 2

    @property
    def winner(self) -> int | None:
        """The seat of the winner, 0 or 1; None for a draw."""
        return {1: 0, 0: None, -1: 1}[self.result]

    def moves_of(self, seat: int) -> tuple[MoveRecord, ...]:
        """The moves that this seat chose itself."""
        return self.moves[(seat - len(self.opening)) % 2 :: 2]

    def final(self) -> Position:
        """The position in which the game ended."""
        return play_moves(self.columns, Rules.named(self.rules))


def in_words(line: WinningLine, rules: Rules) -> str:
    """A line by its direction and its cells: column and row, or x, y and level, from 1."""
    cells = [(x, z) if rules.is_flat else (x, y, z) for x, y, z in line.cells]
    places = " ".join(f"({','.join(str(n + 1) for n in cell)})" for cell in cells)
    return f"{line.direction} {places}"
