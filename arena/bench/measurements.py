"""Measured values beside their aims, in a table or as data."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from statistics import median
from typing import Any, Literal

import llvmlite.binding

from arena.show.numbers import amount, duration, whole_percent
from arena.show.progress import counted
from arena.show.table import Column, Table
from arena.show.terminal import console, cross, print_json, tick

Unit = Literal["/s", "s", "MB", "times", ""]
LESS_IS_BETTER: tuple[Unit, ...] = ("s", "MB")


@dataclass(frozen=True, slots=True)
class Measurement:
    """The values of a figure, one for each repeat, and its aim."""

    name: str
    unit: Unit
    values: tuple[float, ...]
    aim: float | None = None
    board: str = ""

    @property
    def median(self) -> float:
        """The median of the repeats."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """The range of the repeats, as a share of the median."""
        return (max(self.values) - min(self.values)) / self.median if self.median else 0.0

    @property
    def reached(self) -> bool | None:
        """True if the aim is met; None without an aim."""
        if self.aim is None:
            return None
        if self.unit in LESS_IS_BETTER:
            return self.median <= self.aim
        return self.median >= self.aim

    def data(self) -> dict[str, Any]:
        """The measurement for programs."""
        figures = {"median": self.median, "spread": self.spread, "reached": self.reached}
        return {**asdict(self), **figures}

    def cells(self) -> tuple[str, ...]:
        """Name, board, median, spread and aim as people read them."""
        spread = whole_percent(self.spread) if len(self.values) > 1 else ""
        sign = tick() if self.reached else cross()
        aim = "" if self.aim is None else f"{self._words(self.aim)} {sign}"
        return self.name, self.board, self._words(self.median), spread, aim

    def _words(self, value: float) -> str:
        if self.unit == "s":
            return duration(value)
        return f"{amount(value)}{'' if self.unit == '/s' else ' '}{self.unit}".rstrip()


def show_measurements(measurements: Iterable[Measurement], count: int, as_json: bool) -> None:
    """Measure all of them, with a line of progress, then print a table or JSON."""
    measured = list(counted(measurements, "measuring", count, at_once=True))
    if as_json:
        print_json({"machine": machine(), "measurements": [each.data() for each in measured]})
        return
    columns = (
        Column(""), Column("board"), Column("median", str), Column("spread", str),
        Column("aim", str),
    )  # fmt: skip
    table = Table("", columns, tuple(each.cells() for each in measured))
    table = table if any(each.board for each in measured) else table.without("board")
    out = console()
    out.print(table.screen(ruled=False))
    out.print(f"\n{', '.join(f'{name} {value}' for name, value in machine().items())}", style="dim")


def machine() -> dict[str, str]:
    """The processor and the versions, on which speed depends."""
    return {
        "processor": f"{llvmlite.binding.get_host_cpu_name()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }
