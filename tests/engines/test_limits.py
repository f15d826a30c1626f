"""Limits that engines say they ignore do not change their moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena import CONNECT4, Limits, Position
from arena.engine.limits import COUNTS
from arena.engine.registry import find, names, preset_of

FEW = Limits(depth=2, nodes=50, playouts=5)
IGNORING = [
    name
    for name in names()
    if preset_of(find(name).engine) is None and set(COUNTS) & find(name).engine.ignores
]


@pytest.mark.parametrize("name", IGNORING)
def test_a_limit_that_is_ignored_changes_no_move(name: str) -> None:
    engine = find(name).build({})
    ignored: dict[str, Any] = {limit: 1 for limit in COUNTS if limit in engine.ignores}
    for moves in ("", "444", "1223343"):
        position = Position.parse(moves)
        engine.begin(CONNECT4, 1)
        free = engine.ask(position, FEW)
        engine.begin(CONNECT4, 1)
        assert engine.ask(position, replace(FEW, **ignored)) == free


def test_engines_without_a_search_ignore_all_limits() -> None:
    ignoring = {name for name in IGNORING if set(COUNTS) <= find(name).engine.ignores}
    assert ignoring == {"greedy", "ntuple", "probabilities", "random", "reflex"}
