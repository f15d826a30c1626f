"""Where a run took place: versions, system, processor and cores, and nothing about whose it is."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

NOTICED = 0.5  # cores that others use
PACKAGES = ("numpy", "numba", "llvmlite", "multiprocess", "pydantic", "pyyaml")


def environment() -> dict[str, Any]:
    """What the figures of a run depend on, ready for JSON."""
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
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def processor() -> str:
    """The processor as its maker calls it, or the best that the system tells."""
    told = ""
    if sys.platform == "linux":
        told = _from_cpuinfo(Path("/proc/cpuinfo"))
    elif sys.platform == "darwin":
        told = _from_sysctl()
    return told or platform.processor() or platform.machine() or "unknown"


def _from_cpuinfo(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in text.splitlines():
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
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def cores_in_use(seconds: float = 0.1) -> float:
    """How many cores are at work while this thread sleeps for so long; by the load otherwise."""
    before = _core_times()
    if before is None:
        return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    time.sleep(seconds)
    after = _core_times() or before
    working, all_of_it = (late - early for early, late in zip(before, after, strict=True))
    return (os.cpu_count() or 1) * working / all_of_it if all_of_it > 0 else 0.0


def _core_times(file: Path = Path("/proc/stat")) -> tuple[int, int] | None:
    """What all cores together have worked since the start of the system, and how long they were on.

    None where the system does not tell.
    """
    try:
        with file.open() as lines:
            name, *spent = lines.readline().split()
        user, nice, system, idle, waiting, *others = map(int, spent[:8])
    except (OSError, ValueError):
        return None
    working = user + nice + system + sum(others)
    return (working, working + idle + waiting) if name == "cpu" else None


def crowding(tables: int, cores: int, others: float, seconds: float | None = None) -> str | None:
    """Why limits by the clock are unfair here, and what helps; None if there is room for all.

    `others` is how many cores are at work already, `seconds` the limit of a move.
    """
    reasons = []
    if others >= NOTICED and tables + others > cores - NOTICED:
        reasons.append(f"{others:.1f} of {cores} cores are at work for others")
    if tables >= cores:
        count = "1 table leaves" if tables == 1 else f"{tables} tables leave"
        reasons.append(f"{count} {'no core' if cores == 1 else f'none of {cores} cores'} free")
    if not reasons:
        return None
    room = max(1, int(cores - max(others, NOTICED)))
    fewer = f"--workers {room} gives them more, " if room < tables else ""
    limit = ".." if seconds is None else f"{seconds:g}"
    return (
        f"limits are by the clock, and {' and '.join(reasons)}: engines may get less than their "
        f"time; {fewer}limits: {{cpu: {limit}}} counts the same on any load"
    )
