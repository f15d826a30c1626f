"""Verdicts on expectations, agreement with what is published, and runs that end early."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import inf
from typing import Any

import numpy as np
import pytest

from arena.game.rules import CONNECT4
from arena.session.stop import EarlyVerdicts
from arena.standings.evidence import Estimate, Interval, Verdict
from arena.standings.measures import Measured
from arena.standings.verdicts import (
    Agreement,
    compare,
    grade,
    published_interval,
    rule,
    tallies,
    verdict,
)
from arena.table.game import Game
from arena.tournament.claims import Aims, Bound, Expectation
from arena.tournament.figures import Figure
from tests.journal.examples import make_row
from tests.support.figures import expectation_of, figure_of, published_of

SCORE = figure_of("score", "alpha", ("beta",))
OTHER = figure_of("score", "gamma", ("beta",))
LENGTH = figure_of("length", "alpha", take="mean")


class Known(Measured):
    """A figure with the same interval for every confidence."""

    ends: Interval | None = None
    asked: list[float]

    def interval(self, confidence: float = 0.95) -> Interval | None:
        self.asked.append(confidence)
        return self.ends


def known(value: float | None, ends: Any = None, figure: Figure = SCORE) -> Known:
    """With a deviation of 8 between clusters, for published means."""
    spread = Estimate(value or 0.0, value or 0.0, 8.0 / 7, 49.0, 49, "mean")
    measured = Known(figure, value, 50, spread)
    object.__setattr__(measured, "ends", None if ends is None else Interval(*ends))
    object.__setattr__(measured, "asked", [])
    return measured


@pytest.mark.parametrize(
    ("bound", "value", "ends", "confidence", "expected"),
    [
        (Bound(at_least=0.5), 0.6, (0.4, 0.8), None, "yes"),
        (Bound(at_least=0.5), 0.6, (0.4, 0.8), 0.95, "open"),
        (Bound(at_least=0.5), 0.6, (0.5, 0.8), 0.95, "yes"),
        (Bound(at_least=0.5), 0.4, (0.3, 0.45), 0.95, "no"),
        (Bound(at_least=0.5), 0.4, (0.3, 0.55), None, "no"),
        (Bound(at_most=0.5), 0.4, (0.3, 0.5), 0.95, "yes"),
        (Bound(at_most=0.5), 0.5, None, None, "yes"),
        (Bound(0.4, 0.6), 0.5, (0.45, 0.55), 0.95, "yes"),
        (Bound(0.4, 0.6), 0.5, (0.35, 0.55), 0.95, "open"),
        (Bound(0.4, 0.6), 0.7, (0.65, 0.75), 0.95, "no"),
        (Bound(at_least=0.5), None, None, None, "open"),
        (Bound(at_least=0.5), 0.6, (-inf, inf), 0.95, "open"),
    ],
)
def test_three_verdicts(
    bound: Bound, value: float | None, ends: Any, confidence: float | None, expected: Verdict
) -> None:
    assert verdict(bound, known(value, ends), (), confidence) == expected


@pytest.mark.parametrize(
    ("value", "ends", "other", "confidence", "more", "less"),
    [
        (0.6, (0.5, 0.7), (0.4, (0.3, 0.45)), 0.9, "yes", "no"),
        (0.6, (0.5, 0.7), (0.4, (0.3, 0.55)), 0.9, "open", "open"),
        (0.6, (0.5, 0.7), (0.4, (0.3, 0.55)), None, "yes", "no"),
        (0.4, (0.4, 0.4), (0.4, (0.4, 0.4)), None, "no", "no"),
        (0.2, (0.1, 0.3), (0.4, (0.35, 0.55)), 0.9, "no", "yes"),
        (0.2, (0.1, 0.3), (None, None), 0.9, "open", "open"),
    ],
)
def test_one_figure_beside_another(
    value: float, ends: Any, other: Any, confidence: Any, more: Verdict, less: Verdict
) -> None:
    beside = (known(other[0], other[1], OTHER),)
    assert verdict(Bound(more_than=OTHER), known(value, ends), beside, confidence) == more
    assert verdict(Bound(less_than=OTHER), known(value, ends), beside, confidence) == less


def test_two_figures_of_the_same_games_share_the_risk() -> None:
    both = [known(0.5, (0.4, 0.6), figure) for figure in (SCORE, OTHER)]
    verdict(Bound(more_than=OTHER), both[0], (both[1],), 0.9)
    assert [each.asked for each in both] == [[0.95], [0.95]]


def test_points_are_given_for_what_holds() -> None:
    aims = Aims(
        expect=(
            expectation_of(SCORE, Bound(at_least=0.5), points=2),
            expectation_of(SCORE, Bound(at_least=0.7), points=3),
            expectation_of(SCORE, Bound(at_least=0.55), confidence=0.95, points=5),
            expectation_of(SCORE, Bound(at_least=0.5)),
        )
    )
    graded = grade(aims, {SCORE: known(0.6, (0.5, 0.7))})
    assert [each.verdict for each in graded.rulings] == ["holds", "fails", "not decided", "holds"]
    assert (graded.points, graded.of, graded.fails) == (2, 10, True)
    assert grade(Aims(), {}).points is None


@pytest.mark.parametrize(
    ("value", "games", "ours", "ends", "expected"),
    [
        (0.75, 100, 0.76, (0.74, 0.78), "agrees"),
        (0.75, 100, 0.35, (0.32, 0.38), "differs"),
        (0.75, 100, 0.55, (0.52, 0.58), "inconclusive"),  # it may be less than 15 points
        (0.9, 10, 0.75, (0.7, 0.8), "inconclusive"),  # nine of ten games say little
        (0.75, 100, 0.7, (0.3, 0.95), "inconclusive"),  # our games say little
        (0.75, None, 0.65, (0.61, 0.69), "agrees"),  # within 15 points
        (0.75, None, 0.3, (0.28, 0.32), "differs"),
        (0.75, 100, None, None, "inconclusive"),
    ],
)
def test_agreement_with_a_published_share(
    value: float, games: int | None, ours: float | None, ends: Any, expected: Agreement
) -> None:
    published = published_of(SCORE, "table 1", value, games)
    assert compare(published, {SCORE: known(ours, ends)}).agreement == expected


def test_a_published_mean_takes_the_spread_of_our_games() -> None:
    """With a deviation of 8 plies, 100 games know their mean to 1.6 plies, 4 games to 13."""
    ours = known(40.0, (39.5, 40.5), LENGTH)
    many, few = (published_of(LENGTH, "x", 37.0, games) for games in (100, 4))
    low, high = published_interval(many, ours) or (None, None)
    assert low == pytest.approx(37 - 1.587, abs=0.01)
    assert high == pytest.approx(37 + 1.587, abs=0.01)
    assert compare(many, {LENGTH: ours}).agreement == "agrees"  # within a quarter
    assert compare(few, {LENGTH: ours}).agreement == "inconclusive"
    far = published_of(LENGTH, "x", 25.0, 100)
    assert compare(far, {LENGTH: ours}).agreement == "differs"


def test_a_published_elo_difference_has_the_interval_of_its_score() -> None:
    figure = figure_of("elo", "alpha", ("beta",))
    published = published_of(figure, "table 2", 0.0, 100)
    low, high = published_interval(published, known(5.0, (-20.0, 30.0), figure)) or (0, 0)
    assert (low, high) == pytest.approx((-67.7, 67.7), abs=0.1)  # 40.4 to 59.6 %


@pytest.mark.parametrize("games", [1, 2])
def test_a_mean_of_one_game_agrees_with_nothing(games: int) -> None:
    ours = known(40.0, (39.5, 40.5), LENGTH)
    published = published_of(LENGTH, "x", 39.0, games)
    assert compare(published, {LENGTH: ours}).agreement == "inconclusive"


# ---- ending early


@cache
def sample(place: int) -> Game:
    """A game of its own number and opening."""
    opening = bytes([place % 7, place // 7 % 7])
    return replace(make_row(place), number=place + 1, first=0, second=1, opening=opening)


def play(early: EarlyVerdicts, results: list[int], order: list[int] | None = None) -> int | None:
    """After how many games it is decided, where games end in this order."""
    for count, place in enumerate(order or range(len(results)), start=1):
        if early.add(replace(sample(place), result=results[place])) is not None:
            return count
    return None


def early_of(*expectations: Expectation) -> EarlyVerdicts:
    return EarlyVerdicts(expectations, ("alpha", "beta", "gamma"), CONNECT4)


def test_a_run_ends_when_a_score_is_sure() -> None:
    expectation = expectation_of(SCORE, Bound(at_least=0.5), confidence=0.95)
    early = early_of(expectation)
    ended = play(early, [1] * 200)
    assert ended == 20
    assert early.verdict == "all expectations are decided: they hold"
    assert play(early_of(expectation), [1, -1] * 100) is None


def test_it_does_not_matter_in_which_order_games_end() -> None:
    chance = np.random.default_rng(4)
    results = chance.choice([-1, 1], size=300, p=[0.2, 0.8]).tolist()
    expectation = expectation_of(SCORE, Bound(at_least=0.6), confidence=0.9)
    one, other = early_of(expectation), early_of(expectation)
    ended = play(one, results)
    assert ended is not None
    assert ended < 300
    play(other, results, sorted(range(300), key=lambda place: place // 6 * 6 - place % 6))
    assert other.verdict == one.verdict
    assert other.looks == one.looks


def test_looking_often_does_not_take_more_risk_than_was_asked_for() -> None:
    """At the bound itself either verdict is wrong half of the time it is given: 10 % in all."""
    chance = np.random.default_rng(8)
    expectation = expectation_of(SCORE, Bound(at_least=0.7), confidence=0.9)
    decided = 0
    for _ in range(100):
        results = chance.choice([-1, 1], size=100, p=[0.3, 0.7]).tolist()
        decided += play(early_of(expectation), results) is not None
    assert decided / 100 <= 0.1


def test_an_expectation_without_confidence_is_decided_at_the_end() -> None:
    wins = figure_of("wins", "alpha", take="count")
    assert play(early_of(expectation_of(wins, Bound(at_least=30))), [1] * 100) is None


def test_rulings_take_a_share_of_the_risk() -> None:
    expectation = expectation_of(SCORE, Bound(at_least=0.5), confidence=0.9)
    assert rule(expectation, {SCORE: known(0.6, (0.5, 0.7))}, 0.5).confidence == 0.95
    aims = Aims(expect=(expectation,), early=True)
    assert grade(aims, {SCORE: known(0.6, (0.5, 0.7))}).rulings[0].confidence == 0.95


# ---- tallies


def test_published_figures_are_counted_by_kind_and_each_once() -> None:
    number = published_of(SCORE, "report", 0.6, 100)
    again = published_of(SCORE, "transcripts", 0.6, 100)
    claim = published_of(SCORE, "prose", bound=Bound(more_than=OTHER))
    games = figure_of("games", "alpha")
    setting = published_of(games, "setup", 50)
    reading = published_of(OTHER, "if it was so", 0.3, 100).model_copy(
        update={"status": "alternative"}
    )
    beside = {
        SCORE: known(0.6, (0.58, 0.62)),
        OTHER: known(0.3, (0.2, 0.4), OTHER),
        games: known(50.0, (50.0, 50.0), games),
    }
    found = tallies([compare(each, beside) for each in (number, again, claim, setting, reading)])
    assert {kind: dict(counts) for kind, counts in found.items()} == {
        "printed": {"agrees": 1},
        "worded": {"agrees": 1},
        "neither": {"agrees": 3},
    }
