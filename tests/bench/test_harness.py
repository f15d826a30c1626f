"""`arena bench harness`: the figures, and the costs of the process that owns the tables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.bench import harness
from arena.bench.harness import Figure, bench_harness, in_process
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
    few = [*in_process(100), Figure("two tables against one", 1.9, "times", 1.85)]
    monkeypatch.setattr(harness, "figures", lambda games: iter(few))
    bench_harness(100, as_json=False)
    shown = capsys.readouterr().out
    assert "1.9 times" in shown
    bench_harness(100, as_json=True)
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [figure["reached"] for figure in data["figures"]][-1] is True
