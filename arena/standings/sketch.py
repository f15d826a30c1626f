"""Percentiles of any number of numbers in little room."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.standings.evidence import Numbers
from arena.standings.games import Counts

SCALES = {"time": (-24, 20), "cpu": (-24, 20), "nodes": (0, 63), "depth": (0, 15)}  # in doublings
STEPS = 64  # bins of a doubling
CUT = 23 - 6  # bits of a float's fraction that do not matter
BIAS = 127  # of a float's exponent


@dataclass(frozen=True)
class Spread:
    """Where some numbers lie; median and 95th percentile are estimated, to 1 % of themselves."""

    mean: float
    median: float
    p95: float
    most: float
    count: int

    def take(self, name: str) -> float:
        """One of them, as files name it: median, p95, max."""
        return {"median": self.median, "p95": self.p95, "max": self.most}[name]


class Sketch:
    """A histogram on a logarithmic scale for each owner.

    Each doubling is cut into 64 bins of equal width, found in the leading bits of a number as a
    float of 4 bytes. A number is taken to be the middle of its bin, so a percentile is off by at
    most one part in 128 (0.8 %); whole numbers below 128 have bins of their own and are exact.
    Count, mean, least and most are exact always. What is below the scale falls into the lowest bin,
    and what is above it into the highest; the least and the most bound every percentile.
    """

    def __init__(self, owners: int, measure: str) -> None:
        """The scale is that of a measure; 0 has a bin of its own."""
        self.whole = measure not in ("time", "cpu")
        lowest, highest = SCALES.get(measure, SCALES["depth"])
        self.start = (BIAS + lowest) * STEPS - 1
        self.bins = (highest - lowest) * STEPS + 1
        self.table: Counts = np.zeros((owners, self.bins), np.int64)
        self.count: Counts = np.zeros(owners, np.int64)
        self.sum: Numbers = np.zeros(owners)
        self.least: Numbers = np.full(owners, np.inf)
        self.most: Numbers = np.zeros(owners)

    def add(self, owner: Counts, values: Numbers) -> None:
        """Count some numbers, none of them negative, each for its owner."""
        owners = len(self.count)
        bits = values.astype(np.float32).view(np.int32) >> CUT
        place = np.clip(bits - self.start, 0, self.bins - 1)
        np.add.at(self.table.reshape(-1), owner * self.bins + place, 1)
        self.count += np.bincount(owner, minlength=owners)
        self.sum += np.bincount(owner, weights=values, minlength=owners)
        np.minimum.at(self.least, owner, values)
        np.maximum.at(self.most, owner, values)

    def spread(self, owner: int) -> Spread | None:
        """What is known of an owner's numbers; None if there are none."""
        count = int(self.count[owner])
        if not count:
            return None
        return Spread(
            mean=float(self.sum[owner] / count),
            median=self._quantile(owner, 0.5),
            p95=self._quantile(owner, 0.95),
            most=float(self.most[owner]),
            count=count,
        )

    def _quantile(self, owner: int, share: float) -> float:
        """Between the two nearest numbers in order of size, in proportion."""
        place = share * (int(self.count[owner]) - 1)
        below = int(place)
        upto = np.cumsum(self.table[owner])
        low, high = np.searchsorted(upto, [below, below + 1], side="right")
        first, second = self._middle(int(low)), self._middle(min(int(high), self.bins - 1))
        value = first + (place - below) * (second - first)
        return float(min(max(value, self.least[owner]), self.most[owner]))

    def _middle(self, place: int) -> float:
        """The number that stands for a bin."""
        if place == 0:
            return 0.0
        edges = np.array([place, place + 1], np.int32) + self.start
        low, high = (edges << CUT).view(np.float32).astype(float)
        return float((low + high) // 2 if self.whole else (low + high) / 2)
