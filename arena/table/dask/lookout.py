"""A look at the tables of all workers, about once a second, while somebody watches at home.

Machines have clocks of their own: how long somebody has been thinking travels, never since when.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from arena.table.dask.cluster import Cluster
from arena.table.dask.hall import Hall
from arena.table.dask.room import Glimpse, glimpse

LOOK_EVERY = 1.0  # seconds
SHARE = 0.05  # of all time that looks may take; where workers are many, they come less often
GIVEN_UP = 5.0  # seconds after which a look has failed
QUICK = 2  # games that travel together: of more of them only the ends can be seen

Glimpses = dict[str, list[Glimpse]]  # by the addresses of workers


class Lookout:
    """Asks the workers what is on their tables, one broadcast at a time."""

    def __init__(
        self,
        cluster: Cluster,
        hall: Hall,
        run: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cluster, self.hall, self.run, self.clock = cluster, hall, run, clock
        self.looking: Future[Glimpses] | None = None
        self.begun = self.took = self.due = 0.0

    def look(self, now: float) -> None:
        """Take in what the last look has brought, and begin the next one if it is time to."""
        if self.looking is not None and self.looking.done():
            self.due = self.begun + max(LOOK_EVERY, self.took / SHARE)
            with suppress(Exception):  # a look that fails shows nothing new
                self._take_in(self.looking.result())
            self.looking = None
        if self.looking is None and now >= self.due and self.hall.was_watched():
            workers = self.hall.workers.items()
            slow = [each for each, worker in workers if worker.chunks and worker.size <= QUICK]
            if slow:
                self.begun, self.looking = now, self.cluster.start(self._ask(slow))

    def close(self) -> None:
        """Look no more."""
        if self.looking is not None:
            self.looking.cancel()

    async def _ask(self, workers: list[str]) -> Glimpses:
        begun = self.clock()
        try:
            return await asyncio.wait_for(self.cluster.tell(workers, glimpse, self.run), GIVEN_UP)
        finally:
            self.took = self.clock() - begun

    def _take_in(self, glimpses: Glimpses) -> None:
        for address, seen in glimpses.items():
            worker = self.hall.workers.get(address)
            if worker is not None:
                for each in seen:
                    worker.see(each)
