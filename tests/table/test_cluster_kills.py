"""Runs on a cluster whose workers and client are killed: no game is lost or played twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.support.clusters import games_in, started, until_games_are_told, without_times

pytestmark = pytest.mark.contract

SLEEPY = """
import time
from arena import Choice, Engine


class Sleepy(Engine):
    def choose(self, position, limits):
        time.sleep(0.004)
        return Choice(position.legal[-1])
"""
KILLS, CLIENT_KILLED_AFTER = 30, 15
KILL_WITHIN = 0.25  # seconds, on a random moment
KILLED = """
name: {name}
games: 400
seed: 3
isolation: none
openings: {{random: 2}}
output: {name}
engines: [random, bot.py:Sleepy]
"""


def killable(folder: Path, name: str) -> Path:
    """A tournament that takes a while, but hardly any processor time."""
    (folder / "bot.py").write_text(SLEEPY)
    file = folder / f"{name}.yaml"
    file.write_text(KILLED.format(name=name))
    return file


def workers_of(client: int) -> list[psutil.Process]:
    """The processes of a local cluster's workers."""
    with suppress(psutil.Error):
        started = psutil.Process(client).children()
        return [each for each in started if "multiprocessing.spawn" in " ".join(each.cmdline())]
    return []


def kill_workers(client: subprocess.Popen[str], events: Path, kills: int, seed: int) -> int:
    """Kill workers of a run at random, from its first game on; how many before it ended."""
    chance, killed = random.Random(seed), 0
    while client.poll() is None and not games_in(events):
        time.sleep(0.05)
    while killed < kills and client.poll() is None:
        time.sleep(chance.random() * KILL_WITHIN)
        with suppress(psutil.Error, IndexError):
            chance.choice(workers_of(client.pid)).kill()
            killed += 1
    return killed


def test_no_game_is_lost_or_doubled_whoever_is_killed(tmp_path: Path) -> None:
    here, there = killable(tmp_path, "a"), killable(tmp_path, "b")
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    with started(here, "--workers", "4") as alone:
        with started(there, "--cluster", "local:2", "--events", str(one)) as first:
            killed = kill_workers(first, one, CLIENT_KILLED_AFTER, 1)
            orphans = workers_of(first.pid)
            first.kill()
        _, left = psutil.wait_procs(orphans, timeout=10)
        assert not left
        alone.communicate()
    with started(there, "--cluster", "local:2", "--events", str(other)) as second:
        killed += kill_workers(second, other, KILLS - CLIENT_KILLED_AFTER, 2)
        _, printed = second.communicate()
    assert second.returncode == 0, printed
    assert killed == KILLS
    games = without_times(tmp_path / "b")
    assert [row.number for row, _ in games] == list(range(1, 401))
    assert games == without_times(tmp_path / "a")


def test_ctrl_c_in_a_terminal_lets_the_games_on_the_tables_end(tmp_path: Path) -> None:
    file, events = killable(tmp_path, "gentle"), tmp_path / "gentle.jsonl"
    with started(file, "--cluster", "local:2", "--events", str(events)) as client:
        until_games_are_told(events, client, tables={1, 2})
        os.killpg(client.pid, signal.SIGINT)
        _, printed = client.communicate()
    assert client.returncode == 3
    assert "Traceback" not in printed
    assert "is gone" not in printed
    assert 0 < len(without_times(tmp_path / "gentle")) < 400
