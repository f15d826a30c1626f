"""Gaiceanu's evaluation by two ways of cutting windows: the same values as our tables have."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena import Limits, Position, Rules
from arena.bots.find import build_engine
from arena.evaluation import EVALUATIONS
from tests.evaluation.naive_value import value_of

FILE = Path(__file__).parents[2] / "tournaments" / "studies" / "gaiceanu_windows.py"


def windows(way: str) -> Any:
    spec = spec_from_file_location("gaiceanu_windows", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Windows(way=way)


def some_positions(rules: Rules, count: int = 60) -> list[Position]:
    """Positions of random games, finished ones among them."""
    chance = Random(5)
    positions: list[Position] = []
    while len(positions) < count:
        position = Position(rules)
        while not position.is_over:
            position = position.play(chance.choice(position.legal))
            if chance.random() < 0.2 or position.is_over:
                positions.append(position)
    return positions


@pytest.mark.parametrize("way", ["slices", "masks"])
@pytest.mark.parametrize("board", ["7x6", "9x7"])
def test_both_ways_give_the_values_of_the_tables(way: str, board: str) -> None:
    engine, evaluation = windows(way), EVALUATIONS["gaiceanu"]
    for position in some_positions(Rules.named(board)):
        for player in (0, 1):
            engine.me = player
            assert engine.worth(position) == value_of(evaluation, position, player)


@pytest.mark.parametrize("way", ["slices", "masks"])
def test_both_ways_play_the_moves_of_the_compiled_search(way: str) -> None:
    engine, compiled = windows(way), build_engine("gaiceanu-as-run")
    for position in some_positions(Rules.named("7x6")):
        if not position.is_over:
            ours = compiled.ask(position, Limits())
            assert engine.ask(position, Limits()).column == ours.column
