"""The meter of engines in this process, against one that asks the system each time."""

from __future__ import annotations

import pytest

from arena.bots import meter
from arena.bots.meter import NEAR, OwnMeter


class Machine:
    """Two clocks: the wall's goes on always, the processor's only while we work."""

    def __init__(self) -> None:
        self.wall, self.processor, self.asked = 1000.0, 7.0, 0

    def work(self, seconds: float) -> None:
        self.wall += seconds
        self.processor += seconds

    def wait(self, seconds: float) -> None:
        self.wall += seconds

    def process_time(self) -> float:
        self.asked += 1
        return self.processor


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(meter, "process_time", machine.process_time)
    monkeypatch.setattr(meter, "perf_counter", lambda: machine.wall)
    return machine


def used(own: OwnMeter, machine: Machine, working: float, waiting: float = 0.0) -> float:
    """What the meter says of a move."""
    start = own.begin()
    machine.work(working)
    machine.wait(waiting)
    return own.used(start, machine.wall)


def test_short_moves_count_as_a_whole_and_the_system_is_seldom_asked(machine: Machine) -> None:
    own = OwnMeter()
    for _ in range(1000):
        assert used(own, machine, 1e-6) == pytest.approx(1e-6)
        machine.work(3e-6)
    assert machine.asked <= 1000 * 4e-6 / NEAR + 1


def test_a_long_move_is_told_from_the_time_that_it_had_to_wait(machine: Machine) -> None:
    own = OwnMeter()
    for working, waiting in [(0.2, 0.0), (0.1, 0.5), (0.0, 0.3), (1e-5, 0.02), (0.03, 1e-4)]:
        assert used(own, machine, working, waiting) == pytest.approx(working, abs=1e-9)
        machine.work(3e-6)
    assert machine.asked == 6  # once before the first, and once after each


def test_what_happened_between_two_moves_is_on_nobodys_account(machine: Machine) -> None:
    own = OwnMeter()
    used(own, machine, 0.1)
    machine.work(0.4)
    machine.wait(0.7)
    assert used(own, machine, 0.1) == pytest.approx(0.1)


def test_no_figure_is_wrong_by_more_than_a_moment(machine: Machine) -> None:
    own = OwnMeter()
    used(own, machine, 0.1)
    machine.wait(0.9 * NEAR)  # unseen: it is taken for work of ours
    assert used(own, machine, 0.1) == pytest.approx(0.1, abs=NEAR)
    assert used(own, machine, 0.0, 0.9 * NEAR) == pytest.approx(0.0, abs=NEAR)
    machine.wait(0.9 * NEAR)
    assert used(own, machine, 0.0, 2 * NEAR) >= 0.0
