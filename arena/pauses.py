"""How the system lets processes run: what they waited for a processor, and pauses of all at once.

On a busy machine a process that could run has to wait. That time is the machine's and not the
engine's. Nor is a pause: Ctrl-Z, a debugger or a frozen container stop all of a process at once.
"""

from __future__ import annotations

import os
from collections import deque
from threading import Lock, Thread
from time import perf_counter, process_time, sleep
from typing import NamedTuple

TICK = 0.05  # seconds
LEAST_PAUSE = 0.1  # seconds; less is the margin's


class Scheduled(NamedTuple):
    """What became of a thread since it began: seconds it ran, and was ready to run but waited."""

    ran: float
    waited: float


UNKNOWN = Scheduled(0.0, 0.0)


def scheduled(process: int | None = None) -> Scheduled:
    """How the system scheduled the main thread of a process, or the thread that asks.

    A wait is counted when it is over. UNKNOWN where the system does not tell.
    """
    owner = "thread-self" if process is None else str(process)
    try:
        with open(f"/proc/{owner}/schedstat", "rb", buffering=0) as figures:
            ran, waited, _ = map(int, figures.read(64).split())
    except (OSError, ValueError):
        return UNKNOWN
    return Scheduled(1e-9 * ran, 1e-9 * waited)


class Pauses:
    """The last pauses of this process: when each ended, and how long it was.

    A thread ticks; where a tick comes late, the processor was not used and nobody waited for one
    either, nothing could run.
    """

    def __init__(self) -> None:
        self.ended: deque[tuple[float, float]] = deque(maxlen=64)
        self._lock = Lock()
        self._watching = 0  # the process whose thread ticks
        self._ticked = self._used = 0.0
        self._threads: dict[int, float] = {}  # the main one and our own: what they have waited

    def watch(self) -> None:
        """Pay attention from now on, in this process."""
        if self._watching != os.getpid():
            self._watching = os.getpid()
            self._lock = Lock()
            self._ticked, self._used = perf_counter(), process_time()
            thread = Thread(target=self._tick, name="pauses", daemon=True)
            thread.start()
            numbers = (os.getpid(), thread.native_id or 0)
            self._threads = {number: scheduled(number).waited for number in numbers}

    def since(self, start: float) -> float:
        """The seconds of all pauses since a time of `perf_counter`, which was not long ago."""
        if not self._watching:
            return 0.0
        self._look()  # after a stop, this may be the first to run again
        return sum(min(seconds, end - start) for end, seconds in tuple(self.ended) if end > start)

    def _tick(self) -> None:
        while True:
            sleep(TICK)
            self._look()

    def _look(self) -> None:
        with self._lock:
            now, used = perf_counter(), process_time()
            waiting = {number: scheduled(number).waited for number in self._threads}
            waits = max((waiting[k] - self._threads[k] for k in waiting), default=0.0)
            idle = now - self._ticked - TICK - (used - self._used) - waits
            self._ticked, self._used, self._threads = now, used, waiting
            if idle > LEAST_PAUSE:
                self.ended.append((now, idle))


PAUSES = Pauses()
