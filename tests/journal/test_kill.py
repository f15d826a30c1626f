"""Killed at any moment, a journal keeps every game it said it had, and no half ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.killing import MOST, content, game

pytestmark = pytest.mark.contract

KILLS = 50
GAMES = KILLS * MOST + 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_writers_are_killed_many_times_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    command = [sys.executable, "-m", "tests.support.killing", str(path), str(GAMES), str(KILLS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kills, acknowledged, at_last = map(int, done.stdout.split())
    assert kills == KILLS
    assert 0 < acknowledged < at_last == GAMES
    games, sessions = content(path)
    assert games == [game(number) for number in range(GAMES)]
    assert sessions[-1].why == "all is written"
    assert all(session.ended is None for session in sessions[:-1])
    assert len(sessions) > KILLS // 2
