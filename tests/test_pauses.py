"""Pauses: what counts as time in which nothing ran, and what does not."""

from __future__ import annotations

import pytest

from arena import CONNECT4, Choice, Engine, Limits, Position, pauses
from arena.bots import hosted, meter
from arena.pauses import LEAST_PAUSE, TICK, Pauses, Scheduled
from arena.table import probe, referee
from arena.table.probe import Probe
from arena.table.referee import play_game
from tests.support.bots import good


class Clocks:
    """A wall clock and a processor's clock that move as they are told."""

    def __init__(self) -> None:
        self.wall = self.used = self.waits = 100.0

    def run(self, wall: float, used: float = 0.0, waits: float = 0.0) -> None:
        self.wall += wall
        self.used += used
        self.waits += waits


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """Clocks instead of those of the system, for a watcher without its thread."""
    made = Clocks()
    for module in (pauses, referee, meter):
        monkeypatch.setattr(module, "perf_counter", lambda: made.wall)
    for module in (pauses, meter):
        monkeypatch.setattr(module, "process_time", lambda: made.used)
    monkeypatch.setattr(pauses, "scheduled", lambda thread: Scheduled(0.0, made.waits))
    monkeypatch.setattr(hosted, "OWN_METER", meter.OwnMeter())  # it remembers other clocks
    monkeypatch.setattr(Pauses, "_tick", lambda self: None)
    return made


def watching() -> Pauses:
    made = Pauses()
    made.watch()
    return made


def test_a_late_tick_of_an_idle_process_is_a_pause(clocks: Clocks) -> None:
    watched, start = watching(), clocks.wall
    clocks.run(TICK)
    watched._look()
    clocks.run(10 + TICK)
    assert watched.since(start) == pytest.approx(10)
    assert watched.since(start) == pytest.approx(10)  # and is counted once
    assert watched.since(clocks.wall) == 0


def test_who_uses_the_processor_runs_however_late_the_tick_is(clocks: Clocks) -> None:
    watched, start = watching(), clocks.wall
    clocks.run(10, used=10)  # a computation that lets no other thread run
    assert watched.since(start) == 0
    clocks.run(10, used=4)
    assert watched.since(start) == pytest.approx(6 - TICK)


def test_waiting_for_a_processor_is_not_a_pause_but_counted_elsewhere(clocks: Clocks) -> None:
    watched, start = watching(), clocks.wall
    clocks.run(10, used=4, waits=6)
    assert watched.since(start) == 0
    clocks.run(10, used=1, waits=1)
    assert watched.since(start) == pytest.approx(8 - TICK)


def test_ticks_in_time_make_no_pause_however_many(clocks: Clocks) -> None:
    watched, start = watching(), clocks.wall
    for _ in range(1000):
        clocks.run(TICK + 0.9 * LEAST_PAUSE)
        watched._look()
    assert watched.since(start) == 0


def test_a_pause_counts_from_the_beginning_of_a_move(clocks: Clocks) -> None:
    watched = watching()
    clocks.run(5)
    start = clocks.wall
    clocks.run(1)
    assert watched.since(start) == pytest.approx(1)


def test_before_anybody_watches_there_are_no_pauses(clocks: Clocks) -> None:
    made = Pauses()
    clocks.run(1000)
    assert made.since(0.0) == 0


class Paused(Engine):
    """Thinks for a moment, but its first answer comes after a pause."""

    clocks: Clocks
    thinks = 0.1

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.clocks.run(self.thinks, used=self.thinks)
        if position.ply == 0:
            self.clocks.run(60.0)
        return Choice(position.legal[0])


@pytest.mark.parametrize("limits", [Limits(seconds=0.2), Limits(clock=10.0)])
def test_a_pause_is_not_thinking_time(
    limits: Limits, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "PAUSES", Pauses())
    engine = Paused()
    engine.clocks = clocks
    record = play_game((engine, engine), CONNECT4, limits)
    assert record.reason == "line"
    assert record.move_records()[0].seconds == pytest.approx(0.1, abs=TICK + 0.001)
    assert record.move_records()[1].seconds == pytest.approx(0.1)


def test_thinking_for_too_long_is_no_pause(clocks: Clocks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "PAUSES", Pauses())
    engine = Paused()
    engine.clocks, engine.thinks = clocks, 0.3
    record = play_game((engine, engine), CONNECT4, Limits(seconds=0.2))
    assert record.reason == "time"
    assert "took 0.3" in record.detail


def test_a_check_that_is_paused_waits_on(clocks: Clocks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "PAUSES", Pauses())
    monkeypatch.setattr(probe, "perf_counter", lambda: clocks.wall)
    checked = Probe(good.Leftmost, patience=10)
    with checked._waiting("a move", 10, good.Leftmost(), "here"):
        clocks.run(3600)
        assert not checked.is_overdue()
        clocks.run(10.2, used=10.2)
        assert checked.is_overdue()
