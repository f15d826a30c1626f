"""Each format ranks its players in its own way, against rankings counted by hand."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats import (
    Field,
    Format,
    Gauntlet,
    Knockout,
    Pyramid,
    Ranking,
    RoundRobin,
    Scored,
    Swiss,
)
from arena.tournament.games import GameResult
from arena.tournament.schedule import format_of
from tests.tournament.playing import all_results, better_wins, pairs_of, schedule

SEEDS = st.integers(0, 10**6)


def rank(format: Format, field: Field, results: list[GameResult], by_rating: str) -> Ranking:
    """The ranking, with players from the strongest to the weakest as digits."""
    points: dict[int, list[float]] = {}
    for game in results:
        points.setdefault(game.first, []).append((1 + game.result) / 2)
        points.setdefault(game.second, []).append((1 - game.result) / 2)
    shares = [
        sum(points[player]) / len(points[player]) if player in points else None
        for player in range(field.players)
    ]
    return format.ranking(field, results, Scored(shares, [int(digit) for digit in by_rating]))


def test_a_knockout_ranks_by_how_far_each_came_whatever_the_ratings() -> None:
    results = all_results(
        schedule(Knockout(tiebreaks=0), 6), lambda game: 0
    )  # the better seed advances
    ranking = rank(Knockout(tiebreaks=0), Field(6, 2), results, "543210")
    assert ranking.order == (0, 1, 3, 2, 5, 4)  # 2, 3 lost semi-finals, 4, 5 the first round
    assert ranking.champion == 0
    first_round = ["quarter-finals", "quarter-finals"]
    reached = ["champion", "final", "semi-finals", "semi-finals", *first_round]
    assert ranking.columns == {"reached": reached}


def test_a_knockout_that_goes_on_has_no_champion_and_open_rounds_decide_nothing() -> None:
    results = all_results(schedule(Knockout(tiebreaks=0), 4), better_wins)
    open_ = [
        rank(Knockout(tiebreaks=0), Field(4, 2), results[:count], "3210")
        for count in range(len(results))
    ]
    assert [ranking.champion for ranking in open_] == [None] * len(results)
    assert [ranking.order for ranking in open_[:4]] == [(3, 2, 1, 0)] * 4
    assert [ranking.order for ranking in open_[4:]] == [(1, 0, 3, 2)] * 2
    assert rank(Knockout(tiebreaks=0), Field(4, 2), results, "3210").order == (0, 1, 3, 2)


@given(players=st.integers(2, 9), tiebreaks=st.integers(0, 2), seed=SEEDS)
@settings(max_examples=40)
def test_who_lost_stands_below_who_beat_him(players: int, tiebreaks: int, seed: int) -> None:
    knockout, field = Knockout(tiebreaks=tiebreaks), Field(players, 2)
    results = all_results(schedule(knockout, players, seed=seed))
    backwards = "".join(map(str, reversed(range(players))))
    ranking = rank(knockout, field, results, backwards)
    place = {player: at for at, player in enumerate(ranking.order)}
    assert sorted(place) == list(range(players))
    assert ranking.order[0] == ranking.champion
    for stage in knockout.bracket(field, results):
        for match in stage:
            if match.worse is not None and match.winner is not None:
                loser = match.better + match.worse - match.winner
                assert place[match.winner] < place[loser]


@given(players=st.integers(2, 7), rounds=st.integers(1, 5), seed=SEEDS)
@settings(max_examples=40)
def test_a_swiss_ranks_by_points_with_byes_then_by_those_of_opponents(
    players: int, rounds: int, seed: int
) -> None:
    swiss, field = Swiss(rounds=rounds), Field(players, 2)
    results = all_results(schedule(swiss, players, seed=seed))
    points, met = [0.0] * players, [list[int]() for _ in range(players)]
    for _, games in groupby(results, key=lambda game: game.round):
        here = list(games)
        opponents = {game.first: game.second for game in here}
        for game in here:
            points[game.first] += (1 + game.result) / 2
            points[game.second] += (1 - game.result) / 2
        for player in range(players):
            met[player] += [opponents[player]] if player in opponents else []
            points[player] += 0 if player in opponents else 2
    others = [sum(points[other] for other in met[player]) for player in range(players)]
    ranking = rank(swiss, field, results, "".join(map(str, range(players))))
    expected = sorted(range(players), key=lambda p: (-points[p], -others[p], p))
    assert list(ranking.order) == expected
    byes = {"with byes": points} if players % 2 else {}
    assert ranking.columns == {**byes, "Buchholz": others}


def test_a_bye_counts_from_the_end_of_its_round() -> None:
    results = all_results(schedule(Swiss(rounds=2), 3), better_wins)
    assert [(game.first, game.second) for game in results[:2]] == [(0, 1), (1, 0)]
    half = rank(Swiss(rounds=2), Field(3, 2), results[:1], "012")
    assert half.columns["with byes"] == [1.0, 0.0, 0.0]
    whole = rank(Swiss(rounds=2), Field(3, 2), results[:2], "012")
    assert whole.columns["with byes"] == [2.0, 0.0, 2.0]
    assert whole.order == (0, 2, 1)


@pytest.mark.parametrize(
    ("format", "order"), [(RoundRobin(), (1, 2, 0, 3)), (Gauntlet(heroes=1), (0, 2, 1, 3))]
)
def test_points_rank_only_where_all_have_the_same_opponents(
    format: Format, order: tuple[int, ...]
) -> None:
    scored = Scored([0.25, 0.75, 0.5, None], [3, 0, 2, 1])
    assert format.ranking(Field(4, 2), [], scored).order == order
    for other in (Pyramid(), pairs_of((0, 1), (2, 1))):
        assert other.ranking(Field(4, 2), [], scored).order == (0, 2, 1, 3)


def test_the_format_of_a_journal_is_known_where_it_says_so() -> None:
    told = {"format": {"kind": "knockout", "tiebreaks": 2}, "games": 4, "swap_seats": True}
    assert format_of(told, 5) == (Knockout(tiebreaks=2), Field(5, 4))
    for less in (
        {},
        {**told, "games": 3},
        {**told, "format": {"kind": "ladder"}},
        {"format": None},
    ):
        assert format_of(less, 5) is None
