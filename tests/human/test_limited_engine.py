"""Engines held back: how often they slip, what they forward, and whom a mistake is blamed on."""

from __future__ import annotations

import pytest

from arena.engine.contract import Choice, Engine, Limits
from arena.engine.errors import sentence
from arena.game import CONNECT4, Position
from arena.human.levels import limited, tighter
from tests.bots.bad import Raises
from tests.bots.good import FlatOnly


class Asked(Engine):
    """Plays the first column and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.limits: list[Limits] = []

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.limits.append(limits)
        return Choice(0, depth=7)


def test_nothing_to_hold_back_is_the_engine_itself() -> None:
    engine = Asked()
    assert limited(engine, 0.0, Limits()) is engine


def test_the_share_of_random_moves_is_kept() -> None:
    engine = limited(Asked(), 0.3, Limits())
    engine.new_game(CONNECT4, 5)
    choices = [engine.choose(Position(), Limits()) for _ in range(2000)]
    slips = [choice for choice in choices if choice.depth is None]
    assert 0.26 < len(slips) / len(choices) < 0.34
    assert {choice.column for choice in slips} == set(range(7))
    assert {choice.column for choice in choices if choice.depth} == {0}


def test_the_same_seed_slips_at_the_same_moves() -> None:
    def columns(seed: int) -> list[int]:
        engine = limited(Asked(), 0.5, Limits())
        engine.new_game(CONNECT4, seed)
        return [engine.choose(Position(), Limits()).column for _ in range(40)]

    assert columns(1) == columns(1)
    assert columns(1) != columns(2)


def test_all_or_none_of_the_moves() -> None:
    never, always = Asked(), Asked()
    for engine, slips in ((never, 0.0), (always, 1.0)):
        held = limited(engine, slips, Limits(seconds=1))
        for _ in range(50):
            held.choose(Position(), Limits())
    assert len(never.limits) == 50
    assert not always.limits


def test_the_lesser_limit_holds_and_the_clock_stays() -> None:
    given = Limits(depth=9, seconds=1.0, clock=60, increment=2)
    most = Limits(depth=4, playouts=10, seconds=5)
    assert tighter(given, most) == Limits(depth=4, playouts=10, seconds=1.0, clock=60, increment=2)
    engine = Asked()
    limited(engine, 0.0, most).choose(Position(), Limits(seconds=9))
    assert engine.limits == [Limits(depth=4, playouts=10, seconds=5)]


def test_opinions_and_settings_are_those_of_the_thinker() -> None:
    held = limited(FlatOnly(far=True), 0.5, Limits())
    held.warm_up(CONNECT4)
    assert held.opinions(Position(), Limits())[6] == 6.0
    assert held.settings() == {"far": True}


def test_a_mistake_is_blamed_on_the_engines_own_file() -> None:
    held = limited(Raises(), 0.0, Limits(seconds=1))
    with pytest.raises(ValueError, match="out of ideas") as raised:
        held.choose(Position(), Limits())
    told = sentence(raised.value, held)
    assert told.startswith("ValueError: out of ideas (bad.py:")
