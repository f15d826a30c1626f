"""Intervals, verdicts and clusters: what counts as evidence, and how sure a number is."""

from __future__ import annotations

from math import inf, isfinite, sqrt
from random import Random

import numpy as np
import pytest
from scipy import stats

from arena.cli.duel import Duel
from arena.standings.evidence import (
    DOUBT_OF_MOVES,
    Estimate,
    estimate,
    judge,
    of_outcomes,
    student_cdf,
    student_quantile,
    wilson,
)
from arena.standings.games import Games
from arena.standings.question import answer
from arena.standings.rating import rate_games
from arena.standings.sprt import sprt_state
from arena.tournament.claims import Question
from arena.tournament.sprt import Sprt


def shares(weights: list[float], totals: list[float]) -> Estimate:
    found = estimate(np.arange(len(weights)), np.array(weights), np.array(totals), "share")
    assert found is not None
    return found


def played(pairs: list[int], laps: int = 1) -> Games:
    """Games of two players: how often the first made 0, 1/2, ... 2 points of a new opening."""
    games, results = Games("ab"), ((-1, 1), (-1, 0), (1, 1), (1, 0), (1, -1))
    for lap in range(laps):
        opening = 0
        for outcome, count in enumerate(pairs):
            for _ in range(count):
                for first, result in enumerate(results[outcome]):
                    key = opening.to_bytes(2)
                    games.append(first, 1 - first, result, key, lap, key + bytes([first]))
                opening += 1
    return games


@pytest.mark.parametrize("degrees", [1, 1.5, 2, 3, 7, 30, 400, 9000, 10**7])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_students_distribution_is_that_of_scipy(degrees: float, confidence: float) -> None:
    expected = stats.t.ppf((1 + confidence) / 2, degrees)
    assert student_quantile(degrees, confidence) == pytest.approx(expected, rel=1e-3)
    chance = student_cdf(np.array([-2.0, 0.0, expected]), degrees)
    assert chance == pytest.approx([stats.t.cdf(-2, degrees), 0.5, (1 + confidence) / 2], abs=1e-4)


def test_wilsons_interval_is_the_published_one() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_los_agrees_with_the_interval() -> None:
    score = played([3, 1, 9, 2, 12]).score(0, 1)
    assert score is not None
    for confidence in (0.8, 0.95):
        low, high = score.interval(confidence)
        assert score.chance_above(low) == pytest.approx((1 + confidence) / 2, abs=1e-6)
        assert score.as_elo().chance_above(score.as_elo().interval(confidence).high) == (
            pytest.approx((1 - confidence) / 2, abs=1e-6)
        )
        assert high > low
    mean = estimate(np.arange(9), np.ones(9), np.arange(1.0, 10), "mean")
    assert mean is not None
    assert mean.chance_above(mean.interval().high) == pytest.approx(0.025, abs=1e-6)


def test_fewer_than_two_clusters_say_nothing() -> None:
    one = shares([20], [20])
    assert one.interval() == (0, 1)
    assert one.as_elo().interval() == (-inf, inf)
    assert one.los == 0.5
    assert estimate(np.zeros(0, int), np.zeros(0), np.zeros(0), "share") is None


def test_nothing_is_certain_that_has_never_varied() -> None:
    """Four games from two openings say nothing, twelve from six are the first claim (sign test)."""
    four, twelve = played([0, 0, 0, 0, 2]).score(0), played([0, 0, 0, 0, 6]).score(0)
    assert four is not None
    assert twelve is not None
    assert four.interval() == (0, 1)
    assert judge(four, 0.5, 1) == "open"
    assert judge(twelve, 0.5, 1) == "yes"
    assert twelve.interval().low == pytest.approx(0.55, abs=0.01)


def test_no_blunder_in_few_games_is_not_none_at_all() -> None:
    for games in (2, 10, 100):
        blunders = estimate(np.arange(games), np.ones(games), np.zeros(games), "mean")
        assert blunders is not None
        assert blunders.interval() == pytest.approx((0, 3 / games), abs=0.01 / games)


def test_flawless_moves_have_one_interval_wherever_they_are_shown() -> None:
    """20 games of 15 moves that all keep the value."""
    moves = np.full(20, 15.0)
    kept = estimate(np.arange(20), moves, moves, "share", DOUBT_OF_MOVES)
    assert kept is not None
    assert kept.interval() == pytest.approx((0.936, 1), abs=1e-3)


def test_paired_games_have_the_interval_of_their_pairs() -> None:
    """100 games as pairs [5, 0, 35, 0, 10]: fishtest's formula says +35 +- 53."""
    score = played([5, 0, 35, 0, 10]).score(0, 1)
    pairs = of_outcomes([5, 0, 35, 0, 10])
    assert score is not None
    assert pairs is not None
    assert score.interval() == pytest.approx(pairs.interval())
    low, high = score.as_elo().interval()
    assert (low + high) / 2 == pytest.approx(35, abs=2)
    assert (high - low) / 2 == pytest.approx(56, abs=2)


def test_copies_are_no_evidence_in_any_view() -> None:
    """400 games of which 20 are different, 70 %."""
    games = played([3, 0, 0, 0, 7], laps=20)
    assert (games.games, games.different) == (400, 20)
    score = games.score(0, 1)
    assert score is not None
    assert score.clusters == pytest.approx(10)
    assert score.interval() == pytest.approx((0.345, 0.988), abs=1e-3)
    ratings = rate_games(games)
    assert answer(Question(ask="?", better=("a",), than=("b",)), games, ratings).verdict == "open"
    assert sprt_state(Sprt(elo0=0, elo1=20), games.usable(0, 1)).verdict == "H1"
    assert sprt_state(Sprt(elo0=0, elo1=20), games.evidence(0, 1)).verdict is None
    duel = Duel(games, 0, 1)
    assert duel.counts == pytest.approx([3, 0, 0, 0, 7])
    assert duel.decision == "undecided"
    once = rate_games(played([3, 0, 0, 0, 7])).error[0]
    assert ratings.error[0] == pytest.approx(once, rel=0.2)


def test_players_who_never_met_need_evidence_too() -> None:
    games = Games("abc")
    games.append(0, 1, 1, b"x", 1, b"1")
    games.append(1, 2, 1, b"x", 1, b"2")
    told = answer(Question(ask="?", better=("a",), than=("c",)), games, rate_games(games))
    assert told.best.score is None
    assert told.verdict == "open"


@pytest.mark.parametrize("games", [4, 6, 10, 20])
def test_equal_engines_are_called_unequal_at_most_in_6_of_100_matches(games: int) -> None:
    chance, said, runs = Random(games), 0, 1500
    for _ in range(runs):
        suits = chance.choice((0.0, 0.0, 1.0))
        pairs = [0] * 5
        for _ in range(games // 2):
            tied = chance.random() < suits
            one = chance.choice((0, 1, 2))
            pairs[one + (one if tied else chance.choice((0, 1, 2)))] += 1
        score = of_outcomes(pairs)
        assert score is not None
        said += score.as_elo().is_significant
    assert said / runs <= 0.05 + 2.5 * sqrt(0.05 * 0.95 / runs)


def test_a_match_against_oneself_has_no_score() -> None:
    games = Games("ab")
    games.append(0, 0, 1)
    assert games.score(0, 0) is None
    ratings = rate_games(games)
    assert ratings.elo == (None, None)
    assert isfinite(ratings.los.sum())


def test_few_openings_say_nothing_about_how_many_games_would_decide() -> None:
    two, ten = played([0, 0, 0, 0, 2]).score(0, 1), played([1, 1, 4, 2, 2]).score(0, 1)
    assert two is not None
    assert ten is not None
    assert two.as_elo().more_games() == inf
    assert 1 < ten.as_elo().more_games() < 50
