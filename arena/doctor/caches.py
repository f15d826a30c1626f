"""The kernels that were compiled and kept: where they lie, how many, and how they are removed.

Only directories of our own name in the two places where the arena puts them are looked at, and only
files that Numba writes are removed from them. Whatever else lies there stays.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from arena.errors import ArenaError

OURS = re.compile(r"kernels-[0-9a-f]{16}")  # a fingerprint, see arena/jit.py
COMPILED = re.compile(r".+\.nb[ic]")
UNFINISHED = re.compile(r".+\.nb[ic]\.tmp\.[0-9a-f]+")
RECENT = 60.0  # seconds: somebody may just be writing there


@dataclass(frozen=True)
class KernelCache:
    """The kernels of one state of the sources."""

    path: Path
    current: bool  # of this version of the arena
    files: int
    bytes: int
    newest: float | None  # when the newest file was written


@dataclass(frozen=True)
class Removed:
    """What is gone, and whether something was left in the directory."""

    files: int
    bytes: int
    all_gone: bool


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


def remove(path: Path) -> Removed:
    """Remove a cache of ours; what another process may just be writing is left to it."""
    if not is_ours(path) or path.is_symlink():
        raise ArenaError(f"{path} is not a kernel cache of the arena; nothing was removed")
    folders = [(Path(folder), names) for folder, _, names in os.walk(path, topdown=False)]
    busy = any(_is_recent(folder) for folder, _ in folders)
    freed = []
    for folder, names in folders:
        for name in names:
            if COMPILED.fullmatch(name) or (UNFINISHED.fullmatch(name) and not busy):
                freed.append(_unlink(folder / name))
        if not busy:
            with suppress(OSError):  # something that is not ours may lie in it
                folder.rmdir()
    gone = [size for size in freed if size is not None]
    return Removed(len(gone), sum(gone), not path.exists())


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


def _unlink(file: Path) -> int | None:
    """Remove a file; how large it was, or None if it stays."""
    try:
        size = file.lstat().st_size
        file.unlink()
    except OSError:
        return None
    return size


def _is_recent(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime < RECENT
    except FileNotFoundError:
        return False
