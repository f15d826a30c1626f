"""The transposition table: 64 bits an entry, exact keys, two entries side by side.

The place in the table and the rest of the key together say exactly which position an entry belongs
to: two positions are never taken for one another. An entry holds that rest, both bounds of the
score, the best column, and how much work it took, by which it is kept: the first of a pair keeps
the dearest position, the second the latest.
"""

from __future__ import annotations

import numpy as np

from arena.jit import inlined, read_word, write_word
from arena.solver.flat.bits import ONE, TWO, Number, Word
from arena.solver.flat.field import WORD, Field

ZERO_SCORE = 64
NO_COLUMN = 31
REST_AT, LOW_AT, HIGH_AT, COLUMN_AT = (np.uint64(n) for n in (24, 17, 10, 5))
SEVEN_BITS, FIVE_BITS = np.uint64(127), np.uint64(31)
PAYLOAD = 24  # bits an entry has besides the rest of its key


def index_bits_for(bits: int, megabytes: float) -> int:
    """How large a table fits the memory, but no smaller than keys of so many bits need."""
    least = max(bits - (WORD - PAYLOAD) + 1, 10)
    entries = max(1, int(megabytes * 2**20 / 8))
    return max(least, min(entries.bit_length() - 1, max(bits, least)))


@inlined
def place_of(key: Word, field: Field) -> Number:
    """The first of the two entries for a scattered key."""
    return np.int64((key >> np.uint64(field.bits - field.index_bits)) & ~ONE)


@inlined
def rest_of(key: Word, field: Field) -> Word:
    """What an entry has to say to belong to this key: all bits that do not choose its pair."""
    return key & ((TWO << np.uint64(field.bits - field.index_bits)) - ONE)


@inlined
def recall(place: int, rest: Word, field: Field) -> Word:
    """The entry of a position, 0 if there is none."""
    entry = read_word(field.table, place)
    if entry >> REST_AT == rest and entry != 0:
        return entry
    entry = read_word(field.table, place + 1)
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
    place: int, rest: Word, least: int, most: int, column: int, work: int, field: Field
) -> None:
    """Write an entry over its own earlier self, a cheaper one, or the latest of its neighbours."""
    entry = (
        (rest << REST_AT)
        | (np.uint64(least + ZERO_SCORE) << LOW_AT)
        | (np.uint64(most + ZERO_SCORE) << HIGH_AT)
        | (np.uint64(column) << COLUMN_AT)
        | np.uint64(work)
    )
    kept = read_word(field.table, place)
    if kept >> REST_AT == rest:
        write_word(field.table, place, entry)
    elif kept & FIVE_BITS <= np.uint64(work):
        write_word(field.table, place + 1, kept)
        write_word(field.table, place, entry)
    else:
        write_word(field.table, place + 1, entry)
