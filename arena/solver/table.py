"""The transposition table: 64 bits an entry, exact keys, two entries side by side.

A key is mixed by steps that can be undone, so the place in the table and the rest of the key
together say exactly which position an entry belongs to: two positions are never taken for one
another. An entry holds that rest, both bounds of the score, the best column, and how much work it
took, by which it is kept: the first of a pair keeps the dearest position, the second the latest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import inlined
from arena.solver.bits import EVERY_BIT, ONE, TWO, Frame, Number, Word, reachable
from arena.solver.field import FEATURES, WORD, Field

Table = NDArray[np.uint64]

ZERO_SCORE = 64
NO_COLUMN = 31
REST_AT, LOW_AT, HIGH_AT, COLUMN_AT = (np.uint64(n) for n in (24, 17, 10, 5))
SEVEN_BITS, FIVE_BITS = np.uint64(127), np.uint64(31)
PAYLOAD = 24  # bits an entry has besides the rest of its key

DEAD, MIRROR = FEATURES["dead"], FEATURES["mirror"]
MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # odd: invertible
WORD_BITS, HALF = np.uint64(WORD), np.uint64(1)


def index_bits_for(bits: int, megabytes: float) -> int:
    """How large a table fits the memory, but no smaller than keys of so many bits need."""
    least = max(bits - (WORD - PAYLOAD) + 1, 10)
    entries = max(1, int(megabytes * 2**20 / 8))
    return max(least, min(entries.bit_length() - 1, max(bits, least)))


@inlined
def plain_key(own: Word, discs: Word, frame: Frame, features: int) -> Word:
    """The same word for positions that differ only in discs which no line can use any more.

    Discs of one's own on a line still open for oneself are of use. Another one counts for the
    opponent, unless that might open a line for them: one free of the discs that are of use.
    """
    mine = own
    if features & DEAD:
        free = frame.board ^ discs
        useful = own & reachable(own | free, frame.stride, frame.connect)
        mine &= useful | reachable(frame.board ^ useful, frame.stride, frame.connect)
    return mine + discs


@inlined
def mirrored(key: Word, stride: Word, columns: int) -> Word:
    """The key of the mirror image."""
    column = (ONE << stride) - ONE
    image = key & np.uint64(0)
    for _ in range(columns):
        image = (image << stride) | (key & column)
        key >>= stride
    return image


@inlined
def scattered(key: Word, bits: Word) -> Word:
    """Keys of so many bits, spread evenly over all numbers of so many bits, one to one."""
    whole = EVERY_BIT >> (WORD_BITS - bits)
    key = (key * MIX_1) & whole
    key ^= key >> (bits >> HALF)
    return (key * MIX_2) & whole


@inlined
def place_of(key: Word, field: Field) -> Number:
    """The first of the two entries for a scattered key."""
    return np.int64((key >> np.uint64(field.bits - field.index_bits)) & ~ONE)


@inlined
def rest_of(key: Word, field: Field) -> Word:
    """What an entry has to say to belong to this key: all bits that do not choose its pair."""
    return key & ((TWO << np.uint64(field.bits - field.index_bits)) - ONE)


@inlined
def recall(table: Table, place: int, rest: Word) -> Word:
    """The entry of a position, 0 if there is none."""
    entry = table[place]
    if entry >> REST_AT == rest and entry != 0:
        return entry
    entry = table[place + 1]
    if entry >> REST_AT == rest and entry != 0:
        return entry
    return np.uint64(0)


@inlined
def low(entry: Word) -> Number:
    """The least the position is worth."""
    return np.int64((entry >> LOW_AT) & SEVEN_BITS) - ZERO_SCORE


@inlined
def high(entry: Word) -> Number:
    """The most the position is worth."""
    return np.int64((entry >> HIGH_AT) & SEVEN_BITS) - ZERO_SCORE


@inlined
def column_in(entry: Word) -> Number:
    """The best column, as seen by whoever wrote the entry."""
    return np.int64((entry >> COLUMN_AT) & FIVE_BITS)


@inlined
def remember(
    table: Table, place: int, rest: Word, least: int, most: int, column: int, work: int
) -> None:
    """Write an entry over its own earlier self, a cheaper one, or the latest of its neighbours."""
    entry = (
        (rest << REST_AT)
        | (np.uint64(least + ZERO_SCORE) << LOW_AT)
        | (np.uint64(most + ZERO_SCORE) << HIGH_AT)
        | (np.uint64(column) << COLUMN_AT)
        | np.uint64(work)
    )
    kept = table[place]
    if kept >> REST_AT == rest:
        table[place] = entry
    elif kept & FIVE_BITS <= np.uint64(work):
        table[place + 1] = kept
        table[place] = entry
    else:
        table[place + 1] = entry
