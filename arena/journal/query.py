"""Which games to read: filters as SQL, and pages so that a slow reader never holds up a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from arena.journal.layout import COLUMNS
from arena.play.record import GOOD_ENDS
from arena.play.row import GameRow

PAGE = 500  # games read at a time; SQLite allows 999 values in a statement

Condition = tuple[str, list[Any]]
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

    def condition(self) -> Condition:
        """This filter as SQL with its values."""
        against = None if self.result is None else -self.result
        seats = [_all(first=self.player, second=self.opponent, result=self.result)]
        if self.player is not None or self.opponent is not None:
            seats.append(_all(first=self.opponent, second=self.player, result=against))
        rest, values = _all(reason=self.reason, round=self.round)
        sql = f"({' OR '.join(words for words, _ in seats)}) AND {rest}"
        if self.bad:
            sql += f" AND reason NOT IN ({_marks(GOOD_ENDS)})"
        more = list(GOOD_ENDS) if self.bad else []
        return sql, [value for _, each in seats for value in each] + values + more


def read_rows(
    fetch: Fetch, wanted: Filter, numbers: Iterable[int] | None, telemetry: bool
) -> Iterator[GameRow]:
    """The games in order of their number, a page at a time."""
    sql, values = wanted.condition()
    chosen = f"SELECT {select(telemetry)} FROM games WHERE {sql} AND "
    if numbers is not None:
        asked = sorted(set(numbers))
        for start in range(0, len(asked), PAGE):
            some = asked[start : start + PAGE]
            within = f"number IN ({_marks(some)}) ORDER BY number"
            yield from (GameRow(*row) for row in fetch(chosen + within, values + some))
        return
    last, full = -1, True
    while full:
        page = fetch(f"{chosen} number > ? ORDER BY number LIMIT {PAGE}", [*values, last])
        yield from (GameRow(*row) for row in page)
        full = len(page) == PAGE
        last = page[-1][0] if full else last


def select(telemetry: bool) -> str:
    """The columns in the order of GameRow's fields."""
    return ", ".join((*COLUMNS[:-1], "telemetry" if telemetry else "x''", COLUMNS[-1]))


def _all(**wanted: Any) -> Condition:
    """All these columns have these values; None stands for any."""
    known = {name: value for name, value in wanted.items() if value is not None}
    return " AND ".join(f"{name} = ?" for name in known) or "1", list(known.values())


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
