"""A worker of a cluster as its owner at home knows it, and what may come from it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.table.channel import Thinking
from arena.table.dask.room import CHUNK, Glimpse, Played, Proof, rows_in
from arena.table.runner import TableView
from arena.tournament.schedule import ScheduledGame


class FarTable:
    """A table of a worker, as far as it is seen from here: the games that were sent there.

    What is on it is shown as it was at the last look, and stands still until the next one.
    """

    def __init__(self, empty: TableView) -> None:
        self.empty, self.number = empty, empty.number
        self.game: ScheduledGame | None = None
        self.glimpse: Glimpse | None = None
        self.chunk = -1  # that the game on it belongs to
        self.is_watched = False  # since the last look

    def see(self, glimpse: Glimpse, chunk: int, game: ScheduledGame) -> None:
        """A look has shown this game of a chunk on it."""
        self.glimpse, self.chunk, self.game = glimpse, chunk, game

    def view(self) -> TableView:
        """The table as it was at the last look."""
        self.is_watched = True
        seen, view = self.glimpse, self.empty._replace(game=self.game)
        if seen is None or self.game is None or seen.game != self.game.number:
            return view
        since = time.monotonic() - seen.thought
        thinking = Thinking(seen.game, seen.seat, since, 0.0, seen.used)
        return view._replace(moves=seen.moves, thinking=thinking)


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
