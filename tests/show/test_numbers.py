"""Numbers in a few characters: counts, shares, times, rates."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.show.numbers import (
    UNKNOWN,
    amount,
    clock,
    duration,
    halves,
    how_many,
    in_bytes,
    likely,
    pace,
    percent,
    plies,
    signed,
    span,
    two_digit_range,
    whole,
)


@pytest.mark.parametrize(
    ("show", "values", "words"),
    [
        (span, (0, 44.6, 723, 3723, 300_000), "0:00 | 0:45 | 12:03 | 1:02:03 | 3 d 11 h"),
        (clock, (0.0123, 0.1, 59.94, 59.96, -1), "12ms | 0.1s | 59.9s | 1:00 | 0ms"),
        (
            pace,
            (6123.4, 12.34, 0.5, 0),
            "6123 games/s | 12.3 games/s | 30.0 games/min | 0.0 games/h",
        ),
        (plies, (1, 2, 0), "1 ply | 2 plies | 0 plies"),
        (duration, (0, 3.1e-7, 0.0452, 0.99949), "0 s | 0.31 µs | 45.2 ms | 999 ms"),
        (duration, (0.99951, 29.1, 5000), "1.00 s | 29.1 s | 5,000 s"),
        (amount, (0, 310, 999.6, 12_345, 4.56e6, 1e12), "0 | 310 | 1 k | 12.3 k | 4.56 M | 1 T"),
        (whole, (0, 12345.6, 9_999_999, 12_345_678), "0 | 12,346 | 9,999,999 | 12.3 M"),
        (whole, (2e9, 9.2e18), "2 G | 9.2 E"),
        (in_bytes, (0, 999, 1000, 2_345_678), "0 B | 999 B | 1 kB | 2.35 MB"),
        (halves, (12.0, 12.5), "12 | 12.5"),
        (percent, (0.5434,), "54.3 %"),
        (likely, (1, 0.9999, 0.5, 0.0001), "> 99.9 % | > 99.9 % | 50.0 % | < 0.1 %"),
        (signed, (1, -2.5, 0.126, -0.001), "+1 | -2.5 | +0.13 | 0"),
    ],
)
def test_numbers_are_short(
    show: Callable[[float], str], values: tuple[float, ...], words: str
) -> None:
    assert " | ".join(map(show, values)) == words


def test_numbers_with_their_nouns() -> None:
    counts = [how_many(count, "table") for count in (0, 1, 12345)]
    assert counts == ["0 tables", "1 table", "12,345 tables"]
    assert two_digit_range(0.7149, 1.0) == "0.71 to 1.00"


def test_what_is_not_known_is_one_sign() -> None:
    assert {amount(None), duration(None), percent(None)} == {UNKNOWN}
