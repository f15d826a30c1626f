"""The solver's patterns and keys for whole arrays of words, compiled once for all tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import kernel, popcount
from arena.solver.flat.bits import Field, Word, completing, frame_of, has_line, lead_bound, over
from arena.solver.flat.table import (
    column_in,
    high,
    key_of,
    low,
    mirrored,
    probe,
    rest_of,
    scattered,
    slot_of,
    store,
)

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]


@kernel
def patterns(word: np.uint64, field: Field) -> tuple[np.uint64, bool, np.uint64]:
    """Completing cells, whether there is a line, and all cells above."""
    frame = frame_of(field, field.connect)
    return (
        completing(word, frame.stride, frame.connect),
        has_line(word, frame.stride, frame.connect),
        over(word, frame),
    )


@kernel
def lead_bounds(own: Words, discs: Words, field: Field) -> Ints:
    """The follow-up bound of each position."""
    found = np.empty(len(own), np.int64)
    for i in range(len(own)):
        found[i] = lead_bound(own[i], own[i] ^ discs[i], frame_of(field, field.connect))
    return found


@kernel
def keys_of(own: Words, discs: Words, field: Field) -> Words:
    """The key under which the search remembers each position."""
    found = np.empty(len(own), np.uint64)
    for i in range(len(own)):
        found[i] = key_of(own[i], discs[i], popcount(field.board ^ discs[i]), field)[0]
    return found


@kernel
def scatter_all(keys: Words, bits: int) -> Words:
    """Keys as they are spread over the table."""
    found = np.empty(len(keys), np.uint64)
    for i in range(len(keys)):
        found[i] = scattered(keys[i], np.uint64(bits))
    return found


@kernel
def slots_and_rests(keys: Words, field: Field) -> tuple[Ints, Words]:
    """Where each scattered key goes, and what its entry says."""
    places, rests = np.empty(len(keys), np.int64), np.empty(len(keys), np.uint64)
    for i in range(len(keys)):
        places[i], rests[i] = slot_of(keys[i], field), rest_of(keys[i], field)
    return places, rests


@kernel
def image(key: Word, field: Field) -> Word:
    """The key of the mirror image."""
    return mirrored(key, field.stride, field.columns)


@kernel
def write(
    field: Field, place: int, rest: np.uint64, least: int, most: int, column: int, work: int
) -> None:
    """Remember one position."""
    store(place, rest, least, most, column, work, field)


@kernel
def read(field: Field, place: int, rest: np.uint64) -> tuple[bool, int, int, int]:
    """Whether a position is remembered; its bounds and its best column."""
    entry = probe(place, rest, field)
    return entry != np.uint64(0), low(entry), high(entry), column_in(entry)
