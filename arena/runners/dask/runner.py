"""The cluster runner: chunks of games go out to workers, and the rows of games come back.

Each chunk belongs to one worker, and to no other: if that worker is gone, all of its games go back
into the agenda, and whatever it may still say of them is not listened to. So a game is played
until one row of it has come home, as often as machines die, and no engine is ever blamed for that.
Workers may come and go at any time; one that comes later has to prove the same as the first.
"""

from __future__ import annotations

import pickle
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from heapq import heappop, heappush
from importlib.metadata import version
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from arena.errors import ClusterFailure
from arena.play.seating import Seating
from arena.play.table import WatchedTable
from arena.play.table_process import PlayerChecked
from arena.printable import printable
from arena.runners.dask.cluster import LEAVING, Cluster, learners_refused
from arena.runners.dask.parcel import digest_of_arena, installed_sources, pack
from arena.runners.dask.room import (
    Played,
    Proof,
    RoomClosed,
    check_player,
    enter,
    halt,
    leave,
    play_chunk,
    stay,
)
from arena.runners.dask.worker import ChunkBack, Counted, FarTable, Joined, Worker
from arena.runners.first_check import LOOK_EVERY
from arena.runners.grace import Grace
from arena.runners.local import Event, GameOver, TableLost
from arena.runners.runner import PlayedAt
from arena.tournament.agenda import Agenda
from arena.tournament.schedule import ScheduledGame

MOST_GAMES = 2000  # of a chunk
COUNT_EVERY = 0.5  # seconds between two looks who is there
STAY_EVERY = 20.0  # seconds between two words to workers that may have no game
ALONE = 60.0  # seconds to wait for workers where there is none left
CUT_OFF = 10.0  # seconds to wait for a scheduler that is gone
FAILURES = 3  # chunks in a row that a worker may not be able to play
PACKAGE = "connect-arena"


class DaskRunner:
    """Plays games on the tables of a cluster's workers; at most so many at the same time.

    `tick` is called a few times a second; `tell` is told of workers that are of no use. Chunks have
    no more than `most_games`.
    """

    agenda: Agenda

    def __init__(
        self,
        cluster: Cluster,
        seating: Seating,
        most: int | None = None,
        tick: Callable[[Sequence[WatchedTable]], None] = lambda tables: None,
        tell: Callable[[str], None] = lambda sentence: None,
        most_games: int = MOST_GAMES,
    ) -> None:
        if seating.learners:
            raise learners_refused([seating.players[each].name for each in seating.learners])
        self.cluster, self.seating, self.most = cluster, seating, most
        self.tick, self.tell, self.most_games = tick, tell, most_games
        self.run = uuid.uuid4().hex
        self.packed = pickle.dumps(pack(self.run, seating), pickle.HIGHEST_PROTOCOL)
        self.sources = installed_sources(seating)
        self.version = version(PACKAGE)
        self.grace = Grace()
        self.hopeless: str | None = None
        self.workers: dict[str, Worker] = {}
        self.refused: set[str] = set()
        self.entered: set[str] = set()  # workers that may have tables of this run
        self.joining: dict[str, Future[None]] = {}
        self.inbox: SimpleQueue[ChunkBack | Counted | Joined] = SimpleQueue()
        self.numbers = count()  # of chunks
        self.free: list[int] = []  # numbers of tables whose worker is gone
        self.tables = 0
        self.counting: Future[None] | None = None
        self.counted = self.looked = 0.0
        self.stayed = time.monotonic()
        self.company = time.monotonic()  # when there was a worker last
        self.connected = self.company
        self.stopping = self.halted = False

    # Before the first game

    def check(self, forfeit: bool = False) -> Iterator[PlayerChecked]:
        """Have every worker prove itself, then build, warm up and ask every player on each."""
        for address, proof in self._on_all(self.cluster.first_workers(), self._proof).items():
            self._seat(address, proof)
        for player, entry in enumerate(self.seating.players):
            if entry.broken:
                yield PlayerChecked(player, f"engine {entry.name}: {entry.broken}")
                continue
            yield PlayerChecked(player, None, begun=True)
            checked = self._check(player)
            yield checked
            if checked.wrong is not None:
                if not forfeit:
                    return
                broken = {**self.seating.broken, player: checked.wrong}
                self.seating = replace(self.seating, broken=broken)
        self.grace, self.company = Grace(), time.monotonic()

    def _check(self, player: int) -> PlayerChecked:
        """A player, as all workers find it; what is wrong with it anywhere, with the worker."""

        async def ask(address: str) -> PlayerChecked:
            try:
                return await self.cluster.ask(address, check_player, self.run, player)
            except RoomClosed:  # it was started anew
                await self._proof(address)
                return await self.cluster.ask(address, check_player, self.run, player)

        answers: dict[str, PlayerChecked] = self._on_all(self.workers, ask)
        compiled = max((each.compiled for each in answers.values()), default=0.0)
        for address, checked in answers.items():
            if checked.wrong is not None:
                return replace(checked, wrong=_on_worker(checked.wrong, address))
        for checked in answers.values():
            if checked.unchecked is not None:
                return checked
        return PlayerChecked(player, None, compiled=compiled)

    def _on_all(self, addresses: Mapping[str, Any], ask: Callable[[str], Any]) -> dict[str, Any]:
        """The answers of these workers to a question, those left out that are gone meanwhile."""
        asked: dict[str, Future[Any]] = {
            address: self.cluster.start(ask(address)) for address in addresses
        }
        is_done = False
        while not is_done:
            time.sleep(LOOK_EVERY)
            self.tick(())
            is_done = all(future.done() for future in asked.values())
            self._say_we_stay(time.monotonic())
            there = self._who_is_there()  # who is gone by now may have failed for that
            for address in [address for address in asked if address not in there]:
                asked.pop(address).cancel()
                if address in self.workers:
                    self._unseat(address)
        if not asked:
            raise ClusterFailure(f"all workers of {self.cluster.address} are gone")
        return {address: _answer(address, future) for address, future in asked.items()}

    def _who_is_there(self) -> Mapping[str, int]:
        try:
            return self.cluster.start(self.cluster.workers()).result(CUT_OFF)
        except (OSError, TimeoutError):
            raise self._cut_off() from None

    def _cut_off(self) -> ClusterFailure:
        return ClusterFailure(f"the scheduler at {self.cluster.address} is gone")

    async def _proof(self, address: str) -> Proof:
        """Have a worker prove that it plays the same games as all others."""
        try:
            there = await self.cluster.ask(address, version, PACKAGE)
        except Exception as error:
            raise ClusterFailure(_on_worker("there is no connect-arena", address)) from error
        if there != self.version:
            words = f"connect-arena is {there} there and {self.version} here"
            raise ClusterFailure(_on_worker(words, address))
        self.entered.add(address)
        try:
            proof = await self.cluster.ask(address, enter, self.packed)
        except Exception as error:
            raise ClusterFailure(_on_worker(_sentence(error), address)) from error
        if proof.arena != digest_of_arena():
            words = f"the sources of connect-arena {there} are others than here"
            raise ClusterFailure(_on_worker(words, address))
        for engine, source in self.sources.items():
            if proof.sources.get(engine) != source:
                words = f"the sources of engine {engine} are others than here"
                raise ClusterFailure(_on_worker(words, address))
        return proof

    async def _join(self, address: str) -> None:
        """Whether a worker that has come later can play with the others."""
        answer: Proof | BaseException
        try:
            answer = await self._proof(address)
            for player in range(len(self.seating.players)):
                if player not in self.seating.broken:
                    checked = await self.cluster.ask(address, check_player, self.run, player)
                    if checked.wrong is not None:
                        raise ClusterFailure(_on_worker(checked.wrong, address))
        except Exception as error:
            answer = error
        self.inbox.put(Joined(address, answer))

    # While games are played

    def play(self, agenda: Agenda) -> Iterator[list[Event | PlayedAt]]:
        """Play until the agenda is empty or `stop` was called, telling what happens.

        What has come home meanwhile is told at once. Whoever reads it records the finished games
        and then tells the agenda.
        """
        self.agenda = agenda
        while self.hopeless is None:
            self._hand_out()
            is_idle = not any(worker.chunks for worker in self.workers.values())
            if is_idle and (self.stopping or (self.workers and self.cluster.is_connected)):
                return
            events: list[Event | PlayedAt] = []
            with suppress(Empty):
                events += self._read(self.inbox.get(timeout=LOOK_EVERY))
                while True:
                    events += self._read(self.inbox.get_nowait())
            if events:
                yield events
            self._look_around()

    def stop(self) -> None:
        """Begin no further game; those on the tables are finished.

        A signal may come at any moment: the loop tells the workers when it looks around.
        """
        self.stopping = True

    def close(self) -> None:
        """Clear all tables away, whatever they are doing."""
        for future in (*self.joining.values(), *filter(None, [self.counting])):
            future.cancel()
        addresses = [*self.entered]
        with suppress(Exception):  # who cannot be reached clears its tables away by itself
            self.cluster.start(self.cluster.tell(addresses, leave, self.run)).result(LEAVING)
        self.workers.clear()

    def _hand_out(self) -> None:
        """Give every worker chunks, one for each table first, then one more that waits."""
        if self.stopping or not self.cluster.is_connected:
            return
        for depth in range(1, 1 + max((w.ahead for w in self.workers.values()), default=0)):
            for worker in self.workers.values():
                if len(worker.chunks) < min(depth, worker.ahead, self._room_for(worker)):
                    games = self._take(worker.size)
                    if not games:
                        return
                    self._send(worker, games)

    def _room_for(self, worker: Worker) -> int:
        """How many chunks a worker may have, where not all tables may be used."""
        if self.most is None:
            return worker.ahead
        others = sum(min(len(each.chunks), len(each.tables))
                     for each in self.workers.values() if each is not worker)  # fmt: skip
        return max(0, min(len(worker.tables), self.most - others))

    def _take(self, most: int) -> list[ScheduledGame]:
        games: list[ScheduledGame] = []
        while len(games) < most and (game := self.agenda.take()) is not None:
            games.append(game)
        return games

    def _send(self, worker: Worker, games: list[ScheduledGame]) -> None:
        number = next(self.numbers)
        worker.chunks[number] = games
        packed = pickle.dumps(games, pickle.HIGHEST_PROTOCOL)
        self.cluster.start(self._play(worker.address, number, packed, self.seating.broken))

    async def _play(
        self, address: str, number: int, packed: bytes, broken: Mapping[int, str]
    ) -> None:
        answer: Played | BaseException
        try:
            back = await self.cluster.ask(address, play_chunk, self.run, packed, broken)
            answer = pickle.loads(back)
        except BaseException as error:  # that its task was cancelled is one as well
            answer = error
        self.inbox.put(ChunkBack(number, answer))

    def _read(self, message: ChunkBack | Counted | Joined) -> Iterator[Event | PlayedAt]:
        match message:
            case ChunkBack(number, answer):
                worker = next((w for w in self.workers.values() if number in w.chunks), None)
                if worker is not None:  # else its games were given to others long ago
                    yield from self._take_back(worker, number, answer)
            case Counted(workers):
                yield from self._count(workers)
            case Joined(address, proof):
                self._welcome(address, proof)

    def _take_back(
        self, worker: Worker, number: int, answer: Played | BaseException
    ) -> Iterator[Event | PlayedAt]:
        """The games of a chunk: those played are told, the others are handed out again."""
        games = {game.number: game for game in worker.chunks.pop(number)}
        if isinstance(answer, Played):
            worker.failures = 0
            worker.measure(answer)
            table = worker.tables[answer.table % len(worker.tables)].number
            if worker.proof.speed is not None:
                over = (event.row.number for event in answer.events if isinstance(event, GameOver))
                yield PlayedAt(worker.proof.host, worker.proof.speed, tuple(over))
            for event in answer.events:
                if isinstance(event, GameOver):
                    if games.pop(event.row.number, None) is not None:
                        yield replace(event, table=table)
                    continue
                if event.unplayed is not None and games.pop(event.unplayed, None) is not None:
                    self.agenda.give_up(event.unplayed)
                yield replace(event, table=table)
        self._put_back(games.values())
        if isinstance(answer, RoomClosed):  # it was started anew, or thought we were gone
            yield from self._lose(worker, "was started anew")
        elif (why := self._why_useless(worker, answer)) is not None:
            self._refuse(worker.address, _on_worker(why, worker.address))
            yield from self._lose(worker, "is of no use")

    def _why_useless(self, worker: Worker, answer: Played | BaseException) -> str | None:
        """Why a worker that is there gets no games, if that is so after this answer."""
        if isinstance(answer, Played):
            return answer.hopeless
        if self.cluster.is_connected:  # else it is not the worker that has failed
            worker.failures += 1
        return _sentence(answer) if worker.failures >= FAILURES else None

    def _put_back(self, games: Any) -> None:
        for game in games:
            self.agenda.put_back(game)

    def _lose(self, worker: Worker, why: str) -> Iterator[Event]:
        """A worker is of no use any more: all its games go elsewhere."""
        chunks = self._unseat(worker.address).chunks
        self._put_back(game for games in chunks.values() for game in games)
        yield TableLost(worker.tables[0].number, f"worker {worker.name} {why}", None)

    def _count(self, workers: Mapping[str, int]) -> Iterator[Event]:
        """Who has gone, and who has come?"""
        for address in [address for address in self.workers if address not in workers]:
            yield from self._lose(self.workers[address], "is gone")
        for address in [address for address in self.joining if address not in workers]:
            self.joining.pop(address).cancel()
        self.refused &= set(workers)
        self.entered &= set(workers)
        for address in workers:
            known = address in self.workers or address in self.joining or address in self.refused
            if not known and not self.stopping:
                self.joining[address] = self.cluster.start(self._join(address))

    def _welcome(self, address: str, proof: Proof | BaseException) -> None:
        if self.joining.pop(address, None) is None:
            return
        if isinstance(proof, Proof):
            self._seat(address, proof)
        elif not isinstance(proof, RoomClosed):
            self._refuse(address, str(proof))

    def _refuse(self, address: str, sentence: str) -> None:
        self.refused.add(address)
        self.tell(f"{sentence}; it gets no games")

    def _seat(self, address: str, proof: Proof) -> None:
        tables = []
        for _ in range(proof.threads):
            if self.free:
                tables.append(FarTable(heappop(self.free)))
            else:
                tables.append(FarTable(self.tables))
                self.tables += 1
        self.workers[address] = Worker(address, proof, tables, self.most_games)

    def _unseat(self, address: str) -> Worker:
        worker = self.workers.pop(address)
        for table in worker.tables:
            heappush(self.free, table.number)
        return worker

    def _look_around(self) -> None:
        """A few times a second: show where it stands, and see who is there."""
        now = time.monotonic()
        if now - self.looked < LOOK_EVERY:
            return
        self.looked = now
        self.grace.look([], now)
        self.tick(self._shown())
        self._say_we_stay(now)
        if self.stopping and not self.halted:
            self.halted = True
            self.cluster.start(self.cluster.tell([*self.workers], halt, self.run))
        if now - self.counted >= COUNT_EVERY and (self.counting is None or self.counting.done()):
            self.counted, self.counting = now, self.cluster.start(self._ask_who_is_there())
        self._is_anybody_there(now)

    def _say_we_stay(self, now: float) -> None:
        """Workers that hear nothing for long clear their tables away."""
        if now - self.stayed >= STAY_EVERY:
            self.stayed = now
            self.cluster.start(self.cluster.tell([*self.entered], stay, self.run))

    def _shown(self) -> list[FarTable]:
        """All tables, with the games that are on them or wait to be."""
        for worker in self.workers.values():
            for place, table in enumerate(worker.tables):
                chunks = list(worker.chunks.values())[place :: len(worker.tables)]
                table.games = deque(game for games in chunks for game in games[:1])
        return [table for worker in self.workers.values() for table in worker.tables]

    def _is_anybody_there(self, now: float) -> None:
        """Give up where nobody can play, for as long as that may be a restart."""
        if self.workers:
            self.company = now
        if self.cluster.is_connected:
            self.connected = now
        if now - self.connected > CUT_OFF:
            self.hopeless = str(self._cut_off())
        elif now - self.company > ALONE and not self.joining:
            self.hopeless = f"no worker of {self.cluster.address} is left"
        if self.hopeless is not None:
            for worker in self.workers.values():
                self._put_back(game for games in worker.chunks.values() for game in games)
                worker.chunks.clear()

    async def _ask_who_is_there(self) -> None:
        with suppress(OSError):
            self.inbox.put(Counted(await self.cluster.workers()))


def _answer(address: str, asked: Future[Any]) -> Any:
    """What a worker has answered; if it could not, the sentence names it."""
    try:
        return asked.result()
    except ClusterFailure:
        raise
    except Exception as error:
        raise ClusterFailure(_on_worker(_sentence(error), address)) from error


def _on_worker(words: str, address: str) -> str:
    """A sentence that says on which worker it is so; lines of an engine stay below it."""
    sentence, newline, lines = words.partition("\n")
    return f"worker {address}: {sentence}{newline}{lines}"


def _sentence(error: BaseException) -> str:
    """An error of a worker in one line."""
    words = printable(str(error)).strip().splitlines()
    return words[-1] if words else type(error).__name__
