"""Who meets whom: each format against what its name promises."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats import (
    Field,
    Gauntlet,
    Knockout,
    Pairing,
    Pairs,
    Pyramid,
    RoundRobin,
    Scored,
    StaticFormat,
    Swiss,
)
from arena.tournament.formats.knockout import seeding
from arena.tournament.formats.swiss import (
    New,
    SwissTable,
    least_met,
    matching_size,
    pair_up,
)
from arena.tournament.games import GameResult, ScheduledGame
from tests.tournament.playing import (
    all_games,
    all_results,
    better_wins,
    by_chance,
    pairs_of,
    rounds,
    schedule,
)

SEEDS = st.integers(0, 10**6)
NAMES = [f"player {letter}" for letter in "ABCDEFGHI"]


def champion(format: Knockout, field: Field, results: list[GameResult]) -> int | None:
    as_seeded = range(field.players)
    return format.ranking(field, results, Scored([0.5] * field.players, as_seeded)).champion


def meetings(format: StaticFormat, players: int, games: int = 2) -> list[Pairing]:
    return list(format.everything(Field(players, games)))


def pairs(meetings: list[Pairing]) -> Counter[tuple[int, int]]:
    assert all(meeting.first < meeting.second for meeting in meetings)
    return Counter((meeting.first, meeting.second) for meeting in meetings)


@given(players=st.integers(2, 20), times=st.integers(1, 4))
def test_round_robin_rounds_hold_every_pair_once(players: int, times: int) -> None:
    field = Field(players, 2 * times)
    for number in range(1, times + 1):
        games = RoundRobin().pairings(field, number)
        assert games is not None
        assert pairs(list(games)) == Counter(combinations(range(players), 2))
        assert {(game.round, game.opening) for game in games} == {(number, number - 1)}
    assert RoundRobin().pairings(field, times + 1) is None
    assert RoundRobin().pairings(field, 0) is None


@given(players=st.integers(6, 20))
def test_neighbours_in_a_round_robin_are_different_players(players: int) -> None:
    games = meetings(RoundRobin(), players)
    tables = players // 2
    for turn in range(0, len(games), tables):
        seated = [player for game in games[turn : turn + tables] for player in game[1:3]]
        assert len(set(seated)) == 2 * tables


@given(players=st.integers(2, 14), data=st.data())
def test_gauntlet_heroes_meet_all_others(players: int, data: st.DataObject) -> None:
    heroes = data.draw(st.integers(1, players - 1))
    expected = Counter((h, o) for h in range(heroes) for o in range(heroes, players))
    assert pairs(meetings(Gauntlet(heroes=heroes), players)) == expected


def test_neighbours_in_a_gauntlet_are_different_players() -> None:
    for one, other in pairwise(meetings(Gauntlet(heroes=3), 8)):
        assert not {one.first, one.second} & {other.first, other.second}


@given(players=st.integers(2, 14), times=st.integers(1, 4))
def test_pyramid_newcomers_meet_those_before_in_order(players: int, times: int) -> None:
    expected = [
        Pairing(newcomer, opponent, newcomer, meeting)
        for newcomer in range(1, players)
        for meeting in range(times)
        for opponent in range(newcomer)
    ]
    assert meetings(Pyramid(), players, 2 * times) == expected


PAIRS = ((3, 0), (1, 2), (0, 1))  # of four players


@given(pairs_=st.permutations([*combinations(range(5), 2)]), times=st.integers(1, 3))
def test_only_the_listed_pairs_meet_and_in_that_order(
    pairs_: list[tuple[int, int]], times: int
) -> None:
    listed = [pair if sum(pair) % 2 else pair[::-1] for pair in pairs_[:6]]
    expected = [
        Pairing(meeting + 1, first, second, meeting)
        for meeting in range(times)
        for first, second in listed
    ]
    assert meetings(pairs_of(*listed), 5, 2 * times) == expected


@pytest.mark.parametrize("swap_seats", [True, False])
def test_who_is_named_first_in_a_pair_moves_first(swap_seats: bool) -> None:
    games = all_games(schedule(pairs_of(*PAIRS), 4, 4, swap_seats))
    seats = [(game.first, game.second) for game in games]
    if swap_seats:
        assert seats == 2 * [seat for pair in PAIRS for seat in (pair, pair[::-1])]
    else:
        assert seats == 4 * [*PAIRS]


def test_a_pair_is_seated_by_name_and_others_never_meet() -> None:
    written = Pairs(pairs=tuple((NAMES[one], NAMES[other]) for one, other in PAIRS))
    assert not list(written.check_names(NAMES[:4]))
    seated = written.for_players(NAMES[:4])
    assert meetings(seated, 4) == meetings(pairs_of(*PAIRS), 4)
    for one, other in permutations(range(4), 2):
        met = {one, other} in map(set, PAIRS)
        assert (seated.never_meet(NAMES[:4], NAMES[one], NAMES[other]) is None) is met
    assert (
        seated.never_meet(NAMES[:4], "player A", "player C") == "player A meets player D, player B"
    )


def test_players_in_no_pair_are_named_as_far_as_one_reads() -> None:
    pair = Pairs(pairs=(("player A", "player B"),))
    told = [
        [sentence for _, sentence in pair.check_names(NAMES[:players])] for players in (2, 3, 4, 9)
    ]
    assert told[0] == []
    assert told[1][0].startswith("player C is in no pair; expected")
    assert told[2][0].startswith("player C and player D are in no pair; expected")
    assert told[3][0].startswith("player C, player D, player E, player F, player G and 2 more are")


def can_be_paired(players: set[int], met: Counter[tuple[int, int]]) -> bool:
    """Whether there is a round without rematches, by trying."""
    if not players:
        return True
    one = min(players)
    return any(
        not met[one, other] and can_be_paired(players - {one, other}, met)
        for other in players - {one}
    )


@given(players=st.integers(2, 9), rounds_=st.integers(1, 10), seed=SEEDS)
@settings(max_examples=60)
def test_swiss_has_no_rematch_that_can_be_avoided(players: int, rounds_: int, seed: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for games, _ in rounds(schedule(Swiss(rounds=rounds_), players, seed=seed)):
        paired = {(min(g.first, g.second), max(g.first, g.second)) for g in games}
        playing = {player for pair in paired for player in pair}
        out = set(range(players)) - playing
        assert len(playing) == 2 * len(paired) == players - players % 2
        if any(met[pair] for pair in paired) and max(met.values()) == 1:
            fewest = min(byes[player] for player in range(players))
            rested = [p for p in range(players) if byes[p] == fewest] if out else [None]
            assert not any(can_be_paired(set(range(players)) - {p}, met) for p in rested)
        met.update(paired)
        byes.update(out)
        assert max(byes.values(), default=0) - min(byes[p] for p in range(players)) <= 1


@given(players=st.integers(2, 12), seed=SEEDS)
def test_swiss_pairs_neighbours_in_the_table(players: int, seed: int) -> None:
    """In the second round few have met, so each plays one of the next three in the table."""
    (_, _), (games, results) = rounds(schedule(Swiss(rounds=2), players, seed=seed))
    order = SwissTable(Field(players, 2), results).order(players)
    for game in games:
        assert abs(order.index(game.first) - order.index(game.second)) <= 3


@given(players=st.integers(2, 8), seed=SEEDS)
def test_swiss_without_swapped_seats_balances_them(players: int, seed: int) -> None:
    games = all_games(schedule(Swiss(rounds=6), players, 1, swap_seats=False, seed=seed))
    starts = Counter(game.first for game in games)
    starts.subtract(game.second for game in games)
    assert all(abs(balance) <= 3 for balance in starts.values())


def test_not_the_lowest_sits_out_where_that_avoids_a_rematch() -> None:
    games = all_games(schedule(Swiss(rounds=7), 9, seed=17))
    assert max(Counter(frozenset((g.first, g.second)) for g in games).values()) == 2


def test_swiss_for_64_players_is_quick_and_without_rematches() -> None:
    for outcome in (by_chance, better_wins):
        games = all_games(schedule(Swiss(rounds=12), 64), outcome)
        assert max(Counter(frozenset((g.first, g.second)) for g in games).values()) == 2


def test_the_bracket_is_seeded_as_usual() -> None:
    assert seeding(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    games = schedule(Knockout(), 6).games(1)
    assert games is not None
    assert [(g.first, g.second) for g in games] == [(3, 4), (4, 3), (2, 5), (5, 2)]


@given(players=st.integers(2, 17), tiebreaks=st.integers(0, 3), seed=SEEDS)
def test_a_knockout_has_one_winner(players: int, tiebreaks: int, seed: int) -> None:
    knockout, field = Knockout(tiebreaks=tiebreaks), Field(players, 2)
    results = all_results(schedule(knockout, players, seed=seed))
    stages = list(knockout.bracket(field, results))
    assert len(stages) == (players - 1).bit_length()
    assert sum(match.worse is not None for stage in stages for match in stage) == players - 1
    assert len({match.winner for match in stages[-1]}) == 1
    assert champion(knockout, field, results) == stages[-1][0].winner
    last = max(game.round for game in results)
    assert len(stages) <= last <= len(stages) * (1 + tiebreaks)
    assert knockout.expected(field, results) * 2 == len(results)


def test_the_better_seed_wins_a_knockout_of_draws() -> None:
    knockout, field = Knockout(tiebreaks=2), Field(5, 2)
    results = all_results(schedule(knockout, 5), lambda game: 0)
    assert champion(knockout, field, results) == 0
    assert len(results) == 4 * (2 + 2 * 2)
    assert [r.round for r in results][-1] == 9


def test_only_level_matches_play_a_tiebreak() -> None:
    def outcome(game: ScheduledGame) -> int:
        return 0 if {game.first, game.second} == {0, 3} else better_wins(game)

    sizes = [len(games) for games, _ in rounds(schedule(Knockout(tiebreaks=1), 4), outcome)]
    assert sizes == [4, 2, 2]
    tied = schedule(Knockout(tiebreaks=1), 4)
    assert (tied.total, tied.expected()) == (None, 6)
    assert schedule(Knockout(tiebreaks=0), 4).total == 6
    assert [tied.expected(k, all_results(tied, outcome)) for k in (1, 2, 3, 4)] == [6, 8, 8, 8]


def pair(number: int, round_: int, first: int, second: int, *results: int) -> list[GameResult]:
    """Both games of a meeting, with the results of whoever moved first."""
    seats = ((first, second), (second, first))
    return [GameResult(number + k, round_, *seats[k], result) for k, result in enumerate(results)]


def test_a_knockout_goes_on_to_its_final_over_tiebreaks() -> None:
    plan = schedule(Knockout(tiebreaks=1), 4)
    level = [*pair(1, 1, 0, 3, 1, 1), *pair(3, 1, 1, 2, 1, -1)]  # 0 and 3 are level, 1 beats 2
    assert plan.round_in_words(2, level, NAMES) == "semi-finals, tiebreaks"
    assert plan.knocked_out(2, level) == {2: 1}
    decided = [*level, *pair(5, 2, 0, 3, -1, 1)]
    assert plan.round_in_words(3, decided, NAMES) == "final"
    assert plan.knocked_out(3, decided) == {2: 1, 0: 1}


# ---- largest matchings


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
    assert fresh == matching_size(range(players), new) == most_pairs(frozenset(range(players)), new)


def most_pairs(
    players: frozenset[int], new: New, known: dict[frozenset[int], int] | None = None
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
