"""Compiled kernels: whether they can be compiled, kept and loaded, and how they are removed.

Only files that the arena writes, in the directories where it writes them, are looked at and
removed. Whatever else lies there stays.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.doctor import Diagnosis, one_line
from arena.errors import ArenaError
from arena.show.numbers import duration, how_many, in_bytes

FOLDER = re.compile(r"kernels(-[0-9a-f]{16})?")  # the longer name is of earlier versions
COMPILED = re.compile(r".+\.nb[ic]")
UNFINISHED = re.compile(r".+\.nb[ic](\.tmp\.[0-9a-f]+|-\d+)")
RECENT = 60.0  # seconds: somebody may just be writing an unfinished file
UNUSED_DAYS = 30
MAX_UNUSED = 200e6  # bytes of kernels that nobody needs
MIN_FREE = 100e6  # bytes left on the disk


@dataclass(frozen=True)
class KernelFile:
    """A compiled kernel on disk."""

    path: Path
    bytes: int
    is_unused: bool  # for a month, or at all by this version


def directory() -> Path | None:
    """Where kernels are kept; None if no directory can be written."""
    where: Path | None = _cache().CACHE
    return where


def roots() -> tuple[Path, ...]:
    """The places where kernels of ours may be kept."""
    places: tuple[Path, ...] = _cache().cache_roots()
    return places


def _cache() -> ModuleType:
    """The module of the cache, or one sentence if the compiler does not load."""
    try:
        from arena import kernel_cache

        return kernel_cache
    except Exception as error:
        raise ArenaError(
            f"the compiler does not load ({type(error).__name__}: {error}); run arena doctor"
        ) from None


def kernel_files() -> list[KernelFile]:
    """All compiled kernels of ours, of earlier versions too."""
    return [
        file
        for root in roots()
        for folder in _own_directories(root)
        for file in _files_in(folder, is_old=folder.name != "kernels")
    ]


def remove(files: Iterable[KernelFile]) -> list[int]:
    """Remove compiled kernels, and the folders of earlier versions if empty; bytes a file."""
    sizes = []
    for file in files:
        with suppress(OSError):  # it stays
            file.path.unlink()
            sizes.append(file.bytes)
    for root in roots():
        for top in _own_directories(root):
            if top.name != "kernels":
                for folder, _, _ in os.walk(top, topdown=False):
                    with suppress(OSError):  # something that is not ours may lie in it
                        os.rmdir(folder)
    return sizes


def _own_directories(root: Path) -> Iterator[Path]:
    """Directories, no links to any, that bear our name and belong to this user."""
    try:
        entries = list(os.scandir(root))
    except OSError:
        return
    for entry in entries:
        if FOLDER.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
            mine = not hasattr(os, "getuid") or entry.stat().st_uid == os.getuid()
            if mine:
                yield Path(entry.path)


def _files_in(top: Path, is_old: bool) -> Iterator[KernelFile]:
    now = time.time()
    for folder, _, names in os.walk(top):
        for name in names:
            path = Path(folder, name)
            try:
                about = path.lstat()
            except FileNotFoundError:  # somebody else clears it too
                continue
            age = now - about.st_mtime
            if COMPILED.fullmatch(name):
                yield KernelFile(path, about.st_size, is_old or age > UNUSED_DAYS * 86400)
            elif UNFINISHED.fullmatch(name) and age > RECENT:
                yield KernelFile(path, about.st_size, is_unused=True)


def examine_kernels() -> Iterator[Diagnosis]:
    """Check the compiler, its cache, and a kernel as an example."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        detail = "NUMBA_DISABLE_JIT is set: engines play hundreds of times slower"
        yield Diagnosis("compiler", "warning", detail, "unset NUMBA_DISABLE_JIT")
        return
    try:
        yield compiler()
        yield cache()
        yield one_kernel()
    except Exception as error:  # whatever is wrong with the compiler
        detail, remedy = one_line(error), "python -m pip install --force-reinstall numba"
        if "NUMBA_CACHE_DIR" in os.environ:
            remedy = "unset NUMBA_CACHE_DIR, or let it name a directory that can be written"
        yield Diagnosis("compiler", "problem", detail, remedy)


def compiler() -> Diagnosis:
    """Compile something small, without any cache."""
    import numba

    def twice(number: int) -> int:
        return number + number

    begin = time.perf_counter()
    compiled: Any = numba.njit(twice)
    right = compiled(21) == 42
    spent = time.perf_counter() - begin
    if not right:
        return Diagnosis(
            "compiler", "problem", "compiled code gives wrong results", "reinstall numba"
        )
    return Diagnosis("compiler", "ok", f"works, {duration(spent)}", data={"seconds": spent})


def cache() -> Diagnosis:
    """Where compiled kernels are kept, and whether there is room."""
    where, files = directory(), kernel_files()
    unused = [file for file in files if file.is_unused]
    size = sum(file.bytes for file in unused)
    data = {
        "directory": where,
        "files": len(files),
        "unused_files": len(unused),
        "unused_bytes": size,
    }
    if where is None or not can_be_written(where):
        remedy = "make it writable, or let NUMBA_CACHE_DIR name another directory"
        detail = f"{where or roots()[0]} cannot be written: kernels are recompiled on every run"
        return Diagnosis("kernel cache", "warning", detail, remedy, data)
    detail = f"{where}, {how_many(len(files), 'file') if files else 'empty as yet'}"
    if unused:
        detail += f", {in_bytes(size)} of it unused for {UNUSED_DAYS} days"
    if where.parent != roots()[0]:
        remedy = f"make {roots()[0]} writable"
        return Diagnosis("kernel cache", "warning", f"{detail}, which is temporary", remedy, data)
    if shutil.disk_usage(where).free < MIN_FREE:
        return Diagnosis(
            "kernel cache", "warning", f"{detail}; the disk is full", "free some", data
        )
    if size > MAX_UNUSED:
        return Diagnosis(
            "kernel cache", "warning", detail, "arena doctor --clear-cache frees them", data
        )
    return Diagnosis("kernel cache", "ok", detail, data=data)


def one_kernel() -> Diagnosis:
    """Load a small kernel of ours from the cache, or compile it into there, and let it work."""
    from arena import jit  # which needs the compiler

    kernel: Any = jit.nanoseconds
    clock = (jit.CLOCK_ADDRESS, jit.CLOCK_KIND)
    begin = time.perf_counter()
    kernel(*clock)
    spent = time.perf_counter() - begin
    before = time.monotonic_ns()
    if not before <= kernel(*clock) <= time.monotonic_ns():
        raise ArenaError("a kernel reads another clock than Python does")
    loaded = bool(kernel.stats.cache_hits)
    how = "loaded" if loaded else "compiled"
    data = {"from_cache": loaded, "seconds": spent}
    return Diagnosis("kernels", "ok", f"{how} one in {duration(spent)}", data=data)


def can_be_written(folder: Path) -> bool:
    """Check that a file can be created there, by creating one."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
