"""The players of published experiments choose as their sources do."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.engine.registry import find
from arena.engines.minimax import Minimax
from arena.engines.search import SearchEngine
from tests import naive
from tests.engines.positions import random_positions, wins_at_once
from tests.fourplay import decisions, recorded_games
from tests.game.strategies import twin

# FourPlay's agent with the learned weights at its depth 2, against "Connect 3D" on level hard:
# x and y of every move, the opponent's first.
RECORDED = (
    "00 32 01 32 02 03 32 33 31 23 13 33 12 33 33 11 22 22 31 30 31 31 12 11 00 11 11 22 00 00",
    "00 02 01 12 22 33 11 11 21 31 32 23 20 13 03 12 10 30 21 22 11 32 02 33 00 31 30 31 "
    "31 12 12 30 30 32 00 00 01 03 01 33",
    "00 20 01 21 02 03 22 12 30 12 11 33 12 13 23 22 21 11 11 13 31 13 13 33 00 23 03 02 "
    "00 00 22 33 33 23 01 21 01 01 02 03",
    "00 03 01 12 02 21 30 12 12 02 21 20 22 03 11 33 11 23 13 01 00 33 10 13 23 33 33 20 "
    "22 22 11 11 21 01 13 13 03 03 31 01 32 12 21 00 00 31 23 32 30 30 23 30 31 31 22 02 "
    "02",
    "00 30 01 31 02 03 32 12 21 21 11 12 22 33 20 23 13 30 03 22 10 20 23 12 12 21 13 33 "
    "13 13 23 00 00 32 00 01 01 20 01 33 02 10",
)

BLAIR = ("blair-minmax", "blair-alphabeta", "blair-time")
OURS = ("minimax", "alphabeta", "alphabeta-time", "hybrid", "iterative", "mcts", "reflex")


def seated(name: str, rules: Rules, options: dict[str, Any] | None = None) -> SearchEngine:
    engine = find(name).build(options)
    engine.begin(rules, 1)
    assert isinstance(engine, SearchEngine)
    return engine


def first_best(values: dict[int, float]) -> int:
    """The leftmost of the best columns."""
    return min(column for column, value in values.items() if value == max(values.values()))


def test_gaiceanu_tries_columns_from_left_to_right_and_keeps_the_first_best() -> None:
    as_run, as_claimed = seated("gaiceanu-as-run", CONNECT4), seated("gaiceanu", CONNECT4)
    full = Minimax(evaluation="gaiceanu", prefer_quick=False)
    for position in random_positions(CONNECT4, 24, seed=41, most=24):
        by_hand = naive.root_values(twin(position), 2, naive.gaiceanu, win=None, quick=False)
        assert as_run.ask(position, Limits()).column == first_best(by_hand)
        everything = full.ask_opinions(position, Limits(depth=5))
        assert as_claimed.ask(position, Limits()).column == first_best(everything)


@pytest.mark.parametrize("moves", RECORDED)
def test_every_recorded_move_of_fourplay_is_among_the_best_of_its_preset(moves: str) -> None:
    engine = seated("fourplay-2-td", SCORE4)
    position = Position(SCORE4)
    for place in moves.split():
        x, y = map(int, place)
        column = 4 * x + y
        if position.ply % 2:
            values = engine.ask_opinions(position, Limits())
            assert values[column] == max(values.values()), position.notation
        position = position.play(column)
    assert position.is_over


@pytest.mark.parametrize(
    ("agent", "preset", "options"),
    [
        ("alpha depth 1", "fourplay-1", {"evaluation": {"runs": {2: 2, 3: 5}}}),
        ("alpha depth 1 + TD", "fourplay-1-td", {}),
    ],
)
def test_no_recorded_agent_explored(agent: str, preset: str, options: dict[str, Any]) -> None:
    """Every move of experiments 4 and 5 is best; the weights of the former were as 2 to 5."""
    engine = seated(preset, SCORE4, options)
    games = [record for record in recorded_games() if record["agent"] == agent]
    for position, column in {each for game in games for each in decisions(game, player=1)}:
        values = engine.ask_opinions(position, Limits())
        assert values[column] == max(values.values()), position.notation


class ByHand:
    """Blair's time-estimated alpha-beta from his pseudo-code, in nodes instead of seconds.

    Depth counts from 0; while no depth is fixed the estimate is asked at every node; nothing but a
    certain win cuts a node short.
    """

    def __init__(self, position: Position, nodes: int) -> None:
        self.root, self.most = position, nodes
        self.nodes, self.max_depth, self.deepest = 0, -1, -1
        self.branching = max(1.0, 7 - position.ply // 7)

    def values(self) -> dict[int, int]:
        """The values of the columns it has nodes for, from left to right."""
        found: dict[int, int] = {}
        for column in self.root.legal:
            try:
                found[column] = self.value_at(self.root, column, 0)
            except StopIteration:
                break
        return found

    def value_at(self, position: Position, column: int, depth: int) -> int:
        if self.nodes >= self.most:
            raise StopIteration
        self.nodes += 1
        stops = self.times_up(depth)
        after = position.play(column)
        if after.winner is not None:
            return 1
        if after.is_over or stops:
            return 0
        best = -2
        for reply in after.legal:
            best = max(best, self.value_at(after, reply, depth + 1))
            if best == 1:
                break
        return -best

    def times_up(self, depth: int) -> bool:
        self.deepest = max(depth, self.deepest)
        if self.max_depth < 0 < depth and self.branching**depth * self.nodes >= self.most:
            self.max_depth = depth
        return self.max_depth >= 0 and depth >= self.max_depth


def test_blair_time_is_his_pseudo_code() -> None:
    engine = seated("blair-time", CONNECT4)
    for position in random_positions(CONNECT4, 12, seed=43, least=4):
        for nodes in (60, 700, 3000):
            by_hand = ByHand(position, nodes)
            expected = by_hand.values()
            values, used, depth = engine.column_values(position, Limits(nodes=nodes), 1)
            assert {c: value / engine.scale for c, value in values.items()} == expected
            assert (used, depth) == (by_hand.nodes, by_hand.deepest + 1)


@pytest.mark.parametrize("name", BLAIR)
def test_blair_plays_at_random_only_if_all_values_are_0(name: str) -> None:
    limits = Limits(nodes=20_000)
    engine = seated(name, CONNECT4, {"depth": 4})
    chosen = set()
    for seed in range(40):
        engine.begin(CONNECT4, seed)
        chosen.add(engine.ask(Position(), limits).column)
    assert chosen == set(range(7))
    position = Position.parse("112233")  # the first to move wins at once on either side of a row
    for seed in range(5):
        engine.begin(CONNECT4, seed)
        values = engine.ask_opinions(position, limits)
        assert engine.ask(position, limits).column == first_best(values)


def immediate_wins(count: int) -> list[Position]:
    positions = random_positions(CONNECT4, 3000, seed=53, least=6)
    return list(islice((position for position in positions if wins_at_once(position)), count))


def missed(name: str, positions: list[Position]) -> int:
    """How many wins at once an engine leaves for later."""
    engine = find(name).build()
    engine.begin(CONNECT4, 1)
    limits = Limits(nodes=20_000, playouts=200)
    return sum(engine.ask(p, limits).column not in wins_at_once(p) for p in positions)


def test_blairs_searches_miss_shallow_wins_and_ours_do_not() -> None:
    """A win deep down has the same value, and the first one found is played (S1.8)."""
    positions = immediate_wins(40)
    assert missed("blair-time", positions) > 3
    assert missed("blair-alphabeta", positions) > 3
    assert {name: missed(name, positions) for name in OURS} == dict.fromkeys(OURS, 0)


FILE = Path(__file__).parents[2] / "tournaments" / "studies" / "gaiceanu_windows.py"


def windows(way: str) -> Any:
    spec = spec_from_file_location("gaiceanu_windows", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Windows(way=way)


@pytest.mark.parametrize("way", ["slices", "masks"])
def test_both_ways_play_the_moves_of_the_compiled_search(way: str) -> None:
    engine, compiled = windows(way), build_engine("gaiceanu-as-run")
    for position in random_positions(CONNECT4, 40, seed=5):
        ours = compiled.ask(position, Limits())
        assert engine.ask(position, Limits()).column == ours.column
