"""What every engine from outside shares: its name, its limits, its boards."""

from __future__ import annotations

from typing import ClassVar

import pytest

from arena import Choice, Limits, Position, option
from arena.bots.adapter import Adapter
from arena.errors import BadOption, BadRules
from arena.game import CONNECT4, SCORE4


class Deaf(Adapter):
    """Supports no limits."""

    kind = "deaf"

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


class Searching(Deaf):
    """Supports depth and nodes."""

    kind = "searching"
    supported_limits: ClassVar[frozenset[str]] = frozenset({"nodes", "depth"})
    strength: int = option(3, "how hard it tries", least=1)


def test_an_external_bot_is_named_by_its_kind_and_target() -> None:
    engine = Searching("some command", strength="5")
    assert engine.name == "searching:some command"
    assert engine.settings() == {"strength": 5, "explore": 0.0}


def test_options_are_checked_as_those_of_any_engine() -> None:
    with pytest.raises(BadOption, match="did you mean 'strength'"):
        Searching("x", strengh=5)


@pytest.mark.parametrize(
    "words", ["", "seconds=1", "clock=60+1", "cpu=1", "depth=4 seconds=1", "playouts=9 cpu=1"]
)
def test_the_referee_enforces_time_for_every_bot(words: str) -> None:
    assert Deaf("x").check_limits(Limits.parse(words)) is None


def test_unsupported_limits_are_reported() -> None:
    sentence = Deaf("x").check_limits(Limits(depth=4, playouts=100))
    assert sentence == "deaf bots do not support depth or playouts; use seconds, clock, cpu"
    sentence = Searching("x").check_limits(Limits(playouts=100))
    expected = "searching bots do not support playouts; use depth, nodes, seconds, clock, cpu"
    assert sentence == expected
    assert Searching("x").check_limits(Limits(playouts=100, nodes=5)) is None


def test_boards_in_space_are_refused() -> None:
    Deaf("x").check_rules(CONNECT4)
    with pytest.raises(BadRules, match="deaf bots play on flat boards, not on 4x4x4"):
        Deaf("x").check_rules(SCORE4)
