"""Which engines are told apart: against plain loops, scaled matches and simulated tournaments."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.standings.games import Games
from arena.standings.ranking import by_strength, significant, significant_pairs, tiers
from arena.standings.rating import Ratings, rate, rate_games
from tests.report.samples import made_results


def rated(count: int, games: int, seed: int) -> Ratings:
    results = made_results([f"e{number}" for number in range(count)], games, seed)
    return rate(results.scoreboard.outcomes, names=results.names)


def significant_by_loops(ratings: Ratings, players: list[int]) -> set[tuple[int, int]]:
    """Holm's procedure: the surest pair first, each at the risk left for those after it."""
    pairs = list(combinations(players, 2))
    doubt = {pair: 2 * min(ratings.los[pair], 1 - ratings.los[pair]) for pair in pairs}
    found = set()
    for place, pair in enumerate(sorted(pairs, key=lambda pair: doubt[pair])):
        if doubt[pair] > 0.05 / (len(pairs) - place):
            break
        found.add(pair if ratings.los[pair] > 0.5 else pair[::-1])
    return found


@pytest.mark.parametrize("seed", range(5))
def test_tiers_are_cut_where_all_above_beat_all_below(seed: int) -> None:
    ratings = rated(9, 12 + 20 * seed, seed)
    players = by_strength(ratings)
    sure = significant_by_loops(ratings, players)
    table = significant(ratings, players)
    assert {(players[i], players[j]) for i, j in np.argwhere(table)} == sure
    assert significant_pairs(ratings, players) == (len(sure), 36)
    found = tiers(ratings, players)
    assert [player for tier in found for player in tier] == players
    for cut in np.cumsum([len(tier) for tier in found])[:-1]:
        assert all((a, b) in sure for a in players[:cut] for b in players[cut:])


def test_any_claim_about_equals_is_wrong_in_at_most_one_tournament_of_20() -> None:
    """Six equal players: 15 pairs, and hardly ever a significant one among them."""
    random, wrong, runs = np.random.default_rng(5), 0, 300
    for _ in range(runs):
        games = Games("abcdef")
        for opening in range(12):
            for first in range(6):
                for second in range(6):
                    if first != second:
                        result = int(random.integers(-1, 2))
                        games.append(first, second, result, bytes([opening]))
        wrong += int(significant(rate_games(games), range(6)).any())
    assert wrong / runs <= 0.06
