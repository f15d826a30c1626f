"""Alpha-beta for any board of up to 64 cells, strong where few of them are empty.

Discs are two words, as everywhere in the arena, and so are the threats of both players: cells that
would complete a line. A disc changes threats only along the lines through it, so they are handed
down. Before a position is searched: forced moves are followed, and bounds taken from the count of
discs, from lines that are still open, from the follow-up rule, and from the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arena.game.tables import Board
from arena.jit import inlined, is_past, kernel, lowest, popcount
from arena.solver.flat.patterns import Number, Word
from arena.solver.space.patterns import (
    NONE,
    ONE,
    Field,
    alive,
    all_threats,
    fresh_threats,
    lead_bound,
    open_cells,
)
from arena.solver.space.table import Table, cell_in, high, low, place_of, recall, remember

CLOCK_EVERY = 1023
TABLE_FROM = 5  # empty cells from which positions are remembered
FOLLOW_UNTIL = 32  # empty cells up to which the follow-up rule is tried
NO_MOVE, WORST = 255, -100
REMEMBERED, THREAT = 1 << 20, 16  # in the rank of a move; an open line through its cell counts 1


class Node(NamedTuple):
    """A position, seen from the player to move: the discs of both, and their threats."""

    own: Word
    opp: Word
    mine: Word  # cells that complete a line of one's own
    theirs: Word  # and of the opponent


@kernel
def rank_moves(
    board: Board, field: Field, node: Node, safe: Word, living: Word, ply: int, remembered: int
) -> Number:
    """Write down the moves worth trying; how many there are.

    Columns without a living cell only pass the time: one of them stands for all.
    """
    count, passed = 0, False
    own, opp, mine = node.own, node.opp, node.mine
    free = board.full ^ (own | opp)
    while safe != NONE:
        move = safe & (~safe + ONE)
        safe ^= move
        cell = lowest(move)
        if board.columns[cell // board.height] & free & living == NONE:
            if passed:
                continue
            passed = True
        fresh = fresh_threats(board, own | move, opp, move) & ~mine
        rank = THREAT * popcount(fresh)
        for k in range(board.start[cell], board.start[cell + 1]):
            rank += np.int64(board.through[k] & opp == NONE)
        if cell == remembered:
            rank += REMEMBERED
        field.moves[ply, count], field.fresh[ply, count] = move, fresh
        field.ranks[ply, count] = rank
        count += 1
    return count


@inlined
def _take_best(field: Field, ply: int, tried: int, count: int) -> None:
    """Bring the most promising of the moves that are left to the front."""
    at = tried
    for i in range(tried + 1, count):
        if field.ranks[ply, i] > field.ranks[ply, at]:
            at = i
    move, fresh, rank = field.moves[ply, at], field.fresh[ply, at], field.ranks[ply, at]
    field.moves[ply, at], field.fresh[ply, at] = field.moves[ply, tried], field.fresh[ply, tried]
    field.ranks[ply, at] = field.ranks[ply, tried]
    field.moves[ply, tried], field.fresh[ply, tried] = move, fresh
    field.ranks[ply, tried] = rank


@inlined
def _spent(field: Field) -> Number:
    """Count a node; whether no further one may be searched."""
    field.nodes += 1
    if field.nodes >= field.most:
        field.stopped = True
    elif field.nodes & CLOCK_EVERY == 0:
        field.stopped = is_past(field.clock, field.deadline, field.cpu_deadline)
    return field.stopped


@kernel
def search(
    board: Board, field: Field, table: Table, node: Node, ply: int, alpha: int, beta: int
) -> Number:
    """The score of a position whose player to move cannot win at once.

    Exact between alpha and beta, a bound outside; meaningless once the field says stopped.
    """
    own, opp, mine, theirs = node
    cells, sign = board.cells, 1

    # Forced moves: as long as there is just one that does not lose at once, it is made.
    while True:
        free = board.full ^ (own | opp)
        resting = open_cells(board, field, own | opp)
        theirs &= free
        forced = resting & theirs
        safe = resting if forced == NONE else forced
        safe &= ~((theirs & ~field.bottom) >> ONE)
        if forced & (forced - ONE) != NONE or safe == NONE:
            return sign * -((cells - ply) >> 1)
        if ply >= cells - 2:
            return 0
        least, most = -((cells - 2 - ply) >> 1), (cells - 1 - ply) >> 1
        if least >= beta:
            return sign * least
        if most <= alpha:
            return sign * most
        alpha, beta = max(alpha, least), min(beta, most)
        if safe & (safe - ONE) != NONE:
            break
        mine |= fresh_threats(board, own | safe, opp, safe)
        own, opp = opp, own | safe
        mine, theirs = theirs, mine
        ply += 1
        alpha, beta, sign = -beta, -alpha, -sign
    if _spent(field):
        return 0

    # Bounds from lines that are still open, and from the follow-up rule.
    own_lines, opp_lines = alive(board, own | free), alive(board, opp | free)
    if own_lines == NONE:
        most = min(most, 0)
    if opp_lines == NONE:
        least = max(least, 0)
    if cells - ply <= FOLLOW_UNTIL and most >= 0:
        most = min(most, lead_bound(board, field, own, opp))
    if least >= beta:
        return sign * least
    if most <= alpha:
        return sign * most
    alpha, beta = max(alpha, least), min(beta, most)

    # The table. Discs that no line can use any more count for nobody.
    remembers = cells - ply >= TABLE_FROM
    dead = (own & ~own_lines) | (opp & ~opp_lines)
    key_own, key_opp = own | dead, opp | dead
    place, remembered = 0, -1
    if remembers:
        place = place_of(field, key_own, key_opp)
        entry = recall(table, place, key_own, key_opp)
        if entry != NONE:
            least, most = max(least, low(entry)), min(most, high(entry))
            if least >= beta:
                return sign * least
            if most <= alpha:
                return sign * most
            alpha, beta = max(alpha, least), min(beta, most)
            remembered = cell_in(entry)

    # The moves, the most promising first.
    living = own_lines | opp_lines
    node = Node(own, opp, mine, theirs)
    count = rank_moves(board, field, node, safe, living, ply, remembered)
    before, lowest_alpha = field.nodes, alpha
    best, best_cell = WORST, NO_MOVE
    for tried in range(count):
        _take_best(field, ply, tried, count)
        move, fresh = field.moves[ply, tried], field.fresh[ply, tried]
        child = Node(opp, own | move, theirs, mine | fresh)
        value = -search(board, field, table, child, ply + 1, -beta, -alpha)
        if field.stopped:
            return 0
        if value > best:
            best, best_cell = value, lowest(move)
            if value >= beta:
                break
            alpha = max(alpha, value)

    # What that proves, for the table.
    if best >= beta:
        least = max(least, best)
    else:
        most = min(most, best)
        if best > lowest_alpha:
            least = max(least, best)
    if remembers:
        work, spent = 0, field.nodes - before
        while spent > 0:
            work += 1
            spent >>= 1
        remember(table, place, key_own, key_opp, least, most, best_cell, work)
    return sign * best


@kernel
def window(
    board: Board, field: Field, table: Table, own: Word, opp: Word, ply: int, alpha: int
) -> Number:
    """Whether the score is more than alpha: a bound above it, or one at most alpha."""
    mine, theirs = all_threats(board, own, opp), all_threats(board, opp, own)
    if mine & open_cells(board, field, own | opp) != NONE:
        return (board.cells + 1 - ply) >> 1
    if ply == board.cells:
        return 0
    return search(board, field, table, Node(own, opp, mine, theirs), ply, alpha, alpha + 1)


@kernel
def exact(board: Board, field: Field, table: Table, own: Word, opp: Word, ply: int) -> Number:
    """The score of any position; meaningless once the field says stopped.

    Asks who wins first, then how soon, one window after another.
    """
    left = board.cells - ply
    least, most = -(left >> 1), (left + 1) >> 1
    while least < most and not field.stopped:
        alpha = min(max(0, least), most - 1)
        value = window(board, field, table, own, opp, ply, alpha)
        if value > alpha:
            least = value
        else:
            most = value
    return least
