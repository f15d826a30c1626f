"""Which engines can be told apart: by how likely one is the stronger, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import NormalDist

import numpy as np

from arena.standings.rating import Ratings

SURE = 0.975  # how likely the stronger one is, where a difference is certain to 95 %


def by_strength(ratings: Ratings, group: int = 0) -> list[int]:
    """The rated players of a group, the strongest first."""
    players = [player for player in ratings.groups[group].players if ratings.games[player]]
    rated = {player: elo for player in players if (elo := ratings.elo[player]) is not None}
    return sorted(rated, key=lambda player: -rated[player])


def tiers(ratings: Ratings, players: Sequence[int]) -> list[tuple[int, ...]]:
    """Players cut wherever everybody above is certain to be stronger than everybody below.

    Those of one tier are not all told apart: some pairs of them may be.
    """
    found: list[tuple[int, ...]] = []
    start, places = 0, list(players)
    los = ratings.los[places][:, places]
    weakest = np.minimum.accumulate(los[:, ::-1], axis=1)[:, ::-1]  # [i, k]: over all from k on
    for cut in range(1, len(places)):
        if weakest[:cut, cut].min() >= SURE:
            found.append(tuple(places[start:cut]))
            start = cut
    return [*found, tuple(places[start:])] if places else []


def certain_pairs(ratings: Ratings, players: Sequence[int]) -> tuple[int, int]:
    """How many pairs of these are told apart, and of how many."""
    places = list(players)
    count = len(places)
    los = ratings.los[places][:, places]
    return int((los >= SURE).sum()), count * (count - 1) // 2


def times_more_games(los: float) -> float:
    """How many times the games it takes to be sure, if the difference is what it seems.

    Errors shrink with the root of the games; a likelihood is a number of them (normal).
    """
    normal = NormalDist()
    distance = normal.inv_cdf(min(max(los, 1e-9), 1 - 1e-9))
    return (normal.inv_cdf(SURE) / distance) ** 2 if distance else inf
