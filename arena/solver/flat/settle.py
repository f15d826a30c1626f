"""What can be told of a position without searching its moves.

Forced moves are followed; moves to which there is no answer are seen; bounds are taken from the
count of discs, from open lines, from the follow-up rule for this position and each of its children,
from the table, and from the table for each child.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.jit import inlined, is_past, kernel, prefetch
from arena.solver.flat.field import FEATURES, Field, Level, frame_of, frame_of_four
from arena.solver.flat.order import avoid, best_reply, complete_ranks, prefer, rank_moves
from arena.solver.flat.patterns import NO_CELL, ONE, Number, Word, completing, has_line, lead_bound
from arena.solver.flat.table import (
    NO_COLUMN,
    child_keys,
    column_in,
    high,
    key_of,
    low,
    place_of,
    recall,
    remember,
    rest_of,
)

TABLE, CHILDREN, DECIDES = FEATURES["table"], FEATURES["children"], FEATURES["decides"]
LINES, FOLLOW, REPLIES = FEATURES["lines"], FEATURES["follow"], FEATURES["replies"]

CLOCK_EVERY = 2047
WORST = -100  # less than any score
UNSETTLED = 1000  # no score: the moves have to be searched


class Node(NamedTuple):
    """A position whose score is asked for, between two bounds that matter."""

    own: Word  # the discs of the player to move
    discs: Word  # of both
    ply: Number
    alpha: Number
    beta: Number


@inlined
def threats_of(discs: Word, field: Field) -> Word:
    """Cells that complete a line of these discs."""
    if field.connect == 4:
        return completing(discs, field.stride, 4)
    return completing(discs, field.stride, field.connect)


@inlined
def past(field: Field) -> Number:
    """Whether a deadline is over."""
    return is_past(field.clock, field.deadline, field.cpu_deadline)


@inlined
def _spent(field: Field) -> Number:
    """Count a node; whether no further one may be searched."""
    field.nodes += 1
    if field.nodes >= field.most or (field.nodes & CLOCK_EVERY == 0 and past(field)):
        field.stopped = True
    return field.stopped


@kernel
def own_bound(own: Word, other: Word, field: Field) -> Number:
    """The follow-up bound on the player to move."""
    if field.connect == 4:
        return lead_bound(own, other, frame_of_four(field))
    return lead_bound(own, other, frame_of(field))


@kernel
def no_line_left(discs: Word, free: Word, field: Field) -> Number:
    """Whether these discs can become part of no line any more."""
    if field.connect == 4:
        return not has_line(discs | free, field.stride, 4)
    return not has_line(discs | free, field.stride, field.connect)


@kernel
def look_up(
    own: Word, discs: Word, free: int, alpha: int, beta: int, here: Level, field: Field
) -> Number:
    """The most that the table knows some child to be worth; children of no use are put last."""
    child_keys(own, discs, free, here, field)
    moves, keys = here.moves, here.keys
    for i in range(field.columns):
        if moves[i] != NO_CELL:
            prefetch(field.table, place_of(keys[i], field))
    best = WORST
    for i in range(field.columns):
        if moves[i] == NO_CELL:
            continue
        entry = recall(place_of(keys[i], field), rest_of(keys[i], field), field)
        if entry != NO_CELL:
            best = max(best, -high(entry))
            if best >= beta:
                return best
            if -low(entry) <= alpha:
                avoid(i, here)
    return best


@inlined
def unflipped(column: int, flipped: int, field: Field) -> Number:
    """A column of an entry as it is on the board at hand, or the other way round."""
    return field.columns - 1 - column if flipped != 0 and column != NO_COLUMN else column


@kernel
def settle(node: Node, key: Word, flipped: int, here: Level, field: Field) -> Number:
    """The score of a position if no move of it has to be searched; else UNSETTLED.

    The player to move cannot win at once. An unsettled position is written down at its level. The
    key, and whether it is that of the mirror image, is given by those who know it already (else 0).
    """
    own, discs, ply, alpha, beta = node
    cells, features = field.cells, field.features
    sign = 1
    forced_here = False

    # Forced moves: as long as there is just one that does not lose at once, it is made.
    while True:
        other = own ^ discs
        free = field.board ^ discs
        open_cells = (discs + field.bottom) & field.board
        threats = threats_of(other, field) & free
        safe = open_cells
        forced = open_cells & threats
        if forced != NO_CELL:
            if forced & (forced - ONE) != NO_CELL:
                return sign * -((cells - ply) >> 1)
            safe = forced
        safe &= ~(threats >> ONE)
        if safe == NO_CELL:
            return sign * -((cells - ply) >> 1)
        if ply >= cells - 2:
            return 0
        least, most = -((cells - 2 - ply) >> 1), (cells - 1 - ply) >> 1
        if least >= beta:
            return sign * least
        if most <= alpha:
            return sign * most
        alpha, beta = max(alpha, least), min(beta, most)
        if safe & (safe - ONE) != NO_CELL:
            break
        own, discs, ply = other, discs | safe, ply + 1
        alpha, beta, sign = -beta, -alpha, -sign
        key, forced_here = NO_CELL, True
    if _spent(field):
        return 0

    # The key, early: its place in the table is on the way while other things are looked at.
    left = cells - ply
    remembers = features & TABLE != 0 and left >= field.table_from
    if remembers and key == NO_CELL:
        key, image = key_of(own, discs, left, field)
        flipped = 1 if image else 0
        prefetch(field.table, place_of(key, field))

    # Bounds at a glance: a move without an answer, lines still open, the follow-up rule.
    decided = rank_moves(own, discs, safe, here, field)
    if features & DECIDES:
        if decided:
            return sign * most
        most = (left - 3) >> 1
    if features & LINES:
        if most > 0 and no_line_left(own, free, field):
            most = 0
        if least < 0 and no_line_left(other, free, field):
            least = 0
    if features & FOLLOW and (forced_here or not features & REPLIES):  # else the parent has tried
        most = min(most, own_bound(own, other, field))
    if least >= beta:
        return sign * least
    if most <= alpha:
        return sign * most
    alpha, beta = max(alpha, least), min(beta, most)

    # The follow-up rule for the opponent, after each move.
    if features & REPLIES:
        certain = best_reply(own, discs, here, field)
        if certain >= beta:
            return sign * certain
        least = max(least, certain)
        alpha = max(alpha, least)

    # The table: bounds that were proven before, and the move that was best.
    complete_ranks(here, field)
    place, rest = 0, NO_CELL
    if remembers:
        place, rest = place_of(key, field), rest_of(key, field)
        entry = recall(place, rest, field)
        if entry != NO_CELL:
            least, most = max(least, low(entry)), min(most, high(entry))
            if least >= beta:
                return sign * least
            if most <= alpha:
                return sign * most
            alpha, beta = max(alpha, least), min(beta, most)
            prefer(unflipped(column_in(entry), flipped, field), here, field)

    # The table for each child: one of them may settle it, others are put last.
    here.has_keys = 0
    if features & CHILDREN and remembers and left >= field.children_from:
        certain = look_up(own, discs, left, alpha, beta, here, field)
        if certain >= beta:
            remember(place, rest, max(least, certain), most, NO_COLUMN, 0, field)
            return sign * certain
        least = max(least, certain)
        alpha = max(alpha, least)
        here.has_keys = 1

    # Nothing settles it: all that is known goes down to its level.
    here.own, here.discs, here.ply, here.sign = own, discs, ply, sign
    here.alpha, here.beta, here.alpha_before = alpha, beta, alpha
    here.least, here.most, here.best, here.best_column = least, most, WORST, NO_COLUMN
    here.remembers, here.place, here.rest, here.flipped = remembers, place, rest, flipped
    here.nodes_before = field.nodes
    return UNSETTLED
