"""The heartbeat of a table: shared numbers that tell its owner who is thinking, and since when.

A table plays whole games by itself, so that a move costs no message. Before an engine is asked, the
table writes down whose move it is and how long that may take; its owner reads it without asking.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from arena.game.rules import MAX_CELLS
from arena.pauses import Scheduled

NOBODY = -1
BEAT, GAME, SEAT, SINCE, ALLOWED, HALT, READY, BY_CLOCK, RAN, WAITED, USED = range(11)
NUMBERS = 12  # USED and the next are both seats'


class Thinking(NamedTuple):
    """Who is to move in which game, since when, and how many seconds are too many.

    `used` are the seconds of both seats for their moves before this one; None as long as they are
    only told of the game, which is on no clock.
    """

    game: int
    seat: int
    since: float
    allowed: float
    used: tuple[float, float] | None = None
    before: Scheduled | None = None  # how the table was scheduled so far, if it is by the clock

    @property
    def deadline(self) -> float:
        """When the table is to be cleared, on the monotonic clock."""
        return self.since + self.allowed


class Heartbeat:
    """Shared memory of one table: `numbers` as above, `board` the moves of its game so far."""

    def __init__(self, context: Any) -> None:
        self.numbers = context.RawArray("d", NUMBERS)
        self.board = context.RawArray("B", MAX_CELLS + 2)  # how many first; one may be a steal
        self.numbers[SEAT] = NOBODY

    def begin_game(self, number: int, opening: tuple[int, ...]) -> None:
        """A new game is on the table, of which its engines are told."""
        self.numbers[READY] = 0
        self.numbers[GAME] = number
        self.board[0] = 0
        self.show(opening)

    def start_clocks(self) -> None:
        """Both engines are ready, and their time counts from now on."""
        self.numbers[USED] = self.numbers[USED + 1] = 0.0
        self.numbers[READY] = 1

    def show(self, moves: tuple[int, ...]) -> None:
        """The moves so far; those already shown are not written again."""
        board = self.board
        for at in range(board[0], len(moves)):
            board[at + 1] = moves[at]
        board[0] = len(moves)

    def show_last(self, moves: tuple[int, ...]) -> None:
        """One more move than before was made; before the first one there is nothing to show."""
        if moves:
            board, ply = self.board, len(moves)
            board[ply] = moves[-1]
            board[0] = ply

    def begin(self, seat: int, allowed: float, before: Scheduled | None = None) -> None:
        """An engine is asked now."""
        numbers = self.numbers
        numbers[BY_CLOCK] = before is not None
        if before is not None:
            numbers[RAN], numbers[WAITED] = before
        numbers[SINCE] = time.monotonic()
        numbers[ALLOWED] = allowed
        numbers[SEAT] = seat
        numbers[BEAT] += 1

    def end(self, seat: int = 0, seconds: float = 0.0) -> None:
        """It has answered, and used so much time; that comes second, as readers rely on it."""
        numbers = self.numbers
        numbers[SEAT] = NOBODY
        numbers[USED + seat] += seconds

    def thinking(self) -> Thinking | None:
        """Who is thinking; None between moves, or where it changed while being read."""
        numbers = self.numbers
        beat, seat = numbers[BEAT], int(numbers[SEAT])
        used = (numbers[USED], numbers[USED + 1]) if numbers[READY] else None
        before = Scheduled(numbers[RAN], numbers[WAITED]) if numbers[BY_CLOCK] else None
        since, allowed = numbers[SINCE], numbers[ALLOWED]
        thinking = Thinking(int(numbers[GAME]), seat, since, allowed, used, before)
        same = numbers[SEAT] == seat and numbers[BEAT] == beat
        return thinking if seat != NOBODY and same else None

    @property
    def game(self) -> int:
        """The number of the game on the table, or of the last one."""
        return int(self.numbers[GAME])

    def moves(self) -> bytes:
        """The columns of the game on the table."""
        return bytes(self.board[1 : 1 + self.board[0]])

    @property
    def halted(self) -> bool:
        """Whether the table is to begin no further game."""
        return bool(self.numbers[HALT])

    def halt(self) -> None:
        """Begin no further game."""
        self.numbers[HALT] = 1
