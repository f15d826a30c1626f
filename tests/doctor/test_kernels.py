"""The doctor on kernels: caches in every state, and compilers that fail."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from arena.doctor import Diagnosis, kernels
from arena.doctor.kernels import KernelFile


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


def files(size: int) -> list[KernelFile]:
    return [KernelFile(Path("x"), size, True), KernelFile(Path("y"), 10, False)]


def test_caches_in_every_state(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernels.cache().detail == f"{cache}, empty as yet"
    monkeypatch.setattr(kernels, "kernel_files", lambda: files(1_000_000))
    found = kernels.cache()
    assert (found.state, found.data["files"]) == ("ok", 2)
    assert found.detail == f"{cache}, 2 files, 1 MB of it unused for 30 days"
    monkeypatch.setattr(kernels, "kernel_files", lambda: files(900_000_000))
    assert kernels.cache().remedy == "arena cache clear frees them"
    monkeypatch.setattr(kernels, "roots", lambda: (cache / "x", cache.parent))
    assert "temporary" in kernels.cache().detail
    monkeypatch.setattr(kernels, "LITTLE", 1e30)
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
