"""A match on tables: the games of one process, whoever plays them, in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.engine.contract import Limits
from arena.engine.registry import build
from arena.game.rules import Rules
from arena.play import GameRecord
from arena.play.seating import Entrant, Seating
from arena.runners.match import Side, play_match, play_match_on_tables

BOTS = Path(__file__).with_name("bots.py")
BOARD = Rules.named("5x4")
GAMES, SEED, PLIES = 9, 3, 2


def seating(*engines: str) -> Seating:
    players = [
        Entrant(engine.rpartition(":")[2], engine, {}, Limits(depth=2)) for engine in engines
    ]
    return Seating(BOARD, tuple(players), 0.02, 60.0, 2048, max_plies=None)


def story(record: GameRecord) -> tuple[object, ...]:
    """All but the times."""
    told = [(move.score, move.depth, move.nodes) for move in record.moves]
    return (record.rules, record.players, record.opening, record.columns, record.result,
            record.reason, record.detail, record.seed, told)  # fmt: skip


@pytest.mark.parametrize("workers", [1, 2])
def test_tables_play_the_games_of_one_process(workers: int) -> None:
    players = [Side(name, build(name), Limits(depth=2)) for name in ("random", "reflex")]
    here = list(play_match((players[0], players[1]), BOARD, GAMES, SEED, PLIES))
    there = list(play_match_on_tables(seating("random", "reflex"), workers, GAMES, SEED, PLIES))
    assert [story(record) for record in there] == [story(record) for record in here]
    assert [record.players[0] for record in there] == ["random", "reflex"] * 4 + ["random"]


def test_a_crash_costs_one_game_each_time_and_the_match_goes_on() -> None:
    bots = f"{BOTS}:Good", f"{BOTS}:Exits"
    records = list(play_match_on_tables(seating(*bots), 2, 4, SEED, PLIES))
    assert [record.reason for record in records] == ["crash"] * 4
    assert [record.winner for record in records] == [0, 1, 0, 1]


def test_a_match_may_be_left_in_the_middle() -> None:
    playing = play_match_on_tables(seating("random", "random"), 2, 1000, SEED, PLIES)
    assert next(iter(playing)).plies > 0
    playing.close()  # type: ignore[attr-defined]  # a generator
