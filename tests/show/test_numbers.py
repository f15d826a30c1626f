"""Numbers in a few characters: counts, shares, times, rates."""

from __future__ import annotations

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


def test_a_depth_of_one_is_one_ply() -> None:
    assert [plies(depth) for depth in (1, 2, 0)] == ["1 ply", "2 plies", "0 plies"]


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0 s"), (3.1e-7, "0.31 µs"), (3.1e-4, "310 µs"), (0.0452, "45.2 ms"), (0.99949, "999 ms"),
     (0.99951, "1.00 s"), (2.134, "2.13 s"), (29.1, "29.1 s"), (5000, "5,000 s")],
)  # fmt: skip
def test_times_have_three_digits(value: float, words: str) -> None:
    assert duration(value) == words


def test_numbers_are_short() -> None:
    assert [whole(value) for value in (0, 12345.6, 9_999_999, 12_345_678, 2e9, 9.2e18)] == [
        "0", "12,346", "9,999,999", "12.3 M", "2.0 G", "9.2 E",
    ]  # fmt: skip
    assert (halves(12.0), halves(12.5), percent(0.5434)) == ("12", "12.5", "54.3 %")
    assert two_digit_range(0.7149, 1.0) == "0.71 to 1.00"
    assert [likely(value) for value in (1, 0.9999, 0.5, 0.0001, 0)] == [
        "> 99.9 %", "> 99.9 %", "50.0 %", "< 0.1 %", "< 0.1 %",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (2_345_678, "2.35 MB"), (5e9, "5 GB")],
)
def test_sizes(size: float, words: str) -> None:
    assert in_bytes(size) == words


def test_amounts_have_three_digits() -> None:
    assert [amount(value) for value in (0, 310, 999.6, 12_345, 4.56e6, 1e12)] == [
        "0", "310", "1 k", "12.3 k", "4.56 M", "1 T",
    ]  # fmt: skip


def test_scores_have_a_sign_and_few_decimals() -> None:
    assert [signed(value) for value in (1, -2.5, 0.126, 0, -0.001)] == [
        "+1", "-2.5", "+0.13", "0", "0",
    ]  # fmt: skip


def test_what_is_not_known_is_one_sign() -> None:
    assert {amount(None), duration(None), percent(None)} == {UNKNOWN}
