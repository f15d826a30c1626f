"""A worker of a cluster as its owner at home knows it, and what may come from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.play.heartbeat import Heartbeat, Thinking
from arena.runners.dask.room import CHUNK, Played, Proof, rows_in
from arena.tournament.schedule import ScheduledGame


class FarTable:
    """A table of a worker, as far as it is seen from here: the games that were sent there."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.games: deque[ScheduledGame] = deque()
        self.heartbeat = Heartbeat(_Plain())

    def thinking(self) -> Thinking | None:
        """Nobody sees who is thinking there."""
        return None


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
