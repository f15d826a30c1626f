"""Largest matchings against trying everything."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.swiss import Graph, largest_matching, least_met, pair_up, sit_out

SEEDS = st.integers(0, 10**6)


def test_two_triangles_leave_one_pair_to_meet_again() -> None:
    new = {0: [1, 2], 1: [0, 2], 2: [0, 1], 3: [4, 5], 4: [3, 5], 5: [3, 4]}
    pairs = pair_up(range(6), new, lambda a, b: int(b not in new[a]))
    assert pairs == [(0, 1), (2, 3), (4, 5)]


def test_the_best_partner_is_passed_over_only_for_the_sake_of_the_rest() -> None:
    """Only 1 is new to 3, so 0 must not take 1."""
    new = {0: [1, 2], 1: [0, 2, 3], 2: [0, 1], 3: [1]}
    assert pair_up(range(4), new, lambda a, b: int(b not in new[a])) == [(0, 2), (1, 3)]


def test_an_odd_circle_is_seen_through() -> None:
    """4 can only have 0, then 5 only 2: found from here only through a circle of three."""
    new = {0: [1, 4, 5, 2, 3], 1: [2, 0, 3], 2: [3, 1, 5, 0], 3: [2, 0, 1], 4: [0], 5: [0, 2]}
    assert largest_matching(new) == {0: 4, 4: 0, 2: 5, 5: 2, 1: 3, 3: 1}


def test_who_sits_out_leaves_the_others_without_rematches() -> None:
    """Without 4 or 3 the rest has a player to whom nobody is new."""
    new = {0: [1, 3], 1: [0, 4], 2: [], 3: [0, 4], 4: [1, 3]}
    assert sit_out([4, 3, 2, 1, 0], new) == 2


@given(
    players=st.integers(2, 9).map(lambda half: 2 * half),
    degree=st.integers(1, 6),
    seed=SEEDS,
)
def test_pairing_has_as_few_rematches_as_possible(players: int, degree: int, seed: int) -> None:
    """About `degree` are new to each: the hardest pairings are those with few left."""
    chance = Random(seed)
    pairs = [frozenset(pair) for pair in combinations(range(players), 2)]
    met = {pair: int(chance.random() * players > degree) for pair in pairs}
    new = least_met(range(players), lambda a, b: met[frozenset((a, b))])
    chosen = pair_up(range(players), new, lambda a, b: met[frozenset((a, b))])
    assert sorted(player for pair in chosen for player in pair) == list(range(players))
    fresh = sum(b in new[a] for a, b in chosen)
    assert 2 * fresh == len(largest_matching(new)) == 2 * most_pairs(frozenset(range(players)), new)


def most_pairs(
    players: frozenset[int], new: Graph, known: dict[frozenset[int], int] | None = None
) -> int:
    """The size of a largest matching, by trying."""
    known = {} if known is None else known
    if len(players) < 2:
        return 0
    if players not in known:
        one = min(players)
        rest = players - {one}
        known[players] = max(
            most_pairs(rest, new, known),
            *(1 + most_pairs(rest - {o}, new, known) for o in new[one] if o in rest),
            0,
        )
    return known[players]
