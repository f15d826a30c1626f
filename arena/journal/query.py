"""Which games to read: filters, checksums, and pages so that a slow reader never holds up a run.

A game is checked before it is filtered: a damaged one may not even look like what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from arena.journal.checksums import is_sound, is_sound_telemetry
from arena.journal.errors import BadJournal
from arena.journal.tables import CHECKSUMS, COLUMNS
from arena.play.record import GOOD_ENDS, GameRow

PAGE = 500  # games read at a time; SQLite allows 999 values in a statement
MISSING = 5000  # numbers in a row that cannot be read before nothing is expected behind them

Fetch = Callable[[str, list[Any]], list[Any]]


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
    """Reads games by their numbers, checked; what is damaged is told and left out."""

    fetch: Fetch
    telemetry: bool
    has_checksums: bool
    players: int  # in the line-up, as far as it is known
    is_plausible: Callable[[GameRow], bool]
    damaged: Callable[[int], None]  # a game, by its number
    unreadable: Callable[[int, BadJournal], None]  # a part of the file, behind this game

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
                self.unreadable(last, error)
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
                self.unreadable(numbers[0] - 1, error)
                return
            for number in numbers:
                yield from self._some([number])
            return
        yield from self._checked(page)

    def _checked(self, page: list[Any]) -> Iterator[GameRow]:
        """The games of a page that are what was written."""
        for *values, checksum, of_telemetry in page:
            row = GameRow(*values)
            if self.has_checksums:
                sound = is_sound(row, checksum) and max(row.first, row.second) < self.players
                if sound and self.telemetry:
                    sound = is_sound_telemetry(row.telemetry, of_telemetry)
            else:
                sound = self.is_plausible(row)
            if sound:
                yield row
            else:
                self.damaged(row.number)

    def _select(self, where: str) -> str:
        extra = ", ".join(CHECKSUMS) if self.has_checksums else "NULL, NULL"
        return f"SELECT {select(self.telemetry)}, {extra} FROM games WHERE {where}"


def select(telemetry: bool) -> str:
    """The columns in the order of GameRow's fields."""
    return ", ".join((*COLUMNS[:-1], "telemetry" if telemetry else "x''", COLUMNS[-1]))
