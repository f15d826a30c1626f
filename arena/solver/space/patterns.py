"""The record that a search in space works on, and the patterns it looks for.

Patterns are threats, lines that are still open, and the bound they give, on any board of up to 64
cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.game.kernels import has_line
from arena.game.rules import MAX_CELLS, Rules
from arena.game.tables import Board, new_record
from arena.jit import CLOCK_ADDRESS, inlined, kernel, lowest, popcount
from arena.solver.flat.patterns import Number, Word

NONE, ONE = np.uint64(0), np.uint64(1)
NOTHING = 100  # more than any score: no bound

Field = Any  # a record of the layout below, what a search works on

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


@kernel
def fresh_threats(board: Board, own: Word, opp: Word, disc: Word) -> Word:
    """The cells that complete a line through a disc of one's own."""
    threats, cell = NONE, lowest(disc)
    for k in range(board.start[cell], board.start[cell + 1]):
        lacking = board.through[k] & ~own
        if lacking & (lacking - ONE) == NONE and lacking & opp == NONE:
            threats |= lacking
    return threats


@kernel
def all_threats(board: Board, own: Word, opp: Word) -> Word:
    """The empty cells that complete a line of these discs."""
    threats, free = NONE, board.full ^ (own | opp)
    while free != NONE:
        cell = free & (~free + ONE)
        free ^= cell
        for k in range(board.start[lowest(cell)], board.start[lowest(cell) + 1]):
            if board.through[k] & ~own == cell:
                threats |= cell
    return threats


@kernel
def alive(board: Board, cells: Word) -> Word:
    """All cells on lines that lie among these cells."""
    on_lines = NONE
    for k in range(board.directions):
        step = board.steps[k]
        lines = cells & board.starts[k]
        for far in range(1, board.connect):
            lines &= cells >> (np.uint64(far) * step)
        for _ in range(board.connect):
            on_lines |= lines
            lines <<= step
    return on_lines


@inlined
def open_cells(board: Board, field: Field, discs: Word) -> Word:
    """Where a disc can come to rest."""
    return board.full & ~discs & ((discs << ONE) | field.bottom)


@kernel
def lead_bound(board: Board, field: Field, own: Word, opp: Word) -> Number:
    """The most the player to move scores if the other one answers right above; NOTHING if unknown.

    Columns with an odd number of free cells go in pairs: when one is opened by the player to move,
    the other one opens another. That may give away the lowest free cell of each.
    """
    discs = own | opp
    free = board.full ^ discs
    odd = open_cells(board, field, discs) & ~field.leading
    if popcount(odd) & 1 != 0:
        return NOTHING
    leads = free & (field.leading | odd)
    if has_line(board, own | leads):
        return NOTHING
    return -1 if has_line(board, opp | (free ^ leads)) else 0
