"""`arena bench harness`: the figures, and the costs of the process that owns the tables."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from arena.bench import harness
from arena.bench.harness import bench_harness, in_process, peak_memory
from arena.bench.measurements import Measurement
from arena.bench.tables import on_tables


def test_the_owner_of_tables_is_measured_by_what_it_does() -> None:
    times = on_tables(400, 2)
    assert times.rate > 0
    assert times.whole > 0
    assert times.rest == pytest.approx(
        max(0.0, times.whole - times.journal - times.schedule), abs=1e-9
    )


def test_the_figures_are_printed_or_given_as_data(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [*in_process(100), Measurement("two tables against one", "times", (1.9,), 1.85)]
    monkeypatch.setattr(harness, "figures", lambda games: iter(few))
    bench_harness(100, as_json=False)
    shown = capsys.readouterr().out
    assert "1.9 times" in shown
    bench_harness(100, as_json=True)
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [figure["reached"] for figure in data["measurements"]][-1] is True


def test_memory_is_in_megabytes_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = SimpleNamespace(ru_maxrss=3 * 2**20)
    monkeypatch.setattr("resource.getrusage", lambda who: usage)
    for system, megabytes in (("linux", 3 * 1024), ("darwin", 3)):
        monkeypatch.setattr("sys.platform", system)
        assert peak_memory() == megabytes
