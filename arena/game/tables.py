"""A board as the record of tables that kernels read.

A record reaches a kernel as one pointer, however many tables it holds, and all boards share one
record type: each kernel is compiled once, and calls between kernels cost nothing.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena.game.rules import DIRECTIONS, MAX_CELLS, Direction, Rules

Board = np.record
Bits = NDArray[np.uint64]
Ints = NDArray[np.int64]

# A cell lies on fewer lines than two ways along each direction for each connect; with at most 64
# cells no board comes near this many places on lines (4x4x4 connect 2 has 936).
MAX_PLACES = 1664

BOARD = np.dtype(
    [
        ("connect", np.int64),
        ("cells", np.int64),
        ("height", np.int64),
        ("width", np.int64),  # how many columns a disc can be dropped into
        ("upright", np.bool_),  # a flat board
        ("full", np.uint64),  # every cell
        ("floor", np.uint64),  # the lowest cells of all columns
        ("bottoms", np.uint64, MAX_CELLS),  # by column: its lowest cell
        ("columns", np.uint64, MAX_CELLS),  # by column: all its cells
        ("order", np.int64, MAX_CELLS),  # columns, the most promising first
        ("directions", np.int64),  # how many of the next two tables are in use
        ("steps", np.uint64, len(DIRECTIONS)),  # by direction: from a cell of a line to the next
        ("starts", np.uint64, len(DIRECTIONS)),  # by direction: the cells a line can start at
        ("start", np.int64, MAX_CELLS + 1),  # by cell: where its lines start in `through`
        ("through", np.uint64, MAX_PLACES),  # the lines through cell 0, through cell 1, ...
    ],
    align=True,
)


@lru_cache(maxsize=64)
def board_of(rules: Rules) -> Board:
    """The tables of a game."""
    board = new_record(BOARD)
    board.connect, board.cells, board.height = rules.connect, rules.cells, rules.height
    board.width = rules.columns
    board.upright = rules.is_flat
    board.full, board.floor = 2**rules.cells - 1, sum(rules.bottoms)
    runs = _upright_runs(rules) if rules.is_flat else rules.runs
    board.directions = len(runs)
    counts = [len(lines) for lines in rules.lines_through]
    tables = {
        "bottoms": rules.bottoms,
        "columns": rules.column_masks,
        "order": rules.centre_order,
        "steps": [step for step, _ in runs],
        "starts": [starts for _, starts in runs],
        "start": [sum(counts[:cell]) for cell in range(rules.cells + 1)],
        "through": [line for lines in rules.lines_through for line in lines],
    }
    for name, values in tables.items():
        board[name][: len(values)] = np.array(values, dtype=board[name].dtype)
    return board


def new_record(layout: np.dtype[np.void]) -> np.record:
    """A record of this layout, all zeros."""
    record: np.record = np.zeros(1, dtype=layout).view(np.recarray)[0]
    return record


def _upright_runs(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Column, row, rising and falling diagonal, in this order, also where one has no lines."""
    upright = (Direction(0, 0, 1), Direction(1, 0, 0), Direction(1, 0, 1), Direction(1, 0, -1))
    starts = dict.fromkeys(upright, 0)
    for line in rules.lines:
        starts[line.direction] |= 1 << line.cells[0]
    steps = (1, rules.height, rules.height + 1, rules.height - 1)
    return tuple(zip(steps, starts.values(), strict=True))
