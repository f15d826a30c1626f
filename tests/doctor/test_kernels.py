"""The doctor on kernels: compilers that fail, caches in every state, and clearing ours."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from arena import kernel_cache
from arena.doctor import Diagnosis, kernels
from arena.doctor.kernels import KernelFile, directory, kernel_files, remove
from arena.errors import ArenaError
from tests.cli.running import run

HOUR, MONTH = time.time() - 3600, time.time() - 31 * 86400
EARLIER = "kernels-0123456789abcdef"  # what a cache of an earlier version is called


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of its own: kernels in use, not used for long, and of earlier versions."""
    root = tmp_path / "connect-arena"
    put(root / "kernels" / "arena.jit.one-1.nbc", 100, HOUR)
    put(root / "kernels" / "arena.jit.two-2.nbc", 900, MONTH)
    put(root / EARLIER / "arena_1" / "a.nbi", 10, HOUR)
    put(root / EARLIER / "arena_1" / "a.1.nbc", 1990, HOUR)
    monkeypatch.setattr(kernel_cache, "cache_roots", lambda: (root, tmp_path / "temporary"))
    monkeypatch.setattr(kernel_cache, "CACHE", root / "kernels")
    return root


def put(file: Path, size: int = 1, when: float = HOUR) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x" * size)
    os.utime(file, (when, when))
    return file


def files(root: Path) -> set[str]:
    return {str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()}


def test_clearing_takes_what_nobody_uses(root: Path) -> None:
    result = run("doctor", "--clear-cache")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "3 files removed, 2.9 kB freed\n"
    assert files(root) == {"kernels/arena.jit.one-1.nbc"}
    assert not (root / EARLIER).exists()
    assert run("doctor", "--clear-cache").stdout == "0 files removed, 0 B freed\n"


def test_clearing_all_takes_those_in_use_too(root: Path) -> None:
    assert run("doctor", "--clear-cache", "--all").stdout == "4 files removed, 3 kB freed\n"
    assert files(root) == set()


def test_what_is_not_ours_stays(root: Path) -> None:
    kept = {
        put(root / "notes.txt"),
        put(root / "other" / "a.nbc"),
        put(root / "kernels-0123456789ABCDEF" / "a.nbc"),
        put(root / "kernels-0123456789abcdef0" / "a.nbc"),
        put(root / EARLIER / "arena_1" / "letter.txt"),
        put(root / EARLIER / "a.nbc.bak"),
        put(root / "kernels" / "letter.txt"),
    }
    assert run("doctor", "--clear-cache", "--all").exit_code == 0
    assert files(root) == {str(file.relative_to(root)) for file in kept}


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    precious = put(tmp_path / "precious" / "a.nbc")
    (root / "kernels-fedcba9876543210").symlink_to(precious.parent)
    (root / EARLIER / "link").symlink_to(precious.parent)
    assert run("doctor", "--clear-cache", "--all").exit_code == 0
    assert precious.is_file()


def test_a_file_that_is_just_being_written_stays(root: Path) -> None:
    remove(kernel_files())
    new = put(root / "kernels" / ".arena.jit.one-1.nbc-123", when=time.time())
    old = put(root / "kernels" / ".arena.jit.two-2.nbc-123", when=HOUR)
    assert kernel_files() == [KernelFile(old, 1, is_unused=True)]
    assert new.is_file()


def test_directories_of_others_are_not_looked_at(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: os.stat(root).st_uid + 1, raising=False)
    assert kernel_files() == []


def test_a_file_that_is_gone_already_does_no_harm(root: Path) -> None:
    found = kernel_files()
    (root / EARLIER / "arena_1" / "a.nbi").unlink()
    assert sum(remove(found)) == 2990


def test_without_a_compiler_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "arena.kernel_cache", None)
    monkeypatch.delattr("arena.kernel_cache")
    with pytest.raises(ArenaError, match=r"the compiler does not load .* run arena doctor"):
        directory()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the doctor thinks that kernels are."""
    root = tmp_path / "connect-arena"
    where = root / "kernels"
    where.mkdir(parents=True)
    monkeypatch.setattr(kernels, "directory", lambda: where)
    monkeypatch.setattr(kernels, "roots", lambda: (root, tmp_path / "other"))
    monkeypatch.setattr(kernels, "kernel_files", list)
    return where


def two_files(size: int) -> list[KernelFile]:
    return [KernelFile(Path("x"), size, True), KernelFile(Path("y"), 10, False)]


def test_caches_in_every_state(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernels.cache().detail == f"{cache}, empty as yet"
    monkeypatch.setattr(kernels, "kernel_files", lambda: two_files(1_000_000))
    found = kernels.cache()
    assert (found.state, found.data["files"]) == ("ok", 2)
    assert found.detail == f"{cache}, 2 files, 1 MB of it unused for 30 days"
    monkeypatch.setattr(kernels, "kernel_files", lambda: two_files(900_000_000))
    assert kernels.cache().remedy == "arena doctor --clear-cache frees them"
    monkeypatch.setattr(kernels, "roots", lambda: (cache / "x", cache.parent))
    assert "temporary" in kernels.cache().detail
    monkeypatch.setattr(kernels, "MIN_FREE", 1e30)
    monkeypatch.setattr(kernels, "roots", lambda: (cache.parent, cache))
    assert "the disk is full" in kernels.cache().detail


def test_a_cache_that_cannot_be_written(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**where: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(tempfile, "TemporaryFile", fails)
    assert kernels.cache().state == "warning"
    monkeypatch.setattr(kernels, "directory", lambda: None)
    assert kernels.cache().detail.startswith(f"{cache.parent} cannot be written")


def test_a_compiler_that_is_switched_off_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    (off,) = kernels.examine_kernels()
    assert (off.state, off.remedy) == ("warning", "unset NUMBA_DISABLE_JIT")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")

    def fails() -> Diagnosis:
        raise RuntimeError("cannot cache function")

    monkeypatch.setattr(kernels, "compiler", fails)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/nowhere")
    (bad,) = kernels.examine_kernels()
    assert (bad.state, bad.detail) == ("problem", "cannot cache function")
    assert "NUMBA_CACHE_DIR" in bad.remedy
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert next(kernels.examine_kernels()).remedy.startswith("python -m pip install")


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_is_compiled_and_one_is_loaded() -> None:
    assert kernels.compiler().data["seconds"] > 0
    assert kernels.one_kernel().state == "ok"
