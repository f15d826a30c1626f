"""Rates by processor time: a busy machine makes a benchmark slower, not wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Literal

Work = Callable[[], tuple[float, float]]  # does some units, tells how many and in how much time


@dataclass(frozen=True, slots=True)
class Workload:
    """Something to be done over and over: what is counted, and how much of it is hoped for."""

    name: str
    board: str
    unit: Literal["per second", "seconds"]  # units in a second, or seconds for a unit
    work: Work
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """What came of a workload: one rate a repeat, and how busy the machine was meanwhile."""

    name: str
    board: str
    unit: Literal["per second", "seconds"]
    rates: tuple[float, ...]
    aim: float | None
    wall: float
    cpu: float

    @property
    def median(self) -> float:
        """The rate in the middle."""
        return median(self.rates)

    @property
    def spread(self) -> float:
        """How far the outer rates lie apart, as a share of the one in the middle."""
        return (max(self.rates) - min(self.rates)) / self.median

    @property
    def reached(self) -> bool | None:
        """Whether the aim is met; None where there is no aim."""
        if self.aim is None:
            return None
        return self.median >= self.aim if self.unit == "per second" else self.median <= self.aim


def measure(workload: Workload, seconds: float, repeats: int) -> Rate:
    """Do the work for so many processor seconds, in so many repeats."""
    workload.work()  # compiles, loads, and fills the processor's caches
    start, cpu = perf_counter(), process_time()
    rates = tuple(_rate(workload, seconds / repeats) for _ in range(repeats))
    wall, cpu = perf_counter() - start, process_time() - cpu
    return Rate(workload.name, workload.board, workload.unit, rates, workload.aim, wall, cpu)


def _rate(workload: Workload, seconds: float) -> float:
    """The rate of one repeat, which does the work at least once."""
    units = spent = 0.0
    begin = process_time()
    while units == 0 or process_time() - begin < seconds:
        done, took = workload.work()
        units += done
        spent += took
    return units / spent if workload.unit == "per second" else spent / units
