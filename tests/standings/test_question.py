"""Are some players better than others: the best of both sides, and how sure the answer is."""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np
import pytest
from scipy import stats

from arena.standings.question import LEAST_GAMES, Reply, of_few, reply
from arena.standings.rating import rate_scoreboard
from arena.standings.scoreboard import Scoreboard
from arena.tournament.question import Question

NAMES = ("ann", "bob", "cid", "dee")


def match(board: Scoreboard, one: int, other: int, won: int, drawn: int, lost: int) -> None:
    """Games in turns from both seats, no two of them of one opening."""
    for result, games in ((1, won), (0, drawn), (-1, lost)):
        for _ in range(games):
            first, second, mine = (one, other, result) if board.games % 2 else (other, one, -result)
            board.append(first, second, mine, round_=board.games)


def asked(board: Scoreboard, better: tuple[str, ...], than: tuple[str, ...]) -> Reply:
    return reply(Question("Is it?", better, than), board, rate_scoreboard(board))


def superiority(won: int, drawn: int, lost: int) -> float:
    """How likely the mean score is above one half, by the normal distribution."""
    games = won + drawn + lost
    mean = (won + drawn / 2) / games
    variance = (won * (1 - mean) ** 2 + drawn * (0.5 - mean) ** 2 + lost * mean**2) / games
    return erfc((0.5 - mean) / sqrt(2 * variance / games)) / 2


@pytest.mark.parametrize(
    ("score", "verdict"),
    [((40, 10, 10), "yes"), ((10, 10, 40), "no"), ((26, 10, 24), "open"), ((9, 0, 0), "open")],
)
def test_two_players_by_their_games(score: tuple[int, int, int], verdict: str) -> None:
    board = Scoreboard(NAMES[:2])
    match(board, 0, 1, *score)
    told = asked(board, ("ann",), ("bob",))
    assert told.verdict == verdict
    assert tuple(told.best.games) == score
    assert 0.975 <= told.needed < 0.98
    assert told.best.difference is not None
    if verdict != "open" or sum(score) > 20:
        assert told.best.difference.los == pytest.approx(superiority(*score), abs=1e-6)
    mirrored = {"yes": "no", "no": "yes", "open": "open"}[verdict]
    assert asked(board, ("bob",), ("ann",)).verdict == mirrored


def test_the_best_of_each_side_come_first() -> None:
    board = Scoreboard(NAMES)
    for strong in (0, 1):
        for weak in (2, 3):
            match(board, strong, weak, 21, 0, 9)
    match(board, 1, 0, 16, 0, 14)
    match(board, 2, 3, 16, 0, 14)
    told = asked(board, ("ann", "bob"), ("dee", "cid"))
    assert (told.best.player, told.best.other) == (1, 2)
    assert [(each.player, each.other) for each in told.comparisons] == [
        (1, 2), (1, 3), (0, 2), (0, 3),
    ]  # fmt: skip
    assert told.needed == of_few(1 - 0.025 / 4, 30)


def test_a_pick_needs_more_than_a_pair_named_beforehand() -> None:
    board = Scoreboard(NAMES)
    for weak in (1, 2, 3):
        match(board, 0, weak, 34, 0, 18)
    assert 0.98 < superiority(34, 0, 18) < 1 - 0.025 / 3
    assert asked(board, ("ann",), ("bob",)).verdict == "yes"
    assert asked(board, ("ann",), ("bob", "cid", "dee")).verdict == "open"


def test_players_who_have_not_met_are_compared_through_others() -> None:
    board = Scoreboard(NAMES)
    match(board, 0, 1, 45, 0, 15)
    match(board, 1, 2, 45, 0, 15)
    told = asked(board, ("ann",), ("cid",))
    assert told.best.games.games == 0
    assert told.best.difference is not None
    assert told.best.difference.basis == "ratings"
    assert told.verdict == "yes"
    nobody = asked(board, ("dee",), ("cid",))
    assert nobody.best.difference is None
    assert nobody.verdict == "open"


@pytest.mark.parametrize("sure", [0.975, 0.99, 1 - 0.025 / 12])
@pytest.mark.parametrize("results", [10, 20, 100])
def test_few_results_need_more_as_student_says(sure: float, results: int) -> None:
    spread = np.sqrt(results / (results - 1))
    expected = stats.norm.cdf(stats.t.ppf(sure, results - 1) * spread)
    assert of_few(sure, results) == pytest.approx(expected, abs=3e-4)


def test_of_equals_few_are_called_better_or_worse() -> None:
    chance, trials, decided = np.random.default_rng(1), 600, 0
    for _ in range(trials):
        board = Scoreboard(NAMES[:2])
        for game, result in enumerate(chance.integers(-1, 2, LEAST_GAMES).tolist()):
            board.append(game % 2, 1 - game % 2, result, round_=game)
        decided += asked(board, ("ann",), ("bob",)).verdict != "open"
    assert decided / trials < 0.05 + 2.6 * sqrt(0.05 * 0.95 / trials)
