"""The doctor on the machine: containers, small and busy machines, and children."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from arena.doctor import surroundings


def limits(place: Path, **files: str) -> Path:
    for name, text in files.items():
        file = place / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return place


def test_containers_of_both_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=4096))
    new = limits(tmp_path / "2", cpu_dot_max="150000 100000\n", memory_dot_max="5000",
                 memory_dot_current="2000")  # fmt: skip
    assert surroundings.cpu_quota(new) == 1.5
    assert surroundings.memory_left(new) == 3000
    free = limits(tmp_path / "free", cpu_dot_max="max 100000\n", memory_dot_max="max\n",
                  memory_dot_current="1")  # fmt: skip
    assert surroundings.cpu_quota(free) is None
    assert surroundings.memory_left(free) == 4096
    old = limits(
        tmp_path / "1",
        cpu__cpu_dot_cfs_quota_us="-1",
        cpu__cpu_dot_cfs_period_us="100000",
        memory__memory_dot_limit_in_bytes="700",
        memory__memory_dot_usage_in_bytes="900",
    )
    assert surroundings.cpu_quota(old) is None
    assert surroundings.memory_left(old) == 0
    (old / "cpu/cpu.cfs_quota_us").write_text("50000")
    assert surroundings.cpu_quota(old) == 0.5
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=2048))
    assert surroundings.memory_left(new) == 2048


def test_a_machine_that_is_small_or_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "usable_cores", lambda: 4)
    monkeypatch.setattr(surroundings, "cpu_quota", lambda: 1.5)
    monkeypatch.setattr(surroundings, "memory_left", lambda: 700e6)
    monkeypatch.setattr(psutil, "getloadavg", lambda: (5.0, 1.0, 1.0))
    cores, load, memory = surroundings.cores(), surroundings.load(), surroundings.memory()
    assert [each.state for each in (cores, load, memory)] == ["warning"] * 3
    assert "--workers 1" in cores.remedy
    assert "--workers 2" in memory.remedy
    monkeypatch.setattr(surroundings, "memory_left", lambda: 9e9)
    assert surroundings.memory().state == "ok"


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(method: str) -> float:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(surroundings, "child_answers", fails)
    found = surroundings.processes()
    assert found.state == "problem"
    assert "Resource temporarily unavailable" in found.detail


SILENT_CHILD = """
import time
from arena.doctor import surroundings
surroundings._answer = time.sleep  # which does not take a pipe, and so answers nothing
try:
    surroundings.child_answers("spawn")
except ChildProcessError as error:
    print(error)
"""


def test_a_child_that_does_not_answer_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SILENT_CHILD], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "the child has ended without an answer\n"
