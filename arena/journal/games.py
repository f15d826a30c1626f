"""The table of games: which are there, whether they are sound, and how they are read, by the page.

Every game has a checksum, and its telemetry, which is not read by everybody, one of its own. CRC-32
finds every change of up to 32 neighbouring bits, and of random damages it misses one in four
thousand million. It costs a game a microsecond, where writing it costs five and more. A game from
before checksums is trusted if it can be a game of its tournament. Games are checked before they are
filtered: a damaged one may not even look like what is asked for.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from arena.game.position import STEAL
from arena.journal.errors import BadJournal, Damage, damaged
from arena.journal.records import COLUMNS as OTHER_COLUMNS
from arena.journal.records import Header, checksum_of_values, whole
from arena.table.game import MOVE_BYTES, Game

TABLE = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY CHECK (number >= 0), round INTEGER NOT NULL,
    first INTEGER NOT NULL, second INTEGER NOT NULL, opening BLOB NOT NULL, moves BLOB NOT NULL,
    result INTEGER NOT NULL CHECK (result BETWEEN -1 AND 1), reason TEXT NOT NULL,
    detail TEXT NOT NULL, seed INTEGER NOT NULL, started REAL NOT NULL, seconds REAL NOT NULL,
    log TEXT NOT NULL, checksum INTEGER NOT NULL, telemetry_checksum INTEGER NOT NULL,
    telemetry BLOB NOT NULL)
"""
# The order of the fields of Game, but for the telemetry: long, and last, as it is seldom read.
COLUMNS = tuple(field.name for field in fields(Game) if field.name != "telemetry")
INSERT = (
    f"INSERT INTO games ({', '.join(COLUMNS)}, telemetry, checksum, telemetry_checksum) "
    f"VALUES ({', '.join('?' * 16)})"
)
PAGE = 500  # games read at a time; SQLite allows 999 values in a statement
MISSING = 5000  # numbers in a row that cannot be read before nothing is expected behind them
LATEST = 2.5e11  # seconds since 1970: the year 9892, the last that a date can be written of
FIXED = struct.Struct("<qqqqqqddIIII")  # the numbers of a game, and how long its other parts are
SHIFT = 16  # numbers in a leaf, as a power of two
LEAF = 1 << SHIFT

Fetch = Callable[[str, list[Any]], list[Any]]


class Numbers:
    """A set of whole numbers from 0, in leaves of 65536 bits; a million cost 125 kB."""

    __slots__ = ("_count", "_leaves")

    def __init__(self) -> None:
        self._leaves: dict[int, bytearray] = {}
        self._count = 0

    def add(self, *numbers: int) -> None:
        """Put numbers in; once is enough."""
        leaves = self._leaves
        for number in numbers:
            if number < 0:
                raise ValueError(f"games are numbered from 0, not {number}")
            leaf = leaves.get(number >> SHIFT)
            if leaf is None:
                leaf = leaves[number >> SHIFT] = bytearray(LEAF // 8)
            place, bit = (number & LEAF - 1) >> 3, 1 << (number & 7)
            self._count += not leaf[place] & bit
            leaf[place] |= bit

    def fill(self, leaf: int) -> None:
        """Put all numbers of a leaf in."""
        before = self._leaves.get(leaf, b"")
        self._count += LEAF - sum(byte.bit_count() for byte in before)
        self._leaves[leaf] = bytearray(b"\xff" * (LEAF // 8))

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        leaf = self._leaves.get(number >> SHIFT)
        return leaf is not None and bool(leaf[(number & LEAF - 1) >> 3] >> (number & 7) & 1)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        for key in sorted(self._leaves):
            for place, byte in enumerate(self._leaves[key]):
                if byte:
                    start = (key << SHIFT) + (place << 3)
                    yield from (start + bit for bit in range(8) if byte >> bit & 1)


def read_numbers(fetch: Fetch) -> Numbers:
    """The numbers of all games of a sound journal, a leaf at a time."""
    numbers, after = Numbers(), 0
    following = "SELECT number FROM games WHERE number >= ? ORDER BY number LIMIT 1"
    while ahead := fetch(following, [after]):
        leaf = ahead[0][0] >> SHIFT
        first, after = leaf << SHIFT, (leaf + 1) << SHIFT
        within = f"FROM games WHERE number >= {first} AND number < {after}"
        if fetch(f"SELECT count(*) {within}", [])[0][0] == LEAF:
            numbers.fill(leaf)
        else:
            for (number,) in fetch(f"SELECT number {within}", []):
                numbers.add(number)
    return numbers


def checksum_of_game(row: Game) -> int:
    """The checksum of all of a game but its telemetry."""
    numbers = FIXED.pack(
        row.number, row.round, row.first, row.second, row.result, row.seed, row.started,
        row.seconds, len(row.opening), len(row.moves), len(row.reason), len(row.detail),
    )  # fmt: skip
    words = (row.reason + row.detail + row.log).encode()
    return crc32(b"".join((numbers, row.opening, row.moves, words)))


def values_of(row: Game) -> tuple[Any, ...]:
    """What is inserted for a game."""
    return (
        row.number, row.round, row.first, row.second, row.opening, row.moves, row.result,
        row.reason, row.detail, row.seed, row.started, row.seconds, row.log, row.telemetry,
        checksum_of_game(row), crc32(row.telemetry),
    )  # fmt: skip


def with_whole_words(row: Game) -> Game:
    """The same game without halves of characters, which no file can hold."""
    reason, detail, log = map(whole, (row.reason, row.detail, row.log))
    return replace(row, reason=reason, detail=detail, log=log)


def is_plausible(row: Game, header: Header) -> bool:
    """Whether a row without a checksum can be a game of this tournament."""
    players, rules = len(header.players), header.rules
    numbers = (row.number, row.round, row.first, row.second, row.result, row.seed)
    times = (row.started, row.seconds)
    texts, blobs = (row.reason, row.detail, row.log), (row.opening, row.moves, row.telemetry)
    return (
        all(type(number) is int for number in numbers)
        and all(type(time) is float and abs(time) < LATEST for time in times)
        and all(type(text) is str for text in texts)
        and all(type(blob) is bytes for blob in blobs)
        and row.number >= 0
        and 0 <= row.first < players
        and 0 <= row.second < players
        and row.result in (-1, 0, 1)
        and len(row.moves) <= rules.max_moves
        and all(move < rules.columns or (move == STEAL and rules.pie) for move in row.moves)
        and row.moves.startswith(row.opening)
        and len(row.telemetry) in (0, MOVE_BYTES * (len(row.moves) - len(row.opening)))
    )


def add_checksums(connection: sqlite3.Connection) -> None:
    """Give every row of a journal of layout 1 its checksum."""

    def of_game(*values: Any) -> int:
        row = dict(zip(COLUMNS, values, strict=True))
        return checksum_of_game(Game(**row, telemetry=b""))

    connection.create_function("of_game", -1, of_game)
    connection.create_function("of_telemetry", 1, crc32)
    connection.create_function("of_values", -1, checksum_of_values)
    new = [
        ("games", "checksum", f"of_game({', '.join(COLUMNS)})"),
        ("games", "telemetry_checksum", "of_telemetry(telemetry)"),
    ]
    for table in ("meta", "players", "sessions", "events"):
        new.append((table, "checksum", f"of_values({', '.join(OTHER_COLUMNS[table])})"))
    for table, column, value in new:
        connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT -1")
        connection.execute(f"UPDATE {table} SET {column} = {value}")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads games by their numbers, checked; what is damaged is noted and left out.

    A page is read at a time, so that a slow reader never holds up a run.
    """

    fetch: Fetch
    path: Path
    header: Header
    damage: Damage
    has_checksums: bool
    telemetry: bool
    strict: bool  # any damage is an error: who writes to a journal must trust all of it

    def rows(self, numbers: Iterable[int] | None) -> Iterator[Game]:
        """The games in order of their number; all of them, or those of these numbers."""
        if numbers is None:
            yield from self._all()
            return
        asked = sorted(set(numbers))
        for start in range(0, len(asked), PAGE):
            yield from self._some(asked[start : start + PAGE])

    def _all(self) -> Iterator[Game]:
        last = -1
        page: list[Any] = [()]
        sql = self._select(f"number > ? ORDER BY number LIMIT {PAGE}")
        while page:
            try:
                page = self.fetch(sql, [last])
                ends = len(page) < PAGE
            except BadJournal as error:
                self._note_part(last, error)
                page, ends = self._next_readable(last), False
            sound = [row for row in self._checked(page) if row.number > last]
            yield from sound
            reached = max([row.number for row in sound] or [row[0] for row in page] or [last])
            if ends or reached <= last:  # numbers that go back are a damage too
                return
            last = reached

    def _next_readable(self, last: int) -> list[Any]:
        """The first game behind a part of the file that cannot be read."""
        sql = self._select("number = ?")
        for number in range(last + 1, last + 1 + MISSING):
            with suppress(BadJournal):
                if page := self.fetch(sql, [number]):
                    return page
        return []

    def _some(self, numbers: list[int]) -> Iterator[Game]:
        marks = ", ".join("?" * len(numbers))
        try:
            page = self.fetch(self._select(f"number IN ({marks}) ORDER BY number"), numbers)
        except BadJournal as error:
            if len(numbers) == 1:
                self._note_part(numbers[0] - 1, error)
                return
            for number in numbers:
                yield from self._some([number])
            return
        yield from self._checked(page)

    def _select(self, where: str) -> str:
        """A query for the fields of Game in their order, and for two checksums."""
        telemetry = "telemetry" if self.telemetry else "x''"
        checksums = "checksum, telemetry_checksum" if self.has_checksums else "NULL, NULL"
        columns = ", ".join((*COLUMNS[:-1], telemetry, COLUMNS[-1], checksums))
        return f"SELECT {columns} FROM games WHERE {where}"

    def _checked(self, page: list[Any]) -> Iterator[Game]:
        """The games of a page that are what was written."""
        for *values, checksum, of_telemetry in page:
            row = Game(*values)
            if self._is_sound(row, checksum, of_telemetry):
                yield row
                continue
            self.damage.games.add(row.number)
            if self.strict:
                raise damaged(self.path, self.damage)

    def _is_sound(self, row: Game, checksum: object, of_telemetry: object) -> bool:
        if not self.has_checksums:
            return is_plausible(row, self.header)
        try:
            return (
                checksum_of_game(row) == checksum
                and max(row.first, row.second) < len(self.header.players)
                and (not self.telemetry or crc32(row.telemetry) == of_telemetry)
            )
        except (ValueError, TypeError, struct.error):  # values of other kinds: these are not ours
            return False

    def _note_part(self, number: int, error: BadJournal) -> None:
        """A part of the file cannot be read, behind the game of this number."""
        if self.strict:
            raise error
        self.damage.note(f"a part of the file behind game {number}" if number >= 0 else "its start")
