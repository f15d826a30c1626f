"""Intervals and quantiles: Student's against scipy's, Wilson's against published ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from arena.standings.intervals import normal_of_t, student_95, wilson


def test_quantiles() -> None:
    whole = np.array([1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1e4, 1e12])
    assert student_95(whole) == pytest.approx(student.ppf(0.975, whole), rel=5e-3)
    between = np.array([1.1, 1.4, 1.9, 2.5, 2.9, 3.1, 4.7])
    assert student_95(between) == pytest.approx(student.ppf(0.975, between), rel=0.03)
    assert student_95(0.0) == student_95(1)  # less than one cannot be told


@pytest.mark.parametrize("degrees", [3.0, 5.0, 30.0, 1e12])
def test_normal_deviates_are_as_likely(degrees: float) -> None:
    t = np.array([-3.0, -1.0, 0.0, 0.5, 2.0])
    expected = norm.ppf(student.cdf(t, degrees))
    assert normal_of_t(t, np.asarray(degrees)) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)
