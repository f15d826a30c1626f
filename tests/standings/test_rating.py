"""Ratings against hand-made cases, an independent fit, and the truth behind simulated games."""

from __future__ import annotations

import time
from math import exp, isfinite, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import ArenaError
from tests.support.standings import Counts, Numbers, Ratings, rate

pytestmark = pytest.mark.contract

ELO = 400 / log(10)  # Elo per unit of log odds
TINY = 1e-7  # a prior that changes nothing


def table(size: int, *cells: tuple[int, int, list[int]]) -> Counts:
    """Outcomes with these cells: first, second, [losses, draws, wins of the first]."""
    outcomes = np.zeros((size, size, 3), dtype=np.int64)
    for first, second, counts in cells:
        outcomes[first, second] = counts
    return outcomes


def names(size: int) -> list[str]:
    return [f"p{number}" for number in range(size)]


def simulated(
    strengths: Numbers, games: int, draws: float, seed: np.random.Generator, first: float = 50.0
) -> Counts:
    """Games in each seat of each pair; `draws` is how often two equals draw."""
    size = len(strengths)
    score = 1 / (1 + 10 ** (-(strengths[:, None] - strengths[None, :] + first) / 400))
    drawn = np.minimum(4 * draws * score * (1 - score), 2 * np.minimum(score, 1 - score))
    shares = np.stack([1 - score - drawn / 2, drawn, score - drawn / 2], axis=2)
    outcomes = seed.multinomial(games, shares.reshape(-1, 3)).reshape(size, size, 3)
    outcomes[np.arange(size), np.arange(size)] = 0
    return np.asarray(outcomes, dtype=np.int64)


def known(values: tuple[float | None, ...]) -> list[float]:
    assert None not in values
    return [value for value in values if value is not None]


def assert_sane(ratings: Ratings) -> None:
    """Nothing infinite anywhere, every player ranked once."""
    numbers = [*ratings.elo, *ratings.error, *ratings.opponents_elo, *ratings.score]
    for group in ratings.groups:
        numbers += [group.first_advantage, group.first_advantage_error, group.draw_rate]
    assert all(number is None or isfinite(number) for number in numbers)
    assert np.isfinite(ratings.los).all()
    assert np.allclose(ratings.los + ratings.los.T, 1)
    assert sorted(ratings.order) == list(range(len(ratings.names)))


def test_three_points_of_four_are_190_85_elo() -> None:
    outcomes = table(2, (0, 1, [10, 0, 30]), (1, 0, [30, 0, 10]))
    ratings = rate(outcomes, names=names(2), prior=TINY, first_advantage=False)
    best, worst = known(ratings.elo)
    assert best - worst == pytest.approx(190.848502, abs=1e-6)
    assert best == -worst
    deviation = ELO / sqrt(80 * 0.75 * 0.25)  # of the difference; half of it to the mean
    assert ratings.error == pytest.approx([1.99 * deviation / 2] * 2, rel=0.02)
    assert ratings.order == (0, 1)


def test_the_first_move_is_a_number_of_elo() -> None:
    outcomes = table(2, (0, 1, [20, 0, 60]), (1, 0, [20, 0, 60]))
    ratings = rate(outcomes, names=names(2), prior=TINY)
    assert ratings.elo == pytest.approx((0, 0), abs=1e-9)
    assert ratings.first_advantage == pytest.approx(190.848502, abs=1e-6)
    assert ratings.first_advantage_error == pytest.approx(1.97 * ELO / sqrt(160 * 0.1875), rel=0.01)


@pytest.mark.parametrize("draws", [0.0, 0.5])
@pytest.mark.parametrize("first_advantage", [True, False])
def test_an_independent_fit_finds_the_same(draws: float, first_advantage: bool) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    seed = np.random.default_rng(3)
    outcomes = simulated(np.linspace(-250, 250, 7), 8, draws, seed)
    cells = [(i, j, outcomes[i, j]) for i in range(7) for j in range(7) if i != j]

    def unlikely(at: Numbers) -> tuple[float, Numbers]:
        """Minus the logarithm of the likelihood and its slope, game by game, player 0 at 0."""
        total, slope = 0.0, np.zeros(8)
        strengths = [0.0, *at[:6]]
        for first, second, (lost, drawn, won) in cells:
            x = strengths[first] - strengths[second] + (at[6] if first_advantage else 0.0)
            share, points, games = 1 / (1 + exp(-x)), won + drawn / 2, won + drawn + lost
            total -= points * log(share) + (games - points) * log(1 - share)
            for place, sign in ((first, -1), (second, 1), (7, -1 if first_advantage else 0)):
                slope[place] += sign * (points - games * share)
        return total, slope[1:]

    found = optimize.minimize(unlikely, np.zeros(7), jac=True, method="BFGS", tol=1e-9).x
    ratings = rate(outcomes, names=names(7), prior=TINY, first_advantage=first_advantage)
    strengths = ELO * np.concatenate([[0.0], found[:6]])
    assert known(ratings.elo) == pytest.approx(strengths - strengths.mean(), abs=1e-6)
    if first_advantage:
        assert ratings.first_advantage == pytest.approx(ELO * found[6], abs=1e-6)


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_expected_points_are_the_points_made(draws: float) -> None:
    """What defines ratings in Ordo (Ballicora): each player's sum of expectancies is its score."""
    outcomes = simulated(np.linspace(-400, 300, 9), 6, draws, np.random.default_rng(4))
    ratings = rate(outcomes, names=names(9), prior=TINY)
    elo = np.array(known(ratings.elo))
    first = ratings.first_advantage
    assert first is not None
    expected = 1 / (1 + 10 ** (-(elo[:, None] - elo[None, :] + first) / 400))
    played = outcomes.sum(axis=2)
    points = (played * expected).sum(axis=1) + (played * (1 - expected)).sum(axis=0)
    assert points == pytest.approx(ratings.points, abs=1e-6)
    made = outcomes @ np.array([0, 0.5, 1])
    assert (played * expected).sum() == pytest.approx(made.sum(), abs=1e-6)
    assert elo.mean() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("draws", [0.0, 0.6])
def test_intervals_hold_the_truth_19_times_in_20(draws: float) -> None:
    seed, truth = np.random.default_rng(5), np.linspace(-200, 200, 6)
    held, first_held, runs = 0, 0, 250
    for _ in range(runs):
        ratings = rate(simulated(truth, 12, draws, seed), names=names(6))
        off = np.abs(np.array(known(ratings.elo)) - truth)
        held += int((off <= known(ratings.error)).sum())
        assert ratings.first_advantage is not None
        assert ratings.first_advantage_error is not None
        first_held += abs(ratings.first_advantage - 50) <= ratings.first_advantage_error
    assert 0.93 <= held / (6 * runs) <= 0.97
    assert 0.92 <= first_held / runs <= 0.98


def test_with_the_prior_intervals_hold_where_many_scores_are_100_percent() -> None:
    """Ratings far apart, few games: the truth is held, and missed on no side in the mean."""
    seed, truth, runs = np.random.default_rng(5), np.linspace(-1000, 1000, 6), 200
    off = np.zeros((runs, 6))
    held = 0
    for run in range(runs):
        ratings = rate(simulated(truth, 6, 0.2, seed), names=names(6))
        off[run] = np.array(known(ratings.elo)) - truth
        held += int((np.abs(off[run]) <= known(ratings.error)).sum())
    assert 0.93 <= held / (6 * runs) <= 0.98
    assert np.abs(off.mean(axis=0)).max() < 50


def test_who_won_everything_has_a_wide_interval_with_the_prior() -> None:
    outcomes = table(
        4, (0, 1, [0, 0, 900]), (1, 2, [3, 1, 5]), (2, 1, [4, 0, 6]), (2, 3, [0, 0, 7])
    )
    ratings = rate(outcomes, names=names(4))
    assert_sane(ratings)
    assert ratings.order[0] == 0
    assert known(ratings.elo)[0] > 200
    assert known(ratings.error)[0] > 150
    assert "half a drawn game" in ratings.prior_words


def test_groups_that_never_met_have_each_its_own_zero() -> None:
    one = simulated(np.array([0.0, 100, 200]), 9, 0.3, np.random.default_rng(1))
    two = simulated(np.array([0.0, 50]), 9, 0.3, np.random.default_rng(2), first=-30)
    both = np.zeros((6, 6, 3), dtype=np.int64)
    both[np.ix_([0, 2, 4], [0, 2, 4])] = one
    both[np.ix_([1, 3], [1, 3])] = two
    joint, alone = rate(both, names=names(6)), rate(one, names=names(3))
    assert_sane(joint)
    assert joint.group == (0, 1, 0, 1, 0, 2)
    assert [joint.elo[player] for player in (0, 2, 4)] == pytest.approx(list(alone.elo))
    assert [joint.error[player] for player in (0, 2, 4)] == pytest.approx(list(alone.error))
    assert joint.first_advantage == pytest.approx(alone.first_advantage)
    assert sum(known((joint.elo[1], joint.elo[3]))) == pytest.approx(0, abs=1e-9)
    assert joint.elo[5] is None  # who has not played is not rated
    assert joint.los[0, 1] == 0.5
    assert not joint.comparable(0, 1)
    assert joint.comparable(0, 4)


def test_the_anchor_keeps_its_rating_and_is_sure_of_it() -> None:
    outcomes = simulated(np.linspace(-100, 100, 4), 20, 0.2, np.random.default_rng(6))
    free = rate(outcomes, names=names(4))
    tied = rate(outcomes, names=names(4), anchor="p2", anchor_elo=1500)
    assert tied.elo[2] == 1500
    assert tied.error[2] == 0
    apart = np.array(known(tied.elo)) - np.array(known(free.elo))
    assert apart == pytest.approx([apart[0]] * 4)
    assert np.allclose(free.los, tied.los)


def test_wrong_anchors_are_told() -> None:
    outcomes = table(3, (0, 1, [0, 0, 5]))
    with pytest.raises(ArenaError, match="unknown player 'p9'"):
        rate(outcomes, names=names(3), anchor="p9")
    with pytest.raises(ArenaError, match="'p2' has no games"):
        rate(outcomes, names=names(3), anchor="p2")
    with pytest.raises(ArenaError, match="prior is -1 games"):
        rate(outcomes, names=names(3), prior=-1)


@pytest.mark.parametrize("prior", [0.5, 1.0])
@pytest.mark.parametrize(
    "counts", [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 9999], [0, 50, 0], [1, 0, 99999]]
)
def test_nothing_is_ever_infinite(counts: list[int], prior: float) -> None:
    for both in (False, True):
        outcomes = table(3, (0, 1, counts), (1, 0, counts if both else [0, 0, 0]))
        assert_sane(rate(outcomes, names=names(3), prior=prior))
        assert_sane(rate(outcomes, names=names(3), prior=prior, first_advantage=False))


@pytest.mark.parametrize("prior", [0.01, 0.5])
@pytest.mark.parametrize("lost", [0, 1])
def test_a_ladder_of_players_far_apart_is_fitted(prior: float, lost: int) -> None:
    steps = [(i, i + 1, [lost, 0, 10**6]) for i in range(11)]
    outcomes = table(12, *steps, *((j, i, counts[::-1]) for i, j, counts in steps))
    ratings = rate(outcomes, names=names(12), prior=prior)
    assert_sane(ratings)
    assert ratings.order == tuple(range(12))


def test_nobody_can_be_rated_too() -> None:
    ratings = rate(np.zeros((0, 0, 3), dtype=np.int64), names=[])
    assert ratings.order == ()
    assert ratings.first_advantage is None


CELLS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2), st.integers(1, 6)),
    max_size=20,
)


def from_cells(cells: list[tuple[int, int, int, int]]) -> Counts:
    outcomes = np.zeros((5, 5, 3), dtype=np.int64)
    for first, second, outcome, count in cells:
        if first != second:
            outcomes[first, second, outcome] += count
    return outcomes


@settings(max_examples=60, deadline=None, derandomize=True)
@given(CELLS, st.sampled_from([0.5, 1.0]), st.permutations(range(5)))
def test_ratings_do_not_depend_on_the_order_of_the_players(
    cells: list[tuple[int, int, int, int]], prior: float, order: list[int]
) -> None:
    outcomes = from_cells(cells)
    ratings = rate(outcomes, names=names(5), prior=prior)
    moved = rate(outcomes[np.ix_(order, order)], names=[f"p{i}" for i in order], prior=prior)
    assert_sane(ratings)
    for place, player in enumerate(order):
        if ratings.elo[player] is not None:
            assert moved.elo[place] == pytest.approx(ratings.elo[player], abs=1e-6)
            error = ratings.error[player]
            assert error is None or moved.error[place] == pytest.approx(error, abs=1e-6)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(CELLS)
def test_turning_all_results_round_turns_the_ratings_round(
    cells: list[tuple[int, int, int, int]],
) -> None:
    outcomes = from_cells(cells)
    ratings = rate(outcomes, names=names(5))
    turned = rate(outcomes[:, :, ::-1], names=names(5))
    for one, other in zip(ratings.elo, turned.elo, strict=True):
        assert (one is None and other is None) or one == pytest.approx(-(other or 0), abs=1e-6)


def test_a_win_more_never_lowers_a_rating() -> None:
    outcomes = simulated(np.linspace(-100, 100, 4), 5, 0.2, np.random.default_rng(8))
    before = rate(outcomes, names=names(4))
    outcomes[1, 2, 2] += 1
    after = rate(outcomes, names=names(4))
    assert known(after.elo)[1] > known(before.elo)[1]
    assert known(after.elo)[2] < known(before.elo)[2]


def test_many_players_with_few_games_each_are_rated_quickly() -> None:
    seed, size = np.random.default_rng(9), 300
    truth = seed.normal(0, 200, size)
    outcomes = simulated(truth, 1, 0.1, seed)
    outcomes[seed.random((size, size)) < 0.9] = 0
    begun = time.process_time()
    ratings = rate(outcomes, names=names(size))
    assert time.process_time() - begun < 5
    assert_sane(ratings)
    off = np.abs(np.array(known(ratings.elo)) - (truth - truth.mean()))
    assert 0.9 <= (off <= known(ratings.error)).mean() <= 0.99
