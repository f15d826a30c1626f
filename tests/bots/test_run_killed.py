"""A run that is killed leaves nothing behind: no table, no keeper, no bot, no helper of a bot."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.support.processes import is_gone

pytestmark = pytest.mark.contract

BOT = """
import os, pathlib, time
from arena import Choice, Engine

class Bot(Engine):
    def choose(self, position, limits):
        if position.ply >= 2:
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    pathlib.Path("helper.new").write_text(str(os.getpid()))
                    os.rename("helper.new", "helper")
                    time.sleep(1000)
                os._exit(0)
            time.sleep(1000)
        return Choice(position.legal[0])
"""
FILE = """
name: killed
game: {size: 4x4}
games: 2
engines: [bot.py:Bot, reflex]
"""


def test_nothing_is_left_of_a_run_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "killed.yaml").write_text(FILE)
    command = [sys.executable, "-m", "arena", "run", "killed.yaml"]
    run = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": os.getcwd()},
    )  # fmt: skip
    helper, until = tmp_path / "helper", time.monotonic() + 120
    while not helper.exists():
        assert run.poll() is None, run.stdout and run.stdout.read()
        assert time.monotonic() < until
        time.sleep(0.02)
    family = [child.pid for child in psutil.Process(run.pid).children(recursive=True)]
    assert len(family) >= 3  # a table, a keeper and a host at least
    run.kill()
    run.wait()
    assert run.stdout is not None
    run.stdout.close()
    assert [pid for pid in (*family, int(helper.read_text())) if not is_gone(pid)] == []
