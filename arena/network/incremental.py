"""The sums of a small network, updated move by move along a search instead of summed up anew.

A move changes how two cells look: the one that is filled, and the one above it, where the next disc
can land. Only tuples with one of these cells look different after it. Sums are whole numbers,
`UNIT` to 1, so that an updated sum is exactly what a new sum would be. Both of them, with the first
player to move and with the second, lie in one word: a table entry changes both at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arena.game.bits import U1, Board, free_cells, new_record
from arena.game.rules import MAX_CELLS
from arena.jit import gather, kernel, lowest, read_word

if TYPE_CHECKING:
    from arena.network.network import Network

Incremental = np.record

UNIT = 1 << 20
MAX_PLACES = 1024  # cells of all tuples together
HALF = 32  # bits of a word for each of the two sums

INCREMENTAL = np.dtype(
    [
        ("table", np.int64),  # the address of the words
        ("first", np.int64, MAX_CELLS + 1),  # by cell: where its tuples start in the next three
        ("mask", np.uint64, MAX_PLACES),
        ("start", np.int64, MAX_PLACES),  # the first word of a tuple
        ("length", np.uint64, MAX_PLACES),
    ],
    align=True,
)


class IncrementalSums:
    """A network's weights as words of two sums, and which tuples each cell belongs to."""

    def __init__(self, network: Network) -> None:
        self.table = np.zeros(network.size, np.int64)
        self.record: Incremental = new_record(INCREMENTAL)
        self.record.table = self.table.ctypes.data
        whole = np.rint(network.weights.astype(np.float64) * UNIT).astype(np.int64)
        for cells, start in zip(network.tuples, network.starts, strict=True):
            numbers = np.arange(4 ** len(cells))
            swapped = _swapped(numbers, len(cells))
            words = (whole[0, start + numbers] << HALF) + whole[1, start + swapped]
            self.table[start + numbers] = words
        at = 0
        for cell in range(network.rules.cells):
            self.record.first[cell] = at
            for cells, start in zip(network.tuples, network.starts, strict=True):
                if cell in cells:
                    self.record.mask[at] = sum(1 << each for each in cells)
                    self.record.start[at], self.record.length[at] = start, len(cells)
                    at += 1
        self.record.first[network.rules.cells] = at

    @staticmethod
    def suits(network: Network) -> bool:
        """Whether it pays: no images to turn, few tuples a cell, and sums that fit their half."""
        places = sum(len(cells) for cells in network.tuples)
        largest = float(np.abs(network.weights).max(initial=0.0)) * len(network.tuples)
        small = places <= MAX_PLACES and largest * UNIT < 2 ** (HALF - 2)
        return not network.shared and small


def _swapped(numbers: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """The numbers of weights with mine and theirs exchanged."""
    low = numbers & ((1 << length) - 1)
    return (low << length) | (numbers >> length)


@kernel
def position_sums(
    board: Board, incremental: Incremental, first: np.uint64, second: np.uint64
) -> int:
    """Both sums of a position, by the discs of the first player and of the second."""
    free = free_cells(board, first | second)
    total = 0
    for cell in range(board.cells):
        for k in range(incremental.first[cell], incremental.first[cell + 1]):
            if lowest(incremental.mask[k]) == cell:  # each tuple once, at its lowest cell
                total += _word(incremental, k, first | free, second | free)
    return total


@kernel
def sums_change(
    board: Board,
    incremental: Incremental,
    first: np.uint64,
    second: np.uint64,
    disc: np.uint64,
    ply: int,
) -> int:
    """What a disc adds to both sums; before it, `ply` discs were on the board."""
    free = free_cells(board, first | second)
    low, high = first | free, second | free
    after = free_cells(board, first | second | disc)
    new_low = first | after | (disc if ply & 1 == 0 else np.uint64(0))
    new_high = second | after | (disc if ply & 1 == 1 else np.uint64(0))
    total = 0
    cell = lowest(disc)
    for k in range(incremental.first[cell], incremental.first[cell + 1]):
        total += _word(incremental, k, new_low, new_high) - _word(incremental, k, low, high)
    above = (disc << U1) & after
    if above != np.uint64(0):
        for k in range(incremental.first[cell + 1], incremental.first[cell + 2]):
            if incremental.mask[k] & disc == np.uint64(0):
                total += _word(incremental, k, new_low, new_high) - _word(incremental, k, low, high)
    return total


@kernel
def _word(incremental: Incremental, k: int, low: np.uint64, high: np.uint64) -> Any:
    mask = incremental.mask[k]
    number = gather(low, mask) | (gather(high, mask) << incremental.length[k])
    return np.int64(read_word(incremental.table, incremental.start[k] + np.int64(number)))


@kernel
def sum_to_move(sums: int, ply: int) -> float:
    """The sum of a position with so many discs, for the player to move."""
    odd = np.int64(np.int32(sums & 0xFFFFFFFF))
    return (odd if ply & 1 else (sums - odd) >> HALF) / UNIT
