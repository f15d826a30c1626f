"""Ctrl-C before the first game and after the last one: one sentence, nothing lost."""

from __future__ import annotations

import os
import re
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
    assert "; resume with: " in errors


def test_ctrl_c_while_games_are_judged_keeps_the_results(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(
        "name: cup\ngames: 400\nisolation: none\nengines: [random, reflex]\n"
    )
    words = [sys.executable, "-m", "arena", "run", "cup.yaml", "--accuracy", "500",
             "--sections", "standings,accuracy"]  # fmt: skip
    run = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, start_new_session=True)  # fmt: skip
    assert run.stdout is not None
    assert run.stderr is not None
    for line in run.stdout:
        if line.startswith("Finished"):  # printed below the standings, before any judging
            break
    for line in run.stderr:
        if line.startswith("judging games"):
            break
    os.killpg(run.pid, signal.SIGINT)
    output, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    assert "judging stopped" in errors
    assert "Continue with: arena report reports/cup" in errors
    assert "The report is reports/cup/report.md" in output
    report = (tmp_path / "reports" / "cup" / "report.md").read_text()
    judged = re.search(r"Judged (\d+) of 400 games", report)
    assert judged is not None
    assert 0 < int(judged[1]) < 400


def is_loading(pid: int) -> bool:
    """Whether the process that tables are forked from has begun to load what they need."""
    for child in psutil.Process(pid).children():
        if "forkserver" in " ".join(child.cmdline()):
            return child.cpu_times().user > 0.1
    return False
