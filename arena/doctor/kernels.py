"""Compiled kernels: whether they can be compiled, kept and loaded, and how they are removed.

Only directories of our own name in the two places where the arena puts them are looked at, and only
files that Numba writes are removed from them. Whatever else lies there stays.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.doctor import Diagnosis, one_line
from arena.errors import ArenaError
from arena.show.numbers import duration, in_bytes

OURS = re.compile(r"kernels-[0-9a-f]{16}")  # a fingerprint, see arena/jit.py
COMPILED = re.compile(r".+\.nb[ic]")
UNFINISHED = re.compile(r".+\.nb[ic]\.tmp\.[0-9a-f]+")
RECENT = 60.0  # seconds: somebody may just be writing there
MUCH = 200e6  # bytes of kernels that nobody needs
LITTLE = 100e6  # bytes left on the disk


@dataclass(frozen=True)
class KernelCache:
    """The kernels of one state of the sources."""

    path: Path
    current: bool  # of this version of the arena
    files: int
    bytes: int
    newest: float | None  # when the newest file was written


def directory() -> Path | None:
    """Where this version keeps its kernels; None if no directory can be written."""
    return Path(os.environ["NUMBA_CACHE_DIR"]) if _compiler().CACHED else None


def roots() -> tuple[Path, ...]:
    """The places where caches of ours may lie."""
    places: tuple[Path, ...] = _compiler().cache_roots()
    return places


def _compiler() -> ModuleType:
    """The module of the compiler, or one sentence if it does not load."""
    try:
        from arena import jit

        return jit
    except Exception as error:
        raise ArenaError(
            f"the compiler does not load ({type(error).__name__}: {error}); arena doctor tells more"
        ) from None


def is_ours(path: Path) -> bool:
    """Whether the arena chose this directory, and not the user by NUMBA_CACHE_DIR."""
    return path.parent in roots() and OURS.fullmatch(path.name) is not None


def every_cache() -> list[KernelCache]:
    """All caches of ours, that of this version first, then the newest."""
    name = f"kernels-{_compiler().fingerprint()}"
    caches = [_look(path, path.name == name) for root in roots() for path in _own_directories(root)]
    return sorted(caches, key=lambda cache: (not cache.current, -(cache.newest or 0.0)))


def remove(path: Path) -> list[int]:
    """Remove a cache of ours, but for what another process may just be writing; bytes a file."""
    if not is_ours(path) or path.is_symlink():
        raise ArenaError(f"{path} is not a kernel cache of the arena; nothing was removed")
    folders = [(Path(folder), names) for folder, _, names in os.walk(path, topdown=False)]
    busy = any(_is_recent(folder) for folder, _ in folders)
    sizes = []
    for folder, names in folders:
        for name in names:
            if COMPILED.fullmatch(name) or (UNFINISHED.fullmatch(name) and not busy):
                with suppress(OSError):  # it stays
                    size = (folder / name).lstat().st_size
                    (folder / name).unlink()
                    sizes.append(size)
        if not busy:
            with suppress(OSError):  # something that is not ours may lie in it
                folder.rmdir()
    return sizes


def _own_directories(root: Path) -> Iterator[Path]:
    """Directories, no links to any, that bear our name and belong to this user."""
    try:
        entries = list(os.scandir(root))
    except OSError:
        return
    for entry in entries:
        if OURS.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
            mine = not hasattr(os, "getuid") or entry.stat().st_uid == os.getuid()
            if mine:
                yield Path(entry.path)


def _look(path: Path, current: bool) -> KernelCache:
    sizes, times = [], []
    for folder, _, names in os.walk(path):
        for name in filter(COMPILED.fullmatch, names):
            try:
                about = os.stat(os.path.join(folder, name))
            except FileNotFoundError:  # somebody else clears it too
                continue
            sizes.append(about.st_size)
            times.append(about.st_mtime)
    return KernelCache(path, current, len(sizes), sum(sizes), max(times, default=None))


def _is_recent(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime < RECENT
    except FileNotFoundError:
        return False


def examine_kernels() -> Iterator[Diagnosis]:
    """Whether the compiler works, whether its work is kept, and a kernel as an example."""
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
            "compiler", "problem", "compiled code computes nonsense", "reinstall numba"
        )
    return Diagnosis("compiler", "ok", f"works, {duration(spent)}", data={"seconds": spent})


def cache() -> Diagnosis:
    """Where compiled kernels are kept, and whether there is room."""
    where = directory()
    caches = every_cache()
    stale = [each for each in caches if not each.current and each.files]
    kept = sum(each.files for each in caches if each.current)
    size = sum(each.bytes for each in stale)
    data = {"directory": where, "files": kept, "stale": len(stale), "stale_bytes": size}
    if where is None or not can_be_written(where):
        remedy = "make it writable, or let NUMBA_CACHE_DIR name another directory"
        detail = f"{where or roots()[0]} cannot be written: runs may have to compile"
        return Diagnosis("kernel cache", "warning", detail, remedy, data)
    detail = f"{where}, {f'{kept} files' if kept or not is_ours(where) else 'empty as yet'}"
    if stale:
        other = "another version" if len(stale) == 1 else f"{len(stale)} other versions"
        detail += f", {in_bytes(size)} of {other}"
    if is_ours(where) and where.parent != roots()[0]:
        remedy = f"make {roots()[0]} writable"
        return Diagnosis("kernel cache", "warning", f"{detail}, which is temporary", remedy, data)
    if shutil.disk_usage(where).free < LITTLE:
        return Diagnosis(
            "kernel cache", "warning", f"{detail}; the disk is full", "free some", data
        )
    if size > MUCH:
        return Diagnosis("kernel cache", "warning", detail, "arena cache clear frees them", data)
    return Diagnosis("kernel cache", "ok", detail, data=data)


def one_kernel() -> Diagnosis:
    """Load a small kernel of ours from the cache, or compile it into there, and let it work."""
    from arena import jit  # which needs the compiler
    from arena.engine.warm_up import retry_with_clean_cache

    kernel: Any = jit.nanoseconds
    clock = (jit.CLOCK_ADDRESS, jit.CLOCK_KIND)
    begin = time.perf_counter()
    retry_with_clean_cache(lambda: kernel(*clock))
    spent = time.perf_counter() - begin
    before = time.monotonic_ns()
    if not before <= kernel(*clock) <= time.monotonic_ns():
        raise ArenaError("a kernel reads another clock than Python does")
    loaded = bool(kernel.stats.cache_hits)
    how = "loaded" if loaded else "compiled"
    data = {"from_cache": loaded, "seconds": spent}
    return Diagnosis("kernels", "ok", f"{how} one in {duration(spent)}", data=data)


def can_be_written(folder: Path) -> bool:
    """Whether a file can be made there; asked by making one."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
