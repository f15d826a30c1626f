"""Grace: time that is given back to an engine whose table was held up, as nobody could think."""

from __future__ import annotations

import time

from arena.table.channel import Thinking
from arena.table.table import Table

LONG = 1.0  # seconds between two looks after which it is clear that this process stood still
SPARE = 1.0  # seconds more for an engine that was held up


class Grace:
    """What was lost at each table during the move that is being thought of there.

    A run may be stopped as a whole (Ctrl-Z, a frozen machine) or one table alone. Of the first the
    owner knows by its own looks, which come late; of the second the system tells.
    """

    def __init__(self) -> None:
        self.awake = time.monotonic()
        self.asleep = 0.0  # seconds in which this process stood still
        self.lost: dict[int, tuple[float, float]] = {}  # by table: when it was asked, seconds

    def deadline(self, table: Table, thinking: Thinking, now: float) -> float:
        """When no answer is expected any more."""
        lost = self.lost_by(table, thinking)
        if lost:
            thinking = thinking._replace(allowed=thinking.allowed + lost + SPARE)
        return table.deadline(thinking, now)

    def lost_by(self, table: Table, thinking: Thinking) -> float:
        """Seconds of this move in which nothing ran at the table."""
        asked, seconds = self.lost.get(table.number, (0.0, 0.0))
        return seconds if asked == thinking.since else 0.0

    def look(self, tables: list[Table], now: float) -> bool:
        """Whether all stood still since the last look; what that took is given back."""
        asleep, self.awake = now - self.awake, now
        if asleep <= LONG:
            return False
        self.asleep += asleep
        for table in tables:
            self.give(table, asleep, now)
        return True

    def time_awake(self) -> float:
        """A clock in seconds that stood still when this process did."""
        since = time.monotonic() - self.awake  # after a pause, nobody may have looked yet
        return self.awake - self.asleep + (since if since <= LONG else 0.0)

    def give(self, table: Table, seconds: float, now: float) -> None:
        """So many seconds have passed in which nothing ran at a table."""
        thinking = table.thinking()
        if thinking is not None:
            lost = min(seconds, max(0.0, now - thinking.since))
            self.lost[table.number] = (thinking.since, self.lost_by(table, thinking) + lost)
