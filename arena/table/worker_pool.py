"""The workers of a cluster run: check each one, number its tables, and view them."""

from __future__ import annotations

import asyncio
import pickle
import time
import uuid
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import count

from arena.log import log
from arena.table.bundle import digest_of_arena, installed_sources, pack
from arena.table.cluster import LEAVING, Cluster
from arena.table.dask_worker import WorkerInfo, check_worker, halt, leave, view_tables
from arena.table.runner import Seating, TableView
from arena.text import printable

ALONE = 60.0  # seconds to wait for a worker where none is left
CUT_OFF = 10.0  # seconds to wait for a scheduler that is gone
LOOK_EVERY, LOOK_SHARE = 0.5, 0.05  # seconds between looks at the workers, and their share of time
VIEW_TIMEOUT = 5.0
PACKAGE = "connect-arena"


@dataclass
class Worker:
    """A worker that has passed its check."""

    address: str
    info: WorkerInfo
    tables: list[int]  # the numbers of its tables, one for each thread
    seen: dict[int, TableView] = field(default_factory=dict)  # at the last look, by thread

    def __str__(self) -> str:
        return f"worker {self.address} on {self.info.host}"

    def views(self) -> Iterator[TableView]:
        """Its tables, with the games of the last look."""
        for slot, number in enumerate(self.tables):
            view = self.seen.get(slot, TableView(number))
            yield view._replace(
                number=number, host=self.info.host, worker=self.address, speed=self.info.speed
            )


class WorkerPool:
    """The workers that are there, those that are being checked, and those that may play."""

    def __init__(self, cluster: Cluster, seating: Seating) -> None:
        self.cluster = cluster
        self.run = uuid.uuid4().hex
        bundle = pack(self.run, seating, cluster.is_local)
        self.bundle = cluster.submit(bytes, pickle.dumps(bundle, pickle.HIGHEST_PROTOCOL))
        self.sources = installed_sources(seating)
        self.present: Collection[str] = ()  # at the last look
        self.last_seen = self.connected = time.monotonic()  # when there was a worker, a scheduler
        self.checking: dict[str, Future[WorkerInfo | str]] = {}
        self.fit: dict[str, Worker] = {}
        self.excluded: set[str] = set()
        self.asked: set[str] = set()  # workers that may have tables of this run
        self.is_slow = False  # games are slow enough to be followed
        self.watching = cluster.start(self._watch())

    def why_hopeless(self) -> str | None:
        """Why no game can be played any more: for long there was no worker, or no scheduler."""
        now = time.monotonic()
        if self.fit or self.checking:
            self.last_seen = now
        if self.cluster.is_connected:
            self.connected = now
        if now - self.connected > CUT_OFF:
            return f"the scheduler at {self.cluster.address} is gone"
        if now - self.last_seen > ALONE:
            return f"no worker of {self.cluster.address} is left"
        return None

    def update(self, players: Sequence[int], forfeit: bool = False) -> list[Worker]:
        """Begin to check workers that are new, and return those that are gone."""
        present = set(self.present)
        for address in self.checking.keys() - present:
            self.checking.pop(address).cancel()
        self.excluded &= present
        self.asked &= present
        for address in present - self.fit.keys() - self.excluded - self.checking.keys():
            self.checking[address] = self.cluster.start(self._check(address, players, forfeit))
        return [self.fit.pop(address) for address in self.fit.keys() - present]

    async def _check(self, address: str, players: Sequence[int], forfeit: bool) -> WorkerInfo | str:
        """Try these players on a worker; or say why its games may differ from those of others."""
        ours = version(PACKAGE)
        try:
            theirs = await self.cluster.ask([address], version, PACKAGE)
        except Exception:
            return on_worker("connect-arena is not installed", address)
        if theirs != ours:
            return on_worker(f"connect-arena is {theirs} there and {ours} here", address)
        self.asked.add(address)
        try:
            info: WorkerInfo = await self.cluster.ask(
                [address], check_worker, self.run, self.bundle, players, forfeit
            )
        except Exception as error:
            return on_worker(sentence(error), address)
        others = [each for each in self.sources if info.sources.get(each) != self.sources[each]]
        if info.arena != digest_of_arena() or others:
            what = f"engine {others[0]}" if others else f"connect-arena {ours}"
            return on_worker(f"the sources of {what} differ from this machine's", address)
        return info

    def finished_checks(self) -> Iterator[tuple[str, WorkerInfo | str]]:
        """The results of the checks that have ended since."""
        for address in [each for each, check in self.checking.items() if check.done()]:
            yield address, self.checking.pop(address).result()

    def admit(self, address: str, info: WorkerInfo) -> None:
        """Let a worker play; its tables take the lowest numbers that are free."""
        taken = {number for worker in self.fit.values() for number in worker.tables}
        free = (number for number in count() if number not in taken)
        log(f"worker {address} on {info.host} passed its check, {info.threads} threads")
        self.fit[address] = Worker(address, info, [next(free) for _ in range(info.threads)])

    @property
    def threads(self) -> int:
        """How many games these workers can play at the same time."""
        return sum(worker.info.threads for worker in self.fit.values())

    def views(self) -> list[TableView]:
        """All tables."""
        return [view for worker in list(self.fit.values()) for view in worker.views()]

    async def _watch(self) -> None:
        """Look at the workers, beside everything else."""
        while True:
            began = time.monotonic()
            with suppress(Exception):  # a look that fails shows nothing new
                self.present = await self.cluster.workers()
                if self.is_slow:
                    await asyncio.wait_for(self._view(), VIEW_TIMEOUT)
            took = time.monotonic() - began
            await asyncio.sleep(min(VIEW_TIMEOUT, max(LOOK_EVERY, took / LOOK_SHARE)))

    async def _view(self) -> None:
        """View the tables of all workers, whose clocks differ from ours."""
        views = await self.cluster.tell(list(self.fit), view_tables, self.run)
        now = time.monotonic()
        for worker in [self.fit[address] for address in views if address in self.fit]:
            worker.seen = {
                slot: view._replace(thinking=thinking._replace(since=now - thinking.since))
                for slot, view in views[worker.address]
                if (thinking := view.thinking) is not None
            }

    def halt(self) -> None:
        """Let the workers begin no further game."""
        self.cluster.start(self.cluster.tell(list(self.fit), halt, self.run))

    def close(self) -> None:
        """Let all workers clear up; one that cannot be reached does so by itself."""
        self.watching.cancel()
        for check in self.checking.values():
            check.cancel()
        with suppress(Exception):
            self.cluster.start(self.cluster.tell(self.asked, leave, self.run)).result(LEAVING)
        self.fit.clear()


def on_worker(words: str, address: str) -> str:
    """A sentence with its worker."""
    return f"worker {address}: {words}"


def sentence(error: BaseException) -> str:
    """An error of a worker in one line."""
    words = printable(str(error)).strip().splitlines()
    return words[-1] if words else type(error).__name__
