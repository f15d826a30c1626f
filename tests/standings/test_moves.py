"""Percentiles from a small table are right to one percent; time losses and wall over CPU time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.session import CROWDED, Run, Watcher
from arena.standings.sketch import Sketch
from arena.standings.timekeeping import Timekeeping
from arena.table.game import Game, MoveRecord, pack_telemetry
from tests.dashboard.rows import finish, row, session

TIMED = "engines: [random, reflex]\ngames: 8\nworkers: 1\nlimits: {seconds: 0.5}\n"
TIMES = st.one_of(st.just(0.0), st.floats(1e-6, 1e5))


def sketched(values: list[float], measure: str) -> Sketch:
    sketch = Sketch(2, measure)
    sketch.add(np.ones(len(values), int), np.array(values, float))
    return sketch


@given(st.lists(TIMES, min_size=1, max_size=50))
def test_times_are_within_one_percent(values: list[float]) -> None:
    spread = sketched(values, "time").spread(1)
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(values, 50), rel=0.01)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), rel=0.01)
    assert (spread.most, spread.count) == (max(values), len(values))
    assert spread.mean == pytest.approx(np.mean(values))


@given(st.lists(st.integers(0, 127), min_size=1, max_size=50))
def test_small_whole_numbers_are_exact(values: list[int]) -> None:
    spread = sketched([float(value) for value in values], "depth").spread(1)
    assert spread is not None
    assert spread.median == np.percentile(values, 50)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), abs=1e-9)


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=50))
def test_large_whole_numbers_are_within_one_percent(values: list[int]) -> None:
    spread = sketched([float(value) for value in values], "nodes").spread(1)
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(np.array(values, float), 50), rel=0.01)


def test_numbers_off_the_scale_are_bounded_by_the_extremes() -> None:
    spread = sketched([1e-30, 1e-30, 1e30], "time").spread(1)
    assert spread is not None
    assert spread.median == 1e-30
    assert spread.most == 1e30


def test_owners_are_kept_apart() -> None:
    sketch = sketched([1.0, 2.0], "depth")
    assert sketch.spread(0) is None
    sketch.add(np.array([0]), np.array([5.0]))
    spread = sketch.spread(0)
    assert spread is not None
    assert spread.median == spread.p95 == spread.mean == 5.0


def test_a_million_numbers_are_as_good_as_a_few() -> None:
    values = np.random.default_rng(5).lognormal(-6, 3, 1_000_000)
    sketch = Sketch(1, "time")
    for part in np.split(values, 10):
        sketch.add(np.zeros(len(part), int), part)
    spread = sketch.spread(0)
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(values, 50), rel=0.01)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), rel=0.01)


def timed_row(number: int, times: list[tuple[float, float]], **changes: Any) -> Game:
    """A game whose moves took so long on the wall and of the processor."""
    moves = [MoveRecord(3, wall, cpu) for wall, cpu in times]
    columns = bytes(move.column for move in moves)
    return row(number, moves=columns, telemetry=pack_telemetry(moves), **changes)


def test_the_ratio_is_that_of_moves_long_enough_to_tell() -> None:
    time = Timekeeping()
    assert (time.ratio, time.short(), time.is_busy) == (None, "", False)
    time.add(timed_row(1, [(0.3, 0.1), (0.5, 0.0001), (0.1, 0.1)]))
    assert time.ratio == pytest.approx(2.0)
    assert (time.short(), time.is_busy) == ("wall/CPU 2.0", True)


def test_who_lost_on_time_is_counted_in_either_seat() -> None:
    time = Timekeeping()
    time.add(row(1, 0, 1, result=-1, reason="time", seconds=0.0, telemetry=b""))
    time.add(row(2, 1, 0, result=1, reason="time"))
    time.add(row(3, 1, 0, result=-1, reason="time"))
    time.add(row(4, 0, 1))
    assert time.losses == {0: 2, 1: 1}
    assert time.short() == "3 time losses"
    assert time.sentence(["a", "b"]) == "3 games were lost on time (a 2, b 1)"
    assert Timekeeping().sentence(["a", "b"]) == "No game was lost on time"


def test_earlier_parts_of_the_same_run_count(tmp_path: Path) -> None:
    with session(tmp_path, Watcher(), TIMED) as made:
        finish(made, timed_row(1, [(0.2, 0.1), (0.2, 0.1)]))
        finish(made, row(2, 1, 0, result=-1, reason="time", seconds=0.0, telemetry=b""))
        first = made.progress.time
    with session(tmp_path, Watcher(), TIMED) as again:
        time = again.progress.time
        assert again.progress.done == 2
        assert time.losses == first.losses == {1: 1}
        assert time.ratio == first.ratio == pytest.approx(2.0)


class Warned(Watcher):
    words = ""

    def warned(self, words: str) -> None:
        self.words = words


@pytest.mark.parametrize(("limits", "told"), [("seconds: 0.5", True), ("cpu: 0.5", False)])
def test_a_crowded_machine_is_told_and_written_down_before_games_by_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: str, told: bool
) -> None:
    monkeypatch.setattr("arena.session.prepare.cores_in_use", lambda: 1.9)
    monkeypatch.setattr("arena.session.prepare.usable_cores", lambda: 2)
    watcher = Warned()
    text = f"engines: [random, reflex]\ngames: 2\nworkers: 2\nlimits: {{{limits}}}\n"
    with session(tmp_path, watcher, text) as made:
        made.run("test")
        events = [event.text for event in made.journal.events() if event.kind == CROWDED]
    assert events == ([watcher.words] if told else [])
    assert ("--workers 1" in watcher.words and "cpu: 0.5" in watcher.words) == told


def test_the_report_repeats_it(tmp_path: Path) -> None:
    from arena.report.data import events_of

    with session(tmp_path, Watcher(), TIMED) as made:
        for _ in range(2):
            made.journal.write_event(CROWDED, "2 workers leave none of 2 cores free")
        assert events_of(made.journal, CROWDED) == ("2 workers leave none of 2 cores free",)


def test_a_session_knows_whether_time_is_limited(tmp_path: Path) -> None:
    def timed(text: str, folder: str) -> bool:
        (tmp_path / folder).mkdir()
        with session(tmp_path / folder, Watcher(), text) as made:
            assert isinstance(made, Run)
            return made.progress.timed

    assert timed(TIMED, "seconds")
    assert timed(TIMED.replace("seconds", "cpu"), "cpu")
    assert not timed("engines: [random, reflex]\nlimits: {depth: 2}\n", "depth")
