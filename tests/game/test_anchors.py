"""Numbers that are known from elsewhere: perft, random play, and 252 games that were played."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from arena.bench.kernels import perft, random_games
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules
from arena.game.bits import record_of
from arena.game.notation import play_moves
from tests import naive
from tests.fourplay import columns, recorded_games
from tests.game.strategies import empty, twin

PERFT = {
    "connect4": [7, 49, 343, 2401, 16807, 117649, 823536],
    "score4": [16, 256, 4096, 65536],
}
CASES = [(name, depth, n) for name, row in PERFT.items() for depth, n in enumerate(row, start=1)]
NONE = np.uint64(0)


def walk(position: Position, depth: int) -> int:
    """Perft by `Position`."""
    if depth == 0:
        return 1
    return sum(walk(position.play(column), depth - 1) for column in position.legal)


@pytest.mark.parametrize(("name", "depth", "count"), CASES)
def test_perft_of_the_kernels(name: str, depth: int, count: int) -> None:
    assert perft(record_of(Rules.named(name).board), NONE, NONE, depth) == count


@pytest.mark.parametrize(("name", "depth", "count"), [case for case in CASES if case[2] < 5000])
def test_perft_of_positions(name: str, depth: int, count: int) -> None:
    assert walk(Position(Rules.named(name)), depth) == count


@pytest.mark.parametrize(("name", "depth", "count"), [case for case in CASES if case[2] < 400])
def test_perft_of_the_naive_rules(name: str, depth: int, count: int) -> None:
    assert naive.perft(empty(Rules.named(name)), depth) == count


@pytest.mark.parametrize(
    ("rules", "first", "second", "draw", "draw_tolerance"),
    [(CONNECT4, 55.5, 44.3, 0.25, 0.05), (SCORE4, 55.3, 44.7, 0.01, 0.01)],
)
def test_random_play_divides_as_known(
    rules: Rules, first: float, second: float, draw: float, draw_tolerance: float
) -> None:
    """400 000 games: a standard deviation is 0.08 points, the known figures are good to 0.05."""
    games = 400_000
    won, drawn, lost = random_games(record_of(rules.board), games, np.array([11], dtype=np.uint64))
    assert won + drawn + lost == games
    assert 100 * won / games == pytest.approx(first, abs=0.4)
    assert 100 * lost / games == pytest.approx(second, abs=0.4)
    assert 100 * drawn / games == pytest.approx(draw, abs=draw_tolerance)


@pytest.mark.parametrize(("rules", "plies"), [(CONNECT4, 21.3), (SCORE4, 28.6)])
def test_random_games_last_as_long_as_known(rules: Rules, plies: float) -> None:
    """1500 games: lengths deviate by about 8 plies, so their mean by 0.2."""
    random, total, games = Random(5), 0, 1500
    for _ in range(games):
        position = Position(rules)
        while not position.is_over:
            position = position.play(random.choice(position.legal))
        total += position.ply
    assert total / games == pytest.approx(plies, abs=0.9)


def test_every_recorded_game_ends_as_it_is_recorded() -> None:
    records = recorded_games()
    faults = []
    for number, record in enumerate(records):
        end = play_moves(columns(record), SCORE4)
        winner = FIRST if record["winner"] == record["first"] else SECOND
        if (end.winner, end.ply) != (winner, int(record["plies"])):
            faults.append((number, end.winner, end.ply, record["winner"], record["plies"]))
    assert faults == []
    assert len(records) == 252


def test_no_recorded_game_was_over_before_its_last_move() -> None:
    for record in recorded_games():
        before = play_moves(columns(record)[:-1], SCORE4)
        assert not before.is_over


def test_recorded_games_are_won_by_the_naive_rules_too() -> None:
    for record in recorded_games()[::12]:
        end = twin(play_moves(columns(record), SCORE4))
        assert end.winner() == (naive.FIRST if record["winner"] == "oracle" else naive.SECOND)
