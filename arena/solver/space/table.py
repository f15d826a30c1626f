"""The transposition table of boards in space: the whole key, and bounds, in three words.

The third word of an entry, from its highest bits to its lowest:

    work (log2) | cell of the best move, 8 bits | most + 64, 8 bits | least + 64, 8 bits
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import inlined, kernel
from arena.solver.flat.patterns import Number, Word
from arena.solver.space.patterns import NONE, ONE, Field

Table = NDArray[np.uint64]  # of entries: two words of key, one of bounds

ENTRY_WORDS = 3
ZERO_SCORE = 64
MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
BYTE, EIGHT, SIXTEEN, TWENTY_FOUR = (np.uint64(n) for n in (255, 8, 16, 24))


@inlined
def place_of(field: Field, mine: Word, theirs: Word) -> Number:
    """The first of the two entries for a key."""
    mixed = (mine * MIX_1) ^ ((theirs ^ (mine >> np.uint64(29))) * MIX_2)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * MIX_1
    return np.int64((mixed >> np.uint64(64 - field.index_bits)) & ~ONE)


@kernel
def recall(table: Table, place: int, mine: Word, theirs: Word) -> Word:
    """The entry of a position, 0 if there is none."""
    for at in range(place, place + 2):
        if table[at, 0] == mine and table[at, 1] == theirs:
            return table[at, 2]
    return NONE


@inlined
def low(entry: Word) -> Number:
    """The least the position is worth."""
    return np.int64(entry & BYTE) - ZERO_SCORE


@inlined
def high(entry: Word) -> Number:
    """The most the position is worth."""
    return np.int64((entry >> EIGHT) & BYTE) - ZERO_SCORE


@inlined
def cell_in(entry: Word) -> Number:
    """Where the best move of a position went."""
    return np.int64((entry >> SIXTEEN) & BYTE)


@kernel
def remember(
    table: Table, place: int, mine: Word, theirs: Word, least: int, most: int,
    cell: int, work: int,
) -> None:  # fmt: skip
    """Write over the position's earlier self, or a cheaper one, else over the latest."""
    at = place
    same = table[at, 0] == mine and table[at, 1] == theirs
    if not same and np.int64(table[at, 2] >> TWENTY_FOUR) > work:
        at += 1
    elif not same:
        for word in range(ENTRY_WORDS):
            table[at + 1, word] = table[at, word]
    table[at, 0], table[at, 1] = mine, theirs
    table[at, 2] = (
        np.uint64(least + ZERO_SCORE)
        | (np.uint64(most + ZERO_SCORE) << EIGHT)
        | (np.uint64(cell) << SIXTEEN)
        | (np.uint64(work) << TWENTY_FOUR)
    )
