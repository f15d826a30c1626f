"""What every bench prints: a plain table, whether an aim is reached, and the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version

import llvmlite.binding
from rich.table import Table

from arena.show.terminal import cross, tick


def plain_table(words: Sequence[str], numbers: Sequence[str]) -> Table:
    """A table without lines: columns of words, which stand left, then of numbers."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in words:
        table.add_column(heading, no_wrap=True)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


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
