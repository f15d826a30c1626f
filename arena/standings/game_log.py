"""Every game of a tournament in 12 bytes: who sat where, the result, and a hash of the opening.

Outcomes are counted from here, whenever somebody asks for them; and which games have one opening is
what the errors of ratings need.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

LOSS, DRAW, WIN = 0, 1, 2
VALUES = np.array([0.0, 0.5, 1.0])  # points of each
SNAPSHOTS = 40  # of the outcomes, over a whole run


class GameLog:
    """The games by number, from 1; players are numbers in the line-up."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.hashes = array("q")
        self.cells = array("i")  # first, second and result in one number; -1 where no game is

    def append(self, first: int, second: int, result: int, opening: bytes) -> None:
        """The next game, with its result for the first player."""
        self.hashes.append(hash(opening))
        self.cells.append((first * self.players + second) * 3 + result + 1)

    def put(self, number: int, first: int, second: int, result: int, opening: bytes) -> None:
        """The game of a number; games may come in any order, but leave no gaps."""
        if number > len(self.cells):
            missing = number - len(self.cells) - 1
            self.hashes.extend([0] * missing)
            self.cells.extend([-1] * missing)
            self.append(first, second, result, opening)
        else:
            self.hashes[number - 1] = hash(opening)
            self.cells[number - 1] = (first * self.players + second) * 3 + result + 1

    def until(self, number: int) -> GameLog:
        """The games up to a number."""
        log = GameLog(self.players)
        log.hashes, log.cells = self.hashes[:number], self.cells[:number]
        return log

    def outcomes(self) -> Counts:
        """How often each came: [first, second, LOSS | DRAW | WIN of the first player]."""
        return self._table(np.array(self.cells, np.int64))

    def over_time(self) -> Iterator[tuple[int, Counts]]:
        """Games so far and outcomes so far, at most some 40 times, the last time at the end."""
        cells = np.array(self.cells, np.int64)
        cells = cells[cells >= 0]
        so_far, start = self._table(cells[:0]), 0
        for step in range(1, SNAPSHOTS + 1):
            end = round(step * len(cells) / SNAPSHOTS)
            if end > start:
                so_far = so_far + self._table(cells[start:end])
                yield end, so_far
                start = end

    def _table(self, cells: Counts) -> Counts:
        shape = self.players, self.players, 3
        counts = np.bincount(cells[cells >= 0], minlength=3 * self.players**2)
        return counts.reshape(shape)
