"""What the harness is measured by: every step has its time, and what is shown adds up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.bench import harness
from arena.bench.harness import Figure, bench_harness, in_process
from arena.bench.ply import ENGINE, REFEREE, STEPS, TOGETHER, time_of_a_ply
from arena.bench.tables import on_tables


def test_every_step_of_a_ply_takes_some_time() -> None:
    steps = time_of_a_ply(10 * TOGETHER)
    assert tuple(steps) == STEPS
    assert all(seconds > 0 for name, seconds in steps.items() if name != REFEREE)
    assert sum(steps.values()) > steps[ENGINE]


def test_the_owner_of_tables_is_measured_by_what_it_does() -> None:
    times = on_tables(400, 2)
    assert times.rate > 0
    assert times.whole > 0
    assert times.rest == pytest.approx(
        max(0.0, times.whole - times.journal - times.schedule), abs=1e-9
    )


def test_the_figures_and_the_steps_are_printed_or_given_as_data(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [*in_process(100), Figure("two tables against one", 1.9, "times", 1.85)]
    monkeypatch.setattr(harness, "figures", lambda games: iter(few))
    monkeypatch.setattr(harness, "time_of_a_ply", lambda games: dict.fromkeys(STEPS, 1e-6))
    bench_harness(100, as_json=False)
    shown = capsys.readouterr().out
    assert "1.9 times" in shown
    assert "where the time of a ply goes" in shown
    assert all(step in shown for step in STEPS)
    bench_harness(100, as_json=True)
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [figure["reached"] for figure in data["figures"]][-1] is True
    assert tuple(data["ply"]) == STEPS
