"""Warm-up: everybody is made ready, and no move loads anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena import CONNECT4, SCORE4, Engine, Rules
from arena.engine.registry import names
from arena.engine.warm_up import warm_up
from arena.errors import BadRules, EngineFailure
from tests.loading import VARIANTS
from tests.support.bots import bad, good

TOP = Path(__file__).resolve().parents[2]


class Counts(good.Leftmost):
    """Counts its warm-ups."""

    warmed: list[Rules]

    def warm_up(self) -> None:
        self.warmed = [*getattr(self, "warmed", []), self.rules]


def test_each_engine_is_warmed_up_and_announced_before() -> None:
    engines: list[tuple[str, Engine]] = [("a", Counts()), ("b", Counts())]
    told: list[tuple[str, int, int]] = []

    def report(name: str, number: int, count: int) -> None:
        assert not hasattr(engines[number - 1][1], "warmed")
        told.append((name, number, count))

    warm_up(engines, SCORE4, report)
    assert told == [("a", 1, 2), ("b", 2, 2)]
    assert [engine.warmed for _, engine in engines] == [[SCORE4], [SCORE4]]  # type: ignore[attr-defined]


def test_a_broken_engine_is_named() -> None:
    with pytest.raises(EngineFailure, match=r"engine mine: ValueError: out of ideas \(bad.py:"):
        warm_up([("mine", bad.Raises())], CONNECT4)


def test_an_engine_that_declines_the_board_is_named() -> None:
    with pytest.raises(BadRules, match="engine mine: only flat boards, please"):
        warm_up([("mine", good.FlatOnly())], SCORE4)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="there are no kernels")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each engine needs a fresh process")
@pytest.mark.parametrize("board", ["connect4", "score4"])
def test_after_its_warm_up_no_move_of_an_engine_compiles_or_loads_anything(board: str) -> None:
    command = [sys.executable, "-m", "tests.loading", board]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    seen = {line["engine"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert list(seen) == [*names(), *VARIANTS], done.stderr
    playing = {name: line for name, line in seen.items() if not line["declined"]}
    assert {name: line["moves"] for name, line in playing.items() if line["moves"]} == {}
    assert sum(bool(line["warm-up"]) for line in playing.values()) > 10  # it does see kernels
    assert all(name.startswith("perfect") for name in seen.keys() - playing.keys())
