"""Which engines are told apart: against plain loops, scaled matches and simulated tournaments."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.standings.ranking import SURE, by_strength, certain_pairs, tiers, times_more_games
from arena.standings.rating import Ratings, rate
from tests.report.samples import made_results


def rated(count: int, games: int, seed: int) -> Ratings:
    results = made_results([f"e{number}" for number in range(count)], games, seed)
    return rate(results.scoreboard.outcomes, names=results.names)


def tiers_by_loops(ratings: Ratings, players: list[int]) -> list[tuple[int, ...]]:
    found: list[list[int]] = [[]]
    for place, player in enumerate(players):
        found[-1].append(player)
        below = players[place + 1 :]
        sure = all(ratings.los[a, b] >= SURE for a in players[: place + 1] for b in below)
        if sure and below:
            found.append([])
    return [tuple(tier) for tier in found]


@pytest.mark.parametrize("seed", range(5))
def test_tiers_are_cut_where_all_above_beat_all_below(seed: int) -> None:
    ratings = rated(9, 12 + 20 * seed, seed)
    players = by_strength(ratings)
    found = tiers(ratings, players)
    assert found == tiers_by_loops(ratings, players)
    assert [player for tier in found for player in tier] == players
    sure = sum(max(ratings.los[a, b], ratings.los[b, a]) >= SURE
               for a, b in combinations(players, 2))  # fmt: skip
    assert certain_pairs(ratings, players) == (sure, 36)


def test_one_and_none() -> None:
    ratings = rated(3, 5, 1)
    assert tiers(ratings, []) == []
    assert tiers(ratings, [1]) == [(1,)]
    assert certain_pairs(ratings, [1]) == (0, 0)


@pytest.mark.parametrize(("won", "drawn", "lost"), [(60, 10, 50), (30, 0, 24), (20, 40, 15)])
def test_so_many_times_the_games_are_enough(won: int, drawn: int, lost: int) -> None:
    def los(times: float) -> float:
        outcomes = np.zeros((2, 2, 3))
        outcomes[0, 1] = outcomes[1, 0, ::-1] = np.array([lost, drawn, won]) * times
        return float(rate(outcomes.astype(np.int64), names=["a", "b"]).los[0, 1])

    times = times_more_games(los(1))
    assert times > 1
    assert los(times) == pytest.approx(SURE, abs=0.008)
    assert times_more_games(0.5) == float("inf")


def test_what_is_called_certain_is_true_as_often_as_that() -> None:
    """Tournaments of players whose strengths are known: nearly all certain pairs are right."""
    random = np.random.default_rng(5)
    right = said = 0
    for _ in range(150):
        strength = random.normal(0, 0.6, 5)
        outcomes = np.zeros((5, 5, 3), dtype=np.int64)
        for first in range(5):
            for second in range(5):
                if first != second:
                    won = 0.8 / (1 + np.exp(strength[second] - strength[first]))
                    outcomes[first, second] = random.multinomial(8, [0.8 - won, 0.2, won])
        ratings = rate(outcomes, names=list("abcde"))
        sure = ratings.los >= SURE
        said += int(sure.sum())
        right += int((sure & (strength[:, None] > strength[None, :])).sum())
    assert said > 300
    assert right / said >= SURE
