"""A match: pairs of games, in one process and on tables the same ones, and what they add up to."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.engines.random import Random
from arena.engines.reflex import Reflex
from arena.game.rules import CONNECT4, Rules
from arena.standings.games import WDL, Games
from arena.table.game import Game, MoveRecord, pack_telemetry
from arena.table.match import Side, move_totals, play_match, play_match_on_tables
from arena.table.runner import Seating
from arena.tournament.games import Player

BOTS = Path(__file__).with_name("bots.py")
BOARD = Rules.named("5x4")
GAMES, SEED, PLIES = 9, 3, 2


def seating(*engines: str) -> Seating:
    players = [Player(engine.rpartition(":")[2], engine, {}, Limits(depth=2)) for engine in engines]
    return Seating(BOARD, tuple(players))


def story(game: Game) -> tuple[object, ...]:
    """All but the times."""
    told = [(move.score, move.depth, move.nodes) for move in game.move_records()]
    return (*game.outcome, game.moves, game.reason, game.detail, game.seed, told)


@pytest.mark.parametrize("workers", [1, 2])
def test_tables_play_the_games_of_one_process(workers: int) -> None:
    players = [Side(name, build_engine(name), Limits(depth=2)) for name in ("random", "reflex")]
    here = list(play_match((players[0], players[1]), BOARD, GAMES, SEED, PLIES))
    there = list(play_match_on_tables(seating("random", "reflex"), workers, GAMES, SEED, PLIES))
    assert [story(record) for record in there] == [story(record) for record in here]
    assert [game.first for game in there] == [0, 1] * 4 + [0]


def test_a_crash_costs_one_game_each_time_and_the_match_goes_on() -> None:
    bots = f"{BOTS}:Good", f"{BOTS}:Exits"
    records = list(play_match_on_tables(seating(*bots), 2, 4, SEED, PLIES))
    assert [record.reason for record in records] == ["crash"] * 4
    assert [record.winner for record in records] == [0, 1, 0, 1]


def test_a_match_may_be_left_in_the_middle() -> None:
    playing = play_match_on_tables(seating("random", "random"), 2, 1000, SEED, PLIES)
    assert next(iter(playing)).plies > 0
    playing.close()  # type: ignore[attr-defined]  # a generator


def test_pairs_share_an_opening_and_swap_seats() -> None:
    players = (Side("a", Random()), Side("b", Reflex()))
    records = list(play_match(players, CONNECT4, games=6, seed=3, opening_plies=3))
    assert [(game.first, game.second) for game in records] == [(0, 1), (1, 0)] * 3
    for one, two in zip(records[::2], records[1::2], strict=True):
        assert one.opening == two.opening
        assert len(one.opening) == 3
    again = list(play_match(players, CONNECT4, games=6, seed=3, opening_plies=3))
    assert [record.columns for record in again] == [record.columns for record in records]


def played(result: int, first: int, *moves: MoveRecord) -> Game:
    columns, packed = bytes(move.column for move in moves), pack_telemetry(moves)
    return Game(1, 1, first, 1 - first, b"", columns, result, "line", "", 0, 0.0, 0.0, packed)


def test_a_match_adds_up_what_a_player_did() -> None:
    quick, slow = MoveRecord(3, 1.0, 0.5, None, 4, 100), MoveRecord(3, 3.0, 0.5, None, 6, 200)
    silent = MoveRecord(3, 9.0, 9.0)
    games = [played(1, 0, quick, silent), played(1, 1, silent, slow), played(0, 0, quick)]
    scores = Games(("a", "b"), games).scores
    assert scores == [WDL(1, 1, 1), WDL(1, 1, 1)]
    assert (scores[0].points, scores[0].games) == (1.5, 3)
    sums = move_totals(games, 0)
    assert (sums.moves, sums.longest, sums.depth, sums.nodes) == (3, 3.0, 6, 400)
    assert sums.mean_seconds == pytest.approx(5 / 3)
    assert sums.node_rate == pytest.approx(400 / 1.5)
    other = move_totals(games, 1)
    assert (other.node_rate, other.depth) == (None, None)
    assert move_totals([], 0).mean_seconds is None
