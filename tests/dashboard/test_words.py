"""Times, rates and counts in a few characters."""

from __future__ import annotations

import pytest

from arena.show.numbers import clock, how_many, pace, span


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (44.6, "0:45"), (723, "12:03"), (3723, "1:02:03"), (300_000, "3 d 11 h")],
)
def test_spans(seconds: float, words: str) -> None:
    assert span(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0123, "12ms"), (0.1, "0.1s"), (12.34, "12.3s"), (59.94, "59.9s"), (59.96, "1:00"),
     (-1.0, "0ms")],
)  # fmt: skip
def test_clocks(seconds: float, words: str) -> None:
    assert clock(seconds) == words


@pytest.mark.parametrize(
    ("rate", "words"),
    [(6123.4, "6123 games/s"), (12.34, "12.3 games/s"), (0.5, "30.0 games/min"),
     (0.001, "3.6 games/h"), (0.0, "0.0 games/h")],
)  # fmt: skip
def test_paces(rate: float, words: str) -> None:
    assert pace(rate) == words


def test_numbers_with_their_nouns() -> None:
    counts = [how_many(count, "table") for count in (0, 1, 2, 12345)]
    assert counts == ["0 tables", "1 table", "2 tables", "12,345 tables"]
