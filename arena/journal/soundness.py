"""What of a journal can be trusted: a checksum for each row, and what was found damaged.

CRC-32 finds every change of up to 32 neighbouring bits, and of random damages it misses one in four
thousand million. It costs a game two microseconds, a hundredth of what its commit costs. A game
from before checksums is trusted if it can be a game of its tournament.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from zlib import crc32

from arena.journal.header import Header
from arena.play.record import MOVE_BYTES, GameRow

FIXED = struct.Struct("<qqqqqqddIIII")  # the numbers of a game, and how long its other parts are
SHOWN = 8  # numbers of games in a sentence
LATEST = 2.5e11  # seconds since 1970: the year 9892, the last that a date can be written of


@dataclass
class Damage:
    """What was found damaged so far, by whoever has read it; it is left out."""

    games: set[int] = field(default_factory=set)
    others: dict[str, None] = field(default_factory=dict)  # in words, each once, in order

    def __bool__(self) -> bool:
        return bool(self.games or self.others)

    def note(self, what: str) -> None:
        """Something besides a game is damaged."""
        self.others[what] = None

    def __str__(self) -> str:
        parts = [*self.others, *([numbered(self.games)] if self.games else [])]
        return ", ".join(parts)


def numbered(games: set[int]) -> str:
    """Games by their numbers: "3 games (4, 7, 9)"."""
    numbers = ", ".join(map(str, sorted(games)[:SHOWN])) + (", .." if len(games) > SHOWN else "")
    return f"game {numbers}" if len(games) == 1 else f"{len(games)} games ({numbers})"


def checksum_of_game(row: GameRow) -> int:
    """The checksum of all of a game but its telemetry, which is not read by everybody."""
    numbers = FIXED.pack(
        row.number, row.round, row.first, row.second, row.result, row.seed, row.started,
        row.seconds, len(row.opening), len(row.moves), len(row.reason), len(row.detail),
    )  # fmt: skip
    words = (row.reason + row.detail + row.log).encode()
    return crc32(b"".join((numbers, row.opening, row.moves, words)))


def checksum_of_values(values: Iterable[object]) -> int:
    """The checksum of the values of any other row: texts, numbers, or nothing."""
    return crc32(json.dumps(list(values)).encode())


def is_sound(row: GameRow, checksum: object) -> bool:
    """Whether a game is the one that this checksum was made of, its telemetry aside."""
    try:
        return checksum_of_game(row) == checksum
    except (ValueError, TypeError, struct.error):  # values of other kinds: these are not ours
        return False


def is_sound_telemetry(telemetry: object, checksum: object) -> bool:
    """Whether the telemetry of a game is what this checksum was made of."""
    return isinstance(telemetry, bytes) and crc32(telemetry) == checksum


def is_plausible(row: GameRow, header: Header) -> bool:
    """Whether a row without a checksum can be a game of this tournament."""
    players, rules = len(header.players), header.rules
    numbers = (row.number, row.round, row.first, row.second, row.result, row.seed)
    times = (row.started, row.seconds)
    texts, blobs = (row.reason, row.detail, row.log), (row.opening, row.moves, row.telemetry)
    if not (
        all(type(number) is int for number in numbers)
        and all(type(time) is float and abs(time) < LATEST for time in times)
        and all(type(text) is str for text in texts)
        and all(type(blob) is bytes for blob in blobs)
    ):
        return False
    return (
        row.number >= 0
        and 0 <= row.first < players
        and 0 <= row.second < players
        and row.result in (-1, 0, 1)
        and len(row.moves) <= rules.cells
        and max(row.moves, default=0) < rules.columns
        and row.moves.startswith(row.opening)
        and len(row.telemetry) in (0, MOVE_BYTES * (len(row.moves) - len(row.opening)))
    )
