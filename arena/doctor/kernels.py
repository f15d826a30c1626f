"""The doctor on kernels: whether they can be compiled, kept and loaded, and how long that takes."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.doctor.caches import directory, every_cache, is_ours, roots
from arena.doctor.diagnosis import Diagnosis, one_line
from arena.errors import ArenaError
from arena.show.numbers import duration, in_bytes

MUCH = 200e6  # bytes of kernels that nobody needs
LITTLE = 100e6  # bytes left on the disk


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
    from arena.engine.warm_up import with_sound_cache

    kernel: Any = jit.nanoseconds
    clock = (jit.CLOCK_ADDRESS, jit.CLOCK_KIND)
    begin = time.perf_counter()
    with_sound_cache(lambda: kernel(*clock))
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
