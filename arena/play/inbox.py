"""Messages between a table and its owner, and the inbox in which a table finds its own."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator
from typing import Any

from arena.play.lessons import PAGE, LessonsWanted
from arena.play.record import GameRow
from arena.tournament.schedule import ScheduledGame


def send(pipe: Any, message: object) -> None:
    """Send by the standard pickle: that of `multiprocess` takes anything, but takes its time."""
    pipe.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(pipe: Any) -> Any:
    """What was sent."""
    return pickle.loads(pipe.recv_bytes())


class Inbox:
    """What the owner sends; games that come while the table waits for lessons are kept."""

    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe
        self.kept: deque[ScheduledGame | int] = deque()

    def next(self) -> ScheduledGame | int:
        """The next game to play or player to check."""
        message: ScheduledGame | int = self.kept.popleft() if self.kept else receive(self.pipe)
        return message

    def lessons(self, player: int, after: int, before: int) -> Iterator[GameRow]:
        """The games of a player between two numbers, as the owner has them."""
        page: list[GameRow] | None = None
        while page is None or len(page) == PAGE:
            send(self.pipe, LessonsWanted(player, after, before))
            while not isinstance(message := receive(self.pipe), list):
                self.kept.append(message)
            page = message
            yield from page
            after = page[-1].number if page else after
