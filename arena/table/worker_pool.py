"""The workers of a cluster run: check each one, number its tables, and view them."""

from __future__ import annotations

import asyncio
import pickle
import time
import uuid
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import count
from typing import Any

from arena.errors import ClusterFailure
from arena.log import log
from arena.table.bundle import digest_of_arena, installed_sources, pack
from arena.table.cluster import LEAVING, Cluster
from arena.table.dask_worker import WorkerInfo, check_worker, halt, leave, view_tables
from arena.table.first_check import LOOK_EVERY
from arena.table.runner import PlayerChecked, Seating, TableView
from arena.text import printable

VIEW_EVERY, VIEW_SHARE = 1.0, 0.05  # seconds between views of the tables, and their share of time
VIEW_TIMEOUT = 5.0
ALONE = 60.0  # seconds to wait for a worker where none is left
CUT_OFF = 10.0  # seconds to wait for a scheduler that is gone
PACKAGE = "connect-arena"

Views = dict[str, list[tuple[int, TableView]]]  # by address, with the number of the thread


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
    """The workers that may play; `tick` is called while checks take their time."""

    def __init__(
        self, cluster: Cluster, seating: Seating, tick: Callable[[tuple[()]], None]
    ) -> None:
        self.cluster, self.tick = cluster, tick
        self.run = uuid.uuid4().hex
        bundle = pack(self.run, seating, cluster.is_local)
        self.bundle = cluster.submit(bytes, pickle.dumps(bundle, pickle.HIGHEST_PROTOCOL))
        self.sources = installed_sources(seating)
        self.fit: dict[str, Worker] = {}
        self.excluded: set[str] = set()
        self.asked: set[str] = set()  # workers that may have tables of this run
        self.checking: dict[str, Future[WorkerInfo]] = {}
        self.viewing: Future[Views] | None = None
        self.view_began = self.view_took = self.next_view = 0.0

    async def _ask(self, address: str, players: Sequence[int]) -> WorkerInfo:
        self.asked.add(address)
        return await self.cluster.ask([address], check_worker, self.run, self.bundle, players)

    async def _check(self, address: str, players: Sequence[int]) -> WorkerInfo:
        """Check that a worker has the same sources, and that these players can play there."""
        ours = version(PACKAGE)
        try:
            theirs = await self.cluster.ask([address], version, PACKAGE)
        except Exception as error:
            raise ClusterFailure(on_worker("connect-arena is not installed", address)) from error
        if theirs != ours:
            words = f"connect-arena is {theirs} there and {ours} here"
            raise ClusterFailure(on_worker(words, address))
        try:
            info = await self._ask(address, players)
        except Exception as error:
            raise ClusterFailure(on_worker(sentence(error), address)) from error
        for wrong in self._wrong_with(info, ours):
            raise ClusterFailure(on_worker(wrong, address))
        return info

    def _wrong_with(self, info: WorkerInfo, ours: str) -> Iterator[str]:
        """Why the games of a worker may differ from those of others."""
        if info.arena != digest_of_arena():
            yield f"the sources of connect-arena {ours} differ from this machine's"
        for engine, source in self.sources.items():
            if info.sources.get(engine) != source:
                yield f"the sources of engine {engine} differ from this machine's"
        for checked in info.players.values():
            if checked.wrong is not None:
                yield checked.wrong

    def check_first(self) -> None:
        """Check the workers that are there before game 1; any failure is an error."""
        self._ensure_some((), self.cluster.first_workers())

    def check_player(self, player: int, sound: Sequence[int]) -> tuple[str, PlayerChecked]:
        """Try a player on all workers; return the first failure with its worker, or the slowest.

        If all workers are gone, others first prove that they can play the sound players.
        """
        found: dict[str, PlayerChecked] = {}
        while not found:
            self._ensure_some(sound)
            infos = self._on_all(self.fit, partial(self._ask, players=(player,)))
            found = {address: info.players[player] for address, info in infos.items()}
        for address, checked in found.items():
            if checked.wrong is not None or checked.unchecked is not None:
                return address, checked
        return max(found.items(), key=lambda item: item[1].compiled)

    def _ensure_some(self, sound: Sequence[int], addresses: Collection[str] = ()) -> None:
        """Check workers until at least one is fit."""
        while not self.fit:
            check = partial(self._check, players=sound)
            for address, info in self._on_all(addresses or self._wait(), check).items():
                self.admit(address, info)
            addresses = ()

    def _wait(self) -> Collection[str]:
        """Wait for workers after all others are gone."""
        until = time.monotonic() + ALONE
        while not (addresses := self._present()):
            if time.monotonic() > until:
                raise ClusterFailure(f"all workers of {self.cluster.address} are gone")
            self.tick(())
            time.sleep(LOOK_EVERY)
        return addresses

    def _on_all(
        self,
        addresses: Collection[str],
        ask: Callable[[str], Coroutine[Any, Any, WorkerInfo]],
    ) -> dict[str, WorkerInfo]:
        """Ask workers at the same time; those that leave meanwhile have no answer."""
        asked = {address: self.cluster.start(ask(address)) for address in addresses}
        is_done = False
        while not is_done:
            time.sleep(LOOK_EVERY)
            self.tick(())
            is_done = all(future.done() for future in asked.values())
            present = self._present()  # a worker that is gone by now may have failed for that
            for address in [address for address in asked if address not in present]:
                asked.pop(address).cancel()
                self.fit.pop(address, None)
        return {address: _answer(address, future) for address, future in asked.items()}

    def _present(self) -> Collection[str]:
        try:
            return self.cluster.start(self.cluster.workers()).result(CUT_OFF)
        except (OSError, TimeoutError):
            raise ClusterFailure(cut_off(self.cluster)) from None

    def update(self, present: Collection[str], players: Sequence[int]) -> list[Worker]:
        """Check workers that are new, and return those that are gone."""
        for address in [address for address in self.checking if address not in present]:
            self.checking.pop(address).cancel()
        self.excluded &= set(present)
        self.asked &= set(present)
        for address in set(present) - self.fit.keys() - self.excluded - self.checking.keys():
            self.checking[address] = self.cluster.start(self._check(address, players))
        return [self.fit.pop(address) for address in [*self.fit] if address not in present]

    def finish_checks(self) -> Iterator[str]:
        """Admit the workers that have passed their check; yield why the others have not."""
        for address in [each for each, future in self.checking.items() if future.done()]:
            try:
                self.admit(address, self.checking.pop(address).result())
            except Exception as error:
                self.excluded.add(address)
                yield str(error)

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
        return [view for worker in self.fit.values() for view in worker.views()]

    def look(self, now: float, is_slow: bool) -> None:
        """View the tables about once a second, if games are slow enough to be followed."""
        if self.viewing is not None and self.viewing.done():
            self.next_view = self.view_began + max(VIEW_EVERY, self.view_took / VIEW_SHARE)
            with suppress(Exception):  # a view that fails shows nothing new
                self._take_in(self.viewing.result(), now)
            self.viewing = None
        if self.viewing is None and now >= self.next_view and is_slow and self.fit:
            self.view_began, self.viewing = now, self.cluster.start(self._view([*self.fit]))

    async def _view(self, addresses: list[str]) -> Views:
        began = time.monotonic()
        try:
            asking = self.cluster.tell(addresses, view_tables, self.run)
            return await asyncio.wait_for(asking, VIEW_TIMEOUT)
        finally:
            self.view_took = time.monotonic() - began

    def _take_in(self, views: Views, now: float) -> None:
        for address, seen in views.items():
            if address in self.fit:
                self.fit[address].seen = {slot: _since(view, now) for slot, view in seen}

    def halt(self) -> None:
        """Let the workers begin no further game."""
        self.cluster.start(self.cluster.tell(self.fit, halt, self.run))

    def close(self) -> None:
        """Let all workers clear up; one that cannot be reached does so by itself."""
        for future in (*self.checking.values(), self.viewing):
            if future is not None:
                future.cancel()
        with suppress(Exception):
            self.cluster.start(self.cluster.tell(self.asked, leave, self.run)).result(LEAVING)
        self.fit.clear()


def _since(view: TableView, now: float) -> TableView:
    """A view by the clock of this machine."""
    if view.thinking is None:
        return view
    return view._replace(thinking=view.thinking._replace(since=now - view.thinking.since))


def _answer(address: str, future: Future[WorkerInfo]) -> WorkerInfo:
    try:
        return future.result()
    except ClusterFailure:
        raise
    except Exception as error:
        raise ClusterFailure(on_worker(sentence(error), address)) from error


def cut_off(cluster: Cluster) -> str:
    """The sentence about a scheduler that was there."""
    return f"the scheduler at {cluster.address} is gone"


def on_worker(words: str, address: str) -> str:
    """A sentence with its worker; the lines of an engine stay below it."""
    first, newline, lines = words.partition("\n")
    return f"worker {address}: {first}{newline}{lines}"


def sentence(error: BaseException) -> str:
    """An error of a worker in one line."""
    words = printable(str(error)).strip().splitlines()
    return words[-1] if words else type(error).__name__
