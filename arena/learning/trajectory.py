"""Where weights went, step by step: every one at first, later only as many as a plot can show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_ROWS = 2**14


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

    @property
    def at(self) -> NDArray[np.int64]:
        """How many steps had been made at each row."""
        return np.arange(len(self.rows), dtype=np.int64) * self.every
