"""What a worker keeps for a run: a room with tables, on which chunks of games are played.

A worker's thread that is given a chunk takes a free table of the room, or sets one more, and
supervises it as the local runner does, for it is the local runner: hangs, crashes and memory are
judged beside the engine, and never over a network. A room that nobody has used for a while is
cleared away, as its client may be gone.
"""

from __future__ import annotations

import pickle
import shutil
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from arena.engine.timing import positions_a_second
from arena.machine import usable_cores
from arena.table.dask.parcel import Parcel, digest_of_arena, installed_sources, unpack
from arena.table.local import LocalRunner
from arena.table.runner import Event, GameOver, PlayerChecked, Seating, TableView
from arena.tournament.schedule import ScheduledGame
from arena.tournament.spec.canonical import Source

CHUNK = 1.0  # seconds after which no further game of a chunk is begun
UNUSED = 90.0  # seconds without a word of its client after which a room is cleared away
LOOK_EVERY = 5.0  # seconds between looks whether that is so


class RoomClosed(Exception):
    """There is no such room here, or none any more; who wants to play has to enter again."""


class Proof(NamedTuple):
    """What a worker says of itself when it is entered."""

    host: str
    threads: int
    cores: int  # of its host, as far as it may use them
    arena: str  # the digest of its sources
    sources: dict[str, Source]  # of the engines that were not sent
    speed: float | None = None  # of its host, where games depend on it


class Played(NamedTuple):
    """What became of a chunk of games."""

    table: int  # the place of the table in its room
    events: list[Event]
    left: list[int]  # the games that were not begun
    seconds: float
    hopeless: str | None  # why no table lives here


class Glimpse(NamedTuple):
    """A game that is being played here, and who has been thinking for so long."""

    table: int  # the place of the table in its room
    game: int
    moves: bytes
    seat: int
    thought: float
    used: tuple[float, float] | None  # seconds of both seats before; None before any clock runs


class Chunk:
    """The games of a chunk, as a runner takes them; after a while no further one is begun.

    A game that was put back is played here all the same: whose table dies again and again is
    counted here.
    """

    def __init__(
        self, games: Sequence[ScheduledGame], until: float, is_halted: Callable[[], bool]
    ) -> None:
        self.waiting, self.returned = deque(games), deque[ScheduledGame]()
        self.until, self.is_halted = until, is_halted

    def take_some(self, most: int) -> list[ScheduledGame]:
        """The next games, at most so many, if there is time for one more."""
        if self.is_halted():
            return []
        games = [self.returned.popleft() for _ in range(min(most, len(self.returned)))]
        if time.monotonic() < self.until:
            more = min(most - len(games), len(self.waiting))
            games += [self.waiting.popleft() for _ in range(more)]
        return games

    def put_back(self, game: ScheduledGame) -> None:
        """A game was not finished."""
        self.returned.appendleft(game)

    def give_up(self, number: int) -> None:
        """A game cannot be played here, of which its runner tells."""

    @property
    def left(self) -> list[int]:
        """The games that were not played."""
        return [game.number for game in (*self.returned, *self.waiting)]


class Room:
    """The tables of one run on this worker, a runner each, which one thread has at a time."""

    def __init__(self, parcel: Parcel, threads: int, place: str | None) -> None:
        self.run = parcel.run
        self.folder = Path(tempfile.mkdtemp(prefix="arena-room-", dir=place))
        self.lock = threading.Lock()
        self.free: list[tuple[int, LocalRunner]] = []
        self.busy: dict[int, LocalRunner] = {}
        self.used = time.monotonic()
        self.halted = self.closed = False
        try:
            self.seating = unpack(parcel, self.folder)
            own = installed_sources(self.seating)
        except BaseException:
            self._tidy()
            raise
        timed = any(player.limits.timed for player in self.seating.players)
        speed = positions_a_second() if timed else None
        self.seating = self.seating if speed is None else self.seating.at_speed(speed)
        host, cores = socket.gethostname(), usable_cores()
        self.proof = Proof(host, threads, cores, digest_of_arena(), own, speed)

    @contextmanager
    def table(self, seating: Seating) -> Iterator[tuple[int, LocalRunner]]:
        """A table for this thread alone; one on which something went wrong is cleared away."""
        number, runner = self._take(seating)
        is_sound = False
        try:
            yield number, runner
            is_sound = runner.hopeless is None
        finally:
            with self.lock:
                del self.busy[number]
                self.used = time.monotonic()
                is_kept = is_sound and not self.closed
                if is_kept:
                    self.free.append((number, runner))
            if not is_kept:
                runner.close()
            if self.closed and not self.busy:
                self._tidy()

    def _take(self, seating: Seating) -> tuple[int, LocalRunner]:
        with self.lock:
            if self.closed:
                raise RoomClosed(self.run)
            if self.free:
                number, runner = self.free.pop()
            else:
                number = next(n for n in range(len(self.busy) + 1) if n not in self.busy)
                runner = LocalRunner(seating, 1, self._tick)
            self.busy[number] = runner
        if runner.seating != seating:  # somebody has forfeited since
            runner.close()
            runner.seating = seating
        return number, runner

    def _tick(self, views: Sequence[TableView]) -> None:
        """From the thread of a table: leave it at once if the room is closed."""
        if self.closed:
            raise RoomClosed(self.run)

    def glimpses(self) -> Iterator[Glimpse]:
        """What is on the tables at this moment; nothing of those between two moves."""
        for number, runner in list(self.busy.items()):
            for table in list(runner.tables):
                moves, thinking = table.heartbeat.moves(), table.thinking()
                if thinking is not None:
                    thought = time.monotonic() - thinking.since
                    game, seat, used = thinking.game, thinking.seat, thinking.used
                    yield Glimpse(number, game, moves, seat, thought, used)

    def close(self) -> None:
        """Clear all tables away: those that are free now, the others by their own threads."""
        with self.lock:
            self.closed, free, self.free = True, self.free, []
            is_empty = not self.busy
        for _, runner in free:
            runner.close()
        if is_empty:
            self._tidy()

    def _tidy(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_unused(self) -> bool:
        """Whether nobody has played here for a while."""
        return not self.busy and time.monotonic() - self.used > UNUSED


ROOMS: dict[str, Room] = {}  # of this process, by their runs
_entering = threading.Lock()


def room_of(run: str) -> Room:
    """The room of a run."""
    try:
        return ROOMS[run]
    except KeyError:
        raise RoomClosed(run) from None


def enter(packed: bytes) -> Proof:
    """Prepare this worker for a run; it may be prepared already."""
    from distributed import get_worker

    worker, parcel = get_worker(), pickle.loads(packed)
    with _entering:
        if parcel.run not in ROOMS:
            if not ROOMS:
                threading.Thread(target=_clear_unused, daemon=True).start()
            ROOMS[parcel.run] = Room(parcel, worker.state.nthreads, worker.local_directory)
    return ROOMS[parcel.run].proof


def _clear_unused() -> None:
    """The life of a thread: look after the rooms as long as there are any."""
    while True:
        time.sleep(LOOK_EVERY)
        with _entering:
            for run in [run for run, room in ROOMS.items() if room.is_unused]:
                ROOMS.pop(run).close()
            if not ROOMS:
                return


def check_player(run: str, player: int) -> PlayerChecked:
    """Build, warm up and ask a player once, on a table of this worker."""
    room = room_of(run)
    with room.table(room.seating) as (_, runner):
        checked = runner.check_player(player)
        if checked.wrong is not None:
            runner.close()  # it may hang there still
        return checked


def play_chunk(run: str, packed: bytes, broken: Mapping[int, PlayerChecked]) -> bytes:
    """Play games on a table of this worker; what happened, packed as the games were."""
    room, begun = room_of(run), time.monotonic()
    games: list[ScheduledGame] = pickle.loads(packed)
    with room.table(replace(room.seating, broken=dict(broken))) as (number, runner):
        chunk = Chunk(games, begun + CHUNK, lambda: room.halted)
        events = [event for events in runner.play(chunk) for event in events]
        seconds = time.monotonic() - begun
        played = Played(number, events, chunk.left, seconds, runner.hopeless)
    return pickle.dumps(played, pickle.HIGHEST_PROTOCOL)


def glimpse(run: str) -> list[Glimpse]:
    """What is being played here, for whoever watches."""
    return list(ROOMS[run].glimpses()) if run in ROOMS else []


def stay(run: str) -> None:
    """The client of a run is still there, though it may have no game for this worker."""
    if run in ROOMS:
        ROOMS[run].used = time.monotonic()


def halt(run: str) -> None:
    """Begin no further game of a run here."""
    if run in ROOMS:
        ROOMS[run].halted = True


def leave(run: str) -> None:
    """Clear away all that a run has here."""
    room = ROOMS.pop(run, None)
    if room is not None:
        room.close()


def rows_in(played: Played) -> int:
    """How many games of a chunk were finished."""
    return sum(isinstance(event, GameOver) for event in played.events)
