"""A training that is killed or interrupted goes on to the same weights, byte for byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

pytestmark = pytest.mark.contract

STATE, CURVE = "state.npz", "curve.csv"
SAME = ("weights.txt", "weights.csv")

LONG = """
method: td
game: 4x4c3
games: 3000
step: {from: 0.5, shape: 1/game}
save: 50 games
measure: {every: 500, perfect: 4, exam: 3, against: [random], games: 4}
"""


def write_training(text: str, output: Path) -> Path:
    file = output.with_suffix(".yaml")
    file.write_text(f"{text}\noutput: {output}", encoding="utf-8")
    return file


def start_training(file: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.counting", "train", str(file), "--plain"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish_training(file: Path) -> None:
    process = start_training(file)
    _, printed = process.communicate()
    assert process.returncode == 0, printed


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    while process.poll() is None and not path.exists():
        time.sleep(0.005)


def contents(folder: Path) -> list[str]:
    """The files that must be the same; the curve without its seconds."""
    lines = (folder / CURVE).read_text(encoding="utf-8").splitlines()
    curve = "\n".join(",".join(line.split(",")[:1] + line.split(",")[2:]) for line in lines)
    return [curve, *((folder / name).read_text("utf-8") for name in SAME)]


def test_a_killed_training_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    killed, whole = (write_training(LONG, tmp_path / name) for name in ("killed", "whole"))
    random = Random(7)
    for _ in range(2):
        process = start_training(killed)
        wait_for(tmp_path / "killed" / STATE, process)
        time.sleep(random.random() * 0.3)
        process.kill()
        process.communicate()
    finish_training(killed)
    finish_training(whole)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert not list((tmp_path / "killed").glob(f".{STATE}-*"))


SIGNALS = {signal.SIGINT: 3, signal.SIGTERM: 143}


def test_a_signal_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    text = LONG.replace("games: 3000", "games: 1000000").replace("500, perfect", "100000, perfect")
    running = {
        number: start_training(write_training(text, tmp_path / number.name)) for number in SIGNALS
    }
    for number, process in running.items():
        wait_for(tmp_path / number.name / STATE, process)
        os.kill(process.pid, number)
    for number, process in running.items():
        out, err = process.communicate()
        assert process.returncode == SIGNALS[number], err
        assert f"Resume with: arena train {tmp_path / number.name}.yaml" in out
        assert "Traceback" not in err
        assert (tmp_path / number.name / "weights.txt").is_file()
        assert not (tmp_path / f"{number.name}.lock").exists()
