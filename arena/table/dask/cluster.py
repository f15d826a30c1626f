"""A Dask cluster as its one client sees it: who is there, and tasks for one worker each."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import resource_tracker, spawn
from typing import Any, TypeVar
from warnings import warn

from arena.errors import ArenaWarning, ClusterFailure
from arena.tournament.spec.parts import local_workers

CONNECTING = 5.0  # seconds for a scheduler to answer
WORKERS_WITHIN = 10.0  # seconds for its first worker to be there
LEAVING = 10.0  # seconds for workers to clear away what a run has left
LOOK_EVERY = 0.1
NAME = "distributed"
NANNY = "Nanny"  # in the names of processes of workers
TLS = "tls://"
CERTIFICATES = "distributed.comm.tls in Dask's configuration"
UNDISTURBED = "arena.table.dask.undisturbed"
INSTALL = "pip install 'connect-arena[cluster]'"

T = TypeVar("T")


class Cluster:
    """The scheduler of a cluster and its workers, whoever they are at the moment."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address  # as its user has named it
        self._tasks = count(1)

    @property
    def is_local(self) -> bool:
        """Whether all workers are on this machine, and for this run alone."""
        return local_workers(self.address) is not None

    @property
    def is_connected(self) -> bool:
        """Whether the scheduler is there."""
        return bool(self.client.status == "running")

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin some work on the client's own thread."""
        return asyncio.run_coroutine_threadsafe(work, self.client.loop.asyncio_loop)

    async def workers(self) -> dict[str, int]:
        """The threads of all workers, by their addresses."""
        return dict(await self.client.nthreads())

    async def ask(self, worker: str, task: Callable[..., T], *args: Any) -> T:
        """What a task returns that is run by this worker, once, and by no other.

        Nobody answers for a worker that is gone: who asks looks whether it is still there.
        """
        key = f"arena-{self.client.id}-{next(self._tasks)}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that engines with weights are large is no news
            future = self.client.submit(
                task, *args, key=key, workers=[worker], allow_other_workers=False, pure=False
            )
        try:
            answer: T = await future
            return answer
        finally:
            future.release()

    async def tell(self, workers: list[str], task: Callable[..., T], *args: Any) -> dict[str, T]:
        """Have workers do something at once, whatever else they do; who is gone is let off."""
        if not workers:
            return {}
        told: dict[str, T] = await self.client.run(task, *args, workers=workers, on_error="ignore")
        return told

    def first_workers(self) -> dict[str, int]:
        """The workers that are there to begin with, as soon as there is one."""
        until = time.monotonic() + WORKERS_WITHIN
        while not (workers := self.start(self.workers()).result()):
            if time.monotonic() > until:
                advice = f"start some with: dask worker {self.address}"
                raise ClusterFailure(f"the scheduler at {self.address} has no workers; {advice}")
            time.sleep(LOOK_EVERY)
        return workers


def learners_refused(names: Iterable[str]) -> ClusterFailure:
    """The sentence about players who learn."""
    words = "learns from game to game, for which all its games must be played on one machine"
    return ClusterFailure(f"{', '.join(names)} {words}; run it without a cluster")


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """The cluster at an address; `local:4` is one of its own, which ends with it."""
    distributed = _distributed()
    workers = local_workers(address)
    if workers is None:
        if address.startswith(TLS):
            _check_certificates(distributed, address)
        with _client(distributed, address) as client:
            if not address.startswith(TLS):
                words = f"anyone who can reach {address} can run code as you"
                warn(f"{words}; use a tls:// scheduler instead", ArenaWarning, stacklevel=3)
            yield Cluster(client, address)
        return
    with _workers(distributed, workers) as own, _client(distributed, own) as client:
        yield Cluster(client, address)


@contextmanager
def _workers(distributed: Any, workers: int) -> Iterator[Any]:
    """A cluster on this machine, each worker a process with one thread.

    Its certificates last as long as it does: other users of this machine cannot send it tasks.
    """
    own: Any = None
    with _without_script():
        try:
            with _deaf_to_interrupts():
                own = _started(distributed, workers)
            yield own
        finally:
            if own is not None:
                with suppress(Exception):  # its workers leave when this process does
                    own.close(timeout=LEAVING)


def _started(distributed: Any, workers: int) -> Any:
    try:
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
            security=distributed.Security.temporary(),
            dashboard_address="127.0.0.1:0", worker_dashboard_address=None, memory_limit=0,
            silence_logs=logging.CRITICAL, preload=[UNDISTURBED],
        )  # fmt: skip
    except ImportError:
        words = "a local cluster needs the package cryptography"
        raise ClusterFailure(f"{words}: {INSTALL}") from None
    except (OSError, RuntimeError, TimeoutError) as error:
        words = f"the workers of local:{workers} could not be started"
        raise ClusterFailure(f"{words}: {error}") from None


@contextmanager
def _without_script() -> Iterator[None]:
    """Workers do not run the script again that this process was started with, whenever they start.

    So a script that plays on some needs no `if __name__ == "__main__"`.
    """
    usual = spawn.get_preparation_data

    def prepared(name: str) -> dict[str, Any]:
        data: dict[str, Any] = usual(name)
        if NANNY in name:
            data = {key: value for key, value in data.items() if not key.startswith("init_main")}
        return data

    spawn.get_preparation_data = prepared
    try:
        yield
    finally:
        spawn.get_preparation_data = usual


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Threads and processes that start inside do not hear Ctrl-C until they say so themselves.

    A terminal sends it to all; whether games on the tables are finished is for their owner to say.
    """
    resource_tracker.ensure_running()  # which every process needs, and which undoes this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _distributed() -> Any:
    """The package, which only those need who have a cluster; it is to print nothing."""
    try:
        import distributed
    except ImportError:
        raise ClusterFailure(f"a cluster needs the package distributed: {INSTALL}") from None
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(NAME)]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told by us
    return distributed


def _check_certificates(distributed: Any, address: str) -> None:
    """Refuse an encrypted address for which there are no certificates."""
    wrong = f"cannot connect to {address}: {CERTIFICATES}"
    try:
        connection = distributed.Security().get_connection_args("client")
    except (OSError, ValueError) as error:
        raise ClusterFailure(f"{wrong} names certificates that cannot be read: {error}") from None
    if connection.get("ssl_context") is None:
        raise ClusterFailure(f"{wrong} names no certificates")


@contextmanager
def _client(distributed: Any, place: Any) -> Iterator[Any]:
    try:
        client = distributed.Client(place, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        advice = "start one with: dask scheduler; or try --cluster local:2"
        is_mismatch = "certificate" in str(error)
        why = f" ({error})" if is_mismatch or not isinstance(error, OSError) else ""
        raise ClusterFailure(f"no scheduler answers at {place}{why}; {advice}") from None
    try:
        yield client
    finally:
        with suppress(Exception):  # a scheduler that is gone cannot be taken leave of
            client.close(timeout=LEAVING)
