"""Thinking time: what an engine is charged for a move, and when its answer is too late.

**Charged**: the time from the question to the answer, with the pipe to a process and whatever is
compiled inside the move. By `cpu`, the processor time of the engine's process and of all its
children, also of those that have ended.

**Not charged**:
- getting ready: loading, warm-up, compiling, `new_game`, `learn`;
- pauses, in which nothing could run: Ctrl-Z, a frozen container, a stopped process;
- waiting for a processor on a busy machine, as Linux counts it in `schedstat`;
- the start of a line program, until it has read its first lines;
- the first load of a Kaggle file, unless `strict`.
An engine is always charged for the processor time that it used, whatever else happened.

**Late**: more than the limit and its margin: 20 ms or 10 %, whichever is more. The margin of a
`cpu` limit below 60 ms shrinks with the limit, as processor time is exact.

**Given up**: no answer by then, plus once more the margin and 0.1 s. Up to `patience` is added for
waits and all pauses. A table gives up a bot's process, and the owner of a table gives up the table,
by the same `AnswerDeadline`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from threading import Lock, Thread
from time import perf_counter, process_time, sleep
from typing import NamedTuple

from arena.engine.limits import Limits
from arena.processes import UNKNOWN, Process, Schedstat, Span, schedstat

MARGIN = 0.020  # seconds by which any answer may be late: the machine's share, not the engine's
MARGIN_SHARE = 0.10  # of the limit, where that is more
FULL_CPU_MARGIN = 0.060  # seconds: a smaller cpu limit has a proportionally smaller margin
GRACE = 0.1  # seconds: the referee judges a late answer, if it can, before it is given up
AFTER_PAUSE = 1.0  # seconds more at most for an answer after a pause
TICK = 0.01  # seconds between the looks for pauses
MIN_PAUSE = 0.02  # seconds; the margin covers shorter ones
NEAR = 50e-6  # seconds
CHILDREN_AFTER = 0.01  # seconds: a shorter move does not pay to look for children


def late_after(seconds: float, margin: float = MARGIN) -> float:
    """How long an answer may take before it is late."""
    return seconds + max(margin, MARGIN_SHARE * seconds)


def cpu_late_after(seconds: float, margin: float = MARGIN) -> float:
    """The same in processor time."""
    return late_after(seconds, margin * min(1.0, seconds / FULL_CPU_MARGIN))


def give_up_after(seconds: float, margin: float = MARGIN) -> float:
    """How long to wait, so that the referee can still judge a late answer."""
    return late_after(seconds, margin) + margin + GRACE


def format_seconds(seconds: float, waiting: float = 0.0) -> str:
    """A time, and how much of it was waiting for a processor."""
    if waiting < 0.0005:
        return f"{seconds:.3f} s"
    return f"{seconds:.3f} s ({waiting:.3f} s of it waiting for a processor)"


class NotCharged(NamedTuple):
    """The part of a move in which the program was only starting."""

    seconds: float = 0.0
    cpu: float = 0.0


NOTHING = NotCharged()


def charge(
    wall: float, cpu: float, waited: float = 0.0, paused: float = 0.0, excused: NotCharged = NOTHING
) -> float:
    """The seconds that count of a move: never less than the processor time that it took."""
    wall, cpu = wall - excused.seconds, cpu - excused.cpu
    return max(0.0, min(cpu, wall), wall - waited - paused)


class Clock:
    """The time of one player: counts down while it thinks, and finds out when it is late."""

    __slots__ = ("left", "limits", "margin", "on_wall", "timed")

    def __init__(self, limits: Limits, margin: float = MARGIN) -> None:
        self.limits = limits
        self.margin = margin
        self.left = limits.clock
        self.on_wall = limits.by_clock
        self.timed = limits.timed

    def limits_now(self) -> Limits:
        """The limits of the next move, with the time left on the clock."""
        if self.left is None or self.left == self.limits.clock:
            return self.limits
        return replace(self.limits, clock=self.left)

    def spend(self, seconds: float, cpu: float = 0.0, waited: float = 0.0) -> str | None:
        """Charge a move; the reason for a loss on time if it took too long."""
        allowed = self.limits.cpu
        if allowed is not None and cpu > cpu_late_after(allowed, self.margin):
            return f"took {cpu:.3f} s of the processor where {allowed:g} s were allowed"
        charged = charge(seconds, cpu, waited)
        allowed = self.limits.seconds
        if allowed is not None and charged > late_after(allowed, self.margin):
            return f"took {format_seconds(seconds, waited)} where {allowed:g} s were allowed"
        if self.left is not None:
            if charged > self.left + self.margin:
                taken = format_seconds(seconds, waited)
                return f"took {taken} with {self.left:.3f} s left on the clock"
            self.left = max(0.0, self.left - charged) + self.limits.increment
        return None


# ---- pauses: nothing could run


class Pauses:
    """The last pauses of this process.

    A thread ticks. If a tick comes late although the process neither used a processor nor waited
    for one, nothing could run.
    """

    def __init__(self) -> None:
        self.spans: deque[Span] = deque(maxlen=64)
        self.total = 0.0
        self._lock = Lock()
        self._watching = 0  # the process whose thread ticks
        self._ticked = self._used = 0.0
        self._waits: dict[int, float] = {}  # of the main thread and of ours

    def watch(self) -> None:
        """Begin to tick in this process."""
        if self._watching != os.getpid():
            self._watching = os.getpid()
            self._lock = Lock()
            self._ticked, self._used = perf_counter(), process_time()
            thread = Thread(target=self._tick, name="pauses", daemon=True)
            thread.start()
            threads = (os.getpid(), thread.native_id or 0)
            self._waits = {number: schedstat(number).waited for number in threads}

    def since(self, start: float) -> float:
        """Seconds of all pauses since a recent time."""
        if not self._watching:
            return 0.0
        self.look()  # after a pause this thread may be the first to run
        return length(self.spans, start)

    def time_awake(self) -> float:
        """A clock in seconds that stands still in pauses."""
        if self._watching:
            self.look()
        return perf_counter() - self.total

    def look(self) -> None:
        """Note a pause that has just ended."""
        with self._lock:
            now, used = perf_counter(), process_time()
            idle = now - self._ticked - TICK - (used - self._used)
            waits = {number: schedstat(number).waited for number in self._waits}
            idle -= max((waits[k] - self._waits[k] for k in waits), default=0.0)
            self._ticked, self._used, self._waits = now, used, waits
            if idle > MIN_PAUSE:
                self.spans.append((now - idle, now))
                self.total += idle

    def _tick(self) -> None:
        while True:
            sleep(TICK)
            self.look()


PAUSES = Pauses()


def length(spans: Iterable[Span], start: float) -> float:
    """Seconds since a time that at least one of the spans covers."""
    covered, reached = 0.0, start
    for begin, end in sorted(spans):
        if end > reached:
            covered += end - max(begin, reached)
            reached = end
    return covered


# ---- meters: what an engine used


class Meter:
    """Measures an engine that thinks in this process.

    Reading the processor time takes longer than many a move. The last reading is still good if it
    is less than NEAR old: this process has worked since, or waited for less than NEAR.
    """

    not_charged = NOTHING  # in the last move

    def __init__(self) -> None:
        self._known = (float("-inf"), 0.0)  # a time, and the processor time then

    def reset(self) -> None:
        """Leave the processor time used so far uncharged."""

    def begin(self) -> float:
        """Begin a move; the time from which it is charged."""
        now = perf_counter()
        if now - self._known[0] > NEAR:
            used = process_time()
            now = perf_counter()
            self._known = now, used
        return now

    def used(self, start: float, end: float) -> float:
        """Processor time of the move between these times; all of it if it was short."""
        if end - start < NEAR:
            return end - start
        used = process_time()
        at, before = self._known
        self._known = end, used
        return max(0.0, used - before - (start - at))

    def paused(self, start: float) -> float:
        """Seconds since then in which nothing could run."""
        return PAUSES.since(start)

    def schedstat(self) -> Schedstat:
        """How the thinking thread was scheduled so far."""
        return schedstat()


OWN_METER = Meter()  # one for all engines: each reading is good for the next of them


def paused(process: Process, start: float) -> float:
    """Seconds since then in which another process or this one could not run."""
    PAUSES.since(start)
    return length([*PAUSES.spans, *process.stops], start)


class BotMeter(Meter):
    """Measures an engine in a process of its own, which another may replace."""

    def __init__(self) -> None:
        super().__init__()
        self.process: Process | None = None
        self._cpu = self._waited = 0.0  # of the processes before
        self._at_last = self._before = 0.0  # processor time at the last reading, at the question

    def use(self, process: Process) -> None:
        """Measure another process from now on."""
        if self.process is not None:
            self._cpu += self.process.cpu()
            self._waited += self.process.last.waited
        self.process = process

    def cpu(self) -> float:
        """Processor time so far; of this process as long as there is no other."""
        used = process_time() if self.process is None else self.process.cpu()
        self._at_last = self._cpu + used
        return self._at_last

    def cpu_before(self) -> float:
        """Processor time at the last reading: an engine is charged for thinking unasked."""
        return self.cpu() if self.process is None else self._at_last

    def reset(self) -> None:
        """Leave the processor time used so far uncharged."""
        if self.process is not None:
            self.process.look_for_children()
        self.cpu()

    def begin(self) -> float:
        """Begin a move; the time from which it is charged."""
        self._before = self.cpu_before()
        return perf_counter()

    def used(self, start: float, end: float) -> float:
        """Processor time since the last answer."""
        if end - start > CHILDREN_AFTER and self.process is not None:
            self.process.look_for_children()
        return self.cpu() - self._before

    def paused(self, start: float) -> float:
        """Seconds since then in which nothing could run, here or there."""
        return PAUSES.since(start) if self.process is None else paused(self.process, start)

    def schedstat(self) -> Schedstat:
        """How its process was scheduled so far, and this one, which has to read the answer."""
        ran, waited = schedstat()
        if self.process is not None:
            ran, more = self.process.schedstat()
            waited += more
        return Schedstat(ran, waited + self._waited)


# ---- waiting for an answer


class AnswerDeadline(NamedTuple):
    """When to give an answer up: `allowed` seconds after `since`, later after pauses and waits."""

    since: float
    allowed: float
    process: Process  # that has to answer
    forgiven: float = 0.0  # seconds at most that it waited for a processor
    before: Schedstat = UNKNOWN  # how it had been scheduled at the question
    is_move: bool = True  # or it is only getting ready
    compiling: float | None = None  # its processor time as it began to compile, which is free
    most: float = 0.0  # seconds of compiling

    def over(self, now: float) -> bool:
        """Whether it has passed."""
        return self.rest(now) < 0

    def rest(self, now: float) -> float:
        """Seconds left."""
        rest = self.since + self.allowed - now
        if rest >= 0:
            return rest
        if self.process.look(now):
            return AFTER_PAUSE
        pause = paused(self.process, self.since)
        return rest + self.free(now) + pause + min(pause, AFTER_PAUSE)

    def free(self, now: float) -> float:
        """Seconds of waiting and compiling that extend it."""
        return min(self.waited(now), self.forgiven) + self.compiled()

    def compiled(self) -> float:
        """Seconds of the processor since it began to compile, if it does."""
        if self.compiling is None:
            return 0.0
        self.process.look_for_children()
        return min(self.process.cpu() - self.compiling, self.most)

    def waited(self, now: float) -> float:
        """Seconds that its process waited for a processor, if these are forgiven."""
        return self.process.waited(self.since, self.before, now) if self.forgiven else 0.0

    def taken(self, now: float) -> float:
        """Seconds since the question, without pauses."""
        return now - self.since - paused(self.process, self.since)

    def sentence(self, now: float) -> str:
        """The reason for giving up, when it has passed."""
        taken = format_seconds(self.taken(now), self.waited(now))
        return f"{'gave no answer' if self.is_move else 'was not ready'} in {taken}"
