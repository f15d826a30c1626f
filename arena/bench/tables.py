"""Games of random against random, with telemetry and journal, to measure the harness."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import multiprocess

from arena.bots.hosted import Terms
from arena.engine.contract import Limits
from arena.game.rules import CONNECT4
from arena.journal import Contestant, Header, Journal
from arena.table.channel import Heartbeat
from arena.table.local import LocalRunner
from arena.table.runner import GameOver, Seating
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.games import Player, ScheduledGame
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule

NAMES = ("random 1", "random 2")


def seating() -> Seating:
    """Two random players."""
    options: dict[str, Any] = {}
    players = tuple(Player(name, "random", options, Limits(depth=1)) for name in NAMES)
    return Seating(CONNECT4, players, Terms(memory=None))


def heartbeat() -> Heartbeat:
    """A heartbeat in shared memory, as a table has."""
    return Heartbeat(multiprocess.get_context("spawn"))


def fresh_agenda(games: int) -> Agenda:
    """A schedule of two players, with no game played yet."""
    schedule = Schedule(RoundRobin(), 2, games, True, NoOpenings(), 1)
    return Agenda(schedule, frozenset(), list)


@contextmanager
def journal() -> Iterator[Journal]:
    """Open a temporary journal."""
    players = tuple(Contestant(name, "random", {}, "depth=1") for name in NAMES)
    header = Header("bench", "connect4", 1, "", {}, "bench", players, {}, time.time())
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(Path(folder) / "games.db", header) as written,
    ):
        yield written


def record(events: Sequence[object], written: Journal, agenda: Agenda) -> int:
    """Write finished games in one commit, as a run does, and return their number."""
    rows = [event.game for event in events if isinstance(event, GameOver)]
    written.write(*rows)
    agenda.done(*[row.number for row in rows])
    return len(rows)


class OwnerTimes(NamedTuple):
    """The speed of tables, and the time of their owner in seconds per game."""

    rate: float  # games a second
    whole: float  # processor time
    journal: float
    schedule: float

    @property
    def rest(self) -> float:
        """Pipes, events, and checks of the tables."""
        return max(0.0, self.whole - self.journal - self.schedule)


class TimedGames:
    """An agenda that measures the seconds spent taking games from it."""

    def __init__(self, agenda: Agenda) -> None:
        self.agenda, self.seconds = agenda, 0.0
        self.put_back, self.give_up = agenda.put_back, agenda.give_up

    def take_some(self, most: int) -> list[ScheduledGame]:
        """The next games."""
        begun = time.perf_counter()
        games = self.agenda.take_some(most)
        self.seconds += time.perf_counter() - begun
        return games


def on_tables(games: int, workers: int) -> OwnerTimes:
    """Play games on tables; the first quarter warms up and is not measured."""
    runner = LocalRunner(seating(), workers)
    with journal() as written:
        agenda = fresh_agenda(games)
        taken = TimedGames(agenda)
        counted, recording, before = 0, 0.0, (0, 0.0, 0.0, 0.0, 0.0)

        def now() -> tuple[int, float, float, float, float]:
            clocks = time.perf_counter(), time.process_time()
            return counted, *clocks, recording, taken.seconds

        try:
            for events in runner.play(taken):
                begun = time.thread_time()
                counted += record(events, written, agenda)
                recording += time.thread_time() - begun
                if not before[0] and counted >= games // 4:
                    before = now()
            count, wall, *seconds = (
                after - earlier for after, earlier in zip(now(), before, strict=True)
            )
            return OwnerTimes(count / wall, *(each / count for each in seconds))
        finally:
            runner.close()
