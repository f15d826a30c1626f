"""The ends of games: lengths and last evaluations against a plain loop, AUC against all pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engine.contract import Limits
from arena.game.rules import CONNECT4
from arena.standings.endings import (
    RECENT,
    SEEN,
    Endings,
    area,
    area_interval,
)
from arena.standings.evidence import normal_cdf
from arena.standings.games import LOSS, WIN, Games
from arena.standings.results import collect
from arena.table.game import GOOD_ENDS, Game, MoveRecord, pack_telemetry
from tests.journal.examples import make_row
from tests.standings.test_results import some_rows

PLAYERS = 3


def by_pairs(higher: list[float], lower: list[float]) -> float:
    pairs = [(a > b) + (a == b) / 2 for a in higher for b in lower]
    return sum(pairs) / len(pairs)


@given(st.lists(st.integers(-5, 5), min_size=1), st.lists(st.integers(-5, 5), min_size=1))
def test_the_area_is_the_share_of_pairs_in_order(higher: list[int], lower: list[int]) -> None:
    share = area(np.array(higher, float), np.array(lower, float))
    assert share == pytest.approx(by_pairs(list(map(float, higher)), list(map(float, lower))))


def test_the_interval_ends_where_the_area_is_196_errors_away() -> None:
    """50 won, 50 lost, AUC 0.9: the error of Hanley and McNeil is 0.0314 there."""
    low, high = area_interval(0.9, 50, 50)
    assert (high - low) / 2 / 1.959964 == pytest.approx(0.0314, abs=0.002)
    for end in (low, high):
        ways = (1 - end) / (2 - end) + end / (1 + end)
        error = sqrt(end * (1 - end) * (1 + 49 * ways) / 2500)
        assert abs(0.9 - end) == pytest.approx(1.959964 * error, rel=1e-6)


@pytest.mark.parametrize("auc", [0.0, 1.0])
def test_a_few_games_that_are_told_apart_prove_little(auc: float) -> None:
    widths = []
    for games in (1, 5, 50, 5000):
        low, high = area_interval(auc, games, games)
        assert auc in (low, high)
        assert 0 <= low < high <= 1
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert widths[1] > 0.2
    assert widths[-1] < 0.001


def test_the_interval_holds_the_truth_95_times_of_100() -> None:
    random, shift = np.random.default_rng(1), 1.8
    truth = normal_cdf(shift / sqrt(2))
    hits = 0
    for _ in range(500):
        share = area(random.normal(shift, 1, 30), random.normal(0, 1, 20))
        assert share is not None
        low, high = area_interval(share, 30, 20)
        hits += low <= truth <= high
    assert 0.92 < hits / 500 < 0.98


def counted(rows: list[Game]) -> list[Endings]:
    limits = [Limits()] * PLAYERS
    return [*collect(iter(rows), Games("abc"), limits, CONNECT4).endings]


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(0, 60))
def test_ends_are_counted_as_a_plain_loop_counts_them(seed: int, count: int) -> None:
    rows = some_rows(seed, count)
    lengths: Counter[tuple[int, int, int]] = Counter()
    games: dict[int, list[tuple[int, list[float]]]] = defaultdict(list)
    seen: set[tuple[int, int, int, bytes]] = set()
    for row in rows:
        moves = row.move_records()
        for seat, player in enumerate((row.first, row.second)):
            outcome = 1 + (row.result if seat == 0 else -row.result)
            if row.reason in GOOD_ENDS:
                lengths[player, outcome, len(row.moves)] += 1
            own = [move.score for move in moves[(seat - len(row.opening)) % 2 :: 2]][-RECENT:]
            known = [score for score in own if score is not None]
            if known and row.reason in GOOD_ENDS:
                is_copy = (key := (player, seat, outcome, row.moves)) in seen
                games[player].append((outcome, [] if is_copy else known))
                seen.add(key)
    values: dict[tuple[int, int], list[float]] = defaultdict(list)
    for player, each in games.items():
        limit = SEEN * max(abs(score) for _, known in each for score in known)
        for outcome, known in each:
            still_open = [score for score in known if abs(score) < limit or not limit]
            values[player, outcome] += still_open[-1:]
    for player, endings in enumerate(counted(rows)):
        told = {(player, *map(int, at)): n for at, n in np.ndenumerate(endings.lengths) if n}
        assert told == {at: n for at, n in lengths.items() if at[0] == player}
        for outcome in range(3):
            assert sorted(endings.values[outcome]) == sorted(values[player, outcome])
        won, lost = values[player, WIN], values[player, LOSS]
        assert endings.auc == (pytest.approx(by_pairs(won, lost)) if won and lost else None)
        assert (endings.auc_interval is None) == (endings.auc is None)
        assert endings.evaluated == len(games[player])


def test_the_last_evaluation_is_the_last_that_did_not_see_the_end() -> None:
    scores = [1.0, -1.0, None, float("inf"), 3.0, 0.5, 1000.0, None]
    told = pack_telemetry([MoveRecord(0, 0.1, 0.1, score) for score in scores])
    moves = bytes([3, 0, 1, 2, 0, 1, 2, 4, 5])
    row = make_row(1, first=0, second=1, opening=b"\3", moves=moves, telemetry=told, result=1)
    first, second, _ = counted([row])
    assert second.values[LOSS].tolist() == [3.0]  # who moves first after an opening of one ply
    assert first.values[WIN].tolist() == [0.5]
    assert (first.evaluated, second.evaluated) == (1, 1)


def test_copies_of_games_do_not_narrow_the_interval_of_the_area() -> None:
    rows = [row for row in (make_row(number, first=0, second=1) for number in range(30))
            if row.reason in GOOD_ENDS]  # fmt: skip
    once, often = (counted(rows * laps)[0] for laps in (1, 5))
    assert often.evaluated == 5 * once.evaluated
    assert often.auc == once.auc
    assert often.auc_interval == once.auc_interval
