"""Other processes: how they are scheduled, what they use, and how they end."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

import psutil

from arena.machine import MEGABYTE, PROC

OUTSIDE = [  # signals that no mistake of a program raises
    getattr(signal, name)
    for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
]
UNKNOWN_END = 255  # the exit code of a process whose parent did not see it end
GONE = ("", psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
STOPPED = (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
GONE_WITHIN = 0.5  # seconds that a killed process takes to be gone, on a busy machine
PR_SET_CHILD_SUBREAPER = 36  # Linux, sys/prctl.h
ROUNDS = 200  # of killing, a few milliseconds apart
ADOPTING: set[int] = set()  # this process, once it adopts orphans
KEEPERS: set[int] = set()  # of the bots of this process
MAX_THREADS = 4  # the busiest threads of a process, whose waits are read

Span = tuple[float, float]  # from and to, by `perf_counter`


class Schedstat(NamedTuple):
    """The seconds in which a thread ran, and waited for a processor."""

    ran: float
    waited: float


UNKNOWN = Schedstat(0.0, 0.0)


def schedstat(thread: int | None = None) -> Schedstat:
    """How a thread, or the calling one, was scheduled; UNKNOWN where the system does not say.

    The system counts a wait when it is over.
    """
    owner = "thread-self" if thread is None else str(thread)
    try:
        with open(f"{PROC}/{owner}/schedstat", "rb", buffering=0) as figures:
            ran, waited, _ = map(int, figures.read(64).split())
    except (OSError, ValueError):
        return UNKNOWN
    return Schedstat(1e-9 * ran, 1e-9 * waited)


class Process:
    """Another process, with those below it, or below its keeper, in which it may think."""

    def __init__(self, pid: int, keeper: int | None = None) -> None:
        self.pid = pid
        self.keeper = keeper
        self.last = UNKNOWN  # what `schedstat` returned last
        self.stops: deque[Span] = deque(maxlen=64)  # in which it was stopped
        self._looked = perf_counter()
        self._own = {pid: 0.0}  # processor time of each live process
        self._gone = 0.0  # of those that were seen and have ended
        self._reaped = 0.0  # of those whose parents have waited for them, seen or not
        self._threads = [pid]  # those that ran most so far

    @property
    def state(self) -> str:
        """Its status in the words of psutil; "" if it is gone."""
        return state_of(self.pid)

    @property
    def is_stopped(self) -> bool:
        """Whether a signal has stopped it."""
        return self.state in STOPPED

    @property
    def is_ready(self) -> bool:
        """Whether its main thread runs or waits for a processor, and does not sleep."""
        return self.state == psutil.STATUS_RUNNING

    @property
    def megabytes(self) -> float:
        """The memory in use, without the processes below it."""
        return _megabytes(self.pid)

    @property
    def parent(self) -> Process | None:
        """Its parent process; None if it is gone."""
        try:
            return Process(psutil.Process(self.pid).ppid())
        except psutil.Error:
            return None

    def resume(self) -> None:
        """Let a stopped process run again."""
        with suppress(OSError):
            os.kill(self.pid, signal.SIGCONT)

    def cpu(self) -> float:
        """Processor time of all of them, and of those that have ended."""
        own = self._own
        for pid in own:
            own[pid] = _cpu_time(pid) or own[pid]  # the last figure if it has ended
        return sum(own.values()) + max(self._gone, self._reaped)

    def look_for_children(self) -> None:
        """Count the processes that are there now: a script may start the program that thinks."""
        tree = process_tree(self.keeper or self.pid)
        live = [pid for pid in tree if pid != self.keeper] or [self.pid]
        for pid in self._own.keys() - live:
            self._gone += self._own.pop(pid)
        for pid in live:
            self._own.setdefault(pid, 0.0)
        self._reaped = max(self._reaped, sum(map(_reaped_time, tree)))

    def refresh(self) -> None:
        """Look for its children, and for its busiest threads, whose waits count."""
        self.look_for_children()
        threads = [thread for pid in self._own for thread in _threads(pid)]
        busiest = sorted(threads, key=lambda thread: -schedstat(thread).ran)
        self._threads = busiest[:MAX_THREADS] or [self.pid]

    def schedstat(self) -> Schedstat:
        """How the busiest threads were scheduled so far."""
        each = [schedstat(thread) for thread in self._threads]
        self.last = Schedstat(sum(one.ran for one in each), sum(one.waited for one in each))
        return self.last

    def waited(self, since: float, before: Schedstat, now: float) -> float:
        """Seconds in which it was ready to run and could not.

        The system counts a wait when it is over. As long as the process is ready, all the time in
        which it did not run may be one.
        """
        if before == UNKNOWN:
            return 0.0
        at = self.schedstat()
        if self.is_ready:
            return max(0.0, now - since - (at.ran - before.ran))
        return max(0.0, at.waited - before.waited)

    def stopped(self) -> list[int]:
        """Those that a signal has stopped, also the keeper."""
        among = [*self._own] if self.keeper is None else [self.keeper, *self._own]
        return [pid for pid in among if state_of(pid) in STOPPED]

    def look(self, now: float) -> bool:
        """Note whether it is stopped; then it was since the last look."""
        is_stopped = bool(self.stopped())
        if is_stopped:
            self.stops.append((self._looked, now))
        self._looked = now
        return is_stopped


def state_of(pid: int) -> str:
    """The status of a process in the words of psutil; "" if it is gone."""
    try:
        return str(psutil.Process(pid).status())
    except psutil.Error:
        return ""


def _threads(pid: int) -> list[int]:
    """The threads of a process; the main one where the system does not say."""
    try:
        return [int(name) for name in os.listdir(f"{PROC}/{pid}/task")]
    except OSError:
        return [pid]


def _cpu_time(pid: int) -> float:
    """Processor time of a live process; 0 of another."""
    try:
        if sys.platform == "linux":  # the clock of another process: clock_getcpuclockid(3)
            return time.clock_gettime(~pid << 3 | 2)
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system)
    except (OSError, psutil.Error):
        return 0.0


def _reaped_time(pid: int) -> float:
    """Processor time of the children that a process has waited for, and of theirs."""
    try:
        times = psutil.Process(pid).cpu_times()
        return float(getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0))
    except psutil.Error:
        return 0.0


def tree_megabytes(pid: int, allowed: float = math.inf) -> float:
    """The memory of a process and of all that descend from it.

    It is a quick sum, in which pages that they share count for each. Only where it exceeds
    `allowed` they are counted once, which takes milliseconds. Processes that are gone use nothing.
    """
    tree = process_tree(pid)
    megabytes = sum(map(_megabytes, tree))
    return megabytes if megabytes <= allowed else sum(map(_own_megabytes, tree))


def _megabytes(pid: int) -> float:
    """The memory that a process uses."""
    try:
        return float(psutil.Process(pid).memory_info().rss / MEGABYTE)
    except psutil.Error:
        return 0.0


def _own_megabytes(pid: int) -> float:
    """The same, with shared pages divided among their processes where the system counts them so."""
    try:
        known = psutil.Process(pid).memory_full_info()
    except psutil.Error:  # it is gone, or of another user
        return _megabytes(pid)
    return float(getattr(known, "pss", known.rss) / MEGABYTE)


def process_tree(pid: int) -> list[int]:
    """A process and its live descendants."""
    if os.path.exists(f"{PROC}/thread-self/children"):  # psutil would look at every process
        return list(dict.fromkeys(_tree(pid)))
    with suppress(psutil.Error):
        return [pid, *(each.pid for each in psutil.Process(pid).children(recursive=True))]
    return []


def _tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for thread in os.listdir(f"{PROC}/{pid}/task"):
            with open(f"{PROC}/{pid}/task/{thread}/children", "rb", buffering=0) as children:
                for child in children.read().split():
                    yield from _tree(int(child))


def adopt_orphans() -> None:
    """Become the parent of every orphan below this process; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        ADOPTING.add(os.getpid())


def kill_orphans(pid: int | None = None) -> None:
    """Kill the orphans that a process has adopted; by default this one, if it adopts any.

    Bots run in sessions of their own, and no process can enter another session. So an orphan is a
    child in another session than its parent. Keepers, which are not orphans, are `KEEPERS`.
    """
    parent = os.getpid() if pid is None else pid
    if parent == os.getpid() and parent not in ADOPTING:
        return

    def orphans() -> list[int]:
        with suppress(psutil.Error):
            children = {child.pid for child in psutil.Process(parent).children()}
            own = (_session_of(parent), 0)
            return [child for child in children - KEEPERS if _session_of(child) not in own]
        return []

    _kill_all(orphans)


def kill_session(session: int) -> None:
    """Kill all processes of a session."""
    _kill_all(lambda: [pid for pid in psutil.pids() if _session_of(pid) == session])


def _kill_all(find: Callable[[], list[int]]) -> None:
    """Kill processes until there are no more; they may start others meanwhile."""
    for _ in range(ROUNDS):
        killed = [kill(pid) for pid in find()]
        if not any(killed):
            return
        time.sleep(0.002)


def kill(pid: int) -> bool:
    """Kill a process, and reap it if it is a child of this one; whether it was alive."""
    is_alive = state_of(pid) not in GONE
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    return is_alive


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def is_killed(exitcode: int | None, parent: Process | None) -> bool:
    """Whether a process was ended by a signal that no mistake of its own raises.

    If its parent was killed as well, its exit code is unknown.
    """
    if exitcode != UNKNOWN_END or parent is None:
        return exitcode is not None and -exitcode in OUTSIDE
    until = time.monotonic() + GONE_WITHIN
    while parent.state not in GONE and time.monotonic() < until:
        time.sleep(0.01)  # its pipes close a moment before it is gone
    return parent.state in GONE


def ended_process(exitcode: int | None) -> str:
    """The end of a process as a sentence: "its process was killed by SIGSEGV"."""
    is_killed = exitcode is not None and exitcode < 0
    return f"its process {'was ' if is_killed else ''}{how_it_ended(exitcode)}"


def how_it_ended(exitcode: int | None) -> str:
    """An exit code in words."""
    if exitcode is not None and exitcode < 0:
        try:
            return f"killed by {signal.Signals(-exitcode).name}"
        except ValueError:
            return f"killed by signal {-exitcode}"
    return f"left with exit code {exitcode}"
