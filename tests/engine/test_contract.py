"""The contract's base class: an engine may be asked at once, about any board."""

from __future__ import annotations

import pytest

from arena import CONNECT4, SCORE4, Choice, Engine, Limits, Position, Rules
from arena.engine.registry import find, names
from arena.errors import BadOption, BadRules
from tests.engines.positions import declines

LIMITS = Limits(depth=2, nodes=200, playouts=10)


class Remembers(Engine):
    """Counts its games."""

    games = 0

    def new_game(self) -> None:
        self.games += 1
        self.board = self.rules

    def choose(self, position: Position, limits: Limits) -> Choice:
        assert self.board == position.rules
        return Choice(position.legal[0])


class Hasty(Engine):
    """Thinks about a move while the game begins."""

    def new_game(self) -> None:
        self.first = self.ask(Position(self.rules), Limits()).column

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[-1])


class Picky(Engine):
    """Declines boards in space."""

    def new_game(self) -> None:
        if not self.rules.is_flat:
            raise BadRules("only flat boards")

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


@pytest.mark.parametrize("name", names())
def test_an_engine_is_asked_as_soon_as_it_is_built(name: str) -> None:
    for rules in (CONNECT4, Rules.flat(5, 4), SCORE4):
        position = Position(rules).play(1)
        if declines(name, rules):
            with pytest.raises(BadRules, match=r"flat boards|no network is shipped for"):
                find(name).build().ask(position, LIMITS)
            continue
        engine, told = find(name).build(), find(name).build()
        told.begin(rules, 0)
        assert engine.ask(position, LIMITS) == told.ask(position, LIMITS)
        assert set(find(name).build().ask_opinions(position, LIMITS)) <= set(position.legal)


@pytest.mark.parametrize("name", ["iterative", "mcts", "oracle-hard", "greedy", "alphabeta-time"])
def test_an_engine_changes_to_another_board(name: str) -> None:
    engine = find(name).build()
    for rules in (CONNECT4, SCORE4, CONNECT4):
        position = Position(rules).play(2)
        assert engine.ask(position, LIMITS).column in position.legal
        assert engine.rules == rules


def test_a_game_that_was_announced_is_not_begun_again() -> None:
    engine = Remembers()
    engine.begin(SCORE4, 7)
    for _ in range(3):
        engine.ask(Position(SCORE4), Limits())
    assert (engine.games, engine.seed_of_game) == (1, 7)
    engine.ask(Position(), Limits())
    assert (engine.games, engine.seed_of_game) == (2, 0)


def test_a_game_may_be_thought_about_while_it_is_announced() -> None:
    engine = Hasty()
    engine.begin(CONNECT4, 1)
    assert engine.first == 6


def test_a_board_that_is_declined_stays_so() -> None:
    engine = Picky()
    for _ in range(2):
        with pytest.raises(BadRules, match="only flat boards"):
            engine.ask(Position(SCORE4), Limits())
    assert engine.ask(Position(), Limits()).column == 0


def test_names_of_the_harness_are_refused() -> None:
    with pytest.raises(BadOption, match=r"^Mine: 'ask' is a method that Arena calls; give yours"):
        type("Mine", (Picky,), {"ask": None})
    with pytest.raises(BadOption, match="option 'explore' is every engine's share of random moves"):
        type("Mine", (Picky,), {"__annotations__": {"explore": float}, "explore": 1.4})
