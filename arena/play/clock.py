"""One player's time: what a move may take, what is left for the game, and the words of a loss.

On a busy machine a process that could run has to wait for a processor. That time is the machine's
and not the engine's: where the system counts it, it is not held against a move that came late. Nor
is a pause: Ctrl-Z, a debugger or a frozen container stop all of a process at once.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from threading import Lock, Thread
from time import perf_counter, process_time, sleep
from typing import NamedTuple

from arena.engine.contract import MARGIN, Limits

MARGIN_SHARE = 0.10  # of the limit, where that is more
TICK = 0.05  # seconds
LEAST_PAUSE = 0.1  # seconds; less is the margin's


def latest(seconds: float, margin: float = MARGIN) -> float:
    """When an answer that is due after so many seconds is too late."""
    return seconds + max(margin, MARGIN_SHARE * seconds)


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


class Clock:
    """Runs down while its player thinks; tells what it may still use, and when it is too late."""

    __slots__ = ("left", "limits", "margin", "on_wall", "timed")

    def __init__(self, limits: Limits, margin: float = MARGIN) -> None:
        self.limits = limits
        self.margin = margin
        self.left = limits.clock
        self.on_wall = limits.by_clock
        self.timed = limits.timed

    def limits_now(self) -> Limits:
        """The limits of the next move, with what is left on the clock."""
        if self.left is None or self.left == self.limits.clock:
            return self.limits
        return replace(self.limits, clock=self.left)

    def spend(self, seconds: float, cpu: float = 0.0, waiting: float = 0.0) -> str | None:
        """Take the time of a move off the clock; if it was too long, the words of a loss on time.

        `cpu` are the seconds of the processor, `waiting` those spent in waiting for one.
        """
        allowed = self.limits.cpu
        if allowed is not None and cpu > latest(allowed, self.margin):
            return f"took {cpu:.3f} s of the processor where {allowed:g} s were allowed"
        own = max(0.0, seconds - waiting)
        allowed = self.limits.seconds
        if allowed is not None and own > latest(allowed, self.margin):
            return f"took {_spell(seconds, waiting)} where {allowed:g} s were allowed"
        if self.left is not None:
            if own > self.left + self.margin:
                return f"took {_spell(seconds, waiting)} with {self.left:.3f} s left on the clock"
            self.left = max(0.0, self.left - own) + self.limits.increment
        return None


def no_answer(thinking: bool, seconds: float, waiting: float) -> str:
    """The words for a player that did not even answer too late: it was thinking, or not ready."""
    return f"{'gave no answer' if thinking else 'was not ready'} in {_spell(seconds, waiting)}"


def _spell(seconds: float, waiting: float) -> str:
    """A time, and how much of it the machine is to blame for."""
    if waiting < 0.0005:
        return f"{seconds:.3f} s"
    return f"{seconds:.3f} s ({waiting:.3f} s of it waiting for a processor)"


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
