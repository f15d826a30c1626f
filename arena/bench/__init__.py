"""Benchmarks: the speed of kernels, harness and solver, and the strength of engines."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

import llvmlite.binding

from arena.show.terminal import cross, tick


def aim_cell(aim: str, reached: bool | None) -> str:
    """Format an aim with a tick or a cross; empty without an aim."""
    return "" if reached is None else f"{aim} {tick() if reached else cross()}"


def machine() -> dict[str, str]:
    """The processor and the versions, on which speed depends."""
    return {
        "processor": f"{llvmlite.binding.get_host_cpu_name()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }
