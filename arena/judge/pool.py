"""Several judges at work at once, each on a game of its own.

They are threads of one process: the solver's kernels let go of Python, and all judges share one
table and all they know. What they may use is processor time, counted for all of them together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from threading import Event

from arena.judge.game import Judged
from arena.judge.judge import Judge
from arena.solver.ask import Budget

POLL = 0.2  # seconds
GRACE = 10.0  # seconds, or as long again: then even games that were begun are broken off

Work = Callable[[Judge, Budget], Judged]
Answer = tuple[Judged, bool]  # what was proven, and whether it had to be broken off


class BrokenOff(Exception):
    """Nobody waits for an answer any more."""


class JudgePool:
    """Judges who share a time; whoever begins a game in time may finish it."""

    def __init__(self, judge: Judge, threads: int, seconds: float) -> None:
        judges = [judge]
        while len(judges) < threads and (partner := judge.partner()) is not None:
            judges.append(partner)
        self.size = len(judges)
        self._free: SimpleQueue[Judge] = SimpleQueue()
        for each in judges:
            self._free.put(each)
        self._pool = ThreadPoolExecutor(self.size, thread_name_prefix="judge")
        self._pending: set[Future[Answer]] = set()
        self._ended = Event()
        self._until = time.process_time() + seconds * self.size
        self._latest = self._until + max(seconds, GRACE) * self.size

    @property
    def seconds(self) -> float:
        """What is left of the time, for each judge."""
        return max(0.0, self._until - time.process_time()) / self.size

    @property
    def is_busy(self) -> bool:
        """Whether everybody is."""
        return len(self._pending) >= self.size

    def begin(self, work: Work, nodes: int) -> Future[Answer]:
        """Give work to somebody, with so many nodes for each question."""
        future = self._pool.submit(self._done, work, nodes)
        self._pending.add(future)
        return future

    def finished(self) -> set[Future[Answer]]:
        """What was done meanwhile; waits for a moment if nothing was."""
        done, self._pending = wait(self._pending, POLL, FIRST_COMPLETED)
        return done

    def _done(self, work: Work, nodes: int) -> Answer:
        judge = self._free.get()
        try:
            budget = Budget(nodes, until=self._latest, on_wait=self._go_on)
            return work(judge, budget), budget.is_over
        finally:
            self._free.put(judge)

    def _go_on(self) -> None:
        if self._ended.is_set():
            raise BrokenOff

    def close(self) -> None:
        """Let everybody stop, at the next moment they can be heard."""
        self._ended.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
