"""Ctrl-C at an early moment: one sentence, and no frames of processes that are still loading."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import psutil

ENDED = 130


def test_ctrl_c_while_the_first_table_is_being_set(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text("name: cup\ngames: 2\nengines: [random, reflex]\n")
    words = [sys.executable, "-m", "arena", "run", "cup.yaml", "--no-report"]
    run = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, start_new_session=True)  # fmt: skip
    while run.poll() is None and not is_loading(run.pid):
        sleep(0.005)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    _, errors = run.communicate(timeout=120)
    assert run.returncode == ENDED
    assert "Traceback" not in errors
    assert "goes on from there" in errors


def is_loading(pid: int) -> bool:
    """Whether the process that tables are forked from has begun to load what they need."""
    for child in psutil.Process(pid).children():
        if "forkserver" in " ".join(child.cmdline()):
            return child.cpu_times().user > 0.1
    return False
