"""Errors of ratings where games of one opening go together, against the truth and other counts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.standings import (
    Counts,
    Games,
    Numbers,
    Ratings,
    rate,
    rate_games,
)

pytestmark = pytest.mark.contract

ELO = 400 / np.log(10)  # Elo per unit of log odds
TRUE = np.array([250.0, 50.0, -50.0, -250.0])
FIRST = 50.0
SIMULATED = 150


def names(size: int) -> list[str]:
    return [f"p{number}" for number in range(size)]


def chances(x: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-x / ELO)))


def play(
    openings: int, seat: float, suit: float, chance: np.random.Generator
) -> tuple[Counts, Games]:
    """Everybody against everybody from both seats, with each opening.

    An opening is worth something to whoever moves first (sd `seat` Elo), and suits some engines
    better than others (sd `suit` Elo).
    """
    size = len(TRUE)
    outcomes, games = np.zeros((size, size, 3), np.int64), Games(names(size))
    for opening in range(openings):
        strength = TRUE + chance.normal(0, suit, size)
        worth = FIRST + chance.normal(0, seat)
        won = chance.random((size, size)) < chances(strength[:, None] - strength + worth)
        for first, second in np.argwhere(~np.eye(size, dtype=bool)).tolist():
            result = 1 if won[first, second] else -1
            outcomes[first, second, result + 1] += 1
            games.append(first, second, result, opening.to_bytes(4))
    return outcomes, games


def expected_ratings(seat: float, suit: float) -> tuple[Numbers, float]:
    """What endless games with such openings are rated: scores averaged over the openings."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    away = np.sqrt(seat**2 + 2 * suit**2) * nodes
    x = TRUE[:, None] - TRUE + FIRST
    mean = chances(x[:, :, None] + away) @ (weights / weights.sum())
    many = 1e7 * np.stack([1 - mean, np.zeros_like(mean), mean], axis=2)
    ratings = rate(many.astype(np.int64), names=names(len(TRUE)), prior=1e-6)
    assert ratings.first_advantage is not None
    return np.array(ratings.elo, dtype=float), ratings.first_advantage


def covered(ratings: Ratings, elo: Numbers, first: float) -> tuple[float, bool]:
    """The share of ratings whose interval holds the truth, and whether that of the seat does."""
    here = np.abs(np.array(ratings.elo, dtype=float) - elo) <= np.array(ratings.error, dtype=float)
    assert ratings.first_advantage is not None
    assert ratings.first_advantage_error is not None
    return here.mean(), abs(ratings.first_advantage - first) <= ratings.first_advantage_error


@pytest.mark.parametrize(
    ("openings", "seat", "suit"),
    [(30, 0, 0), (30, 300, 0), (30, 0, 300), (6, 300, 300), (80, 0, 300)],
    ids=["balanced", "unbalanced", "suiting some", "few", "many"],
)
def test_intervals_hold_the_truth_as_often_as_they_claim(
    openings: int, seat: float, suit: float
) -> None:
    chance = np.random.default_rng(openings + int(seat) + 2 * int(suit))
    truth = expected_ratings(seat, suit)
    hits: dict[bool, list[tuple[float, bool]]] = {True: [], False: []}
    for _ in range(SIMULATED):
        outcomes, games = play(openings, seat, suit, chance)
        for together, kept in hits.items():
            clusters = games if together else None
            ratings = rate(outcomes, names=names(len(TRUE)), games=clusters)
            kept.append(covered(ratings, *truth))
    shares, seats = np.mean(hits[True], axis=0)
    assert 0.92 <= shares <= 0.985
    assert seats >= 0.90
    alone = np.mean(hits[False], axis=0)  # as if all games were independent
    if suit:
        assert alone[0] < 0.88
    if seat:
        assert alone[1] < 0.8


@pytest.mark.parametrize("seat", [0, 300])
def test_two_players_have_the_error_of_their_pairs_of_games(seat: float) -> None:
    chance = np.random.default_rng(5)
    games = Games(names(2))
    for opening in range(400):
        worth = chance.normal(0, seat)
        for first, ahead in ((0, 60 + worth), (1, -60 + worth)):
            result = 1 if chance.random() < chances(np.array(ahead)) else -1
            games.append(first, 1 - first, result, opening.to_bytes(4))
    score, fitted = games.score(0, 1), rate_games(games).difference(0, 1)
    assert score is not None
    assert fitted is not None
    low, high = score.as_elo().interval()
    widths = [high - low, fitted.interval().high - fitted.interval().low]
    assert widths[1] == pytest.approx(widths[0], rel=0.05)
    assert fitted.los == pytest.approx(score.los, abs=0.01)
