"""Engines held back: what they forward, and whom a mistake is blamed on."""

from __future__ import annotations

import pytest

from arena.engine.contract import Choice, Engine, Limits
from arena.engine.errors import sentence
from arena.game import CONNECT4, Position
from arena.human.levels import limited, tighter
from tests.support.bots.bad import Raises
from tests.support.bots.good import FlatOnly


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
    assert limited(engine, Limits()) is engine


def test_the_lesser_limit_holds_and_the_clock_stays() -> None:
    given = Limits(depth=9, seconds=1.0, clock=60, increment=2)
    most = Limits(depth=4, playouts=10, seconds=5)
    assert tighter(given, most) == Limits(depth=4, playouts=10, seconds=1.0, clock=60, increment=2)
    engine = Asked()
    limited(engine, most).ask(Position(), Limits(seconds=9))
    assert engine.limits == [Limits(depth=4, playouts=10, seconds=5)]


def test_opinions_and_settings_are_those_of_the_thinker() -> None:
    held = limited(FlatOnly(far=True), Limits(seconds=1))
    held.get_ready(CONNECT4)
    assert held.ask_opinions(Position(), Limits())[6] == 6.0
    assert held.settings() == {"far": True, "explore": 0.0}


def test_a_mistake_is_blamed_on_the_engines_own_file() -> None:
    held = limited(Raises(), Limits(seconds=1))
    with pytest.raises(ValueError, match="out of ideas") as raised:
        held.ask(Position(), Limits())
    told = sentence(raised.value, held)
    assert told.startswith("ValueError: out of ideas (bad.py:")
