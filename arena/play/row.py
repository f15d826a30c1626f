"""A finished game as it travels from a table into the journal: a few bytes a move."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

from arena.play.record import MoveRecord

UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of a tournament, numbered by the schedule; players are numbers in its line-up."""

    number: int
    round: int
    first: int
    second: int
    opening: bytes  # one byte a column
    moves: bytes  # every column of the game, those of the opening first
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: str
    detail: str
    seed: int
    started: float  # seconds since 1970
    seconds: float  # the whole game
    telemetry: bytes  # of the moves after the opening
    log: str = ""  # the end of what the engines printed, where the game ended badly

    def __reduce__(self) -> tuple[object, ...]:
        return GameRow, (self.number, self.round, self.first, self.second, self.opening,
                         self.moves, self.result, self.reason, self.detail, self.seed,
                         self.started, self.seconds, self.telemetry, self.log)  # fmt: skip

    def story(self) -> tuple[object, ...]:
        """What the same seed must repeat: all but times and words printed."""
        told = [(move.score, move.depth, move.nodes) for move in self.move_records()]
        return (self.number, self.round, self.first, self.second, self.opening, self.moves,
                self.result, self.reason, self.detail, self.seed, told)  # fmt: skip

    def move_records(self) -> list[MoveRecord]:
        """The moves after the opening with their telemetry."""
        return unpack_telemetry(self.moves[len(self.opening) :], self.telemetry)


def pack_telemetry(moves: Sequence[MoveRecord]) -> bytes:
    """Times as floats of 4 bytes, scores of 8; nodes and depths as integers, -1 if unknown."""
    if not moves:
        return b""
    _, seconds, cpu, score, depth, nodes = zip(*moves, strict=True)
    packed = (
        array("f", seconds),
        array("f", cpu),
        array("d", [nan if number is None else number for number in score]),
        array("q", [_known(number, 2**63) for number in nodes]),
        array("h", [_known(number, 2**15) for number in depth]),
    )
    return b"".join([numbers.tobytes() for numbers in packed])


def unpack_telemetry(columns: bytes, packed: bytes) -> list[MoveRecord]:
    """The moves that `pack_telemetry` packed; the columns are kept beside it."""
    if not packed:  # a game that was cut short: the table took the telemetry with it
        return []
    count, at = len(columns), 0
    read: list[array[float] | array[int]] = []
    for kind, size in (("f", 4), ("f", 4), ("d", 8), ("q", 8), ("h", 2)):
        values = array(kind)
        values.frombytes(packed[at : at + count * size])
        at += count * size
        read.append(values)
    return [
        MoveRecord(
            column,
            seconds,
            cpu,
            None if isnan(score) else score,
            None if depth == UNKNOWN else int(depth),
            None if nodes == UNKNOWN else int(nodes),
        )
        for column, seconds, cpu, score, nodes, depth in zip(columns, *read, strict=True)
    ]


def _known(count: int | None, bound: int) -> int:
    return UNKNOWN if count is None or not 0 <= count < bound else count
