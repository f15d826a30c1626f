"""How fast and how strong it all is on this machine: kernels, harness, solver, engines, clocks."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

import llvmlite.binding

from arena.show.terminal import cross, tick


def aim_cell(aim: str, reached: bool | None) -> str:
    """An aim in words with its mark; nothing where there is none."""
    return "" if reached is None else f"{aim} {tick() if reached else cross()}"


def machine() -> dict[str, str]:
    """What speed depends on: the processor and the versions."""
    return {
        "processor": f"{llvmlite.binding.get_host_cpu_name()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }
