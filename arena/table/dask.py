"""The cluster runner: Dask schedules chunks of games, and repeats those of lost workers.

A chunk may be played by any worker that has passed its check, and its result arrives once. Games
that were not played go back to the agenda: no game is lost or counted twice, and no engine is
blamed when a worker dies. Workers may come and go; each is checked before its first chunk.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from itertools import count
from queue import Empty, SimpleQueue
from typing import Literal, NamedTuple

from arena.errors import ClusterFailure
from arena.log import log
from arena.table.cluster import Cluster, learners_refused
from arena.table.dask_worker import CHUNK, PlayedChunk, WorkerInfo, play_chunk
from arena.table.local import LOOK_EVERY, PATIENT_ATTEMPTS
from arena.table.runner import (
    Event,
    GameOver,
    PlayerChecked,
    Seating,
    TableLost,
    TableView,
)
from arena.table.worker_pool import ALONE, Worker, WorkerPool, on_worker, sentence
from arena.timing import PAUSES
from arena.tournament.agenda import Agenda
from arena.tournament.games import ScheduledGame

MAX_GAMES = 2000  # of a chunk
QUICK = 2  # games of a chunk; of more of them viewers see only the ends

Concern = Literal["worker refused", "workers gone"]


class SentChunk(NamedTuple):
    """Games that were sent, and the workers that may play them."""

    games: dict[int, ScheduledGame]
    workers: frozenset[str]
    task: Future[None]  # which waits for the result


class DaskRunner:
    """Plays games on the workers of a cluster, at most `most` at the same time.

    `tick` receives views of all tables a few times a second; `tell` receives warnings about
    workers. A chunk has at most `max_games`.
    """

    agenda: Agenda

    def __init__(
        self,
        cluster: Cluster,
        seating: Seating,
        most: int | None = None,
        tick: Callable[[Sequence[TableView]], None] = lambda views: None,
        tell: Callable[[Concern, str], None] = lambda concern, words: None,
        max_games: int = MAX_GAMES,
    ) -> None:
        if seating.learners:
            raise learners_refused([seating.players[each].name for each in seating.learners])
        self.cluster, self.seating, self.most = cluster, seating, most
        self.tick, self.tell, self.max_games = tick, tell, max_games
        self.pool = WorkerPool(cluster, seating)
        self.sent: dict[int, SentChunk] = {}
        self.numbers = count()  # of chunks
        self.inbox: SimpleQueue[tuple[int, PlayedChunk | BaseException]] = SimpleQueue()
        self.size = 1  # games of the next chunk
        self.attempts: Counter[int] = Counter()  # at games whose chunk failed
        PAUSES.watch()
        self.hopeless: str | None = None
        self.looked = 0.0
        self.stopping = self.is_halted = self.is_alone = False

    def check(self, forfeit: bool = False) -> Iterator[PlayerChecked]:
        """Check all workers that are there, and every player on each of them."""
        checks = self._check_workers(forfeit)
        for player, entry in enumerate(self.seating.players):
            if entry.broken:
                yield PlayerChecked(player, f"engine {entry.name}: {entry.broken}")
                continue
            yield PlayerChecked(player, None, begun=True)
            found = [(info.players[player], address) for address, info in checks.items()]
            checked, address = max(found, key=_severity)
            if checked.wrong is None:
                yield checked
                continue
            yield replace(checked, wrong=on_worker(checked.wrong, address))
            if not forfeit:
                return
            broken = {**self.seating.broken, player: checked}
            self.seating = replace(self.seating, broken=broken)

    def _check_workers(self, forfeit: bool) -> dict[str, WorkerInfo]:
        """Check the workers that are there; any failure but a player's is an error."""
        self.cluster.first_workers()
        checks: dict[str, WorkerInfo] = {}
        while not self.pool.fit or self.pool.checking:
            if (why := self.pool.why_hopeless()) is not None:
                raise ClusterFailure(why)
            self.pool.update(self._sound(), forfeit)
            for address, info in self.pool.finished_checks():
                if isinstance(info, str):
                    raise ClusterFailure(info)
                self.pool.admit(address, info)
                checks[address] = info
            self.tick(())
            time.sleep(LOOK_EVERY)
        return checks

    def _sound(self) -> list[int]:
        """The players that have to get ready on every worker."""
        players = enumerate(self.seating.players)
        return [n for n, each in players if not each.broken and n not in self.seating.broken]

    def play(self, agenda: Agenda) -> Iterator[list[Event]]:
        """Play until the agenda is empty or `stop` was called; yield what happened since.

        The caller records the finished games, and then tells the agenda.
        """
        self.agenda = agenda
        while self.hopeless is None:
            self._send_chunks()
            if not self.sent and (self.stopping or (self.pool.fit and self.cluster.is_connected)):
                return
            events = [*self._receive(), *self._look_around()]
            if events:
                yield events

    def stop(self) -> None:
        """Begin no further game; the current ones are finished.

        A signal may call this at any moment, so the loop tells the workers.
        """
        self.stopping = True

    def close(self) -> None:
        """End all processes on the workers, whatever they are doing."""
        self._take_back([*self.sent])
        self.pool.close()

    def _send_chunks(self) -> None:
        """Keep every thread busy, and where games are quick, one more chunk waiting for it."""
        if self.stopping or not self.cluster.is_connected:
            return
        tables = min(self.pool.threads, self.most or self.pool.threads)
        ahead = 2 if self.size > 1 and self.most is None else 1
        while len(self.sent) < ahead * tables:
            games = self.agenda.take_some(self.size)
            if not games:
                return
            self._send(games)

    def _send(self, games: list[ScheduledGame]) -> None:
        number, workers = next(self.numbers), frozenset(self.pool.fit)
        task = self.cluster.start(self._play(number, games, workers, self.seating.broken))
        self.sent[number] = SentChunk({game.number: game for game in games}, workers, task)

    async def _play(
        self,
        number: int,
        games: list[ScheduledGame],
        workers: frozenset[str],
        broken: Mapping[int, PlayerChecked],
    ) -> None:
        answer: PlayedChunk | BaseException
        try:
            packed = pickle.dumps(games, pickle.HIGHEST_PROTOCOL)
            run = self.pool.run
            answer = pickle.loads(await self.cluster.ask(workers, play_chunk, run, packed, broken))
        except BaseException as error:  # from Dask: cancelled, disconnected, all workers killed
            answer = error
        self.inbox.put((number, answer))

    def _receive(self) -> Iterator[Event]:
        """Wait a moment for results, and read all that have arrived."""
        with suppress(Empty):
            yield from self._read(*self.inbox.get(timeout=LOOK_EVERY))
            while True:
                yield from self._read(*self.inbox.get_nowait())

    def _read(self, number: int, answer: PlayedChunk | BaseException) -> Iterator[Event]:
        """Report the games of a chunk; those that were not played go back to the agenda."""
        chunk = self.sent.pop(number, None)
        if chunk is None:  # its games went back long ago
            return
        if isinstance(answer, PlayedChunk):
            yield from self._report(chunk, answer)
        elif self.cluster.is_connected:
            yield from self._count_failure(chunk, sentence(answer))
        self._put_back(chunk)

    def _report(self, chunk: SentChunk, played: PlayedChunk) -> Iterator[Event]:
        worker = self.pool.fit.get(played.worker)
        table = 0 if worker is None else worker.tables[played.slot % len(worker.tables)]
        finished = [event.game.number for event in played.events if isinstance(event, GameOver)]
        if finished:
            fitting = int(len(finished) * CHUNK / max(played.seconds, 1e-3))
            self.size = max(1, min(fitting, 2 * self.size, self.max_games))
        for event in played.events:
            if isinstance(event, GameOver):
                if chunk.games.pop(event.game.number, None) is not None:
                    yield event._replace(table=table, host=played.host, speed=played.speed)
                continue
            if event.unplayed is not None and chunk.games.pop(event.unplayed, None) is not None:
                self.agenda.give_up(event.unplayed)
            yield replace(event, table=table)
        if worker is not None and played.is_unknown:  # the next look checks it again
            yield self._remove(worker, "was restarted")
        elif worker is not None and played.failure is not None:
            self._exclude(worker.address, on_worker(played.failure, worker.address))
            yield self._remove(worker, "is excluded")

    def _count_failure(self, chunk: SentChunk, why: str) -> Iterator[Event]:
        """Give up games whose chunks fail again and again, as when they kill their workers."""
        for number in [*chunk.games]:
            self.attempts[number] += 1
            if self.attempts[number] >= PATIENT_ATTEMPTS:
                del chunk.games[number]
                self.agenda.give_up(number)
                yield TableLost(0, f"failed {PATIENT_ATTEMPTS} times: {why}", None, number)

    def _put_back(self, chunk: SentChunk) -> None:
        for game in chunk.games.values():
            self.agenda.put_back(game)

    def _take_back(self, numbers: Iterable[int]) -> None:
        """Stop waiting for chunks, and put their games back."""
        for number in numbers:
            chunk = self.sent.pop(number)
            chunk.task.cancel()
            self._put_back(chunk)

    def _remove(self, worker: Worker, why: str) -> Event:
        """Report that a worker is lost; Dask repeats its chunks if others may play them."""
        self.pool.fit.pop(worker.address, None)
        log(f"{worker} {why}", level=logging.WARNING)
        there = self.pool.fit.keys()
        self._take_back([n for n, chunk in self.sent.items() if not chunk.workers & there])
        return TableLost(worker.tables[0], f"{worker} {why}", None, host=worker.info.host)

    def _exclude(self, address: str, words: str) -> None:
        self.pool.excluded.add(address)
        self.tell("worker refused", f"{words}; it gets no games")

    def _look_around(self) -> Iterator[Event]:
        """A few times a second: show the tables, and see which workers are there."""
        now = time.monotonic()
        if now - self.looked < LOOK_EVERY:
            return
        self.looked = now
        self.tick(self._views())
        self.pool.is_slow = self.size <= QUICK
        if self.stopping and not self.is_halted:
            self.is_halted = True
            self.pool.halt()
        for worker in self.pool.update(self._sound()):
            yield self._remove(worker, "is gone")
        for address, info in self.pool.finished_checks():
            if isinstance(info, str):
                self._exclude(address, info)
            elif info.wrong is not None:
                self._exclude(address, on_worker(info.wrong, address))
            else:
                self.pool.admit(address, info)
        self._warn_if_alone()
        self.hopeless = self.pool.why_hopeless()
        if self.hopeless is not None:
            self._take_back([*self.sent])

    def _warn_if_alone(self) -> None:
        if self.pool.fit:
            self.is_alone = False
        elif not self.is_alone and not self.stopping:
            self.is_alone = True
            words = f"others may come within {ALONE:.0f} seconds"
            self.tell("workers gone", f"all workers of {self.cluster.address} are gone; {words}")

    def _views(self) -> list[TableView]:
        """All tables; a game that has ended since the last look is not shown."""
        playing = {number for chunk in self.sent.values() for number in chunk.games}
        return [
            view
            if view.game is None or view.game.number in playing
            else view._replace(game=None, moves=b"", thinking=None)
            for view in self.pool.views()
        ]


def _severity(found: tuple[PlayerChecked, str]) -> tuple[bool, bool, float]:
    """Failures come first, then players that could not be checked, then long compilations."""
    checked, _ = found
    return checked.wrong is not None, checked.unchecked is not None, checked.compiled
