"""A process that is killed from outside before game 1 is started again, as in a game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from arena.journal import Journal
from tests.cli.running import run

BOT = """
import os, pathlib
from arena import Choice, Engine

HERE = pathlib.Path(__file__).parent

def step(name):
    kills = HERE / name
    left = int(kills.read_text()) if kills.exists() else 0
    if left:
        kills.write_text(str(left - 1))
        os.kill(os.getpid(), 9)  # as an OOM killer does

step("load")

class Bot(Engine):
    def __init__(self, **options):
        super().__init__(**options)
        step("build")

    def warm_up(self):
        step("warm up")

    def choose(self, position, limits):
        step("move")
        return Choice(position.legal[0])
"""
FILE = "game: 4x4\ngames: 2\nworkers: 1\nbroken: {}\noutput: out\nengines: [random, bot.py]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "t.yaml").write_text(FILE.format("forfeit"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reasons(folder: Path) -> list[tuple[str, str]]:
    with Journal.read(folder / "out") as journal:
        return [(row.reason, row.detail) for row in journal.rows()]


def test_an_engine_killed_twice_while_it_gets_ready_plays_its_games(folder: Path) -> None:
    kills = {"load": "2", "build": "2", "warm up": "1", "move": "1"}
    for step, count in kills.items():
        (folder / step).write_text(count)
    result = run("run", "t.yaml", "--plain", "--no-report")
    assert result.exit_code == 0, result.output
    assert {reason for reason, _ in reasons(folder)} <= {"line", "full board"}
    assert {(folder / step).read_text() for step in kills} == {"0"}


@pytest.mark.parametrize("step", ["load", "warm up"])
def test_an_engine_killed_again_and_again_forfeits(folder: Path, step: str) -> None:
    (folder / step).write_text("1000")
    result = run("run", "t.yaml", "--plain", "--no-report")
    assert result.exit_code == 0, result.output
    assert len(reasons(folder)) == 2
    for _, detail in reasons(folder):
        assert "its process was killed from outside (SIGKILL) 3 times" in detail


def test_a_file_is_valid_though_its_engine_was_killed_twice(folder: Path) -> None:
    (folder / "t.yaml").write_text(FILE.format("refuse"), encoding="utf-8")
    (folder / "load").write_text("1000")
    result = run("check", "t.yaml")
    assert result.exit_code == 2
    words = "t.yaml:6:19: engines[1].engine: its process was killed from outside (SIGKILL) 3 times"
    assert words in result.output
    (folder / "load").write_text("2")
    (folder / "build").write_text("2")
    assert "ok: t, 2 engines" in run("check", "t.yaml").stdout


@pytest.mark.parametrize("kills", [1, 1000])
def test_a_fork_server_killed_at_the_start(folder: Path, kills: int) -> None:
    (folder / "t.yaml").write_text(FILE.format("refuse").replace("bot.py", "reflex"))
    command = [sys.executable, "-m", "arena", "run", "t.yaml", "--plain", "--no-report"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    ) as arena:  # fmt: skip
        until = time.monotonic() + 120
        while arena.poll() is None and kills:
            assert time.monotonic() < until
            for child in psutil.Process(arena.pid).children():
                kills -= _kill_fork_server(child)
            time.sleep(0.005)
        _, errors = arena.communicate(timeout=120)
    if kills:
        assert arena.returncode == 2
        assert "its fork server was killed 10 times in a row" in errors.splitlines()[-1]
        assert "Traceback" not in errors
    else:
        assert arena.returncode == 0, errors
        assert len(reasons(folder)) == 2


def _kill_fork_server(process: psutil.Process) -> bool:
    try:
        if "multiprocess.forkserver" not in " ".join(process.cmdline()):
            return False
        os.kill(process.pid, signal.SIGKILL)
    except (psutil.Error, ProcessLookupError):
        return False
    return True
