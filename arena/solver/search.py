"""The search: alpha-beta that knows the game.

Before a position is searched, everything is tried that might settle it without: forced moves are
followed, bounds taken from the count of discs, from open lines, from the follow-up rule for this
position and each of its children, from the table, and from the table for each child.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import inlined, kernel, lowest, nanoseconds, prefetch
from arena.solver.bits import NO_CELL, ONE, Number, Word, completing, has_line
from arena.solver.bounds import lead_bound
from arena.solver.field import FEATURES, Field, frame_of, frame_of_four
from arena.solver.order import best_reply, child_keys, key_of, prefer, rank_moves
from arena.solver.table import (
    NO_COLUMN,
    Table,
    column_in,
    high,
    low,
    place_of,
    recall,
    remember,
    rest_of,
)

TABLE, CHILDREN, LINES = FEATURES["table"], FEATURES["children"], FEATURES["lines"]
FOLLOW, REPLIES, MIRROR = FEATURES["follow"], FEATURES["replies"], FEATURES["mirror"]

CLOCK_EVERY = 2047
CHILDREN_FROM = 8  # free cells from which children are looked up
TABLE_FROM = 6  # free cells from which positions are remembered
FIRST_BUDGET, GROWTH, LAST_BUDGET = 500, 8, 32000  # nodes a question may cost, round by round
NO_LIMIT = 1 << 60
MIDDLE, QUICK_WIN, QUICK_LOSS = 0, 1, 2
WORST = -100  # less than any score
UNSETTLED = 1000  # no score: the moves have to be searched
MOST_WORK = 31  # as much as an entry can tell, as a power of two
UNLIKELY = 1 << 30  # rank lost by a move that the table knows not to help


@inlined
def _threats(discs: Word, field: Field) -> Word:
    """Cells that complete a line of these discs."""
    if field.connect == 4:
        return completing(discs, field.stride, 4)
    return completing(discs, field.stride, field.connect)


@inlined
def past(field: Field) -> Number:
    """Whether the deadline is over."""
    return field.deadline != 0 and nanoseconds(field.clock, field.clock_kind) > field.deadline


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
    own: Word, discs: Word, level: int, alpha: int, beta: int, field: Field, table: Table
) -> Number:
    """The most that the table knows some child to be worth; children of no use are put last."""
    child_keys(own, discs, level, field)
    for i in range(field.columns):
        if field.moves[level, i] != NO_CELL:
            prefetch(table, place_of(field.keys[level, i], field))
    best = WORST
    for i in range(field.columns):
        if field.moves[level, i] == NO_CELL:
            continue
        key = field.keys[level, i]
        entry = recall(table, place_of(key, field), rest_of(key, field))
        if entry != NO_CELL:
            best = max(best, -high(entry))
            if best >= beta:
                return best
            if -low(entry) <= alpha:
                field.ranks[level, i] -= UNLIKELY
    return best


@kernel
def enter(
    own: Word, discs: Word, ply: int, alpha: int, beta: int, key: Word, flipped: int,
    level: int, field: Field, table: Table,
) -> Number:  # fmt: skip
    """The score of a position if no move of it has to be searched; else UNSETTLED.

    The player to move cannot win at once. An unsettled position is written down at its level. The
    key, and whether it is that of the mirror image, is given by those who know it already (else 0).
    """
    cells, features = field.cells, field.features
    sign = 1
    forced_here = False
    while True:  # as long as there is just one move that does not lose at once
        other = own ^ discs
        free = field.board ^ discs
        open_cells = (discs + field.bottom) & field.board
        threats = _threats(other, field) & free
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

    rank_moves(own, discs, safe, level, ply, field)
    if features & REPLIES:
        certain = best_reply(own, discs, level, field)
        if certain >= beta:
            return sign * certain
        least = max(least, certain)
        alpha = max(alpha, least)

    remembers = features & TABLE != 0 and cells - ply >= TABLE_FROM
    place, rest = 0, NO_CELL
    if remembers:
        if key == NO_CELL:
            key, image = key_of(own, discs, field)
            flipped = 1 if image else 0
        place, rest = place_of(key, field), rest_of(key, field)
        entry = recall(table, place, rest)
        if entry != NO_CELL:
            least, most = max(least, low(entry)), min(most, high(entry))
            if least >= beta:
                return sign * least
            if most <= alpha:
                return sign * most
            alpha, beta = max(alpha, least), min(beta, most)
            prefer(_seen(column_in(entry), flipped, field), level, field)
    if features & CHILDREN and remembers and cells - ply >= CHILDREN_FROM:
        certain = look_up(own, discs, level, alpha, beta, field, table)
        if certain >= beta:
            remember(table, place, rest, max(least, certain), most, NO_COLUMN, 0)
            return sign * certain
        least = max(least, certain)
        alpha = max(alpha, least)
        field.looked[level] = 1
    else:
        field.looked[level] = 0

    field.own[level], field.discs[level], field.ply[level] = own, discs, ply
    field.alpha[level], field.beta[level], field.alpha_before[level] = alpha, beta, alpha
    field.least[level], field.most_here[level], field.sign[level] = least, most, sign
    field.place[level], field.rest[level], field.flipped[level] = place, rest, flipped
    field.remembers[level] = remembers
    field.nodes_before[level], field.tried[level] = field.nodes, 0
    field.best[level], field.best_column[level] = WORST, NO_COLUMN
    return UNSETTLED


@inlined
def _seen(column: int, flipped: int, field: Field) -> Number:
    """A column of an entry as it is on the board at hand, or the other way round."""
    return field.columns - 1 - column if flipped != 0 and column != NO_COLUMN else column


@inlined
def next_move(level: int, field: Field) -> Number:
    """Where the best move stands that has not been tried; it changes places with the first."""
    moves, ranks = field.moves[level], field.ranks[level]
    keys, flips = field.keys[level], field.flips[level]
    first = field.tried[level]
    at = first
    for i in range(first + 1, field.columns):
        if ranks[i] > ranks[at]:
            at = i
    moves[first], moves[at] = moves[at], moves[first]
    ranks[first], ranks[at] = ranks[at], ranks[first]
    keys[first], keys[at] = keys[at], keys[first]
    flips[first], flips[at] = flips[at], flips[first]
    field.tried[level] = first + 1
    return first


@inlined
def take(value: int, level: int, field: Field) -> None:
    """The move that was tried last is worth so much."""
    if value > field.best[level]:
        move = field.moves[level, field.tried[level] - 1]
        field.best[level] = value
        field.best_column[level] = lowest(move) // np.int64(field.stride)
        field.alpha[level] = max(field.alpha[level], value)


@inlined
def leave(level: int, field: Field, table: Table) -> Number:
    """The score of a position whose moves have been searched, as its parent sees it."""
    best, least, most = field.best[level], field.least[level], field.most_here[level]
    if best >= field.beta[level]:
        least = max(least, best)
    else:
        most = min(most, best)
        if best > field.alpha_before[level]:
            least = max(least, best)
    if field.remembers[level] != 0:
        work, count = 0, field.nodes - field.nodes_before[level]
        while count > 0:
            work += 1
            count >>= 1
        column = _seen(field.best_column[level], field.flipped[level], field)
        place, rest = field.place[level], field.rest[level]
        remember(table, place, rest, least, most, column, min(work, MOST_WORK))
    return field.sign[level] * best


@kernel
def search(
    own: Word, discs: Word, ply: int, alpha: int, beta: int, field: Field, table: Table
) -> Number:
    """The score of a position whose player to move cannot win at once.

    Exact between alpha and beta, a bound outside; meaningless once the field says stopped. The
    positions on the way are kept in the field, level by level: nothing calls itself.
    """
    level = bottom = ply - ply  # not a constant, for which all kernels would be compiled again
    value = enter(own, discs, ply, alpha, beta, NO_CELL, bottom, level, field, table)
    if value != UNSETTLED:
        return value
    while True:
        over = field.tried[level] == field.columns or field.best[level] >= field.beta[level]
        at = 0
        if not over:
            at = next_move(level, field)
            over = field.moves[level, at] == NO_CELL
        if over:
            value = leave(level, field, table)
            level -= 1
            if level < bottom:
                return value
            take(-value, level, field)
            continue
        key, flipped = NO_CELL, bottom
        if field.looked[level] != 0:
            key, flipped = field.keys[level, at], field.flips[level, at]
        below = field.discs[level]
        value = enter(
            field.own[level] ^ below, below | field.moves[level, at], field.ply[level] + 1,
            -field.beta[level], -field.alpha[level], key, flipped, level + 1, field, table,
        )  # fmt: skip
        if field.stopped:
            return 0
        if value == UNSETTLED:
            level += 1
        else:
            take(-value, level, field)


@kernel
def wins_at_once(own: Word, discs: Word, field: Field) -> Number:
    """Whether the player to move completes a line with the next disc."""
    return (_threats(own, field) & (discs + field.bottom) & field.board) != NO_CELL


@kernel
def window(own: Word, discs: Word, ply: int, alpha: int, field: Field, table: Table) -> Number:
    """Whether the score is more than alpha: a bound above it, or one at most alpha."""
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    return search(own, discs, ply, alpha, alpha + 1, field, table)


@inlined
def ask(question: int, least: int, most: int) -> Number:
    """The alpha of the next window: next to the middle, or halfway to the quickest end."""
    if question == MIDDLE:
        return min(max(0, least), most - 1)
    if question == QUICK_WIN:
        return min(max(most // 2, least), most - 1)
    return min(max(-(-least // 2) - 1, least), most - 1)


@kernel
def exact(own: Word, discs: Word, ply: int, field: Field, table: Table) -> Number:
    """The score of any position; meaningless once the field says stopped.

    Asks three questions by turns, each for a while: is it more than the middle, is it a quick win,
    is it a quick loss? Quick ends are found cheaply far from the middle, long ones next to it.
    """
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    least, most = -((field.cells - ply) >> 1), (field.cells - 1 - ply) >> 1
    limit, budget = field.most, FIRST_BUDGET
    while least < most:
        for question in (QUICK_WIN, QUICK_LOSS, MIDDLE):
            patience = NO_LIMIT if question == MIDDLE and budget >= LAST_BUDGET else budget
            while least < most:
                alpha = ask(question, least, most)
                field.most = min(limit, field.nodes + patience)
                value = search(own, discs, ply, alpha, alpha + 1, field, table)
                if field.stopped:
                    break
                if value > alpha:
                    least = value
                else:
                    most = value
            if field.stopped:
                if field.nodes >= limit or past(field):
                    field.most = limit
                    return 0
                field.stopped = False
        budget *= GROWTH
    field.most = limit
    return least


@kernel
def exact_all(
    own: NDArray[np.uint64],
    discs: NDArray[np.uint64],
    plies: NDArray[np.int64],
    field: Field,
    table: Table,
) -> NDArray[np.int64]:
    """The scores of many positions."""
    scores = np.empty(len(own), np.int64)
    for i in range(len(own)):
        scores[i] = exact(own[i], discs[i], plies[i], field, table)
    return scores
