"""Where weights went, step by step: every one at first, later only as many as a plot can show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_ROWS = 2**14


class Course(NamedTuple):
    """The names of weights, the steps after which they are told, and a row of them for each."""

    names: list[str]
    steps: Ints
    rows: Floats


NO_COURSE = Course([], np.empty(0, dtype=np.int64), np.empty((0, 0)))


class Trajectory:
    """The weights at the start and after each step; every second row goes when there are too many.

    What it holds depends on the steps alone, not on how they were handed over.
    """

    def __init__(self, start: Floats) -> None:
        self.rows: Floats = start.reshape(1, -1).copy()
        self.steps = 0
        self.every = 1  # steps between two rows

    def add(self, weights: Floats) -> None:
        """Go on with the weights after each of some more steps, one row a step."""
        after = np.arange(self.steps + 1, self.steps + len(weights) + 1)
        self.rows = np.concatenate([self.rows, weights[after % self.every == 0]])
        self.steps += len(weights)
        while len(self.rows) > MOST_ROWS:
            self.rows = self.rows[::2].copy()
            self.every *= 2

    def course(self, names: list[str]) -> Course:
        """All of it for plots and files."""
        return Course(names, np.arange(len(self.rows), dtype=np.int64) * self.every, self.rows)
