"""The reserve of timed engines: what it leaves them, and what it learns from being late."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import Limits, Position
from arena.engine.timing import (
    DECAY,
    MAX_SHARE,
    NEVER,
    SAFETY,
    USUAL,
    Deadline,
    Lateness,
    Reserve,
    reserve_of,
)
from arena.engines.iterative import Iterative
from arena.engines.mcts import MCTS

SECOND = 1_000_000_000


def test_without_time_limits_there_is_no_deadline() -> None:
    assert Reserve().deadline(Position(), Limits(depth=4, nodes=100)) == NEVER
    assert not NEVER


def test_each_clock_has_its_own_deadline() -> None:
    reserve = Reserve()
    wall, cpu = time.monotonic_ns(), time.thread_time_ns()
    both = reserve.deadline(Position(), Limits(seconds=1.0, cpu=0.5))
    assert both.wall == pytest.approx(wall + SECOND * (1 - USUAL), abs=SECOND // 2)
    assert both.wall >= wall + SECOND * (1 - USUAL)
    assert cpu + SECOND * (0.5 - USUAL) <= both.cpu <= time.thread_time_ns() + SECOND * 0.5
    assert reserve.deadline(Position(), Limits(cpu=0.5)).wall == 0
    assert reserve.deadline(Position(), Limits(clock=60.0)).cpu == 0


@given(
    st.lists(st.floats(-0.1, 0.3), max_size=30),
    st.floats(0.001, 10.0),
    st.floats(0.0, 1.0),
)
def test_the_time_left_to_think_is_between_half_and_all_of_the_budget(
    late: list[float], budget: float, usual: float
) -> None:
    lateness = Lateness()
    for seconds in late:
        lateness.note(int(seconds * SECOND))
    thinks = 1e-9 * lateness.target(0, budget, usual)
    worst = max([0.0, *late])
    fading = worst * DECAY ** len(late)
    assert MAX_SHARE * budget - 1e-8 <= thinks <= budget - min(usual, 0.1 * budget) + 1e-8
    assert thinks <= budget - min(SAFETY * fading, MAX_SHARE * budget) + 1e-8
    assert lateness.worst <= worst + 1e-8


def test_what_was_learned_fades_move_by_move() -> None:
    lateness = Lateness()
    lateness.note(SECOND // 10)
    assert lateness.worst == pytest.approx(0.1)
    for _ in range(200):
        lateness.note(1000)
    assert lateness.worst < 0.01


def test_an_engine_that_comes_back_late_stops_earlier_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 5 * SECOND
    monkeypatch.setattr("arena.engine.timing.monotonic_ns", lambda: now)
    reserve, limits = Reserve(), Limits(seconds=0.1)
    assert reserve.deadline(Position(), limits).wall == now + 98_000_000
    reserve.learn(Deadline(wall=now - 20_000_000))
    assert reserve.deadline(Position(), limits).wall == now + 75_000_000
    reserve.learn(Deadline(wall=now - SECOND))
    assert reserve.deadline(Position(), limits).wall == now + 50_000_000
    assert reserve.late[1].worst == 0.0


def test_engines_of_a_class_share_their_reserve() -> None:
    assert reserve_of(Iterative) is reserve_of(type(Iterative()))
    assert reserve_of(Iterative) is not reserve_of(MCTS)
