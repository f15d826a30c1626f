"""Threats, lines that are still open, and the bound they give, on any board of up to 64 cells."""

from __future__ import annotations

import numpy as np

from arena.game.kernels import has_line
from arena.game.tables import Board
from arena.jit import inlined, kernel, lowest, popcount
from arena.solver.flat.bits import Number, Word
from arena.solver.space.field import Field

NONE, ONE = np.uint64(0), np.uint64(1)
NOTHING = 100  # more than any score: no bound


@kernel
def fresh_threats(board: Board, own: Word, opp: Word, disc: Word) -> Word:
    """The cells that complete a line through a disc of one's own."""
    found, cell = NONE, lowest(disc)
    for k in range(board.start[cell], board.start[cell + 1]):
        lacking = board.through[k] & ~own
        if lacking & (lacking - ONE) == NONE and lacking & opp == NONE:
            found |= lacking
    return found


@kernel
def all_threats(board: Board, own: Word, opp: Word) -> Word:
    """The empty cells that complete a line of these discs."""
    found, free = NONE, board.full ^ (own | opp)
    while free != NONE:
        cell = free & (~free + ONE)
        free ^= cell
        for k in range(board.start[lowest(cell)], board.start[lowest(cell) + 1]):
            if board.through[k] & ~own == cell:
                found |= cell
    return found


@kernel
def alive(board: Board, cells: Word) -> Word:
    """All cells on lines that lie among these cells."""
    found = NONE
    for k in range(board.directions):
        step = board.steps[k]
        lines = cells & board.starts[k]
        for far in range(1, board.connect):
            lines &= cells >> (np.uint64(far) * step)
        for _ in range(board.connect):
            found |= lines
            lines <<= step
    return found


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
