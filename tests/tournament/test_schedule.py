"""The schedule: every game numbered, seats and openings balanced, the same on every machine."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import CONNECT4
from arena.tournament.formats import (
    Format,
    Gauntlet,
    Knockout,
    Pyramid,
    RoundRobin,
    Swiss,
)
from arena.tournament.identity import canonical
from arena.tournament.load import load_text
from arena.tournament.numbered import derive_seed
from arena.tournament.openings import EveryLine, RandomPlies
from arena.tournament.schedule import format_of
from tests.tournament.playing import all_games, pairs_of, rounds, schedule

ALL: list[Format] = [
    RoundRobin(),
    Gauntlet(heroes=1),
    Pyramid(),
    Swiss(rounds=5),
    Knockout(tiebreaks=1),
]
STATIC: list[Format] = [RoundRobin(), Gauntlet(heroes=1), Gauntlet(heroes=2), Pyramid()]
SEEDS = st.integers(0, 2**63 - 1)


@given(
    format=st.sampled_from(ALL), players=st.integers(2, 9), meetings=st.integers(1, 3), seed=SEEDS
)
def test_games_are_numbered_without_gaps(
    format: Format, players: int, meetings: int, seed: int
) -> None:
    plan = schedule(format, players, 2 * meetings, seed=seed)
    games = all_games(plan)
    assert [game.number for game in games] == list(range(1, len(games) + 1))
    assert plan.total in (None, len(games))
    assert all(a.round <= b.round for a, b in pairwise(games))
    assert all(game.first != game.second for game in games)
    assert {game.first for game in games} | {game.second for game in games} == set(range(players))


@given(
    format=st.sampled_from(STATIC),
    players=st.integers(3, 8),
    meetings=st.integers(1, 5),
    swap=st.booleans(),
    seed=SEEDS,
)
def test_every_pair_meets_equally_often_from_both_seats(
    format: Format, players: int, meetings: int, swap: bool, seed: int
) -> None:
    openings = EveryLine(CONNECT4, 2, seed)
    games = all_games(schedule(format, players, meetings * (1 + swap), swap, openings, seed))
    seats = Counter((game.first, game.second) for game in games)
    assert set(seats.values()) == {meetings}
    if swap:
        assert all(seats[first, second] == seats[second, first] for first, second in seats)
    else:
        assert all(first < second for first, second in seats)
    if not isinstance(format, Gauntlet):
        assert {frozenset(seat) for seat in seats} == set(
            map(frozenset, combinations(range(players), 2))
        )
    by_seat = Counter((game.first, game.second, game.opening) for game in games)
    assert set(by_seat.values()) == {1}, "each opening once per seat per pair"
    assert len({game.opening for game in games}) == meetings


@given(format=st.sampled_from(ALL), players=st.integers(2, 7), seed=SEEDS)
def test_games_of_a_meeting_share_the_opening_with_seats_swapped(
    format: Format, players: int, seed: int
) -> None:
    games = all_games(
        schedule(format, players, 4, openings=RandomPlies(CONNECT4, 6, seed), seed=seed)
    )
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.first, one.second, one.opening) == (other.second, other.first, other.opening)
        assert one.seed != other.seed


@pytest.mark.parametrize("format", [Swiss(rounds=4), Knockout(tiebreaks=1)])
def test_a_round_depends_on_earlier_results_in_any_order_and_on_no_later_ones(
    format: Format,
) -> None:
    plan = schedule(format, 7, 2, seed=3)
    played = list(rounds(plan))
    everything = played[-1][1]
    for number, (games, _) in enumerate(played, start=1):
        again = plan.games(number, Random(number).sample(everything, len(everything)))
        assert again is not None
        assert list(again) == games


def test_seeds_are_the_same_for_ever() -> None:
    games = all_games(schedule(RoundRobin(), 2, 2, seed=1))
    assert [game.seed for game in games] == [1341732422470200821, 7826351492715128199]
    other = all_games(schedule(RoundRobin(), 2, 2, seed=2))
    assert other[0].seed == 1062855477676003086


def test_seeds_come_from_the_number_alone() -> None:
    small, large = schedule(RoundRobin(), 2, 40), schedule(Pyramid(), 9, 4)
    seeds = [game.seed for game in all_games(small)]
    assert seeds == [game.seed for game in all_games(large)][:40]
    assert len(set(seeds)) == 40
    assert all(0 <= seed < 2**63 for seed in seeds)


@pytest.mark.parametrize(
    ("format", "players", "games"),
    [
        (RoundRobin(), 2, 1_000_000),
        (RoundRobin(), 10, 22_224),
        (RoundRobin(), 1415, 2),
        (Gauntlet(heroes=2), 12, 50_000),
        (Pyramid(), 10, 22_224),
        (pairs_of((2, 0), (1, 2)), 3, 500_000),
        (Swiss(rounds=1), 8, 250_000),
        (Knockout(tiebreaks=0), 2, 1_000_000),
    ],
)
def test_a_million_games_cost_no_memory(format: Format, players: int, games: int) -> None:
    tracemalloc.start()
    try:
        plan = schedule(format, players, games, openings=EveryLine(CONNECT4, 4, 1))
        part = plan.part(1)
        assert part is not None
        assert len(part) == plan.total
        assert len(part) >= 1_000_000
        assert part[-1].number == len(part)
        assert sum(game.number > 0 for game in part[500_000:503_000]) == 3_000
        assert tracemalloc.get_traced_memory()[1] < 500_000
    finally:
        tracemalloc.stop()


HEAD = "engines: [random, reflex, greedy, mcts]\n"


@pytest.mark.parametrize(
    ("format", "total"),
    [
        ("round-robin", 12),
        ("gauntlet", 6),
        ("{kind: swiss, rounds: 3}", 12),
        ("knockout", None),
        ("pyramid", 12),
        ("{kind: pairs, pairs: [[mcts, random], [greedy, reflex], [mcts, greedy]]}", 6),
    ],
)
def test_schedules_are_made_from_tournaments(format: str, total: int | None) -> None:
    made = load_text(f"{HEAD}format: {format}\n")
    plan = made.schedule()
    assert plan.total == total
    assert plan.needs_results is (made.format.kind in ("swiss", "knockout"))
    assert format_of(canonical(made), 4) == (plan.format, plan.field)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"kind": "swis"},
        {"kind": "swiss"},
        {"kind": "swiss", "rounds": 0},
        {"kind": "pairs", "pairs": [["random", "mcts"]]},
        {"kind": "pairs", "pairs": 3},
    ],
)
def test_a_journal_of_a_format_that_nobody_knows_has_none(wrong: dict[str, Any]) -> None:
    engines = [{"name": name} for name in ("random", "reflex", "greedy", "alphabeta")]
    told = {"format": wrong, "games": 2, "swap_seats": True, "engines": engines}
    assert format_of(told, 4) is None


def test_seeds_are_the_same_on_every_machine() -> None:
    assert derive_seed(1, 0) == 894933081445914327
    assert derive_seed("a", 1) == 4294491576641134471
    assert len({derive_seed(seed, seat) for seed in range(100) for seat in (0, 1)}) == 200
