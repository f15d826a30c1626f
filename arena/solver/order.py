"""Which moves to try first, and what is known of them at a glance; all columns at once.

These loops have no branches and run over whole vectors of columns: ranking seven moves costs little
more than ranking one.
"""

from __future__ import annotations

import numpy as np

from arena.jit import inlined, kernel, lowest, popcount
from arena.solver.bits import NO_CELL, Frame, Number, Word, completing
from arena.solver.bounds import lead_bound
from arena.solver.field import FEATURES, Field, frame_of, frame_of_four
from arena.solver.table import DEAD, MIRROR, mirrored, plain_key, scattered

ORDER = FEATURES["order"]
BOTH = DEAD | MIRROR
NO_MOVE = -(1 << 60)
REMEMBERED = 1 << 40  # the table's move goes first

THREAT = 1000  # each cell that would complete a line
TIMELY = 200  # each of them that falls to the player in the end, if both go on answering above
CENTRE = 1  # each line through the cell


@inlined
def _rank(own: Word, move: Word, discs: Word, timely: Word, frame: Frame) -> Number:
    """How good a move looks."""
    threats = completing(own | move, frame.stride, frame.connect) & ~(discs | move) & frame.board
    return THREAT * popcount(threats) + TIMELY * popcount(threats & timely)


@kernel
def rank_moves(own: Word, discs: Word, safe: Word, level: int, ply: int, field: Field) -> None:
    """Write down the safe moves of a position and how promising each is."""
    moves, ranks = field.moves[level], field.ranks[level]
    column, lanes = field.column, field.lanes
    timely = field.trailing if ply & 1 else field.leading
    for i in range(lanes):
        moves[i] = safe & column[i]
    if not field.features & ORDER:
        for i in range(lanes):
            ranks[i] = 0
    elif field.connect == 4:
        four = frame_of_four(field)
        for i in range(lanes):
            ranks[i] = _rank(own, moves[i], discs, timely, four)
    else:
        frame = frame_of(field)
        for i in range(lanes):
            ranks[i] = _rank(own, moves[i], discs, timely, frame)
    for i in range(field.columns):
        move = moves[i]
        if move == NO_CELL:
            ranks[i] = NO_MOVE
        else:
            ranks[i] += CENTRE * field.through[lowest(move)]


@inlined
def prefer(column: int, level: int, field: Field) -> None:
    """Put the column that was best at an earlier time first."""
    for i in range(field.columns):
        if field.number[i] == column:
            field.ranks[level, i] += REMEMBERED


@inlined
def _reply(own: Word, move: Word, discs: Word, frame: Frame) -> Number:
    """What a move is worth at least, by the follow-up bound on the opponent."""
    bound = lead_bound(own ^ discs, own | move, frame)
    return -200 if move == NO_CELL else -bound


@kernel
def best_reply(own: Word, discs: Word, level: int, field: Field) -> Number:
    """The most that some move is worth for certain; very little if nothing is certain."""
    moves, bounds = field.moves[level], field.bounds[level]
    lanes = field.lanes
    if field.connect == 4:
        four = frame_of_four(field)
        for i in range(lanes):
            bounds[i] = _reply(own, moves[i], discs, four)
    else:
        frame = frame_of(field)
        for i in range(lanes):
            bounds[i] = _reply(own, moves[i], discs, frame)
    best = bounds[0]
    for i in range(1, lanes):
        best = max(best, bounds[i])
    return best


@kernel
def child_keys(own: Word, discs: Word, level: int, field: Field) -> None:
    """Write down the scattered keys of all children, and which are those of mirror images."""
    moves, keys, flips = field.moves[level], field.keys[level], field.flips[level]
    bits, features, other = np.uint64(field.bits), field.features, own ^ discs
    if field.connect == 4 and field.columns == 7 and features & BOTH == BOTH:
        four = frame_of_four(field)
        for i in range(field.lanes):
            plain = plain_key(other, discs | moves[i], four, BOTH)
            image = mirrored(plain, four.stride, 7)
            flips[i] = image < plain
            keys[i] = scattered(min(image, plain), bits)
    else:
        for i in range(field.columns):
            keys[i], flips[i] = key_of(other, discs | moves[i], field)


@kernel
def key_of(own: Word, discs: Word, field: Field) -> tuple[Word, bool]:
    """The scattered key of a position, and whether it is that of the mirror image."""
    if field.connect == 4:
        plain = plain_key(own, discs, frame_of_four(field), field.features)
    else:
        plain = plain_key(own, discs, frame_of(field), field.features)
    key = plain
    if field.features & MIRROR:
        key = min(mirrored(plain, field.stride, field.columns), plain)
    return scattered(key, np.uint64(field.bits)), key != plain
