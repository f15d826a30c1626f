"""Which states of a tuple can occur: discs fall, and so most of the 4 ** n never do.

In a column that holds h discs all cells below h are mine or theirs, the one at h is where the next
disc lands, and those above are empty. Of the 65,536 states of a tuple of 8 cells on the 7x6 board
that leaves 961 to 20,480, on average 4,500.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from arena.network.network import Network
from arena.network.tuples import Cells

Numbers = NDArray[np.int64]


def reachable_numbers(network: Network) -> Numbers:
    """The numbers of all weights that a position can ask for, tuple by tuple."""
    height = network.rules.height
    tables = zip(network.tuples, network.starts, strict=True)
    return np.concatenate([start + reachable_states(cells, height) for cells, start in tables])


def reachable_states(cells: Cells, height: int) -> Numbers:
    """The states of a tuple that can occur, as numbers of weights within its table."""
    states, place = np.zeros(1, np.int64), 0
    for _, inside in groupby(cells, lambda cell: cell // height):
        levels = tuple(cell % height for cell in inside)
        low, high = _column_states(levels, height)
        column = low << place | high << (len(cells) + place)
        states = (states[:, None] | column).ravel()
        place += len(levels)
    return states


@lru_cache(maxsize=1024)
def _column_states(levels: tuple[int, ...], height: int) -> tuple[Numbers, Numbers]:
    """The low and high bits of all states of cells at these levels of one column."""
    states: set[tuple[int, int]] = set()
    for discs in range(height + 1):
        filled = [1 << k for k, level in enumerate(levels) if level < discs]
        free = sum(1 << k for k, level in enumerate(levels) if level == discs)
        for owners in product((False, True), repeat=len(filled)):
            mine = sum(bit for bit, own in zip(filled, owners, strict=True) if own)
            states.add((free | mine, free | sum(filled) - mine))
    pairs = np.array(sorted(states), np.int64)
    return pairs[:, 0], pairs[:, 1]
