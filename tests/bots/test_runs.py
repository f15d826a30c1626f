"""Whole runs with Python bots: one that is too slow, and more of them than usual."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena

pytestmark = pytest.mark.contract


SLOW = """
import time
from arena import Choice, Engine

class Bot(Engine):
    def new_game(self):
        time.sleep(60)

    def choose(self, position, limits):
        return Choice(position.legal[0])
"""


def test_a_bot_that_is_too_slow_at_its_check_loses_on_time_or_stops_the_run(
    tmp_path: Path,
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    file = tmp_path / "slow.yaml"
    text = f"game: 4x4\ngames: 2\nstart: 2\noutput: {tmp_path}/out\nengines: [slow.py, random]\n"
    file.write_text(text)
    with pytest.raises(arena.ArenaError, match=r"was not ready in 2.*with a larger start:"):
        arena.run(file)
    file.write_text(f"{text}broken: forfeit\n")
    with pytest.warns(UserWarning, match="it loses its games"):
        games = arena.run(file).games
    assert [(game.reason, game.winner) for game in games] == [("time", "random")] * 2


COUNTED = """
import os
from pathlib import Path
from arena import Choice, Engine

Path(__file__).with_suffix(".started").open("a").write(f"{os.getpid()}\\n")

class Bot(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
BOTS = 34


def test_bots_of_a_large_field_are_not_started_for_each_game(tmp_path: Path) -> None:
    for number in range(BOTS):
        (tmp_path / f"bot{number}.py").write_text(COUNTED)
    file = tmp_path / "large.yaml"
    file.write_text(
        f"game: 4x4\ngames: 2\nworkers: 1\nformat: gauntlet\noutput: {tmp_path}/out\n"
        "engines: ['bot*.py']\n"
    )
    games = arena.run(file).games
    assert len(games) == 2 * (BOTS - 1)
    started = [len({*each.read_text().split()}) for each in tmp_path.glob("*.started")]
    assert len(started) == BOTS
    assert max(started) <= 3  # to read the file, for the check, and in the worker
