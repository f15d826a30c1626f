"""Errors of ratings where games of one opening go together, against the truth and other counts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.standings import (
    Counts,
    GameLog,
    Numbers,
    Ratings,
    Scoreboard,
    by_ratings,
    head_to_head,
    rate,
    rate_scoreboard,
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
) -> tuple[Counts, GameLog]:
    """Everybody against everybody from both seats, with each opening.

    An opening is worth something to whoever moves first (sd `seat` Elo), and suits some engines
    better than others (sd `suit` Elo).
    """
    size = len(TRUE)
    outcomes, games = np.zeros((size, size, 3), np.int64), GameLog(size)
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
    ratings = rate(many.astype(np.int64), names=names(len(TRUE)), prior=0)
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
            by_opening = games if together else None
            ratings = rate(outcomes, names=names(len(TRUE)), by_opening=by_opening)
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
    board = Scoreboard(names(2))
    for opening in range(400):
        worth = chance.normal(0, seat)
        for first, ahead in ((0, 60 + worth), (1, -60 + worth)):
            result = 1 if chance.random() < chances(np.array(ahead)) else -1
            board.append(first, 1 - first, result, opening.to_bytes(4))
    counted = head_to_head(board, 0, 1)
    fitted = by_ratings(board.outcomes, names(2), 0, 1, by_opening=board.log)
    assert counted is not None
    assert fitted is not None
    assert counted.basis == "pairs"
    assert fitted.error == pytest.approx(counted.error, rel=0.03)
    assert fitted.los == pytest.approx(counted.los, abs=0.01)
    alone = by_ratings(board.outcomes, names(2), 0, 1)
    assert alone is not None
    assert (alone.error > 1.15 * fitted.error) is (seat > 0)  # whom it favours takes turns


@pytest.mark.parametrize(
    ("results", "least"), [((1, -1), 150), ((1, 1), 150), ((-1, -1), 150), ((0, 0), 0.85)]
)
def test_nobody_is_sure_because_all_pairs_of_games_are_alike(
    results: tuple[int, int], least: float
) -> None:
    """What is least known of draws: had one game of the 400 been won, it would be by 0.85 Elo."""
    board = Scoreboard(names(2))
    for opening in range(200):
        for first, result in enumerate(results):
            board.append(first, 1 - first, result, bytes([opening]))
    error = rate_scoreboard(board).error[0]
    assert error is not None
    assert error > least
