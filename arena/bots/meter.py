"""What a process at the end of a pipe uses: time of the processor, and time without one."""

from __future__ import annotations

import os
import sys
import time
from time import perf_counter, process_time
from typing import NamedTuple, Protocol

import psutil

from arena.machine import WatchedProcess, process_tree
from arena.pauses import UNKNOWN, Scheduled, scheduled

NEAR = 50e-6  # seconds
MOST_THREADS = 4  # whose waits for a processor are looked at, the busiest ones


class Excuse(NamedTuple):
    """What of an answer's time is not held against an engine: its program was only starting."""

    seconds: float = 0.0
    cpu: float = 0.0


NO_EXCUSE = Excuse()


class Meter(Protocol):
    """Whatever an engine thinks in, as far as its use of time and of the processor goes."""

    excused: Excuse  # of its last answer

    def settle(self) -> None:
        """What it has used so far is on nobody's account."""

    def begin(self) -> float:
        """A question is asked now: the time of `perf_counter` from which it is on its account."""

    def used(self, start: float, end: float) -> float:
        """Seconds of the processor that the answer took, which began and ended at these times."""

    def scheduled(self) -> Scheduled:
        """How it was scheduled so far."""


class OwnMeter:
    """An engine that thinks in this process.

    To ask the system for the time of the processor takes longer than many a move. What it was a
    moment ago is known from the last time that it was asked: in between this process has worked,
    unless it had to wait for less than that moment. So no figure is wrong by more than NEAR.
    """

    excused = NO_EXCUSE
    scheduled = staticmethod(scheduled)

    def __init__(self) -> None:
        self._known = (float("-inf"), 0.0)  # a time of `perf_counter`, and of the processor then

    def settle(self) -> None:
        """There is nothing to be settled: all that counts is what an answer takes."""

    def begin(self) -> float:
        """The time from which an answer is on the account of an engine."""
        now = perf_counter()
        if now - self._known[0] > NEAR:
            used = process_time()
            now = perf_counter()
            self._known = now, used
        return now

    def used(self, start: float, end: float) -> float:
        """Seconds of the processor; of a moment all of it."""
        if end - start < NEAR:
            return end - start
        used = process_time()
        at, before = self._known
        self._known = end, used
        return max(0.0, used - before - (start - at))


OWN_METER = OwnMeter()


class ProcessMeter:
    """A program in a process of its own, and the processes that it has started itself."""

    def __init__(self, pid: int, keeper: int) -> None:
        self.pid = pid
        self.keeper = keeper
        self.last = UNKNOWN
        self._watched = WatchedProcess(pid)
        self._used = {pid: 0.0}  # by process: seconds of the processor, as far as they are counted
        self._by_gone = 0.0  # the same of those that are gone
        self._threads = [pid]  # those that did most so far

    def cpu(self) -> float:
        """Seconds of the processor, of the program and of what it has started."""
        total, used = self._by_gone, self._used
        for pid in used:
            used[pid] = seconds = _cpu_time(pid) or used[pid]  # of one that is gone, the last
            total += seconds
        return total

    def scheduled(self) -> Scheduled:
        """How its threads were scheduled, together with our own, which has to hear of it."""
        self.last = self._together()
        return Scheduled(self.last.ran, self.last.waited + scheduled().waited)

    def _together(self) -> Scheduled:
        each = [scheduled(thread) for thread in self._threads]
        return Scheduled(sum(one.ran for one in each), sum(one.waited for one in each))

    def waiting(self, since: float, before: Scheduled, now: float) -> float:
        """Seconds since a time in which the program was ready to run and could not."""
        if before == UNKNOWN:
            return 0.0
        at = self._together()
        if self._watched.is_ready:
            return max(0.0, now - since - (at.ran - before.ran))
        return max(0.0, at.waited - before.waited)

    def look_for_children(self) -> None:
        """A script may have started the program that thinks: count all that is there now."""
        there = [pid for pid in process_tree(self.keeper) if pid != self.keeper] or [self.pid]
        for pid in self._used.keys() - there:
            self._by_gone += self._used.pop(pid)
        for pid in there:
            self._used.setdefault(pid, 0.0)
        threads = [thread for pid in there for thread in _threads(pid)]
        busiest = sorted(threads, key=lambda thread: -scheduled(thread).ran)
        self._threads = busiest[:MOST_THREADS] or [self.pid]


class SeatMeter:
    """An engine whose process may make room for another: what all of them use together."""

    def __init__(self) -> None:
        self.excused = NO_EXCUSE
        self._process: ProcessMeter | None = None
        self._cpu, self._waited = 0.0, 0.0  # of the processes that are gone
        self._cpu_at_last = 0.0  # when it was asked for last
        self._cpu_before = 0.0  # the question that was asked last

    def turn_to(self, process: ProcessMeter) -> None:
        """Another process thinks from now on."""
        if self._process is not None:
            self._cpu += self._process.cpu()
            self._waited += self._process.last.waited
        self._process = process

    def cpu(self) -> float:
        """Seconds of the processor; before there is a process, this one stands for it."""
        used = process_time() if self._process is None else self._process.cpu()
        self._cpu_at_last = self._cpu + used
        return self._cpu_at_last

    def cpu_before(self) -> float:
        """What it had used when that was asked last: what it did unasked since is its own."""
        return self.cpu() if self._process is None else self._cpu_at_last

    def settle(self) -> None:
        """What it has used so far is on nobody's account."""
        self.cpu()

    def begin(self) -> float:
        """A question is asked now."""
        self._cpu_before = self.cpu_before()
        return perf_counter()

    def used(self, start: float, end: float) -> float:
        """Seconds of the processor since the question, or since the last answer."""
        return self.cpu() - self._cpu_before

    def scheduled(self) -> Scheduled:
        """How its process was scheduled so far."""
        ran, waited = scheduled() if self._process is None else self._process.scheduled()
        return Scheduled(ran, waited + self._waited)


def _threads(pid: int) -> list[int]:
    """The threads of a process; where the system does not tell, the main one."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return [pid]


def _cpu_time(pid: int) -> float:
    """Seconds of the processor that a process has used; 0 for one that is gone."""
    try:
        if sys.platform == "linux":  # the clock of another process: clock_getcpuclockid(3)
            return time.clock_gettime(~pid << 3 | 2)
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system)
    except (OSError, psutil.Error):
        return 0.0
