"""Which games are there, and which to read: numbers, filters, checksums, and pages.

A game is checked before it is filtered: a damaged one may not even look like what is asked for.
Games are read a page at a time, so that a slow reader never holds up a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.journal.errors import BadJournal, damaged
from arena.journal.header import Header
from arena.journal.schema import CHECKSUMS, COLUMNS
from arena.journal.soundness import Damage, is_plausible, is_sound, is_sound_telemetry
from arena.play.record import GOOD_ENDS, GameRow

PAGE = 500  # games read at a time; SQLite allows 999 values in a statement
MISSING = 5000  # numbers in a row that cannot be read before nothing is expected behind them
SHIFT = 16  # numbers in a leaf, as a power of two
LEAF = 1 << SHIFT
FULL = b"\xff" * (LEAF // 8)

Fetch = Callable[[str, list[Any]], list[Any]]


class Numbers:
    """A set of whole numbers from 0, in leaves of 65536 bits; a million cost 125 kB."""

    __slots__ = ("_count", "_leaves")

    def __init__(self) -> None:
        self._leaves: dict[int, bytearray] = {}
        self._count = 0

    def add(self, number: int) -> None:
        """Put a number in; once is enough."""
        if number < 0:
            raise ValueError(f"games are numbered from 0, not {number}")
        leaf = self._leaves.get(number >> SHIFT)
        if leaf is None:
            leaf = self._leaves[number >> SHIFT] = bytearray(LEAF // 8)
        place, bit = (number & LEAF - 1) >> 3, 1 << (number & 7)
        self._count += not leaf[place] & bit
        leaf[place] |= bit

    def fill(self, leaf: int) -> None:
        """Put all numbers of a leaf in."""
        before = self._leaves.get(leaf, b"")
        self._count += LEAF - sum(byte.bit_count() for byte in before)
        self._leaves[leaf] = bytearray(FULL)

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


@dataclass(frozen=True, slots=True)
class Filter:
    """Which games are wanted; players are numbers in the line-up, what is None does not matter.

    The result is that of the player, or of the first player where no player is named.
    """

    player: int | None = None
    opponent: int | None = None
    result: int | None = None
    reason: str | None = None
    round: int | None = None
    bad: bool = False  # only those that ended by somebody's fault

    def takes(self, row: GameRow) -> bool:
        """Whether a game is wanted."""
        return (
            self.reason in (None, row.reason)
            and self.round in (None, row.round)
            and not (self.bad and row.reason in GOOD_ENDS)
            and self._takes_seats(row)
        )

    def _takes_seats(self, row: GameRow) -> bool:
        if self._fits(row.first, row.second, row.result):
            return True
        named = self.player is not None or self.opponent is not None
        return named and self._fits(row.second, row.first, -row.result)

    def _fits(self, mine: int, theirs: int, result: int) -> bool:
        return (
            self.player in (None, mine)
            and self.opponent in (None, theirs)
            and self.result in (None, result)
        )


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads games by their numbers, checked; what is damaged is noted and left out."""

    fetch: Fetch
    path: Path
    header: Header
    damage: Damage
    has_checksums: bool
    telemetry: bool
    strict: bool  # any damage is an error: who writes to a journal must trust all of it

    def rows(self, numbers: Iterable[int] | None) -> Iterator[GameRow]:
        """The games in order of their number, a page at a time."""
        if numbers is None:
            yield from self._all()
            return
        asked = sorted(set(numbers))
        for start in range(0, len(asked), PAGE):
            yield from self._some(asked[start : start + PAGE])

    def _all(self) -> Iterator[GameRow]:
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

    def _some(self, numbers: list[int]) -> Iterator[GameRow]:
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

    def _checked(self, page: list[Any]) -> Iterator[GameRow]:
        """The games of a page that are what was written."""
        players = len(self.header.players)
        for *values, checksum, of_telemetry in page:
            row = GameRow(*values)
            if self.has_checksums:
                sound = is_sound(row, checksum) and max(row.first, row.second) < players
                if sound and self.telemetry:
                    sound = is_sound_telemetry(row.telemetry, of_telemetry)
            else:
                sound = is_plausible(row, self.header)
            if sound:
                yield row
            else:
                self._note_game(row.number)

    def _note_game(self, number: int) -> None:
        self.damage.games.add(number)
        if self.strict:
            raise damaged(self.path, str(self.damage))

    def _note_part(self, number: int, error: BadJournal) -> None:
        """A part of the file cannot be read, behind the game of this number."""
        if self.strict:
            raise error
        self.damage.note(f"a part of the file behind game {number}" if number >= 0 else "its start")

    def _select(self, where: str) -> str:
        extra = ", ".join(CHECKSUMS) if self.has_checksums else "NULL, NULL"
        return f"SELECT {select(self.telemetry)}, {extra} FROM games WHERE {where}"


def select(telemetry: bool) -> str:
    """The columns in the order of GameRow's fields."""
    return ", ".join((*COLUMNS[:-1], "telemetry" if telemetry else "x''", COLUMNS[-1]))
