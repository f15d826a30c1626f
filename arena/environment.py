"""Where a run took place: versions, system, processor and cores, and nothing about whose it is."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

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
