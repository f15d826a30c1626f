"""Percentiles from a small table are right to one percent, whatever the numbers are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings.moves import Sketch

TIMES = st.one_of(st.just(0.0), st.floats(1e-6, 1e5))


def sketched(values: list[float], low: int, high: int, whole: bool = False) -> Sketch:
    sketch = Sketch(2, low, high, whole)
    sketch.add(np.ones(len(values), int), np.array(values, float))
    return sketch


@given(st.lists(TIMES, min_size=1, max_size=50))
def test_times_are_within_one_percent(values: list[float]) -> None:
    spread = sketched(values, -24, 20).spread(1)
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(values, 50), rel=0.01)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), rel=0.01)
    assert (spread.least, spread.most, spread.count) == (min(values), max(values), len(values))
    assert spread.mean == pytest.approx(np.mean(values))


@given(st.lists(st.integers(0, 127), min_size=1, max_size=50))
def test_small_whole_numbers_are_exact(values: list[int]) -> None:
    spread = sketched([float(value) for value in values], 0, 15, whole=True).spread(1)
    assert spread is not None
    assert spread.median == np.percentile(values, 50)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), abs=1e-9)


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=50))
def test_large_whole_numbers_are_within_one_percent(values: list[int]) -> None:
    spread = sketched([float(value) for value in values], 0, 63, whole=True).spread(1)
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(np.array(values, float), 50), rel=0.01)


def test_numbers_off_the_scale_are_bounded_by_the_extremes() -> None:
    spread = sketched([1e-30, 1e-30, 1e30], -24, 20).spread(1)
    assert spread is not None
    assert spread.least == spread.median == 1e-30
    assert spread.most == 1e30


def test_owners_are_kept_apart() -> None:
    sketch = sketched([1.0, 2.0], 0, 15)
    assert sketch.spread(0) is None
    sketch.add(np.array([0]), np.array([5.0]))
    spread = sketch.spread(0)
    assert spread is not None
    assert spread.median == spread.p95 == spread.mean == 5.0


def test_a_million_numbers_are_as_good_as_a_few() -> None:
    values = np.random.default_rng(5).lognormal(-6, 3, 1_000_000)
    sketch = Sketch(1, -24, 20)
    for part in np.split(values, 10):
        sketch.add(np.zeros(len(part), int), part)
    spread = sketch.spread(0)
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(values, 50), rel=0.01)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), rel=0.01)
