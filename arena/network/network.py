"""A network: its tuples on a board, and a table of weights for each side to move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadOption
from arena.game.bits import OneRecord, record_of
from arena.game.position import Position
from arena.game.rules import Rules
from arena.network.tuples import Cells, given_tuples, images, table_sizes
from arena.network.value import NETWORK, Net, network_value

Weights = NDArray[np.float32]

MAX_UNFOLDED = 1 << 20  # weights that a network may grow to when it is unfolded


class Network:
    """Tuples of cells and their weights; all symmetries of the board share them.

    `weights` has a row for each side to move: with an even number of discs on the board, and odd.
    """

    def __init__(
        self,
        rules: Rules,
        tuples: Sequence[Sequence[int]],
        weights: Weights | None = None,
        shared: bool = True,
    ) -> None:
        self.rules = rules
        self.tuples: list[Cells] = given_tuples(rules, tuples)
        self.shared = shared
        sizes = table_sizes(self.tuples)
        self.size = sum(sizes)
        self.starts = [sum(sizes[:k]) for k in range(len(sizes))]
        self.weights = np.zeros((2, self.size), np.float32) if weights is None else weights
        if self.weights.shape != (2, self.size) or self.weights.dtype != np.float32:
            raise BadOption(f"weights of {self.weights.shape} do not fit {len(sizes)} tuples")
        self.about: dict[str, Any] = {}  # where the weights come from, by their file
        self.tables: OneRecord = np.zeros(1, NETWORK)
        self.record: Net = record_of(self.tables)
        self._fill(self.record)

    def _fill(self, record: Net) -> None:
        """Write down what kernels read."""
        rules = self.rules
        symmetries = rules.symmetries if self.shared else rules.symmetries[:1]
        record.tuples, record.span = len(self.tuples), self.size
        record.symmetries = len(symmetries)
        record.weights = self.weights.ctypes.data
        count = len(self.tuples)
        record.mask[:count] = [sum(1 << cell for cell in cells) for cells in self.tuples]
        record.start[:count] = self.starts
        record.length[:count] = [len(cells) for cells in self.tuples]
        for k, symmetry in enumerate(symmetries):
            record.column[k, : rules.columns] = symmetry
            places = [divmod(cell, rules.height) for cell in range(rules.cells)]
            record.cell[k, : rules.cells] = [symmetry[c] * rules.height + z for c, z in places]

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies, in this process or another, have a record that points to their own weights."""
        parts = self.rules, self.tuples, self.weights, self.shared
        return Network, parts, {"about": self.about}

    def value(self, position: Position) -> float:
        """The value of an unfinished position to the player to move, from -1 to 1."""
        return float(network_value(record_of(self.rules.board), self.record, *position.words))

    def __str__(self) -> str:
        """Its size, and where its weights come from: "18 tuples, games 160000, seed 1"."""
        about = [f"{key} {value}" for key, value in self.about.items() if key != "sha256"]
        return ", ".join([f"{len(self.tuples)} tuples", *about])

    @cached_property
    def unfolded(self) -> Network:
        """The same values without turning the board: a table for every image of every tuple.

        Quicker where the tables are small; a large network stands for itself. It is made once, of
        the weights as they are then.
        """
        masks = {cells for own in self.tuples for cells in images(self.rules, own)}
        if not self.shared or sum(4 ** len(cells) for cells in masks) > MAX_UNFOLDED:
            return self
        wide = Network(self.rules, sorted(masks), shared=False)
        start_of = dict(zip(wide.tuples, wide.starts, strict=True))
        height = self.rules.height
        for cells, start in zip(self.tuples, self.starts, strict=True):
            numbers = np.arange(4 ** len(cells))
            for symmetry in self.rules.symmetries:
                back = {symmetry[cell // height] * height + cell % height: cell for cell in cells}
                # A cell that looks so in the image is one that looks so where it came from.
                target = tuple(sorted(back))
                moved = _renumbered(numbers, [cells.index(back[cell]) for cell in target])
                wide.weights[:, start_of[target] + numbers] += self.weights[:, start + moved]
        return wide


def _renumbered(numbers: NDArray[np.int64], places: list[int]) -> NDArray[np.int64]:
    """Numbers of weights whose k-th cell becomes the cell at places[k]."""
    length = len(places)
    moved = np.zeros_like(numbers)
    for k, place in enumerate(places):
        moved |= (numbers >> k & 1) << place
        moved |= (numbers >> (length + k) & 1) << (length + place)
    return moved
