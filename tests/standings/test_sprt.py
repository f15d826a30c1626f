"""The sequential test against the values that public tools compute."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from arena.standings.intervals import elo_with_error
from arena.standings.sprt import llr, sprt_state
from arena.tournament.sprt import Sprt

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "sprt_cases.csv"


def cases() -> list[dict[str, str]]:
    if not CASES.exists():
        return []
    with CASES.open(newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.skipif(not cases(), reason="the reference values are not here")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_the_ratio_and_the_bounds_are_the_published_ones(case: dict[str, str]) -> None:
    counts = [int(count) for count in case["outcomes_low_to_high"].split()]
    elo0, elo1, alpha, beta = (float(case[name]) for name in ("elo0", "elo1", "alpha", "beta"))
    assert llr(counts, elo0, elo1, "logistic") == pytest.approx(
        float(case["llr_logistic"]), abs=1e-6
    )
    assert llr(counts, elo0, elo1, "normalized") == pytest.approx(
        float(case["llr_normalized"]), abs=1e-6
    )
    bounds = Sprt(elo0, elo1, alpha, beta).bounds
    assert bounds == pytest.approx((float(case["llr_lower"]), float(case["llr_upper"])), abs=1e-6)


@pytest.mark.skipif(not cases(), reason="the reference values are not here")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_elo_and_its_error_are_the_published_ones(case: dict[str, str]) -> None:
    counts = [int(count) for count in case["outcomes_low_to_high"].split()]
    expected = (float(case["elo"]), float(case["elo_half_width95"]))
    assert elo_with_error(counts) == pytest.approx(expected, abs=1e-6)


def test_nothing_is_decided_before_the_first_game() -> None:
    assert sprt_state(Sprt(0, 10), [0, 0, 0]).verdict is None


def test_many_wins_accept_the_stronger_hypothesis_and_many_losses_the_weaker() -> None:
    test = Sprt(0, 20)
    assert sprt_state(test, [100, 200, 300]).verdict == "H1"
    assert sprt_state(test, [300, 200, 100]).verdict == "H0"
    assert sprt_state(test, [3, 4, 3]).verdict is None


def test_the_ratio_changes_sign_with_the_hypotheses() -> None:
    counts = [12, 30, 25]
    assert llr(counts, 0, 30) == pytest.approx(-llr(counts, 30, 0))
