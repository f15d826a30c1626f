"""The cluster runner: chunks of games go out to workers, and the rows of games come back.

Each chunk belongs to one worker, and to no other: if that worker is gone, all of its games go back
into the agenda, and whatever it may still say of them is not listened to. So a game is played
until one row of it has come home, as often as machines die, and no engine is ever blamed for that.
Workers may come and go at any time; one that comes later has to prove the same as the first.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from itertools import count
from queue import Empty, SimpleQueue
from typing import Literal

from arena.table.dask.admission import Admission, on_worker, sentence, without_worker
from arena.table.dask.cluster import Cluster, learners_refused
from arena.table.dask.first_round import ALONE, CUT_OFF, FirstRound, cut_off
from arena.table.dask.hall import Hall
from arena.table.dask.lookout import Lookout
from arena.table.dask.room import Played, Proof, RoomClosed, halt, play_chunk
from arena.table.dask.worker import ChunkBack, Counted, Joined, Worker
from arena.table.first_check import LOOK_EVERY
from arena.table.runner import (
    Event,
    GameOver,
    PlayedAt,
    PlayerChecked,
    Seating,
    TableLost,
    TableView,
)
from arena.timing import PAUSES
from arena.tournament.agenda import Agenda
from arena.tournament.schedule import ScheduledGame

MOST_GAMES = 2000  # of a chunk
COUNT_EVERY = 0.5  # seconds between two looks who is there
FAILURES = 3  # chunks in a row that a worker may not be able to play

Concern = Literal["worker refused", "crowded machine", "workers gone"]


class DaskRunner:
    """Plays games on the tables of a cluster's workers; at most so many at the same time.

    `tick` is called a few times a second; `tell` is told of workers that are of no use, and of
    hosts that are crowded, where that matters. Chunks have no more than `most_games`.
    """

    agenda: Agenda

    def __init__(
        self,
        cluster: Cluster,
        seating: Seating,
        most: int | None = None,
        tick: Callable[[Sequence[TableView]], None] = lambda views: None,
        tell: Callable[[Concern, str], None] = lambda concern, sentence: None,
        most_games: int = MOST_GAMES,
    ) -> None:
        if seating.learners:
            raise learners_refused([seating.players[each].name for each in seating.learners])
        self.cluster, self.seating, self.most = cluster, seating, most
        self.tick, self.tell, self.most_games = tick, tell, most_games
        self.admission, self.hall = Admission(cluster, seating), Hall()
        self.lookout = Lookout(cluster, self.hall, self.admission.run)
        PAUSES.watch()
        self.hopeless: str | None = None
        self.refused: set[str] = set()
        self.joining: dict[str, Future[None]] = {}
        self.inbox: SimpleQueue[ChunkBack | Counted | Joined] = SimpleQueue()
        self.numbers = count()  # of chunks
        self.counting: Future[None] | None = None
        self.counted = self.looked = 0.0
        self.company = time.monotonic()  # when there was a worker last
        self.connected = self.company
        self.stopping = self.halted = self.is_alone = False

    def check(self, forfeit: bool = False) -> Iterator[PlayerChecked]:
        """Have every worker prove itself, then build, warm up and ask every player on each."""
        round_ = FirstRound(
            self.admission, self.hall, self.most_games, self.tick, self._tell_of_waiting
        )
        for checked in round_.players(self.seating, forfeit):
            yield checked
            if checked.wrong is not None and not self.seating.players[checked.player].broken:
                found = replace(checked, wrong=without_worker(checked.wrong))
                broken = {**self.seating.broken, checked.player: found}
                self.seating = replace(self.seating, broken=broken)
        self._look_for_crowds()
        self.company = time.monotonic()

    def _tell_of_waiting(self) -> None:
        """There is no worker any more, and others may come."""
        words = f"others may come within {ALONE:.0f} seconds"
        self.tell("workers gone", f"all workers of {self.cluster.address} are gone; {words}")

    def _look_for_crowds(self) -> None:
        """Tell once of every host with more tables than cores, where the clock is the limit."""
        by_clock = any(player.limits.by_clock for player in self.seating.players)
        if by_clock and not self.cluster.is_local:  # of this machine its owner knows more
            for words in self.hall.new_crowds(self.most):
                self.tell("crowded machine", words)

    def play(self, agenda: Agenda) -> Iterator[list[Event | PlayedAt]]:
        """Play until the agenda is empty or `stop` was called, telling what happens.

        What has come home meanwhile is told at once. Whoever reads it records the finished games
        and then tells the agenda.
        """
        self.agenda = agenda
        while self.hopeless is None:
            self._hand_out()
            if self.hall.is_idle and (
                self.stopping or (self.hall.workers and self.cluster.is_connected)
            ):
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
        self.lookout.close()
        self.admission.close()
        self.hall.workers.clear()

    def _hand_out(self) -> None:
        """Give every worker chunks, one for each table first, then one more that waits."""
        if self.stopping or not self.cluster.is_connected:
            return
        for depth in range(1, 1 + max((w.ahead for w in self.hall.workers.values()), default=0)):
            for worker in self.hall.workers.values():
                if len(worker.chunks) < min(depth, worker.ahead, self._room_for(worker)):
                    games = self.agenda.take_some(worker.size)
                    if not games:
                        return
                    self._send(worker, games)

    def _room_for(self, worker: Worker) -> int:
        """How many chunks a worker may have, where not all tables may be used."""
        if self.most is None:
            return worker.ahead
        return max(0, min(len(worker.tables), self.most - self.hall.playing(worker)))

    def _send(self, worker: Worker, games: list[ScheduledGame]) -> None:
        number = next(self.numbers)
        worker.chunks[number] = games
        packed = pickle.dumps(games, pickle.HIGHEST_PROTOCOL)
        self.cluster.start(self._play(worker.address, number, packed, self.seating.broken))

    async def _play(
        self, address: str, number: int, packed: bytes, broken: Mapping[int, PlayerChecked]
    ) -> None:
        answer: Played | BaseException
        try:
            back = await self.cluster.ask(address, play_chunk, self.admission.run, packed, broken)
            answer = pickle.loads(back)
        except BaseException as error:  # that its task was cancelled is one as well
            answer = error
        self.inbox.put(ChunkBack(number, answer))

    def _read(self, message: ChunkBack | Counted | Joined) -> Iterator[Event | PlayedAt]:
        match message:
            case ChunkBack(number, answer):
                worker = next((w for w in self.hall.workers.values() if number in w.chunks), None)
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
                over = (event.game.number for event in answer.events if isinstance(event, GameOver))
                yield PlayedAt(worker.proof.host, worker.proof.speed, tuple(over))
            for event in answer.events:
                if isinstance(event, GameOver):
                    if games.pop(event.game.number, None) is not None:
                        yield event._replace(table=table, host=worker.proof.host)
                    continue
                if event.unplayed is not None and games.pop(event.unplayed, None) is not None:
                    self.agenda.give_up(event.unplayed)
                yield replace(event, table=table)
        self._put_back(games.values())
        if isinstance(answer, RoomClosed):  # it was started anew, or thought we were gone
            yield from self._lose(worker, "was started anew")
        elif (why := self._why_useless(worker, answer)) is not None:
            self._refuse(worker.address, on_worker(why, worker.address))
            yield from self._lose(worker, "is of no use")

    def _why_useless(self, worker: Worker, answer: Played | BaseException) -> str | None:
        """Why a worker that is there gets no games, if that is so after this answer."""
        if isinstance(answer, Played):
            return answer.hopeless
        if self.cluster.is_connected:  # else it is not the worker that has failed
            worker.failures += 1
        return sentence(answer) if worker.failures >= FAILURES else None

    def _put_back(self, games: Iterable[ScheduledGame]) -> None:
        for game in games:
            self.agenda.put_back(game)

    def _lose(self, worker: Worker, why: str) -> Iterator[Event]:
        """A worker is of no use any more: all its games go elsewhere."""
        chunks = self.hall.unseat(worker.address).chunks
        self._put_back(game for games in chunks.values() for game in games)
        words, host = f"worker {worker.name} {why}", worker.proof.host
        yield TableLost(worker.tables[0].number, words, None, host=host)

    def _count(self, workers: Mapping[str, int]) -> Iterator[Event]:
        """Who has gone, and who has come?"""
        for address in [address for address in self.hall.workers if address not in workers]:
            yield from self._lose(self.hall.workers[address], "is gone")
        for address in [address for address in self.joining if address not in workers]:
            self.joining.pop(address).cancel()
        self.refused &= set(workers)
        self.admission.entered &= set(workers)
        for address in workers:
            known = (
                address in self.hall.workers or address in self.joining or address in self.refused
            )
            if not known and not self.stopping:
                self.joining[address] = self.cluster.start(self._join(address))

    async def _join(self, address: str) -> None:
        """Whether a worker that has come later can play with the others."""
        answer: Proof | BaseException
        players = [n for n in range(len(self.seating.players)) if n not in self.seating.broken]
        try:
            answer = await self.admission.admit(address, players)
        except Exception as error:
            answer = error
        self.inbox.put(Joined(address, answer))

    def _welcome(self, address: str, proof: Proof | BaseException) -> None:
        if self.joining.pop(address, None) is None:
            return
        if isinstance(proof, Proof):
            self.hall.seat(address, proof, self.most_games)
            self._look_for_crowds()
        elif not isinstance(proof, RoomClosed):
            self._refuse(address, str(proof))

    def _refuse(self, address: str, sentence: str) -> None:
        self.refused.add(address)
        self.tell("worker refused", f"{sentence}; it gets no games")

    def _look_around(self) -> None:
        """A few times a second: show where it stands, and see who is there."""
        now = time.monotonic()
        if now - self.looked < LOOK_EVERY:
            return
        self.looked = now
        self.tick(self.hall.views())
        self.lookout.look(now)
        self.admission.say_we_stay(now)
        if self.stopping and not self.halted:
            self.halted = True
            self.cluster.start(self.cluster.tell([*self.hall.workers], halt, self.admission.run))
        if now - self.counted >= COUNT_EVERY and (self.counting is None or self.counting.done()):
            self.counted, self.counting = now, self.cluster.start(self._ask_who_is_there())
        self._is_anybody_there(now)

    def _is_anybody_there(self, now: float) -> None:
        """Give up where nobody can play, for as long as that may be a restart."""
        if self.hall.workers:
            self.company, self.is_alone = now, False
        elif not self.is_alone and not self.stopping:
            self.is_alone = True
            self._tell_of_waiting()
        if self.cluster.is_connected:
            self.connected = now
        if now - self.connected > CUT_OFF:
            self.hopeless = cut_off(self.cluster)
        elif now - self.company > ALONE and not self.joining:
            self.hopeless = f"no worker of {self.cluster.address} is left"
        if self.hopeless is not None:
            for worker in self.hall.workers.values():
                self._put_back(game for games in worker.chunks.values() for game in games)
                worker.chunks.clear()

    async def _ask_who_is_there(self) -> None:
        with suppress(OSError):
            self.inbox.put(Counted(await self.cluster.workers()))
