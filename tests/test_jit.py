"""How kernels are compiled: the machine instructions, the clock, and where the cache lives."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import jit
from arena.jit import (
    CLOCK_ADDRESS,
    CLOCK_KIND,
    THREAD_CLOCK,
    is_past,
    kernel,
    lowest,
    nanoseconds,
    popcount,
)

TOP = Path(jit.__file__).resolve().parents[1]
KERNEL = "arena/game/kernels.py"


@kernel
def count_bits(word: np.uint64) -> int:
    return popcount(word)  # type: ignore[no-any-return]  # an instruction has no static type


@kernel
def lowest_bit(word: np.uint64) -> int:
    return lowest(word)  # type: ignore[no-any-return]


@given(st.integers(0, 2**64 - 1))
def test_popcount_counts_the_bits_that_are_set(word: int) -> None:
    assert count_bits(np.uint64(word)) == bin(word).count("1")


@given(st.integers(1, 2**64 - 1))
def test_lowest_is_the_number_of_trailing_zeros(word: int) -> None:
    text = bin(word)
    assert lowest_bit(np.uint64(word)) == len(text) - len(text.rstrip("0"))


def test_the_highest_bit_is_no_exception() -> None:
    assert count_bits(np.uint64(2**64 - 1)) == 64
    assert lowest_bit(np.uint64(2**63)) == 63


def test_the_clock_of_the_kernels_is_the_monotonic_clock() -> None:
    nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)  # compiled before it is timed
    for _ in range(5):
        before = time.monotonic_ns()
        told = nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)
        assert before <= told <= time.monotonic_ns()


def test_the_clock_of_the_thread_counts_its_own_work_alone() -> None:
    before = time.thread_time_ns()
    told = nanoseconds(CLOCK_ADDRESS, THREAD_CLOCK)
    assert before <= told <= time.thread_time_ns()


def test_a_deadline_is_past_on_either_clock_and_0_is_none() -> None:
    wall, cpu = time.monotonic_ns(), time.thread_time_ns()
    far = 10**15
    assert not is_past(CLOCK_ADDRESS, 0, 0)
    assert not is_past(CLOCK_ADDRESS, wall + far, cpu + far)
    assert is_past(CLOCK_ADDRESS, wall, 0)
    assert is_past(CLOCK_ADDRESS, 0, cpu)
    assert is_past(CLOCK_ADDRESS, wall + far, cpu)
    assert is_past(CLOCK_ADDRESS, wall, cpu + far)


def test_the_stand_in_clock_tells_the_same_time() -> None:
    import ctypes

    pair = (ctypes.c_int64 * 2)()
    before = time.monotonic_ns()
    assert jit._python_clock(0, pair) == 0
    assert before <= pair[0] * 1_000_000_000 + pair[1] <= time.monotonic_ns()


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources that `fingerprint` reads instead of the real ones."""
    for package in jit.SOURCES:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(TOP / package, tmp_path / package, ignore=ignore)
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "arena" / "jit.py"))
    return tmp_path


def append(file: Path, text: str = "\n# changed\n") -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_the_fingerprint_of_the_same_sources_is_the_same_anywhere(copy: Path) -> None:
    told = jit.fingerprint()
    assert told == jit.fingerprint()
    assert len(told) == 16
    (copy / "arena" / "notes.txt").write_text("arena.jit", encoding="utf-8")
    assert jit.fingerprint() == told


@pytest.mark.parametrize("name", [KERNEL, "arena/evaluation/kernels.py", "arena/jit.py"])
def test_the_fingerprint_changes_when_a_kernel_changes(copy: Path, name: str) -> None:
    told = jit.fingerprint()
    append(copy / name)
    assert jit.fingerprint() != told


def test_the_fingerprint_changes_when_a_kernel_is_added_or_moved(copy: Path) -> None:
    told = jit.fingerprint()
    (copy / "engines" / "new.py").write_text("from arena.jit import kernel\n", encoding="utf-8")
    added = jit.fingerprint()
    (copy / "engines" / "new.py").rename(copy / "engines" / "newer.py")
    assert len({told, added, jit.fingerprint()}) == 3


def test_the_fingerprint_depends_on_the_version_of_the_compiler(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = jit.fingerprint()
    monkeypatch.setattr(jit, "_numba_version", lambda: "0.0.1")
    assert jit.fingerprint() != told


def frozen_names(tree: ast.AST) -> set[str]:
    """The names that kernels of a module read: compiled code keeps the values they had."""
    kernels = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id == "kernel" for d in node.decorator_list)
    ]
    inside = (node for function in kernels for node in ast.walk(function))
    return {node.id for node in inside if isinstance(node, ast.Name)}


def test_the_fingerprint_covers_the_constants_that_kernels_freeze() -> None:
    covered = set(jit._kernel_sources(TOP))
    missing = set()
    for source in covered:
        tree = ast.parse(source.read_text(encoding="utf-8"))
        frozen = frozen_names(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                file = TOP / Path(*str(node.module).split(".")).with_suffix(".py")
                constants = {a.name for a in node.names if a.name.isupper()} & frozen
                if constants and file.exists() and file not in covered:
                    missing |= {f"{file.relative_to(TOP)}: {name}" for name in constants}
    assert missing == set()


def run(script: str, environment: dict[str, str | None]) -> subprocess.CompletedProcess[str]:
    """A process of its own with these variables set, or unset where they are None."""
    changed = {**os.environ, **{k: v for k, v in environment.items() if v is not None}}
    for name in (name for name, value in environment.items() if value is None):
        changed.pop(name, None)
    command = [sys.executable, "-c", script]
    return subprocess.run(
        command, env=changed, capture_output=True, text=True, check=True, timeout=60
    )


SHOW = """
import os
{first}
from arena.jit import CACHED, nanoseconds
print(os.environ["NUMBA_CACHE_DIR"], CACHED, nanoseconds._cache.cache_path, sep="\\n")
"""


def test_the_cache_moves_to_a_temporary_directory_when_the_users_cannot_be_written(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory", encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    environment = {
        "XDG_CACHE_HOME": str(blocked),
        "TMPDIR": str(tmp_path / "tmp"),
        "NUMBA_CACHE_DIR": None,
    }
    told, cached, _ = run(SHOW.format(first=""), environment).stdout.splitlines()
    assert Path(told).is_relative_to(tmp_path / "tmp")
    assert Path(told).name.startswith("kernels-")
    assert cached == "True"


@pytest.mark.parametrize("first", ["", "import numba"])
def test_kernels_are_cached_where_the_sources_are_hashed(tmp_path: Path, first: str) -> None:
    """Also where numba was imported before, and has read its settings already."""
    environment = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": None}
    told, _, used = run(SHOW.format(first=first), environment).stdout.splitlines()
    assert Path(told).parent == tmp_path / "connect-arena"
    assert Path(used).is_relative_to(told)


def test_a_cache_that_the_user_has_chosen_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/somewhere/else")
    assert jit._choose_cache()
    assert os.environ["NUMBA_CACHE_DIR"] == "/somewhere/else"


def test_without_any_directory_there_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(jit, "cache_root", lambda: blocked)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(blocked))
    with pytest.warns(UserWarning, match="each run compiles"):
        assert not jit._choose_cache()
    assert "NUMBA_CACHE_DIR" not in os.environ
