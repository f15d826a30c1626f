"""Clocks, without an engine."""

from __future__ import annotations

import pytest

from arena import Limits
from arena.play.clock import MARGIN, Clock, latest


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
