"""Random moves in between: how many, from which chance, and none where nobody asked for them."""

from __future__ import annotations

import pytest

from arena import CONNECT4, Choice, Engine, Limits, Position, Rules
from arena.engine.registry import find
from arena.table.referee import play_game

NAMES = ("minimax", "alphabeta", "alphabeta-time", "iterative", "hybrid", "mcts", "puct",
         "greedy", "ntuple")  # fmt: skip
FOURPLAY = ("fourplay-1", "fourplay-1-td", "fourplay-2-td")
FEW = Limits(depth=2, nodes=500, playouts=20)


class Counting(Engine):
    """Always drops into the first column, and counts how often it thought about that."""

    thoughts = 0

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.thoughts += 1
        return Choice(position.legal[0], 1.0, 1, 1)


def seated(name: str, rules: Rules = CONNECT4, seed: int = 1, **options: float) -> Engine:
    engine = find(name).build(options)
    engine.begin(rules, seed)
    return engine


def is_bare(choice: Choice) -> bool:
    return choice == Choice(choice.column)


@pytest.mark.parametrize("name", [*NAMES, *FOURPLAY])
def test_the_same_seed_explores_the_same(name: str) -> None:
    games = [
        play_game((seated(name, explore=0.3), seated("greedy", explore=0.3)), CONNECT4, FEW, seed=9)
        for _ in range(2)
    ]
    assert games[0].columns == games[1].columns
    assert any(move.depth is None for move in games[0].move_records())


def test_the_share_is_that_of_the_option() -> None:
    engine = Counting(explore=0.2)
    engine.begin(CONNECT4, 1)
    explored = sum(is_bare(engine.ask(Position(), Limits())) for _ in range(1000))
    assert explored + engine.thoughts == 1000
    assert 160 <= explored <= 240  # three standard deviations around 200


def test_a_warm_up_thinks_about_every_move() -> None:
    for rules in (CONNECT4, Rules.named("7x6+pie")):
        engine = Counting(explore=1)
        engine.get_ready(rules)
        assert engine.thoughts == 2
        assert is_bare(engine.ask(Position(rules), Limits()))


@pytest.mark.parametrize("name", ["alphabeta", "mcts", "puct", "ntuple"])
def test_opinions_are_not_explored(name: str) -> None:
    position = Position.parse("44")
    without, exploring = seated(name), seated(name, explore=1)
    assert exploring.ask_opinions(position, FEW) == without.ask_opinions(position, FEW)
