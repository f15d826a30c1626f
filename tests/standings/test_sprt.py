"""The sequential test and strength after it: published values, and the truth behind simulations."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import pairwise
from math import isfinite, sqrt
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
    expected_score,
    llr,
    nelo_with_error,
    sprt_state,
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
        bounds = Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta).bounds
        assert list(bounds) == published(case, "llr_lower", "llr_upper"), case["id"]


def test_nothing_is_decided_before_the_first_game() -> None:
    assert sprt_state(Sprt(elo0=0, elo1=10), [0, 0, 0]).verdict is None


def test_many_wins_accept_the_stronger_hypothesis_and_many_losses_the_weaker() -> None:
    test = Sprt(elo0=0, elo1=20)
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
    for elo0, elo1 in ((-most, elo), (elo, most), (elo, elo + 1.01 * MIN_DISTANCE)):
        test = Sprt(elo0=elo0, elo1=elo1, model=model)
        assert isfinite(sprt_state(test, counts).llr)
        if (stopped := after_stop(counts, test)) is not None and sum(counts) < 1000:
            low, high = stopped.interval()
            assert low <= stopped.value <= high


def test_the_ratio_changes_sign_with_the_hypotheses() -> None:
    counts = [12, 30, 25]
    assert llr(counts, 0, 30) == pytest.approx(-llr(counts, 30, 0))


def test_normalised_elo_is_the_published_one() -> None:
    for counts, case in published_cases():
        values = list(nelo_with_error(counts))
        assert values == published(case, "nelo", "nelo_half_width95"), case["id"]


def test_a_stop_on_the_way_down_is_no_catastrophe() -> None:
    """The plain estimate is -17 Elo; a tail that was not monotone once said -1000."""
    stopped = after_stop([1, 0, 8, 1, 0], Sprt(elo0=0, elo1=100))
    assert stopped is not None
    assert -30 < stopped.value < 10
    assert stopped.interval().high < 150


@pytest.mark.parametrize("elo1", [20, 40, 100, 200])
@pytest.mark.parametrize("size", [3, 5])
def test_after_every_stop_the_estimate_is_finite_and_falls_with_the_difference(
    elo1: int, size: int
) -> None:
    chance, test, stops = np.random.default_rng(size), Sprt(elo0=0, elo1=elo1), 0
    for _ in range(60):
        shares = chance.dirichlet(np.full(size, 0.6))
        counts = np.zeros(size)
        stopped = None
        while stopped is None and counts.sum() < 400:
            counts[chance.choice(size, p=shares)] += 1
            stopped = after_stop(counts.tolist(), test)
        if stopped is not None:
            stops += 1
            low, high = stopped.interval()
            assert -1500 < low <= stopped.value <= high < 1500
            worse = [stopped.worse(elo) for elo in np.linspace(-1000, 1000, 81)]
            assert (np.diff(worse) < 1e-9).all()
    assert stops > 20


def test_every_stop_within_nine_pairs_is_finite_and_monotone() -> None:
    """All outcomes that a test of 0 against 200 Elo can stop with, from every order of pairs."""
    going: set[tuple[int, ...]] = {(0, 0, 0, 0, 0)}
    test, stops = Sprt(elo0=0, elo1=200), 0
    for _ in range(9):
        longer = {(*c[:k], c[k] + 1, *c[k + 1 :]) for c in going for k in range(5)}
        going = {counts for counts in longer if sprt_state(test, counts).verdict is None}
        for counts in longer - going:
            stopped = after_stop(counts, test)
            assert stopped is not None
            stops += 1
            low, high = stopped.interval()
            assert -1500 < low < stopped.value < high < 1500, counts
            worse = [stopped.worse(elo) for elo in range(-1000, 1001, 100)]
            assert all(b <= a + 1e-9 for a, b in pairwise(worse)), counts
    assert stops > 100


@pytest.mark.parametrize("elo", [0.0, 15.0, 40.0])
def test_after_simulated_tests_the_truth_is_above_as_often_as_below(elo: float) -> None:
    test, seed, runs, longest = Sprt(elo0=0, elo1=30), np.random.default_rng(11), 400, 6000
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
        at = int(((ratio <= lower) | (ratio >= upper)).argmax())
        found = after_stop(seen[at].tolist(), test, is_over=True)
        assert found is not None
        above += found.value > elo
        low, high = found.interval()
        held += low <= elo <= high
    assert abs(above / runs - 0.5) < 2.5 * sqrt(0.25 / runs) + 0.01
    assert 0.92 <= held / runs <= 0.98
