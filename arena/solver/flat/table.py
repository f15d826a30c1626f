"""The transposition table: exact keys, 64 bits an entry, two entries side by side.

A key is one number for a position and its mirror image. It is mixed by steps that can be undone, so
different keys stay different. Its highest bits choose a pair of entries, the rest stands in the
entry: together they identify the position, and nothing is left to chance. An entry also says how
much work it took: the first of a pair keeps the costliest position, the second the latest.

    63                                   24 23      17 16      10 9     5 4     0
    +--------------------------------------+----------+----------+-------+-------+
    |           rest of the key            |  least   |   most   | best  | work, |
    |                                      |   + 64   |   + 64   | column|  log2 |
    +--------------------------------------+----------+----------+-------+-------+
"""

from __future__ import annotations

import numpy as np

from arena.jit import inlined, kernel, read_word, write_word
from arena.solver.flat.bits import EVERY_BIT, ONE, TWO, WORD, Field, Level, Number, Word

MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # odd: invertible
WORD_BITS = np.uint64(WORD)

ZERO_SCORE = 64
NO_COLUMN = 31
REST_AT, LOW_AT, HIGH_AT, COLUMN_AT = (np.uint64(n) for n in (24, 17, 10, 5))
SEVEN_BITS, FIVE_BITS = np.uint64(127), np.uint64(31)
PAYLOAD = 24  # bits an entry has besides the rest of its key


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
    """Keys of this many bits, spread evenly over all numbers of these bits, one to one."""
    whole = EVERY_BIT >> (WORD_BITS - bits)
    key = (key * MIX_1) & whole
    key ^= key >> (bits >> ONE)
    return (key * MIX_2) & whole


@inlined
def key_of(own: Word, discs: Word, free: int, field: Field) -> tuple[Word, bool]:
    """The scattered key of a position, and whether it is that of the mirror image."""
    key = plain = own + discs
    if free >= field.mirror_from:
        key = min(mirrored(plain, field.stride, field.columns), plain)
    return scattered(key, np.uint64(field.bits)), key != plain


@kernel
def child_keys(own: Word, discs: Word, free: int, here: Level, field: Field) -> None:
    """Store the scattered keys of all children, and which are those of mirror images."""
    moves, keys, flips = here.moves, here.keys, here.flips
    bits, other = np.uint64(field.bits), own ^ discs
    mirrors = free - 1 >= field.mirror_from
    if mirrors and field.columns != 7:
        for i in range(field.columns):
            keys[i], flips[i] = key_of(other, discs | moves[i], free - 1, field)
    elif mirrors:
        for i in range(8):
            plain = other + (discs | moves[i])
            image = mirrored(plain, field.stride, 7)
            flips[i] = image < plain
            keys[i] = scattered(min(image, plain), bits)
    else:
        for i in range(field.lanes):
            flips[i] = 0
        for i in range(field.lanes):
            keys[i] = scattered(other + (discs | moves[i]), bits)


def index_bits_for(bits: int, megabytes: float) -> int:
    """The size of a table that fits the memory, and is large enough for keys of these bits."""
    least = max(bits - (WORD - PAYLOAD) + 1, 10)
    entries = max(1, int(megabytes * 2**20 / 8))
    return max(least, min(entries.bit_length() - 1, max(bits, least)))


@inlined
def slot_of(key: Word, field: Field) -> Number:
    """The first of the two entries for a scattered key."""
    return np.int64((key >> np.uint64(field.bits - field.index_bits)) & ~ONE)


@inlined
def rest_of(key: Word, field: Field) -> Word:
    """The bits of a key that its entry holds: all that do not choose its pair."""
    return key & ((TWO << np.uint64(field.bits - field.index_bits)) - ONE)


@inlined
def probe(slot: int, rest: Word, field: Field) -> Word:
    """The entry of a position, 0 if there is none."""
    entry = read_word(field.table, slot)
    if entry >> REST_AT == rest and entry != 0:
        return entry
    entry = read_word(field.table, slot + 1)
    if entry >> REST_AT == rest and entry != 0:
        return entry
    return np.uint64(0)


@inlined
def low(entry: Word) -> Number:
    """The lower bound of the score."""
    return np.int64((entry >> LOW_AT) & SEVEN_BITS) - ZERO_SCORE


@inlined
def high(entry: Word) -> Number:
    """The upper bound of the score."""
    return np.int64((entry >> HIGH_AT) & SEVEN_BITS) - ZERO_SCORE


@inlined
def column_in(entry: Word) -> Number:
    """The best column, on the board that the entry was written for."""
    return np.int64((entry >> COLUMN_AT) & FIVE_BITS)


@inlined
def store(
    slot: int, rest: Word, least: int, most: int, column: int, work: int, field: Field
) -> None:
    """Overwrite the position's earlier entry or a cheaper one, else the latest of the pair."""
    entry = (
        (rest << REST_AT)
        | (np.uint64(least + ZERO_SCORE) << LOW_AT)
        | (np.uint64(most + ZERO_SCORE) << HIGH_AT)
        | (np.uint64(column) << COLUMN_AT)
        | np.uint64(work)
    )
    kept = read_word(field.table, slot)
    if kept >> REST_AT == rest:
        write_word(field.table, slot, entry)
    elif kept & FIVE_BITS <= np.uint64(work):
        write_word(field.table, slot + 1, kept)
        write_word(field.table, slot, entry)
    else:
        write_word(field.table, slot + 1, entry)
