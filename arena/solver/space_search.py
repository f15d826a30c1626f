"""Alpha-beta for any board of up to 64 cells, strong where few of them are empty.

Discs are two words, as everywhere in the arena, and so are the threats of both players: cells that
would complete a line. A disc changes threats only along the lines through it, so they are handed
down. Before a position is searched: forced moves are followed, and bounds taken from the count of
discs, from lines that are still open, from the follow-up rule, and from the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.game.kernels import has_line
from arena.game.rules import MAX_CELLS, Rules
from arena.game.tables import Board, new_record
from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, inlined, kernel, lowest, nanoseconds, popcount
from arena.solver.bits import Number, Word

Field = Any  # a record of the layout below
Table = NDArray[np.uint64]  # of entries: two words of key, one of bounds

ENTRY_WORDS = 3
DEPTH = MAX_CELLS + 2
CLOCK_EVERY = 1023
TABLE_FROM = 5  # empty cells from which positions are remembered
FOLLOW_UNTIL = 32  # empty cells up to which the follow-up rule is tried
ZERO_SCORE, NO_MOVE, WORST = 64, 255, -100
REMEMBERED, THREAT = 1 << 20, 16  # in the rank of a move; an open line through its cell counts 1
NONE, ONE = np.uint64(0), np.uint64(1)
MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
BYTE, EIGHT, SIXTEEN, TWENTY_FOUR = (np.uint64(n) for n in (255, 8, 16, 24))

FIELD = np.dtype(
    [
        ("bottom", np.uint64),  # the lowest cell of each column
        ("leading", np.uint64),  # cells with an even number of cells from themselves to the top
        ("index_bits", np.int64),  # of the table
        ("nodes", np.int64),
        ("most", np.int64),  # nodes after which to stop
        ("deadline", np.int64),  # nanoseconds of the monotonic clock; 0: none
        ("clock", np.int64),
        ("clock_kind", np.int64),
        ("stopped", np.bool_),
        ("moves", np.uint64, (DEPTH, MAX_CELLS)),
        ("fresh", np.uint64, (DEPTH, MAX_CELLS)),  # threats that a move makes
        ("ranks", np.int64, (DEPTH, MAX_CELLS)),
    ],
    align=True,
)


def field_of(rules: Rules, index_bits: int) -> Field:
    """A fresh record for a board and a table of 2 ** index_bits entries."""
    field: Any = new_record(FIELD)
    levels = range(rules.height)
    field.bottom = sum(rules.bottoms)
    field.leading = sum(
        bottom << level for bottom in rules.bottoms for level in levels
        if (rules.height - level) % 2 == 0
    )  # fmt: skip
    field.index_bits = index_bits
    field.clock, field.clock_kind = CLOCK_ADDRESS, CLOCK_KIND
    return field


@kernel
def fresh_threats(board: Board, own: Word, opp: Word, disc: Word) -> Word:
    """The cells that complete a line through a disc of one's own."""
    found, cell = NONE, lowest(disc)
    for k in range(board.start[cell], board.start[cell + 1]):
        lacking = board.through[k] & ~own
        if lacking & (lacking - ONE) == NONE and lacking & opp == NONE:
            found |= lacking
    return found


@kernel
def all_threats(board: Board, own: Word, opp: Word) -> Word:
    """The empty cells that complete a line of these discs."""
    found, free = NONE, board.full ^ (own | opp)
    while free != NONE:
        cell = free & (~free + ONE)
        free ^= cell
        for k in range(board.start[lowest(cell)], board.start[lowest(cell) + 1]):
            if board.through[k] & ~own == cell:
                found |= cell
    return found


@kernel
def alive(board: Board, cells: Word) -> Word:
    """All cells on lines that lie among these cells."""
    found = NONE
    for k in range(board.directions):
        step = board.steps[k]
        lines = cells & board.starts[k]
        for far in range(1, board.connect):
            lines &= cells >> (np.uint64(far) * step)
        for _ in range(board.connect):
            found |= lines
            lines <<= step
    return found


@inlined
def _open_cells(board: Board, field: Field, discs: Word) -> Word:
    """Where a disc can come to rest."""
    return board.full & ~discs & ((discs << ONE) | field.bottom)


@kernel
def lead_bound(board: Board, field: Field, own: Word, opp: Word) -> Number:
    """The most the player to move scores if the other one answers right above; 100 if unknown.

    Columns with an odd number of free cells go in pairs: when one is opened by the player to move,
    the other one opens another. That may give away the lowest free cell of each.
    """
    discs = own | opp
    free = board.full ^ discs
    odd = _open_cells(board, field, discs) & ~field.leading
    if popcount(odd) & 1 != 0:
        return 100
    leads = free & (field.leading | odd)
    if has_line(board, own | leads):
        return 100
    return -1 if has_line(board, opp | (free ^ leads)) else 0


@inlined
def _place(field: Field, mine: Word, theirs: Word) -> Number:
    """The first of the two entries for a key."""
    mixed = (mine * MIX_1) ^ ((theirs ^ (mine >> np.uint64(29))) * MIX_2)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * MIX_1
    return np.int64((mixed >> np.uint64(64 - field.index_bits)) & ~ONE)


@kernel
def recall(table: Table, place: int, mine: Word, theirs: Word) -> Word:
    """What is known of a position, 0 if nothing is."""
    for at in range(place, place + 2):
        if table[at, 0] == mine and table[at, 1] == theirs:
            return table[at, 2]
    return NONE


@inlined
def _cell_in(entry: Word) -> Number:
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


@kernel
def rank_moves(
    board: Board, field: Field, own: Word, opp: Word, mine: Word, safe: Word,
    living: Word, ply: int, remembered: int,
) -> Number:  # fmt: skip
    """Write down the moves worth trying; how many there are.

    Columns without a living cell only pass the time: one of them stands for all.
    """
    count, passed = 0, False
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
    elif field.deadline != 0 and field.nodes & CLOCK_EVERY == 0:
        field.stopped = nanoseconds(field.clock, field.clock_kind) > field.deadline
    return field.stopped


@kernel
def search(
    board: Board, field: Field, table: Table, own: Word, opp: Word,
    mine: Word, theirs: Word, ply: int, alpha: int, beta: int,
) -> Number:  # fmt: skip
    """The score of a position whose player to move cannot win at once.

    `mine` and `theirs` are the threats of both. Exact between alpha and beta, a bound outside;
    meaningless once the field says stopped.
    """
    cells, sign = board.cells, 1
    while True:  # as long as there is just one move that does not lose at once
        free = board.full ^ (own | opp)
        open_cells = _open_cells(board, field, own | opp)
        theirs &= free
        forced = open_cells & theirs
        safe = open_cells if forced == NONE else forced
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

    remembers = cells - ply >= TABLE_FROM
    dead = (own & ~own_lines) | (opp & ~opp_lines)  # of no use to anybody: only filled
    key_own, key_opp = own | dead, opp | dead
    place, remembered = 0, -1
    if remembers:
        place = _place(field, key_own, key_opp)
        entry = recall(table, place, key_own, key_opp)
        if entry != NONE:
            least = max(least, np.int64(entry & BYTE) - ZERO_SCORE)
            most = min(most, np.int64((entry >> EIGHT) & BYTE) - ZERO_SCORE)
            if least >= beta:
                return sign * least
            if most <= alpha:
                return sign * most
            alpha, beta = max(alpha, least), min(beta, most)
            remembered = _cell_in(entry)

    living = own_lines | opp_lines
    count = rank_moves(board, field, own, opp, mine, safe, living, ply, remembered)
    before, lowest_alpha = field.nodes, alpha
    best, best_cell = WORST, NO_MOVE
    for tried in range(count):
        _take_best(field, ply, tried, count)
        move, fresh = field.moves[ply, tried], field.fresh[ply, tried]
        value = -search(
            board, field, table, opp, own | move, theirs, mine | fresh, ply + 1, -beta, -alpha
        )
        if field.stopped:
            return 0
        if value > best:
            best, best_cell = value, lowest(move)
            if value >= beta:
                break
            alpha = max(alpha, value)
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
    if mine & _open_cells(board, field, own | opp) != NONE:
        return (board.cells + 1 - ply) >> 1
    if ply == board.cells:
        return 0
    return search(board, field, table, own, opp, mine, theirs, ply, alpha, alpha + 1)


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
