"""The sequential test and strength after it: published values, and the truth behind simulations."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from math import exp, isfinite, sqrt
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.data import data_file
from tests.support.standings import (
    MAX_ELO,
    MIN_DISTANCE,
    Model,
    Sprt,
    after_stop,
    elo_with_error,
    expected_score,
    likelihood_of_superiority,
    llr,
    nelo_with_error,
    sprt_state,
    worse_end,
)

pytestmark = pytest.mark.contract


def published_cases() -> Iterator[tuple[list[int], dict[str, str]]]:
    """Counts of outcomes, and the values that other programs compute from them."""
    with data_file("sprt_cases.csv").open(newline="") as lines:
        for case in csv.DictReader(lines):
            yield [int(count) for count in case["outcomes_low_to_high"].split()], case


def published(case: dict[str, str], *names: str) -> Any:
    return pytest.approx([float(case[name]) for name in names], abs=1e-6)


def test_the_ratio_and_the_bounds_are_the_published_ones() -> None:
    for counts, case in published_cases():
        elo0, elo1, alpha, beta = (float(case[name]) for name in ("elo0", "elo1", "alpha", "beta"))
        ratios = [llr(counts, elo0, elo1, model) for model in ("logistic", "normalized")]
        assert ratios == published(case, "llr_logistic", "llr_normalized"), case["id"]
        bounds = Sprt(elo0, elo1, alpha, beta).bounds
        assert list(bounds) == published(case, "llr_lower", "llr_upper"), case["id"]


def test_elo_and_its_error_are_the_published_ones() -> None:
    for counts, case in published_cases():
        assert list(elo_with_error(counts)) == published(case, "elo", "elo_half_width95"), case[
            "id"
        ]


def test_nothing_is_decided_before_the_first_game() -> None:
    assert sprt_state(Sprt(0, 10), [0, 0, 0]).verdict is None


def test_many_wins_accept_the_stronger_hypothesis_and_many_losses_the_weaker() -> None:
    test = Sprt(0, 20)
    assert sprt_state(test, [100, 200, 300]).verdict == "H1"
    assert sprt_state(test, [300, 200, 100]).verdict == "H0"
    assert sprt_state(test, [3, 4, 3]).verdict is None


@given(
    st.sampled_from([3, 5]).flatmap(
        lambda size: st.lists(st.sampled_from([0, 0, 1, 7, 10**6]), min_size=size, max_size=size)
    ),
    st.sampled_from(get_args(Model)),
    st.floats(-0.99, 0.99),
)
def test_no_result_breaks_a_test_within_the_bounds_of_its_model(
    counts: list[int], model: Model, share: float
) -> None:
    most = MAX_ELO[model]
    elo = share * most
    for elo0, elo1 in ((-most, elo), (elo, most), (elo, elo + MIN_DISTANCE)):
        test = Sprt(elo0, elo1, 0.05, 0.05, model)
        assert isfinite(sprt_state(test, counts).llr)
        estimate = after_stop(counts, test)
        assert estimate.low <= estimate.elo <= estimate.high


def test_the_ratio_changes_sign_with_the_hypotheses() -> None:
    counts = [12, 30, 25]
    assert llr(counts, 0, 30) == pytest.approx(-llr(counts, 30, 0))


def test_normalised_elo_and_superiority_are_the_published_ones() -> None:
    for counts, case in published_cases():
        values = [*nelo_with_error(counts), likelihood_of_superiority(counts)]
        assert values == published(case, "nelo", "nelo_half_width95", "los"), case["id"]


@pytest.mark.parametrize(
    ("counts", "test", "expected"),
    [  # from a plain sum of 20,000 waves and scipy's root finder, written apart from this
        ([100, 200, 300], Sprt(0, 20), (116.648491, 63.484255, 187.729139, 0.999996699)),
        ([332, 433, 498, 333, 334], Sprt(-5, 0), (-8.642662, -19.007164, 1.681935, 0.050420145)),
        (
            [34, 54, 63, 64, 75],
            Sprt(0, 10, model="normalized"),
            (55.567777, 28.738017, 84.528876, 0.999979886),
        ),
        (
            [30, 10, 60],
            Sprt(0, 50, 0.05, 0.1, "normalized"),
            (99.216702, 27.516576, 190.382774, 0.996785081),
        ),
    ],
)
def test_the_estimate_after_a_stop(
    counts: list[int], test: Sprt, expected: tuple[float, ...]
) -> None:
    found = after_stop(counts, test)
    assert (found.elo, found.low, found.high) == pytest.approx(expected[:3], abs=1e-5)
    assert found.los == pytest.approx(expected[3], abs=1e-8)


def test_a_test_far_from_its_bounds_says_what_the_games_say() -> None:
    counts = [332, 433, 498, 333, 334]
    elo, error = elo_with_error(counts)
    found = after_stop(counts, Sprt(-5, 0))
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.01)
    assert found.los == pytest.approx(likelihood_of_superiority(counts), abs=1e-3)


@pytest.mark.parametrize("counts", [[0, 0, 0], [0, 0, 0, 0, 0]])
def test_before_the_first_game_nothing_is_known(counts: list[int]) -> None:
    assert nelo_with_error(counts)[0] == 0
    assert likelihood_of_superiority(counts) == 0.5
    found = after_stop(counts, Sprt(0, 10))
    assert found.elo == 0
    assert found.low < 0 < found.high


@pytest.mark.parametrize(
    "counts",
    [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 500], [500, 0, 0], [0, 900, 0], [0, 0, 0, 0, 50]],
)
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_one_sided_matches_stay_finite_and_in_order(counts: list[int], model: str) -> None:
    found = after_stop(counts, Sprt(0, 10, model=model))  # type: ignore[arg-type]
    assert -1000 <= found.low <= found.elo <= found.high <= 1000
    assert 0 <= found.los <= 1


def test_one_of_the_bounds_is_hit_first_as_wald_has_it() -> None:
    lower, upper, drift, variance = -2.0, 3.0, 0.01, 0.05
    tilt = 2 * drift / variance
    expected = (exp(-tilt * upper) - 1) / (exp(-tilt * upper) - exp(-tilt * lower))
    assert worse_end(lower, upper, drift, variance, 1e5, upper) == pytest.approx(expected)
    assert worse_end(lower, upper, 0.0, variance, 1e5, upper) == pytest.approx(0.6)


def test_both_ways_to_sum_agree_where_they_meet() -> None:
    """Below 1e-2 of diffusion images are used, above it waves."""
    for drift in (-0.01, 0.0, 0.02):
        around = [worse_end(-2, 3, drift, 0.05, 5 + shift, 0.1) for shift in (-1e-6, 1e-6)]
        assert around[0] == pytest.approx(around[1], abs=1e-6)


@pytest.mark.parametrize("elo", [0.0, 15.0, 40.0])
def test_after_simulated_tests_the_truth_is_above_as_often_as_below(elo: float) -> None:
    test, seed, runs, longest = Sprt(0, 30), np.random.default_rng(11), 400, 6000
    score = expected_score(elo)
    shares = [1 - score - 0.2, 0.4, score - 0.2]
    zero, one = expected_score(0), expected_score(30)
    variance = shares[2] + shares[1] / 4 - score**2
    lower, upper = test.bounds
    above = held = 0
    for _ in range(runs):
        seen = np.eye(3)[seed.choice(3, longest, p=shares)].cumsum(axis=0)
        games = np.arange(1, longest + 1)
        mean = seen @ [0, 0.5, 1] / games
        ratio = games * (mean - (zero + one) / 2) * (one - zero) / variance
        out = (ratio <= lower) | (ratio >= upper)
        found = after_stop([int(n) for n in seen[out.argmax()]], test)
        above += found.elo > elo
        held += found.low <= elo <= found.high
    assert abs(above / runs - 0.5) < 2.5 * sqrt(0.25 / runs) + 0.01
    assert 0.92 <= held / runs <= 0.98
