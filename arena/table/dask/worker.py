"""A worker of a cluster as its owner at home knows it, and what may come from it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.table.dask.room import CHUNK, Glimpse, Played, Proof, rows_in
from arena.table.heartbeat import Heartbeat, Thinking
from arena.table.table import TablePlace
from arena.tournament.schedule import ScheduledGame


class FarTable:
    """A table of a worker, as far as it is seen from here: the games that were sent there.

    What is on it is shown as it was at the last look, and stands still until the next one.
    """

    def __init__(self, number: int, place: TablePlace) -> None:
        self.number, self.place = number, place
        self.games: deque[ScheduledGame] = deque()
        self.heartbeat = Heartbeat(_Plain())
        self.glimpse: Glimpse | None = None
        self.chunk = -1  # that the game on it belongs to
        self.is_watched = False  # since the last look

    def see(self, glimpse: Glimpse, chunk: int, game: ScheduledGame) -> None:
        """A look has shown this game of a chunk on it."""
        self.glimpse, self.chunk, self.games = glimpse, chunk, deque([game])
        self.heartbeat.begin_game(glimpse.game, tuple(glimpse.moves))

    def thinking(self) -> Thinking | None:
        """Who was thinking there at the last look; None before the first one."""
        self.is_watched = True
        seen = self.glimpse
        if seen is None:
            return None
        since = time.monotonic() - seen.thought
        return Thinking(seen.game, seen.seat, since, 0.0, seen.used)


class _Plain:
    """Stands in for a process context where nothing is shared."""

    def RawArray(self, kind: str, size: int) -> list[float]:  # noqa: N802  # its name there
        return [0] * size


@dataclass
class Worker:
    """A worker that has proven itself."""

    address: str
    proof: Proof
    tables: list[FarTable]
    most: int  # games of a chunk
    size: int = 1  # games of its next chunk
    chunks: dict[int, list[ScheduledGame]] = field(default_factory=dict)
    failures: int = 0  # in a row

    @property
    def name(self) -> str:
        """How a user knows it."""
        return f"{self.address} on {self.proof.host}"

    @property
    def ahead(self) -> int:
        """How many chunks it is given; where games are long, none waits for another's end."""
        return len(self.tables) * (2 if self.size > 1 else 1)

    def see(self, glimpse: Glimpse) -> None:
        """A look has shown a game on one of its tables, if that is still one of those sent."""
        for number, games in self.chunks.items():
            for game in games:
                if game.number == glimpse.game:
                    self.tables[glimpse.table % len(self.tables)].see(glimpse, number, game)
                    return

    def measure(self, played: Played) -> None:
        """Size its next chunk by this one, so that it takes about a second."""
        games = rows_in(played)
        fitting = int(games * CHUNK / max(played.seconds, 1e-3))
        self.size = max(1, min(fitting, 2 * self.size, self.most))


@dataclass(frozen=True)
class ChunkBack:
    """A worker has answered to a chunk, or failed to."""

    chunk: int
    answer: Played | BaseException


@dataclass(frozen=True)
class Counted:
    """The workers that are there, by their threads."""

    workers: Mapping[str, int]


@dataclass(frozen=True)
class Joined:
    """A worker that came later has proven itself, or why it could not."""

    address: str
    proof: Proof | BaseException
