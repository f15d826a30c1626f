"""The machine and its load, recorded with every run.

No figure identifies the machine or its owner.
"""

from __future__ import annotations

import math
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil

PACKAGES = ("numpy", "numba", "llvmlite", "multiprocess", "pydantic", "pyyaml")
MIN_MEMORY_LEFT = 0.25  # of all memory: with less, unused processes of bots are closed
MEGABYTE = 2**20
PROC, CGROUPS = "/proc", "/sys/fs/cgroup"


def environment() -> dict[str, Any]:
    """The machine and the software that the figures of a run depend on, ready for JSON."""
    import sqlite3  # hosts of bots, which start often, do without

    return {
        "arena": _version("connect-arena"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "usable_cores": usable_cores(),
        "sqlite": sqlite3.sqlite_version,
        **{name: _version(name) for name in PACKAGES},
    }


def usable_cores() -> int:
    """How many cores this process may use: by its affinity and by the quota of its container."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return max(1, int(min(cores, cgroup_quota())))


def memory_left() -> float:
    """The share of this machine's memory, or of its container's, that is still available."""
    return min(left / of for left, of in _memories())


def free_memory() -> float:
    """The bytes of memory that are still available, also to its container."""
    return max(0.0, min(left for left, _ in _memories()))


def _memories() -> Iterator[tuple[float, float]]:
    """The free bytes and all bytes of this machine, and of each control group with a limit."""
    memory = psutil.virtual_memory()
    yield memory.available, memory.total
    old = ("memory.limit_in_bytes", "memory.usage_in_bytes")
    for words in _cgroups("memory", old, ("memory.max", "memory.current")):
        with suppress(ValueError):  # "max" without a limit
            limit, used = map(int, words)
            yield limit - used, limit


def cgroup_quota() -> float:
    """The cores that the control groups of this process allow; infinite without a quota."""
    quotas = [math.inf]
    for words in _cgroups("cpu", ("cpu.cfs_quota_us", "cpu.cfs_period_us"), ("cpu.max",)):
        with suppress(ValueError, ZeroDivisionError):
            quota, period = map(int, words)  # "max 100000" without a quota, or -1
            quotas += [quota / period] if quota > 0 else []
    return min(quotas)


def _cgroups(kind: str, old: Sequence[str], new: Sequence[str]) -> Iterator[list[str]]:
    """The words in these files of each control group of this process, by version 1 or 2."""
    for line in _read(f"{PROC}/self/cgroup").splitlines():
        _, kinds, name = line.split(":", 2)
        if not kinds or kind in kinds.split(","):
            group = Path(CGROUPS, kinds, name.strip("/"))
            for folder in (group, *group.parents):
                yield " ".join(
                    _read(str(folder / file)) for file in (old if kinds else new)
                ).split()


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@cache
def processor() -> str:
    """The name of the processor, as exactly as the system knows it."""
    name = _from_sysctl() if sys.platform == "darwin" else _from_cpuinfo(f"{PROC}/cpuinfo")
    return name or platform.processor() or platform.machine() or "unknown"


def _from_cpuinfo(file: str) -> str:
    for line in _read(file).splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model", "cpu model"):
            return " ".join(value.split())
    return ""


def _from_sysctl() -> str:
    command = ["sysctl", "-n", "machdep.cpu.brand_string"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


@cache
def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # loads slowly

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def cores_in_use(seconds: float = 0.1) -> float:
    """How many cores are busy while this thread sleeps."""
    return (os.cpu_count() or 1) * psutil.cpu_percent(interval=seconds) / 100
