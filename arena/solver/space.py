"""Exact scores for boards in space, near the end of a game.

The game on 4x4x4 is unsolved, and so is nearly every position with many empty cells: ask with a
budget, and expect `OutOfBudget`. Every answer is proven.

The search is alpha-beta for any board of up to 64 cells, strong where few of them are empty. A disc
changes threats only along the lines through it, so they are handed down from node to node. Before a
position is searched, forced moves are followed, and bounds are taken from the count of discs, from
lines that are still open, from the follow-up rule, and from the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from arena.errors import BadRules
from arena.game.bits import (
    METER,
    Board,
    all_threats,
    free_cells,
    has_line,
    is_spent,
    new_record,
    new_threats,
    record_of,
)
from arena.game.position import Position
from arena.game.rules import MAX_CELLS, Rules
from arena.jit import bit_length, inlined, kernel, lowest, popcount
from arena.solver.solver import MEGABYTES, ExactSolver

Word = Any  # np.uint64, one bit a cell
Number = Any  # np.int64, or a truth value, from words and records
Field = Any  # a record of the layout FIELD
Table = Any  # an array of the layout ENTRY

NONE, ONE = np.uint64(0), np.uint64(1)

TABLE_FROM = 5  # empty cells from which positions are remembered
FOLLOW_UP_TO = 32  # empty cells up to which the follow-up rule is tried
NO_BOUND, LOWEST = 100, -100  # more and less than any score
NO_CELL = -1
TABLE_MOVE, THREAT = 1 << 20, 16  # in the rank of a move; an open line through its cell counts 1
MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)

DEPTH = MAX_CELLS + 2

FIELD = np.dtype(
    [
        ("leading", np.uint64),  # cells with an even number of cells from themselves to the top
        ("index_bits", np.int64),  # of the table
        ("meter", METER),
        ("moves", np.uint64, (DEPTH, MAX_CELLS)),
        ("fresh", np.uint64, (DEPTH, MAX_CELLS)),  # threats that a move makes
        ("ranks", np.int64, (DEPTH, MAX_CELLS)),
    ],
    align=True,
)

ENTRY = np.dtype(
    [
        ("own", np.uint64),
        ("opp", np.uint64),
        ("least", np.int16),  # bounds of the score
        ("most", np.int16),
        ("cell", np.int16),  # of the best move
        ("work", np.int16),  # log2 of the nodes it took, and one; 0: an empty entry
    ],
    align=True,
)


def field_of(rules: Rules, index_bits: int) -> Field:
    """A fresh record for a board and a table of 2 ** index_bits entries."""
    field: Any = new_record(FIELD)
    field.leading = sum(
        bottom << level
        for bottom in rules.bottoms
        for level in range(rules.height)
        if (rules.height - level) % 2 == 0
    )
    field.index_bits = index_bits
    return field


@kernel
def live_cells(board: Board, cells: Word) -> Word:
    """All cells on lines that lie among these cells."""
    on_lines = NONE
    for k in range(board.directions):
        step = board.steps[k]
        lines = cells & board.starts[k]
        for far in range(1, board.connect):
            lines &= cells >> (np.uint64(far) * step)
        for _ in range(board.connect):
            on_lines |= lines
            lines <<= step
    return on_lines


@kernel
def lead_bound(board: Board, field: Field, own: Word, opp: Word) -> Number:
    """The most the player to move scores if the other one answers right above; or NO_BOUND.

    Columns with an odd number of free cells go in pairs: when one is opened by the player to move,
    the other one opens another. That may give away the lowest free cell of each.
    """
    discs = own | opp
    free = board.full ^ discs
    odd = free_cells(board, discs) & ~field.leading
    if popcount(odd) & 1 != 0:
        return NO_BOUND
    leads = free & (field.leading | odd)
    if has_line(board, own | leads):
        return NO_BOUND
    return -1 if has_line(board, opp | (free ^ leads)) else 0


@inlined
def slot_of(field: Field, own: Word, opp: Word) -> Number:
    """The first of the two entries for a key."""
    mixed = (own * MIX_1) ^ ((opp ^ (own >> np.uint64(29))) * MIX_2)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * MIX_1
    return np.int64((mixed >> np.uint64(64 - field.index_bits)) & ~ONE)


@kernel
def probe(table: Table, slot: int, own: Word, opp: Word) -> Number:
    """The number of a position's entry; -1 if there is none."""
    for at in range(slot, slot + 2):
        entry = table[at]
        if entry.own == own and entry.opp == opp and entry.work != 0:
            return at
    return -1


@kernel
def store(
    table: Table, slot: int, own: Word, opp: Word, least: int, most: int, cell: int, work: int
) -> None:
    """Overwrite the position's earlier entry or a cheaper one, else the latest of the pair."""
    first = table[slot]
    if first.own != own or first.opp != opp:
        if first.work > work:
            slot += 1
        else:
            table[slot + 1] = first
    entry = table[slot]
    entry.own, entry.opp = own, opp
    entry.least, entry.most, entry.cell, entry.work = least, most, cell, work


class Node(NamedTuple):
    """A position, seen from the player to move: the discs of both, and their threats."""

    own: Word
    opp: Word
    mine: Word  # cells that complete a line of one's own
    theirs: Word  # and of the opponent


@kernel
def rank_moves(
    board: Board, field: Field, node: Node, safe: Word, live: Word, ply: int, best_cell: int
) -> Number:
    """Store the moves to try; return their number.

    Columns without a live cell only pass the time: one of them stands for all.
    """
    count, passed = 0, False
    own, opp, mine = node.own, node.opp, node.mine
    free = board.full ^ (own | opp)
    while safe != NONE:
        move = safe & (~safe + ONE)
        safe ^= move
        cell = lowest(move)
        if board.columns[cell // board.height] & free & live == NONE:
            if passed:
                continue
            passed = True
        fresh = new_threats(board, own | move, move) & ~opp & ~mine
        rank = THREAT * popcount(fresh)
        for k in range(board.start[cell], board.start[cell + 1]):
            rank += np.int64(board.through[k] & opp == NONE)
        if cell == best_cell:
            rank += TABLE_MOVE
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


@kernel
def search(board: Board, field: Field, table: Table, node: Node, ply: int, alpha: int) -> Number:
    """A bound of the score of a position whose player to move cannot win at once.

    It is above alpha if the score is; meaningless once the meter says stopped.
    """
    own, opp, mine, theirs = node
    cells, sign = board.cells, 1

    # Forced moves: as long as there is just one that does not lose at once, it is made.
    while True:
        free = board.full ^ (own | opp)
        open_cells = free_cells(board, own | opp)
        theirs &= free
        forced = open_cells & theirs
        safe = open_cells if forced == NONE else forced
        safe &= ~((theirs & ~board.floor) >> ONE)
        if forced & (forced - ONE) != NONE or safe == NONE:
            return sign * -((cells - ply) >> 1)
        if ply >= cells - 2:
            return 0
        least, most = -((cells - 2 - ply) >> 1), (cells - 1 - ply) >> 1
        if least > alpha:
            return sign * least
        if most <= alpha:
            return sign * most
        if safe & (safe - ONE) != NONE:
            break
        mine |= new_threats(board, own | safe, safe) & ~opp
        own, opp, mine, theirs = opp, own | safe, theirs, mine
        ply, alpha, sign = ply + 1, -1 - alpha, -sign
    field.meter.nodes += 1
    if is_spent(field.meter):
        return 0

    # Bounds from lines that are still open, and from the follow-up rule.
    own_lines, opp_lines = live_cells(board, own | free), live_cells(board, opp | free)
    if own_lines == NONE:
        most = min(most, 0)
    if opp_lines == NONE:
        least = max(least, 0)
    if cells - ply <= FOLLOW_UP_TO and most >= 0:
        most = min(most, lead_bound(board, field, own, opp))
    if least > alpha:
        return sign * least
    if most <= alpha:
        return sign * most

    # The table. Discs on no open line belong to neither player.
    use_table = cells - ply >= TABLE_FROM
    dead = (own & ~own_lines) | (opp & ~opp_lines)
    key_own, key_opp = own | dead, opp | dead
    slot, best_cell = 0, NO_CELL
    if use_table:
        slot = slot_of(field, key_own, key_opp)
        at = probe(table, slot, key_own, key_opp)
        if at >= 0:
            least, most = max(least, table[at].least), min(most, table[at].most)
            if least > alpha:
                return sign * least
            if most <= alpha:
                return sign * most
            best_cell = table[at].cell

    # The moves, the most promising first.
    node = Node(own, opp, mine, theirs)
    count = rank_moves(board, field, node, safe, own_lines | opp_lines, ply, best_cell)
    nodes_before, best = field.meter.nodes, LOWEST
    for tried in range(count):
        _take_best(field, ply, tried, count)
        move, fresh = field.moves[ply, tried], field.fresh[ply, tried]
        child = Node(opp, own | move, theirs, mine | fresh)
        value = -search(board, field, table, child, ply + 1, -1 - alpha)
        if field.meter.stopped:
            return 0
        if value > best:
            best, best_cell = value, lowest(move)
            if value > alpha:
                break

    # What that proves, for the table.
    if best > alpha:
        least = max(least, best)
    else:
        most = min(most, best)
    if use_table:
        work = 1 + bit_length(np.uint64(field.meter.nodes - nodes_before))
        store(table, slot, key_own, key_opp, least, most, best_cell, work)
    return sign * best


@kernel
def window(
    board: Board, field: Field, table: Table, own: Word, opp: Word, ply: int, alpha: int
) -> Number:
    """A bound of the score, above alpha if the score is."""
    mine, theirs = all_threats(board, own) & ~opp, all_threats(board, opp) & ~own
    if mine & free_cells(board, own | opp) != NONE:
        return (board.cells + 1 - ply) >> 1
    if ply == board.cells:
        return 0
    return search(board, field, table, Node(own, opp, mine, theirs), ply, alpha)


@kernel
def exact(board: Board, field: Field, table: Table, own: Word, opp: Word, ply: int) -> Number:
    """The score of any position; meaningless once the meter says stopped.

    Asks who wins first, then how soon, one window after another.
    """
    left = board.cells - ply
    least, most = -(left >> 1), (left + 1) >> 1
    while least < most and not field.meter.stopped:
        alpha = min(max(0, least), most - 1)
        value = window(board, field, table, own, opp, ply, alpha)
        if value > alpha:
            least = value
        else:
            most = value
    return least


class SpaceSolver(ExactSolver):
    """Exact scores for one board in space."""

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES) -> None:
        if rules.is_flat:
            raise BadRules(f"the endgame solver plays on boards in space; {rules} is flat")
        super().__init__()
        self.rules = rules
        self.board = record_of(rules.board)
        entries = max(2, int(megabytes * 2**20 / ENTRY.itemsize))
        index_bits = entries.bit_length() - 1
        self.field = field_of(rules, index_bits)
        self.table = np.zeros(1 << index_bits, ENTRY)

    def _score(self, position: Position) -> int:
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        return int(exact(self.board, self.field, self.table, own, opp, position.ply))

    def _bound(self, position: Position, alpha: int) -> int:
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        return int(window(self.board, self.field, self.table, own, opp, position.ply, alpha))
