"""Grace: a table that was held up gets the time back, and no more than that."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from arena.table.channel import Thinking
from arena.table.grace import LONG, SPARE, Grace


def table(thinking: Thinking | None) -> Any:
    """As much of a table as is looked at."""
    return SimpleNamespace(
        number=0, thinking=lambda: thinking, deadline=lambda asked, now: asked.deadline
    )


def test_without_a_pause_the_deadline_stays() -> None:
    grace, now = Grace(), time.monotonic()
    asked = Thinking(1, 0, now, 5.0)
    for step in range(10):
        assert not grace.look([table(asked)], now + step * 0.9 * LONG)
        assert grace.deadline(table(asked), asked, now) == now + 5.0


def test_what_the_owner_slept_is_given_back() -> None:
    grace, now = Grace(), time.monotonic()
    asked = Thinking(1, 0, now, 5.0)
    assert grace.look([table(asked), table(None)], now + 60)
    assert grace.deadline(table(asked), asked, now) >= now + 65
    assert grace.look([table(asked)], now + 160)
    assert now + 165 <= grace.deadline(table(asked), asked, now) <= now + 165 + SPARE + 0.1


def test_a_pause_before_the_question_is_not_given_back() -> None:
    grace, now = Grace(), time.monotonic()
    asked = Thinking(1, 0, now + 58, 5.0)
    grace.look([table(asked)], now + 60)
    assert grace.deadline(table(asked), asked, now) <= asked.deadline + 2 + SPARE


def test_the_next_question_starts_afresh() -> None:
    grace, now = Grace(), time.monotonic()
    grace.look([table(Thinking(1, 0, now, 5.0))], now + 60)
    following = Thinking(1, 1, now + 61, 5.0)
    assert grace.deadline(table(following), following, now) == following.deadline


def test_the_clock_of_a_run_stands_still_when_the_run_does(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    grace = Grace()
    begun = grace.time_awake()
    for seconds, looks in ((0.5, True), (60.0, False), (60.0, True), (0.5, False), (0.4, True)):
        now[0] += seconds
        if looks:
            grace.look([], now[0])
    assert grace.time_awake() - begun == pytest.approx(1.4)
    now[0] += 3600
    assert grace.time_awake() - begun == pytest.approx(1.4)
