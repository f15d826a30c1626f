"""Thinking time, without a process: clocks, meters, pauses, deadlines."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from select import select

import pytest

from arena import CONNECT4, Choice, Engine, Limits, Position, processes, timing
from arena.bots import hosted
from arena.processes import UNKNOWN, Process, Schedstat, schedstat
from arena.table import probe, referee
from arena.table.probe import Probe
from arena.table.referee import play_game
from arena.timing import (
    AFTER_PAUSE,
    MARGIN,
    MIN_PAUSE,
    NEAR,
    TICK,
    AnswerDeadline,
    Clock,
    Meter,
    NotCharged,
    Pauses,
    charge,
    cpu_late_after,
    late_after,
    length,
)
from tests.support.bots import good

# ---- clocks


def test_without_time_limits_nothing_is_late_and_nothing_is_copied() -> None:
    limits = Limits(depth=4)
    clock = Clock(limits)
    assert clock.limits_now() is limits
    assert clock.spend(1e6) is None


@pytest.mark.parametrize(
    ("limit", "allowed"), [(0.05, 0.05 + MARGIN), (0.2, 0.22), (1.0, 1.1), (10.0, 11.0)]
)
def test_an_answer_may_be_late_by_ten_per_cent_or_the_margin(limit: float, allowed: float) -> None:
    assert late_after(limit) == pytest.approx(allowed)
    clock = Clock(Limits(seconds=limit))
    assert clock.spend(allowed - 0.001) is None
    late = clock.spend(allowed + 0.001)
    assert late is not None
    assert f"{limit:g} s were allowed" in late


def test_a_clock_runs_down_and_gains_its_increment() -> None:
    clock = Clock(Limits(clock=10.0, increment=0.5))
    assert clock.limits_now().clock == 10.0
    assert clock.spend(4.0) is None
    assert clock.limits_now() == Limits(clock=6.5, increment=0.5)
    assert clock.spend(6.5) is None
    assert clock.limits_now().clock == 0.5


def test_a_clock_that_has_run_out_says_so() -> None:
    clock = Clock(Limits(clock=1.0))
    assert clock.spend(0.75) is None
    late = clock.spend(0.5)
    assert late is not None
    assert "0.250 s left" in late


def test_the_margin_is_forgiven_but_not_given() -> None:
    clock = Clock(Limits(clock=1.0))
    assert clock.spend(1.0 + MARGIN / 2) is None
    assert clock.limits_now().clock == 0.0


def test_all_limits_of_a_player_hold() -> None:
    clock = Clock(Limits(clock=60.0, seconds=0.5))
    assert clock.spend(0.4) is None
    assert clock.spend(0.6) is not None
    clock = Clock(Limits(cpu=0.1, seconds=1.0))
    assert clock.spend(seconds=1.0, cpu=0.1) is None
    assert clock.spend(seconds=0.5, cpu=0.2) is not None
    assert clock.spend(seconds=1.2, cpu=0.1) is not None


@pytest.mark.parametrize(
    ("limit", "allowed"), [(0.003, 0.004), (0.015, 0.020), (0.06, 0.08), (0.1, 0.12), (1.0, 1.1)]
)
def test_the_margin_of_processor_time_is_a_share_of_it(limit: float, allowed: float) -> None:
    assert cpu_late_after(limit) == pytest.approx(allowed)
    clock = Clock(Limits(cpu=limit))
    assert clock.timed
    assert clock.spend(seconds=30.0, cpu=allowed - 1e-4) is None
    late = clock.spend(seconds=0.0, cpu=allowed + 1e-3)
    assert late == f"took {allowed + 1e-3:.3f} s of the processor where {limit:g} s were allowed"


def test_waiting_for_a_processor_is_not_thinking() -> None:
    clock = Clock(Limits(seconds=0.1))
    assert clock.spend(0.5, cpu=0.1, waited=0.39) is None
    late = clock.spend(0.5, cpu=0.1, waited=0.2)
    assert late == ("took 0.500 s (0.200 s of it waiting for a processor) where 0.1 s were allowed")
    game = Clock(Limits(clock=1.0))
    assert game.spend(0.9, waited=0.5) is None
    assert game.left == pytest.approx(0.6)


def test_an_engine_is_always_charged_for_its_processor_time() -> None:
    assert charge(1.0, 0.3) == 1.0
    assert charge(1.0, 0.3, waited=0.2, paused=0.3) == pytest.approx(0.5)
    assert charge(1.0, 0.3, waited=2.0) == pytest.approx(0.3)
    assert charge(1.0, 4.0, paused=0.9) == 1.0  # by several threads
    assert charge(1.0, 0.3, excused=NotCharged(0.8, 0.25)) == pytest.approx(0.2)
    assert charge(1.0, 0.0, paused=2.0) == 0.0


# ---- meters and pauses, on clocks that move as they are told


class Machine:
    """A wall clock, a processor's clock, and the time that threads waited for it."""

    def __init__(self) -> None:
        self.wall = self.processor = self.waits = 100.0
        self.readings = 0

    def run(self, wall: float, used: float = 0.0, waits: float = 0.0) -> None:
        self.wall += wall
        self.processor += used
        self.waits += waits

    def work(self, seconds: float) -> None:
        self.run(seconds, used=seconds)

    def process_time(self) -> float:
        self.readings += 1
        return self.processor


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Clocks instead of those of the system, and nobody ticks."""
    made = Machine()
    for module in (timing, processes, referee, probe):
        monkeypatch.setattr(module, "perf_counter", lambda: made.wall)
    monkeypatch.setattr(timing, "process_time", made.process_time)
    for module in (timing, processes):
        monkeypatch.setattr(module, "schedstat", lambda thread=None: Schedstat(0.0, made.waits))
    monkeypatch.setattr(hosted, "OWN_METER", Meter())
    monkeypatch.setattr(Pauses, "_tick", lambda self: None)
    monkeypatch.setattr(timing, "PAUSES", watching())
    for module in (referee, probe):
        monkeypatch.setattr(module, "PAUSES", timing.PAUSES)
    return made


def watching() -> Pauses:
    made = Pauses()
    made.watch()
    return made


def used(meter: Meter, clocks: Machine, working: float, idle: float = 0.0) -> float:
    """What the meter says of a move."""
    start = meter.begin()
    clocks.work(working)
    clocks.run(idle)
    return meter.used(start, clocks.wall)


def test_short_moves_count_as_a_whole_and_the_system_is_seldom_asked(clocks: Machine) -> None:
    meter = Meter()
    for _ in range(1000):
        assert used(meter, clocks, 1e-6) == pytest.approx(1e-6)
        clocks.work(3e-6)
    assert clocks.readings <= 1000 * 4e-6 / NEAR + 2


def test_processor_time_is_not_wall_time(clocks: Machine) -> None:
    meter = Meter()
    for working, idle in [(0.2, 0.0), (0.1, 0.5), (0.0, 0.3), (1e-5, 0.02), (0.03, 1e-4)]:
        assert used(meter, clocks, working, idle) == pytest.approx(working, abs=1e-9)
        clocks.work(3e-6)
    clocks.run(1.1, used=0.4)  # between two moves: nobody's
    assert used(meter, clocks, 0.1) == pytest.approx(0.1)


def test_no_figure_is_wrong_by_more_than_a_moment(clocks: Machine) -> None:
    meter = Meter()
    used(meter, clocks, 0.1)
    clocks.run(0.9 * NEAR)  # unseen: taken for work
    assert used(meter, clocks, 0.1) == pytest.approx(0.1, abs=NEAR)
    assert used(meter, clocks, 0.0, 0.9 * NEAR) == pytest.approx(0.0, abs=NEAR)
    clocks.run(0.9 * NEAR)
    assert used(meter, clocks, 0.0, 2 * NEAR) >= 0.0


def test_a_late_tick_of_an_idle_process_is_a_pause(clocks: Machine) -> None:
    pauses, start = watching(), clocks.wall
    awake = pauses.time_awake()
    clocks.run(TICK)
    pauses.look()
    clocks.run(10 + TICK)
    assert pauses.since(start) == pytest.approx(10)
    assert pauses.since(start) == pytest.approx(10)  # and is counted once
    assert pauses.since(clocks.wall - 4) == pytest.approx(4)
    assert pauses.since(clocks.wall) == 0
    assert pauses.time_awake() - awake == pytest.approx(2 * TICK)


@pytest.mark.parametrize(
    ("used", "waits", "paused"),
    [(10, 0, 0), (4, 0, 6), (4, 6, 0), (1, 1, 8)],  # one may compute and let no thread run
)
def test_a_process_that_runs_or_waits_for_a_processor_is_not_paused(
    used: float, waits: float, paused: float, clocks: Machine
) -> None:
    pauses, start = watching(), clocks.wall
    clocks.run(10, used, waits)
    assert pauses.since(start) == pytest.approx(max(0.0, paused - (TICK if paused else 0.0)))


def test_ticks_in_time_make_no_pause_however_many(clocks: Machine) -> None:
    pauses, start = watching(), clocks.wall
    for _ in range(1000):
        clocks.run(TICK + 0.9 * MIN_PAUSE)
        pauses.look()
    assert pauses.since(start) == 0


def test_without_a_watching_thread_there_are_no_pauses(clocks: Machine) -> None:
    clocks.run(1000)
    assert Pauses().since(0.0) == 0


def test_pauses_here_and_there_at_once_count_once() -> None:
    assert length([(0, 2), (1, 3), (5, 6)], 0) == 4
    assert length([(0, 2), (1, 3), (5, 6)], 1.5) == 2.5
    assert length([], 0) == 0


class Paused(Engine):
    """Thinks for a moment, but its first answer comes after a pause."""

    clocks: Machine
    thinks = 0.1
    pause = 60.0

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.clocks.work(self.thinks)
        if position.ply == 0:
            self.clocks.run(self.pause)
        return Choice(position.legal[0])


def paused_engine(clocks: Machine, thinks: float, pause: float = 60.0) -> Paused:
    engine = Paused()
    engine.clocks, engine.thinks, engine.pause = clocks, thinks, pause
    return engine


@pytest.mark.parametrize("limits", [Limits(seconds=0.2), Limits(clock=10.0)])
def test_a_pause_is_not_thinking_time(limits: Limits, clocks: Machine) -> None:
    engine = paused_engine(clocks, 0.1)
    game = play_game((engine, engine), CONNECT4, limits)
    assert game.reason == "line"
    assert game.move_records()[0].seconds == pytest.approx(0.1, abs=TICK + 0.001)
    assert game.move_records()[1].seconds == pytest.approx(0.1)


@pytest.mark.parametrize("pause", [0.05, 0.1, 0.2, 0.3])
def test_a_short_freeze_is_not_thinking_time_either(pause: float, clocks: Machine) -> None:
    engine = paused_engine(clocks, 0.05, pause)
    assert play_game((engine, engine), CONNECT4, Limits(seconds=0.05)).reason == "line"


def test_thinking_for_too_long_is_no_pause(clocks: Machine) -> None:
    engine = paused_engine(clocks, 0.3)
    game = play_game((engine, engine), CONNECT4, Limits(seconds=0.2))
    assert game.reason == "time"
    assert "took 0.3" in game.detail


# ---- deadlines


class Frozen(Process):
    """A process that is stopped when the test says so."""

    is_frozen = False

    def stopped(self) -> list[int]:
        return [self.pid] if self.is_frozen else []


@pytest.fixture
def deadline(clocks: Machine) -> Callable[..., AnswerDeadline]:
    """Deadlines of 5 seconds from now on."""

    def made(forgiven: float = 0.0) -> AnswerDeadline:
        process = Frozen(os.getpid())
        return AnswerDeadline(clocks.wall, 5.0, process, forgiven, Schedstat(1.0, clocks.waits))

    return made


def test_a_deadline_passes_when_the_process_only_thinks(
    deadline: Callable[..., AnswerDeadline], clocks: Machine
) -> None:
    late = deadline()
    clocks.work(4.9)
    assert not late.over(clocks.wall)
    clocks.work(0.2)
    assert late.over(clocks.wall)
    assert late.sentence(clocks.wall) == "gave no answer in 5.100 s"
    assert late._replace(is_move=False).sentence(clocks.wall).startswith("was not ready in 5.1")


def test_a_pause_of_this_process_moves_the_deadline(
    deadline: Callable[..., AnswerDeadline], clocks: Machine
) -> None:
    late = deadline()
    clocks.run(60)
    clocks.work(4)
    assert not late.over(clocks.wall)
    clocks.work(1.5 + AFTER_PAUSE)
    assert late.over(clocks.wall)
    assert not deadline().over(clocks.wall + 5)  # of the next question
    assert deadline().over(clocks.wall + 5.1)


def test_no_deadline_passes_while_the_process_is_stopped(
    deadline: Callable[..., AnswerDeadline], clocks: Machine
) -> None:
    late = deadline()
    process = late.process
    assert isinstance(process, Frozen)
    clocks.work(1)
    process.look(clocks.wall)
    process.is_frozen = True
    for _ in range(10):
        clocks.work(6)
        assert not late.over(clocks.wall)
    process.is_frozen = False
    assert late.taken(clocks.wall) == pytest.approx(1)
    clocks.work(3.9)
    assert not late.over(clocks.wall)
    clocks.work(0.2 + AFTER_PAUSE)
    assert late.over(clocks.wall)


def test_waits_for_a_processor_move_the_deadline_up_to_a_bound(
    deadline: Callable[..., AnswerDeadline], clocks: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Process, "is_ready", False)
    late, strict = deadline(forgiven=10.0), deadline()
    clocks.run(9, used=0.5, waits=8.5)
    assert not late.over(clocks.wall)
    assert strict.over(clocks.wall)
    assert "(8.500 s of it waiting for a processor)" in late.sentence(clocks.wall)
    clocks.run(9, waits=9)
    assert late.over(clocks.wall)


def test_a_check_that_is_paused_waits_on(clocks: Machine) -> None:
    checked = Probe(good.Leftmost, patience=10)
    with checked._waiting("a move", 10, good.Leftmost(), "here"):
        clocks.run(3600)
        assert not checked.is_overdue()
        clocks.work(10.2 + AFTER_PAUSE)
        assert checked.is_overdue()


# ---- what the system counts


def test_the_system_counts_how_long_a_thread_waited() -> None:
    before, after = schedstat(), schedstat()
    assert 0.0 <= before.waited <= after.waited
    assert 0.0 <= before.ran <= after.ran
    assert schedstat(2**22 + 1) == UNKNOWN  # there is no such process


@pytest.mark.skipif(schedstat() == UNKNOWN, reason="the system does not tell")
def test_a_process_that_sleeps_is_not_waiting_for_a_processor() -> None:
    assert Process(os.getpid()).is_ready
    assert not Process(2**22 + 1).is_ready
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as sleeper:
        while Process(sleeper.pid).is_ready:  # until it waits for its input
            time.sleep(0.01)
        sleeper.kill()


CHILDREN = """
import os, signal, subprocess, sys, time
if {ignored}:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def burn(seconds):
    while time.process_time() < seconds:
        pass
for _ in range(3):
    child = os.fork()
    if not child:
        burn({seconds})
        os._exit(0)
    try:
        os.waitpid(child, 0)
    except ChildProcessError:  # it has ended, and nobody has waited for it
        pass
print("done", flush=True)
input()
"""


@pytest.mark.parametrize(("ignored", "seconds"), [(False, 0.1), (True, 0.3)])
def test_the_processor_time_of_children_counts(ignored: bool, seconds: float) -> None:
    code = CHILDREN.format(ignored=ignored, seconds=seconds)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        tree = Process(process.pid)
        assert process.stdout is not None
        while ignored and not select([process.stdout], (), (), 0.01)[0]:  # seen as long as it lives
            tree.look_for_children()
            tree.cpu()
        process.stdout.readline()
        tree.look_for_children()
        used = tree.cpu()
        process.kill()
    assert 2.7 * seconds < used < 3 * seconds + 0.2
