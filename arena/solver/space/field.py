"""What a search in space works on: a board's constants, its counters, and room for moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.game.rules import MAX_CELLS, Rules
from arena.game.tables import new_record
from arena.jit import CLOCK_ADDRESS

Field = Any  # a record of the layout below

DEPTH = MAX_CELLS + 2

FIELD = np.dtype(
    [
        ("bottom", np.uint64),  # the lowest cell of each column
        ("leading", np.uint64),  # cells with an even number of cells from themselves to the top
        ("index_bits", np.int64),  # of the table
        ("nodes", np.int64),
        ("most", np.int64),  # nodes after which to stop
        ("deadline", np.int64),  # nanoseconds of the monotonic clock; 0: none
        ("cpu_deadline", np.int64),  # of the thread's processor clock
        ("clock", np.int64),  # their address, see arena.jit
        ("stopped", np.bool_),
        ("moves", np.uint64, (DEPTH, MAX_CELLS)),
        ("fresh", np.uint64, (DEPTH, MAX_CELLS)),  # threats that a move makes
        ("ranks", np.int64, (DEPTH, MAX_CELLS)),
    ],
    align=True,
)


def field_of(rules: Rules, index_bits: int) -> Field:
    """A fresh record for a board and a table of 2 ** index_bits entries."""
    field: Any = new_record(FIELD)
    levels = range(rules.height)
    field.bottom = sum(rules.bottoms)
    field.leading = sum(
        bottom << level for bottom in rules.bottoms for level in levels
        if (rules.height - level) % 2 == 0
    )  # fmt: skip
    field.index_bits = index_bits
    field.clock = CLOCK_ADDRESS
    return field
