"""Matches: pairs of games, openings, and what they add up to."""

from __future__ import annotations

from itertools import islice

import pytest

from arena import CONNECT4, SCORE4, Rules
from arena.play import GameRecord, MoveRecord
from arena.play.subject import sample_positions, threatened_positions, winning_positions
from arena.runners.match import Side, move_totals, play_match
from arena.standings.compare import match_scoreboard
from arena.standings.intervals import wilson
from arena.standings.scoreboard import WDL
from arena.tournament.seed import derive_seed
from engines.random import Random
from engines.reflex import Reflex


def test_seeds_are_the_same_on_every_machine() -> None:
    assert derive_seed(1, 0) == 894933081445914327
    assert derive_seed("a", 1) == 4294491576641134471
    assert len({derive_seed(seed, seat) for seed in range(100) for seat in (0, 1)}) == 200


def test_pairs_share_an_opening_and_swap_seats() -> None:
    players = (Side("a", Random()), Side("b", Reflex()))
    records = list(play_match(players, CONNECT4, games=6, seed=3, opening_plies=3))
    assert [record.players for record in records] == [("a", "b"), ("b", "a")] * 3
    for one, two in zip(records[::2], records[1::2], strict=True):
        assert one.opening == two.opening
        assert len(one.opening) == 3
    again = list(play_match(players, CONNECT4, games=6, seed=3, opening_plies=3))
    assert [record.columns for record in again] == [record.columns for record in records]


@pytest.mark.parametrize("size", ["7x6", "5x4", "4x4x4"])
def test_sample_positions_reach_the_last_cell(size: str) -> None:
    rules = Rules.named(size)
    positions = sample_positions(rules)
    assert not any(position.is_over for position in positions)
    assert max(position.ply for position in positions) == rules.cells - 1
    assert any(1 < len(position.legal) < rules.columns for position in positions)


def test_tactical_positions_are_what_they_say() -> None:
    for position in islice(winning_positions(CONNECT4), 5):
        assert any(map(position.wins_with, position.legal))
    for position in islice(threatened_positions(SCORE4), 5):
        assert not any(map(position.wins_with, position.legal))


def record(result: int, players: tuple[str, str], *moves: MoveRecord) -> GameRecord:
    return GameRecord("connect4", players, (), moves, result, "line", "", 0)


def test_a_match_adds_up_what_a_player_did() -> None:
    quick, slow = MoveRecord(3, 1.0, 0.5, None, 4, 100), MoveRecord(3, 3.0, 0.5, None, 6, 200)
    silent = MoveRecord(3, 9.0, 9.0)
    records = [
        record(1, ("a", "b"), quick, silent),
        record(1, ("b", "a"), silent, slow),
        record(0, ("a", "b"), quick),
    ]
    scores = match_scoreboard(records, ("a", "b")).scores
    assert scores == [WDL(1, 1, 1), WDL(1, 1, 1)]
    assert (scores[0].points, scores[0].games) == (1.5, 3)
    sums = move_totals(records, "a")
    assert (sums.moves, sums.longest, sums.depth, sums.nodes) == (3, 3.0, 6, 400)
    assert sums.mean_seconds == pytest.approx(5 / 3)
    assert sums.node_rate == pytest.approx(400 / 1.5)
    other = move_totals(records, "b")
    assert (other.node_rate, other.depth) == (None, None)
    assert move_totals([], "a").mean_seconds is None


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)
