"""The worker's side of a cluster run: check a worker, and play chunks of games on it.

Each thread of a worker has a LocalRunner of its own, so hangs, crashes and memory are judged
beside the engine and never over a network. Nothing of a run stays here that nobody uses: its
client may be gone.
"""

from __future__ import annotations

import math
import pickle
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from arena.engine.timing import positions_a_second
from arena.errors import ArenaError
from arena.table.bundle import Bundle, digest_of_arena, installed_sources, unpack
from arena.table.local import LocalRunner, Waiting
from arena.table.runner import Event, PlayerChecked, TableView
from arena.tournament.games import ScheduledGame
from arena.tournament.identity import Source

CHUNK = 1.0  # seconds after which a chunk begins no further game
MAX_UNUSED = 90.0  # seconds until a run that nobody uses is cleared away
LOOK_EVERY = 5.0  # seconds between looks for such runs


class UnknownRun(Exception):
    """This worker does not know the run, or not any more."""


class WorkerInfo(NamedTuple):
    """The check of a worker: what it is, and how it finds the players."""

    host: str
    threads: int
    arena: str  # the digest of Arena's sources
    sources: dict[str, Source]  # of the engines that are not in the bundle
    speed: float | None  # of the host, where games depend on it
    players: dict[int, PlayerChecked]

    @property
    def wrong(self) -> str | None:
        """What is wrong with the first player that is broken here."""
        return next((each.wrong for each in self.players.values() if each.wrong), None)


@dataclass(slots=True)
class PlayedChunk:
    """The result of a chunk of games."""

    worker: str  # its address
    host: str
    events: list[Event]
    slot: int = 0  # the number of the thread
    seconds: float = 0.0
    speed: float | None = None  # of the host, where games depend on it
    failure: str | None = None  # why no game can be played here
    is_unknown: bool = False  # the worker does not know the run


class Chunk(Waiting):
    """The games of a chunk, whose time is limited.

    A game that is put back later is repeated here, as its attempts are counted here.
    """

    def __init__(self, games: Iterable[ScheduledGame], tables: WorkerTables) -> None:
        super().__init__(games)
        self.until, self.tables = time.monotonic() + CHUNK, tables

    def take_some(self, most: int) -> list[ScheduledGame]:
        """The next games, if there is time for another one."""
        if time.monotonic() > self.until:
            self.games.clear()  # they go home unplayed
            self.until = math.inf
        return [] if self.tables.is_halted else super().take_some(most)


class WorkerTables:
    """What a worker keeps for a run: the files of bots, and a runner for each thread."""

    def __init__(self, bundle: Bundle, directory: str | None) -> None:
        self.run = bundle.run
        self.runners: dict[int, LocalRunner] = {}  # by thread
        self.lock = threading.Lock()
        self.playing = 0
        self.used = time.monotonic()
        self.is_halted = self.is_closed = False
        self.folder = Path(tempfile.mkdtemp(prefix="arena-", dir=directory))
        try:
            self.seating = unpack(bundle, self.folder)
            self.sources = installed_sources(self.seating)
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        if any(player.limits.timed for player in self.seating.players):
            self.seating = self.seating.at_speed(positions_a_second())

    @contextmanager
    def runner(self) -> Iterator[tuple[int, LocalRunner]]:
        """Use the runner of this thread; its number and itself."""
        with self.lock:
            if self.is_closed:
                raise UnknownRun(self.run)
            self.playing += 1
            thread = threading.get_ident()
            runner = self.runners.get(thread)
            if runner is None or runner.hopeless is not None:
                runner = self.runners[thread] = LocalRunner(self.seating, 1, self._tick)
            slot = list(self.runners).index(thread)
        try:
            yield slot, runner
        finally:
            with self.lock:
                self.playing -= 1
                self.used = time.monotonic()
                self._clear_up()

    def close(self) -> None:
        """End all processes of the run; playing threads notice within a moment."""
        with self.lock:
            self.is_closed = True
            self._clear_up()

    def _tick(self, views: Sequence[TableView]) -> None:
        if self.is_closed:
            raise UnknownRun(self.run)

    def _clear_up(self) -> None:
        """The last one who uses a closed run clears up."""
        if self.is_closed and not self.playing:
            for runner in self.runners.values():
                runner.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_unused(self) -> bool:
        """Whether nobody has played here for a while."""
        return not self.playing and time.monotonic() - self.used > MAX_UNUSED


TABLES: dict[str, WorkerTables] = {}  # of this process, by their runs
_lock = threading.Lock()


def dask_setup(worker: Any) -> None:
    """Let a worker of this machine ignore Ctrl-C; Dask calls this when the worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_worker(run: str, packed: bytes, players: Iterable[int], forfeit: bool) -> WorkerInfo:
    """Prepare this worker for a run, and try these players; up to the first broken one."""
    from distributed import get_worker

    worker = get_worker()
    with _lock:
        if run not in TABLES:
            if not TABLES:
                threading.Thread(target=_clear_unused, daemon=True).start()
            TABLES[run] = WorkerTables(pickle.loads(packed), worker.local_directory)
        tables = TABLES[run]
    info = WorkerInfo(
        socket.gethostname(), worker.state.nthreads, digest_of_arena(), tables.sources,
        tables.seating.speed, {},
    )  # fmt: skip
    with tables.runner() as (_, runner):
        checks = runner.check(forfeit, players)
        info.players.update((each.player, each) for each in checks if not each.begun)
    return info


def play_chunk(run: str, packed: bytes, broken: Mapping[int, PlayerChecked]) -> bytes:
    """Play games on this worker; both sides pickle, as Dask's own way is slower."""
    from distributed import get_worker

    begun, events = time.monotonic(), list[Event]()
    played = PlayedChunk(get_worker().address, socket.gethostname(), events)
    try:
        if (tables := TABLES.get(run)) is None:
            raise UnknownRun(run)
        with tables.runner() as (played.slot, runner):
            played.speed = tables.seating.speed
            if runner.seating.broken != broken:  # somebody forfeits since
                runner.close()
                runner.seating = replace(runner.seating, broken=dict(broken))
            try:
                for some in runner.play(Chunk(pickle.loads(packed), tables)):
                    events += some
                played.failure = runner.hopeless
            except ArenaError as error:
                played.failure = str(error)
            if played.failure is not None:
                runner.close()
    except UnknownRun:
        played.is_unknown = True
    played.seconds = time.monotonic() - begun
    return pickle.dumps(played, pickle.HIGHEST_PROTOCOL)


def view_tables(run: str) -> list[tuple[int, TableView]]:
    """What is being played here, by thread; times are durations, as clocks differ."""
    tables = TABLES.get(run)
    if tables is None:
        return []
    now, views = time.monotonic(), []
    for slot, runner in enumerate(list(tables.runners.values())):
        for table in tuple(runner.tables):
            view = table.view()
            if view.thinking is not None:
                since = now - view.thinking.since
                views.append((slot, view._replace(thinking=view.thinking._replace(since=since))))
    return views


def halt(run: str) -> None:
    """Begin no further game of a run here."""
    if run in TABLES:
        TABLES[run].is_halted = True


def leave(run: str) -> None:
    """Clear up after a run."""
    tables = TABLES.pop(run, None)
    if tables is not None:
        threading.Thread(target=tables.close).start()  # Dask's event loop must not wait


def _clear_unused() -> None:
    """Watch the runs of this process, as long as there are any."""
    while True:
        time.sleep(LOOK_EVERY)
        with _lock, suppress(RuntimeError):  # a run may leave meanwhile
            for run in [run for run, tables in TABLES.items() if tables.is_unused]:
                leave(run)
            if not TABLES:
                return
