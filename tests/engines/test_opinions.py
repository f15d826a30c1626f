"""Asking for opinions, or for a tree, is no part of the game: all later moves stay the same."""

from __future__ import annotations

import pytest

from arena import CONNECT4, SCORE4, Engine, Limits, Position, Rules
from arena.engine.registry import find, names
from arena.engines.iterative import Iterative
from arena.engines.search import SearchEngine
from tests.engines.positions import declines, random_positions

LIMITS = Limits(depth=5, nodes=2000, playouts=100)
SMALL = Rules.flat(6, 5)


def moves(engine: Engine, rules: Rules, curious: bool) -> list[tuple[int, float | None]]:
    """The moves of a game against chance, with or without questions before each of them."""
    engine.begin(rules, 3)
    chance = find("random").build()
    chance.begin(rules, 4)
    position = Position(rules).play(rules.columns // 2)
    made: list[tuple[int, float | None]] = []
    while not position.is_over and len(made) < 7:
        if curious:
            ask(engine, position)
        choice = engine.ask(position, LIMITS)
        made.append((choice.column, choice.score))
        position = position.play(choice.column)
        if not position.is_over:
            if curious:  # about the other side's move as well
                ask(engine, position)
            position = position.play(chance.choose(position, LIMITS).column)
    return made


def ask(engine: Engine, position: Position) -> None:
    engine.ask_opinions(position, LIMITS)
    if isinstance(engine, SearchEngine) and position.ply % 3 == 0:
        engine.tree(position, Limits(depth=3))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("rules", [SMALL, SCORE4], ids=str)
def test_questions_change_no_move(name: str, rules: Rules) -> None:
    if declines(name, rules):
        pytest.skip("it does not play on this board")
    options = find(name).engine.options
    engine = find(name).build({word: 1 for word in ("table", "memory") if word in options})
    assert moves(engine, rules, curious=True) == moves(engine, rules, curious=False)


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4], ids=str)
def test_opinions_are_those_of_an_engine_that_has_seen_nothing(rules: Rules) -> None:
    used, fresh = Iterative(table=1), Iterative(table=1)
    used.begin(rules, 1)
    for position in random_positions(rules, 6, seed=31):
        used.ask(position, LIMITS)
        fresh.begin(rules, 1)
        assert used.ask_opinions(position, LIMITS) == fresh.opinions(position, LIMITS)


def test_a_deepening_engine_tells_what_it_finished() -> None:
    """With nodes alone to stop it, it has an opinion of every column."""
    engine = Iterative(table=1)
    for position in random_positions(CONNECT4, 8, seed=37):
        engine.begin(CONNECT4, 1)
        assert set(engine.ask_opinions(position, Limits(nodes=1000))) == set(position.legal)
