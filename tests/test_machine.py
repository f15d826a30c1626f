"""What is recorded about the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena import __version__, machine, processes
from arena.machine import _from_cpuinfo, cores_in_use, environment, processor
from arena.processes import tree_megabytes
from arena.session.prepare import crowding

MEGABYTES = 48  # much more than an interpreter has of its own
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="by what Linux shows of a process")
PROGRAM = """
import mmap, os, sys
size = int(sys.argv[1]) * 2**20
def fork(work=lambda: None):
    if not os.fork():
        work()
        print(flush=True)
        sys.stdin.read()
        os._exit(0)
"""


def test_it_says_what_figures_depend_on() -> None:
    figures = environment()
    assert figures["arena"] == __version__
    assert figures["cores"] == os.cpu_count()
    assert 1 <= figures["usable_cores"] <= figures["cores"]
    for name in ("python", "system", "processor", "sqlite", "numpy", "numba"):
        assert figures[name]
    assert json.loads(json.dumps(figures)) == figures


def test_the_owner_of_the_machine_is_not_recorded() -> None:
    figures = json.dumps(environment())
    assert str(Path.home()) not in figures
    assert os.getcwd() not in figures


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("processor\t: 0\nmodel name\t: Fast  CPU @ 3 GHz\n", "Fast CPU @ 3 GHz"),
        ("Model\t\t: Small Board\n", "Small Board"),
        ("nothing here", ""),
    ],
)
def test_the_processor_is_read_from_cpuinfo(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    assert _from_cpuinfo(str(tmp_path / "cpuinfo")) == name
    assert _from_cpuinfo(str(tmp_path / "missing")) == ""
    assert processor()


@pytest.mark.parametrize(
    ("tables", "cores", "others", "parts"),
    [
        (1, 4, 0.0, ()),
        (3, 4, 0.3, ()),
        (1, 4, 2.0, ()),
        (4, 4, 0.1, ("4 workers leave none of 4 cores free", "--workers 3")),
        (2, 2, 2.0, ("other programs use 2.0 of 2 cores and 2 workers", "--workers 1")),
        (1, 2, 2.0, ("other programs use 2.0 of 2 cores:", "limits: {cpu: 0.1}")),
        (2, 4, 3.0, ("other programs use 3.0 of 4 cores:", "--workers 1")),
        (1, 1, 0.0, ("1 worker leaves no core free:", "limits: {cpu: 0.1}")),
    ],
)
def test_a_crowded_machine_is_reported_with_remedies(
    tables: int, cores: int, others: float, parts: tuple[str, ...]
) -> None:
    words = crowding(tables, cores, others, seconds=0.1)
    assert (words is None) == (not parts)
    assert all(part in str(words) for part in parts)
    assert tables > 1 or "--workers" not in str(words)


def test_cores_in_use_are_counted_by_what_they_have_done() -> None:
    assert 0.0 <= cores_in_use(0.02) <= (os.cpu_count() or 1) + 0.01


@contextmanager
def working(code: str, processes: int = 1) -> Iterator[int]:
    """A process that has run the code, and waits."""
    text = PROGRAM + code + "\nprint(flush=True)\nsys.stdin.read()"
    command = [sys.executable, "-I", "-S", "-c", text, str(MEGABYTES)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        for _ in range(processes):
            assert process.stdout.readline() == b"\n"
        yield process.pid
        assert process.stdin
        process.stdin.close()


@pytest.fixture(scope="module")
def bare() -> float:
    """The memory of an interpreter that does nothing."""
    with working("") as pid:
        return tree_megabytes(pid)


@pytest.mark.parametrize(
    "code",
    [
        'private = bytearray(b"x") * size',
        "shared = mmap.mmap(-1, size)\nfor n in range(0, size, 4096): shared[n] = 1",
    ],
    ids=["private", "shared"],
)
@pytest.mark.parametrize("allowed", [0.0, float("inf")])
def test_memory_is_counted_wherever_it_lies(code: str, allowed: float, bare: float) -> None:
    with working(code) as pid:
        assert tree_megabytes(pid, allowed) == pytest.approx(bare + MEGABYTES, abs=12)


def test_memory_of_descendants_counts(bare: float) -> None:
    code = 'def work():\n global kept\n kept = bytearray(b"x") * size\nfork(lambda: fork(work))'
    with working(code, processes=3) as pid:
        assert MEGABYTES + bare - 12 <= tree_megabytes(pid) <= MEGABYTES + 3 * bare + 12


@LINUX
def test_above_what_is_allowed_shared_pages_count_once(bare: float) -> None:
    with working('private = bytearray(b"x") * size\nfork()\nfork()', processes=3) as pid:
        assert tree_megabytes(pid) >= 3 * MEGABYTES
        assert tree_megabytes(pid, MEGABYTES / 2) <= bare + MEGABYTES + 12
        assert tree_megabytes(pid, 1000.0) == pytest.approx(tree_megabytes(pid), abs=4)


def test_a_process_that_is_gone_uses_no_memory() -> None:
    with working("") as pid:
        pass
    assert tree_megabytes(pid) == tree_megabytes(pid, 0.0) == 0.0


def test_memory_is_measured_where_the_system_has_no_proc(
    monkeypatch: pytest.MonkeyPatch, bare: float
) -> None:
    monkeypatch.setattr(processes, "PROC", "/nowhere")
    with working('private = bytearray(b"x") * size\nfork()', processes=2) as pid:
        assert tree_megabytes(pid) >= 2 * MEGABYTES
    assert tree_megabytes(pid) == 0.0


@LINUX
def test_a_process_of_somebody_else_is_counted_as_far_as_it_shows() -> None:
    assert tree_megabytes(1) >= 0.0


def test_cores_and_memory_are_those_of_the_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {
        "self/cgroup": "7:memory:/\n0::/box/inner\n",
        "groups/box/cpu.max": "150000 100000\n",
        "groups/box/inner/cpu.max": "max 100000\n",
        "groups/memory/memory.limit_in_bytes": "1000\n",
        "groups/memory/memory.usage_in_bytes": "990\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(machine, "PROC", str(tmp_path))
    monkeypatch.setattr(machine, "CGROUPS", str(tmp_path / "groups"))
    assert machine.cgroup_quota() == 1.5
    assert machine.usable_cores() == 1
    assert machine.memory_left() == pytest.approx(0.01)
    assert machine.free_memory() == 10
    (tmp_path / "self/cgroup").write_text("4:cpu,cpuacct:/gone\n")
    quota = tmp_path / "groups/cpu,cpuacct"
    quota.mkdir()
    (quota / "cpu.cfs_quota_us").write_text("200000")
    (quota / "cpu.cfs_period_us").write_text("100000")
    assert machine.cgroup_quota() == 2.0
    (quota / "cpu.cfs_quota_us").write_text("-1")
    assert machine.cgroup_quota() == float("inf")
