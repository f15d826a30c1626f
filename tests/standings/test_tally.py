"""Every game is counted once, and what is decided by games does not depend on their order."""

from __future__ import annotations

import random

import pytest

from arena.standings.rating import rate_tally
from arena.standings.scores import Score, elo, elo_with_error
from arena.standings.sprt import Sprt
from arena.standings.stopping import StopRules
from arena.standings.tally import InOrder, PairOutcomes, Tally


def test_points_are_counted_for_both_players() -> None:
    tally = Tally(3)
    for first, second, result in [(0, 1, 1), (1, 0, 0), (2, 0, -1), (1, 2, 1)]:
        tally.add(first, second, result)
    assert [score.points for score in tally.scores] == [2.5, 1.5, 0.0]
    against = tally.head_to_head(0, 1)
    assert (against.won, against.drawn, against.lost) == (1, 1, 0)
    assert tally.head_to_head(1, 0).points == 0.5


def test_a_score_without_games_is_one_half() -> None:
    assert Score().share == 0.5


def test_certain_scores_stay_finite() -> None:
    assert elo(1.0) == pytest.approx(-elo(0.0))
    assert abs(elo(1.0)) < 4000
    assert all(abs(number) < 10_000 for number in elo_with_error([0, 0, 50]))


def test_results_are_released_in_the_order_of_their_numbers() -> None:
    order = InOrder()
    assert order.add(2, (1, 0, 1, 1, b"")) == []
    assert len(order.add(1, (1, 1, 0, 1, b""))) == 2
    assert len(order.add(3, (1, 1, 0, 1, b""))) == 1


def test_pairs_are_counted_by_the_points_of_both_games() -> None:
    pairs = PairOutcomes(0, 1, swapped=True)
    for opening, results in {b"a": (1, -1), b"b": (1, 1), b"c": (0, -1), b"d": (-1, 1)}.items():
        pairs.add(1, 0, 1, results[0], opening)
        pairs.add(1, 1, 0, results[1], opening)
    assert pairs.counts == [1, 0, 1, 1, 1]
    assert pairs.add(1, 0, 2, 1, b"e") is False


def test_single_games_are_counted_where_seats_are_not_swapped() -> None:
    pairs = PairOutcomes(1, 0, swapped=False)
    for result in (1, 1, 0, -1):
        pairs.add(1, 0, 1, result, b"")
    assert pairs.counts == [2, 1, 1]


def wins_of_the_first(games: int) -> list[tuple[int, int, int, int, int, bytes]]:
    """Player 0 wins almost everything, from both seats."""
    return [
        (n, 1, *((0, 1, 1) if n % 2 else (1, 0, -1)), bytes([(n - 1) // 2 % 250]))
        for n in range(1, games + 1)
    ]


def test_the_test_stops_at_the_same_game_whatever_the_order() -> None:
    said = set()
    for seed in range(5):
        rules = StopRules(["new", "old"], (0, 1, Sprt(0, 50)))
        games = wins_of_the_first(400)
        random.Random(seed).shuffle(games)
        for game in games:
            rules.add(*game)
        said.add((rules.said, tuple(rules.pairs.counts if rules.pairs else ())))
    assert len(said) == 1
    sentence, counts = said.pop()
    assert sentence is not None
    assert sentence.startswith("SPRT: H1 accepted, new is at least about +50 Elo")
    assert 0 < counts[-1] < 200


def test_an_error_bar_that_is_small_enough_stops() -> None:
    rules = StopRules(["a", "b"], error=60)
    chance = random.Random(1)
    for number in range(1, 2001):
        opening = number.to_bytes(2)
        if rules.add(
            number, number, number % 2, 1 - number % 2, chance.choice((1, 0, -1)), opening
        ):
            break
    assert 20 < number < 200
    assert "every error bar is at most" in str(rules.said)


@pytest.mark.parametrize("result", [1, 0], ids=["all won", "all drawn"])
def test_games_that_all_end_alike_are_no_small_error(result: int) -> None:
    rules = StopRules(["a", "b"], error=3)
    for number in range(1, 61):
        first = number % 2
        won = result if first == 0 else -result
        assert rules.add(number, number, first, 1 - first, won, bytes([number // 2])) is None


def test_the_error_that_stops_is_that_of_the_ratings_whatever_the_order() -> None:
    said, chance = set(), random.Random(2)
    games = [
        (number, number, *seats, chance.choice((1, 1, -1)), number.to_bytes(2))
        for number, seats in enumerate(((0, 1), (1, 0), (1, 2), (2, 1)) * 60, start=1)
    ]
    for seed in range(3):
        rules = StopRules(["a", "b", "c"], error=90)
        random.Random(seed).shuffle(games)
        for game in games:
            rules.add(*game)
        said.add((rules.said, rules.tally.counted))
    assert len(said) == 1
    sentence, counted = said.pop()
    tally = Tally(3)
    for number, _, first, second, result, opening in sorted(games)[:counted]:
        tally.add(first, second, result, opening, number)
    widest = max(error or 0 for error in rate_tally(tally, ["a", "b", "c"]).error)
    assert sentence == f"every error bar is at most {widest:.1f} Elo (90 was asked for)"
    assert widest <= 90 < 1.1 * widest


def test_a_time_budget_stops_and_counts_from_when_playing_began() -> None:
    rules, now = StopRules(["a", "b"], seconds=10), [0.0]
    assert rules.add(1, 1, 0, 1, 1, b"") is None  # of an earlier run
    now[0] = 1000.0
    rules.begin(lambda: now[0])
    assert rules.add(2, 1, 1, 0, 1, b"") is None
    now[0] = 1009.9
    assert rules.add(3, 1, 1, 0, 1, b"") is None
    now[0] = 1010.0
    assert rules.add(4, 1, 1, 0, 1, b"") == "the time budget of 10 s is spent"
