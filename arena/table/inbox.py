"""The inbox of a table: the games that its owner wants played, and the lessons it asks for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from arena.table.game import Game
from arena.table.lessons import PAGE, LessonsWanted
from arena.table.wire import Wire
from arena.tournament.schedule import ScheduledGame


class Inbox:
    """What the owner sends; games that come while the table waits for lessons are kept."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.kept: deque[ScheduledGame | int] = deque()

    def next(self) -> ScheduledGame | int:
        """The next game to play or player to check."""
        while not self.kept:
            self._keep(self.wire.receive())
        return self.kept.popleft()

    def _keep(self, message: list[tuple[Any, ...]] | int) -> None:
        if isinstance(message, int):
            self.kept.append(message)
        else:
            self.kept.extend(map(ScheduledGame._make, message))

    def lessons(self, player: int, after: int, before: int) -> Iterator[Game]:
        """The games of a player between two numbers, as the owner has them."""
        page: tuple[Game, ...] | None = None
        while page is None or len(page) == PAGE:
            self.wire.send(LessonsWanted(player, after, before))
            while not isinstance(message := self.wire.receive(), tuple):
                self._keep(message)
            page = message
            yield from page
            after = page[-1].number if page else after
