"""What a worker process shares with its owner: a heartbeat in memory, and a pipe for messages.

A worker plays whole games by itself, so a move costs no message. Before it asks an engine it writes
down whose move it is and how long that may take; the owner reads this at any time.
"""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from struct import Struct
from typing import Any, NamedTuple

from arena.game.rules import MAX_CELLS
from arena.processes import Schedstat

NOBODY = -1
BEAT, GAME, SEAT, SINCE, ALLOWED, HALT, READY, BY_CLOCK, RAN, WAITED, USED = range(11)
NUMBERS = 12  # USED is followed by the same of the second seat
LENGTH = Struct("<I")  # before each message
MAX_READ = 1 << 16  # bytes
MAX_MESSAGE = 1 << 26  # bytes; a longer one is garbage


class Thinking(NamedTuple):
    """The seat to move in a game, since when, and how many seconds it may take.

    `used` holds the seconds of both seats for their earlier moves; None while they get ready for
    the game, which is not charged.
    """

    game: int
    seat: int
    since: float
    allowed: float
    used: tuple[float, float] | None = None
    before: Schedstat | None = None  # how the worker was scheduled so far, if time is limited


class Heartbeat:
    """The shared memory of one worker: `numbers` as above, and `board`, the moves of its game."""

    def __init__(self, context: Any) -> None:
        self.numbers = context.RawArray("d", NUMBERS)
        self.board = context.RawArray("B", MAX_CELLS + 2)  # their count first; one may be a steal
        self.numbers[SEAT] = NOBODY

    def begin_game(self, number: int, opening: tuple[int, ...]) -> None:
        """Show a new game; its engines get ready."""
        self.numbers[READY] = 0
        self.numbers[GAME] = number
        self.board[0] = 0
        self.board[1 : 1 + len(opening)] = opening
        self.board[0] = len(opening)

    def start_clocks(self) -> None:
        """Both engines are ready: their time counts from now on."""
        self.numbers[USED] = self.numbers[USED + 1] = 0.0
        self.numbers[READY] = 1

    def show(self, moves: tuple[int, ...]) -> None:
        """Show the last of the moves, if there is one; the earlier ones are shown already."""
        if moves:
            board, ply = self.board, len(moves)
            board[ply] = moves[-1]
            board[0] = ply

    def begin(self, seat: int, allowed: float, before: Schedstat | None = None) -> None:
        """The engine in this seat is asked now."""
        numbers = self.numbers
        numbers[BY_CLOCK] = before is not None
        if before is not None:
            numbers[RAN], numbers[WAITED] = before
        numbers[SINCE] = time.monotonic()
        numbers[ALLOWED] = allowed
        numbers[SEAT] = seat
        numbers[BEAT] += 1

    def end(self, seat: int = 0, seconds: float = 0.0) -> None:
        """The engine has answered and used this time; readers rely on the order of the writes."""
        numbers = self.numbers
        numbers[SEAT] = NOBODY
        numbers[USED + seat] += seconds

    def thinking(self) -> Thinking | None:
        """Return who is thinking; None between moves, or if it changed during the reading."""
        numbers = self.numbers
        beat, seat = numbers[BEAT], int(numbers[SEAT])
        used = (numbers[USED], numbers[USED + 1]) if numbers[READY] else None
        before = Schedstat(numbers[RAN], numbers[WAITED]) if numbers[BY_CLOCK] else None
        since, allowed = numbers[SINCE], numbers[ALLOWED]
        thinking = Thinking(int(numbers[GAME]), seat, since, allowed, used, before)
        same = numbers[SEAT] == seat and numbers[BEAT] == beat
        return thinking if seat != NOBODY and same else None

    @property
    def game(self) -> int:
        """The number of the current game, or of the last one."""
        return int(self.numbers[GAME])

    def moves(self) -> bytes:
        """Return the columns of the current game."""
        return bytes(self.board[1 : 1 + self.board[0]])

    @property
    def is_halted(self) -> bool:
        """Whether the worker should begin no further game."""
        return bool(self.numbers[HALT])

    def halt(self) -> None:
        """Begin no further game."""
        self.numbers[HALT] = 1


class BrokenMessage(Exception):
    """Data in a pipe that is no message of ours."""


class Pipe:
    """One end of the pipe between a worker and its owner: pickled messages, each with its length.

    Messages sent together are one write, and one read brings all that have arrived: at thousands of
    games a second the owner makes a few hundred system calls.
    """

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._arrived: deque[Any] = deque()
        self._rest = b""  # of a message that is not complete

    def fileno(self) -> int:
        """Return the descriptor."""
        return int(self.connection.fileno())

    def poll(self, seconds: float = 0.0) -> bool:
        """Wait up to this long; return whether there is a message, or the other end is closed."""
        return bool(self._arrived or self.connection.poll(seconds))

    def close(self) -> None:
        """Close this end."""
        self.connection.close()

    def send(self, *messages: object) -> None:
        """Send messages; raise OSError if the other end is closed."""
        packed = b""
        for message in messages:
            data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
            packed += LENGTH.pack(len(data)) + data
        left = memoryview(packed)
        while left:
            left = left[os.write(self.connection.fileno(), left) :]

    def receive(self) -> Any:
        """Wait for the next message; raise EOFError or OSError if the other end is closed."""
        while not self._arrived:
            self._read()
        return self._arrived.popleft()

    def receive_all(self) -> list[Any]:
        """Return all messages that have arrived; wait for data if there are none."""
        if not self._arrived:
            self._read()
        messages = [*self._arrived]
        self._arrived.clear()
        return messages

    def _read(self) -> None:
        data = os.read(self.connection.fileno(), MAX_READ)
        if not data:
            raise EOFError
        data = self._rest + data
        at, end = 0, len(data) - LENGTH.size
        while at <= end:
            start = at + LENGTH.size
            length = LENGTH.unpack_from(data, at)[0]
            stop = start + length
            if stop > len(data):
                if length > MAX_MESSAGE:
                    raise BrokenMessage(f"{length} bytes")
                break
            try:
                self._arrived.append(pickle.loads(data[start:stop]))
            except Exception as error:  # a broken pickle raises anything
                raise BrokenMessage(type(error).__name__) from error
            at = stop
        self._rest = data[at:]
