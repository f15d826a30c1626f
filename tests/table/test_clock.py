"""Clocks, without an engine."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from arena import Limits
from arena.engine.limits import MARGIN, latest
from arena.machine import WatchedProcess
from arena.pauses import UNKNOWN, scheduled
from arena.table.clock import Clock


def test_without_time_limits_nothing_is_late_and_nothing_is_copied() -> None:
    limits = Limits(depth=4)
    clock = Clock(limits)
    assert clock.limits_now() is limits
    assert clock.spend(1e6) is None


@pytest.mark.parametrize(
    ("limit", "allowed"), [(0.05, 0.05 + MARGIN), (0.2, 0.22), (1.0, 1.1), (10.0, 11.0)]
)
def test_an_answer_may_be_late_by_ten_per_cent_or_the_margin(limit: float, allowed: float) -> None:
    assert latest(limit) == pytest.approx(allowed)
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


def test_a_move_limit_holds_beside_a_clock() -> None:
    clock = Clock(Limits(clock=60.0, seconds=0.5))
    assert clock.spend(0.4) is None
    assert clock.spend(0.6) is not None


def test_processor_time_is_judged_by_itself_with_the_same_margin() -> None:
    clock = Clock(Limits(cpu=0.1))
    assert clock.timed
    assert clock.spend(seconds=30.0, cpu=0.1 + 0.9 * MARGIN) is None
    late = clock.spend(seconds=0.0, cpu=0.1 + 1.1 * MARGIN)
    assert late == "took 0.122 s of the processor where 0.1 s were allowed"


def test_both_limits_hold() -> None:
    clock = Clock(Limits(cpu=0.1, seconds=1.0))
    assert clock.spend(seconds=1.0, cpu=0.1) is None
    assert clock.spend(seconds=0.5, cpu=0.2) is not None
    assert clock.spend(seconds=1.2, cpu=0.1) is not None


def test_waiting_for_a_processor_is_not_thinking() -> None:
    clock = Clock(Limits(seconds=0.1))
    assert clock.spend(0.5, cpu=0.1, waiting=0.39) is None
    late = clock.spend(0.5, cpu=0.1, waiting=0.2)
    assert late == ("took 0.500 s (0.200 s of it waiting for a processor) where 0.1 s were allowed")
    game = Clock(Limits(clock=1.0))
    assert game.spend(0.9, waiting=0.5) is None
    assert game.left == pytest.approx(0.6)


def test_the_system_tells_how_long_a_thread_had_to_wait() -> None:
    before, after = scheduled(), scheduled()
    assert 0.0 <= before.waited <= after.waited
    assert 0.0 <= before.ran <= after.ran
    assert scheduled(2**22 + 1) == UNKNOWN  # there is no such process


@pytest.mark.skipif(scheduled() == UNKNOWN, reason="the system does not tell")
def test_who_sleeps_is_not_waiting_for_a_processor() -> None:
    assert WatchedProcess(os.getpid()).is_ready
    assert not WatchedProcess(2**22 + 1).is_ready
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as sleeper:
        while WatchedProcess(sleeper.pid).is_ready:  # until it waits for its input
            time.sleep(0.01)
        sleeper.kill()
