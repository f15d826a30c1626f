"""A Dask cluster as its one client sees it: how to connect, and tasks for one worker each."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker, spawn
from typing import Any, TypeVar

from arena.errors import ClusterFailure, warn_caller
from arena.tournament.parts import local_workers

CONNECTING = 5.0  # seconds for a scheduler to answer
FIRST_WORKER = 10.0  # seconds to wait for a worker
LEAVING = 10.0  # seconds for workers to clear up after a run
LOOK_EVERY = 0.1
MAX_STARTS = 3  # attempts to start the workers of local:N
NAME = "distributed"
NANNY = "Nanny"  # in the names of processes of workers
TLS = "tls://"
CERTIFICATES = "distributed.comm.tls in Dask's configuration"
PRELOADED = "arena.table.dask_worker"
INSTALL = "pip install 'connect-arena[cluster]'"

T = TypeVar("T")


class Cluster:
    """The scheduler of a cluster and its workers at the moment."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address  # as the user wrote it

    @property
    def is_local(self) -> bool:
        """Whether all workers are on this machine, and for this run alone."""
        return local_workers(self.address) is not None

    @property
    def is_connected(self) -> bool:
        """Whether the scheduler is there."""
        return bool(self.client.status == "running")

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start some work on the client's own thread."""
        return asyncio.run_coroutine_threadsafe(work, self.client.loop.asyncio_loop)

    def submit(self, task: Callable[..., Any], *args: Any, **where: Any) -> Any:
        """Submit a task that Dask repeats if its worker is lost."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that bots with weights are large
            return self.client.submit(task, *args, pure=False, **where)

    async def workers(self) -> dict[str, int]:
        """The threads of all workers, by their addresses."""
        if not self.is_connected:
            raise ConnectionError(f"the scheduler at {self.address} is gone")
        return dict(await self.client.nthreads())

    async def ask(self, workers: Iterable[str], task: Callable[..., T], *args: Any) -> T:
        """Run a task on one of these workers; wait for ever if all of them are gone."""
        future = self.submit(task, *args, workers=list(workers))
        try:
            answer: T = await future
            return answer
        finally:
            future.release()

    async def tell(
        self, workers: Iterable[str], task: Callable[..., T], *args: Any
    ) -> dict[str, T]:
        """Call a function on workers at once, beside their tasks; skip those that are gone."""
        if not (addresses := list(workers)):
            return {}
        options = {"workers": addresses, "on_error": "ignore"}
        answers: dict[str, T] = await self.client.run(task, *args, **options)
        return answers

    def first_workers(self) -> dict[str, int]:
        """The workers, as soon as there is one."""
        until = time.monotonic() + FIRST_WORKER
        while not (workers := self.start(self.workers()).result()):
            if time.monotonic() > until:
                advice = f"start some with: dask worker {self.address}"
                raise ClusterFailure(f"the scheduler at {self.address} has no workers; {advice}")
            time.sleep(LOOK_EVERY)
        return workers


def learners_refused(names: Iterable[str]) -> ClusterFailure:
    """The error for players that learn."""
    words = "learns from game to game, so all its games must be played on one machine"
    return ClusterFailure(f"{', '.join(names)} {words}; run it without a cluster")


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """The cluster at an address; `local:4` starts one that ends with this context."""
    distributed = _import_distributed()
    workers = local_workers(address)
    if workers is None:
        if address.startswith(TLS):
            _check_certificates(distributed, address)
        with _connect(distributed, address) as client:
            if not address.startswith(TLS):
                words = f"anyone who can reach {address} can run code as you"
                warn_caller(f"{words}; use a tls:// scheduler instead")
            yield Cluster(client, address)
        return
    with _local_cluster(distributed, workers) as own, _connect(distributed, own) as client:
        yield Cluster(client, address)


@contextmanager
def _local_cluster(distributed: Any, workers: int) -> Iterator[Any]:
    """Workers of one thread each on this machine.

    Temporary certificates keep other users of this machine from sending them tasks.
    """
    own: Any = None
    with _without_script():
        try:
            with _ignoring_interrupts():
                own = _start_local_cluster(distributed, workers)
            yield own
        finally:
            if own is not None:
                with suppress(Exception):  # the workers exit with this process
                    own.close(timeout=LEAVING)


def _start_local_cluster(distributed: Any, workers: int) -> Any:
    for attempt in range(1, MAX_STARTS + 1):
        try:
            return distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
                security=distributed.Security.temporary(),
                dashboard_address="127.0.0.1:0", worker_dashboard_address=None, memory_limit=0,
                silence_logs=logging.CRITICAL, preload=[PRELOADED],
            )  # fmt: skip
        except ImportError:
            words = "a local cluster needs the package cryptography"
            raise ClusterFailure(f"{words}: {INSTALL}") from None
        except (OSError, RuntimeError, TimeoutError) as error:
            if attempt == MAX_STARTS:
                raise ClusterFailure(
                    f"cannot start the workers of local:{workers}: {error} {MAX_STARTS} times in a "
                    "row; free some memory, or use fewer workers"
                ) from None
    raise AssertionError


@contextmanager
def _without_script() -> Iterator[None]:
    """Keep workers from running the caller's script again, whenever they start.

    So a script that plays needs no `if __name__ == "__main__"`.
    """
    original = spawn.get_preparation_data

    def prepare(name: str) -> dict[str, Any]:
        data: dict[str, Any] = original(name)
        if NANNY in name:
            data = {key: value for key, value in data.items() if not key.startswith("init_main")}
        return data

    spawn.get_preparation_data = prepare
    try:
        yield
    finally:
        spawn.get_preparation_data = original


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Threads and processes that start inside ignore Ctrl-C, which a terminal sends to all.

    The run decides whether the current games are finished.
    """
    resource_tracker.ensure_running()  # its start unblocks all signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_not_of_dask(record: logging.LogRecord) -> bool:
    """Check that a report of asyncio is not about a task of Dask's own, whose cluster has ended."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not kind.__module__.startswith(NAME)


def _import_distributed() -> Any:
    """Import the package, which only clusters need, and silence it."""
    try:
        import distributed
    except ImportError:
        raise ClusterFailure(f"a cluster needs the package distributed: {INSTALL}") from None
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(NAME)]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # Arena reports what matters
    logging.getLogger("asyncio").addFilter(is_not_of_dask)
    return distributed


def _check_certificates(distributed: Any, address: str) -> None:
    """Refuse an encrypted address without certificates."""
    wrong = f"cannot connect to {address}: {CERTIFICATES}"
    try:
        connection = distributed.Security().get_connection_args("client")
    except (OSError, ValueError) as error:
        raise ClusterFailure(f"{wrong} names certificates that cannot be read: {error}") from None
    if connection.get("ssl_context") is None:
        raise ClusterFailure(f"{wrong} names no certificates")


@contextmanager
def _connect(distributed: Any, place: Any) -> Iterator[Any]:
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
        with suppress(Exception):  # the scheduler may be gone
            client.close(timeout=LEAVING)
