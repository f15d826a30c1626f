"""Keys: one number for all positions that are worth the same for sure.

A key is mixed by steps that can be undone, so different keys stay different; nothing is left to
chance.
"""

from __future__ import annotations

import numpy as np

from arena.jit import inlined, kernel
from arena.solver.flat.bits import EVERY_BIT, ONE, Frame, Number, Word, reachable
from arena.solver.flat.field import FEATURES, WORD, Field, Level, frame_of, frame_of_four

DEAD, MIRROR = FEATURES["dead"], FEATURES["mirror"]
MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # odd: invertible
WORD_BITS = np.uint64(WORD)


@inlined
def _without_dead(own: Word, discs: Word, frame: Frame) -> Word:
    """The same word for positions that differ only in discs which no line can use any more.

    Discs of one's own on a line still open for oneself are of use. Another one counts for the
    opponent, unless that might open a line for them: one free of the discs that are of use.
    """
    free = frame.board ^ discs
    useful = own & reachable(own | free, frame.stride, frame.connect)
    return own & (useful | reachable(frame.board ^ useful, frame.stride, frame.connect))


@kernel
def useful_discs(own: Word, discs: Word, field: Field) -> Word:
    """The discs of the player to move that a key has to tell."""
    if field.connect == 4:
        return _without_dead(own, discs, frame_of_four(field))
    return _without_dead(own, discs, frame_of(field))


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
    key ^= key >> (bits >> ONE)
    return (key * MIX_2) & whole


@inlined
def _mirrors(free: int, field: Field) -> Number:
    """Whether mirror images share a key: with many discs, hardly any are met."""
    return field.features & MIRROR != 0 and free >= field.mirror_from


@inlined
def key_of(own: Word, discs: Word, free: int, field: Field) -> tuple[Word, bool]:
    """The scattered key of a position, and whether it is that of the mirror image."""
    plain = own + discs
    if field.features & DEAD:
        plain = useful_discs(own, discs, field) + discs
    key = plain
    if _mirrors(free, field):
        key = min(mirrored(plain, field.stride, field.columns), plain)
    return scattered(key, np.uint64(field.bits)), key != plain


@kernel
def child_keys(own: Word, discs: Word, free: int, here: Level, field: Field) -> None:
    """Write down the scattered keys of all children, and which are those of mirror images."""
    moves, keys, flips = here.moves, here.keys, here.flips
    bits, other = np.uint64(field.bits), own ^ discs
    mirrors = _mirrors(free - 1, field)
    if field.features & DEAD or (mirrors and field.columns != 7):
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
