"""Pauses: time in which this process did not run, which is nobody's thinking time.

Ctrl-Z, a debugger or a frozen container stop all of a process at once. A thread ticks; where a tick
comes late, the processor was not used and nobody waited for one either, nothing could run.
"""

from __future__ import annotations

import os
from collections import deque
from threading import Lock, Thread
from time import perf_counter, process_time, sleep

from arena.play.clock import waited

TICK = 0.05  # seconds
LEAST = 0.1  # seconds that are a pause; less is the margin's


class Pauses:
    """The last pauses of this process: when each ended, and how long it was."""

    def __init__(self) -> None:
        self.known: deque[tuple[float, float]] = deque(maxlen=64)
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
            self._threads = {number: waited(number) for number in numbers}

    def since(self, start: float) -> float:
        """The seconds of all pauses since a time of `perf_counter`, which was not long ago."""
        if not self._watching:
            return 0.0
        self._look()  # after a stop, this may be the first to run again
        return sum(min(seconds, end - start) for end, seconds in tuple(self.known) if end > start)

    def _tick(self) -> None:
        while True:
            sleep(TICK)
            self._look()

    def _look(self) -> None:
        with self._lock:
            now, used = perf_counter(), process_time()
            waiting = {number: waited(number) for number in self._threads}
            waits = max((waiting[k] - self._threads[k] for k in waiting), default=0.0)
            idle = now - self._ticked - TICK - (used - self._used) - waits
            self._ticked, self._used, self._threads = now, used, waiting
            if idle > LEAST:
                self.known.append((now, idle))


PAUSES = Pauses()
