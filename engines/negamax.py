"""Alpha-beta as a kernel, with every refinement of it as a switch.

Negamax form, fail-soft: a value is always seen from the player to move, a child's value is negated.
The state is two words of discs and a running evaluation, passed by value: nothing is undone. What
a search counts and remembers is one record, `Search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.evaluation.kernels import Weights, place, try_disc, win_worth
from arena.game.kernels import NONE, landing
from arena.game.rules import MAX_CELLS
from arena.game.tables import Board
from arena.jit import is_past, kernel, lowest

Search = np.record
Table = NDArray[np.void]

INFINITY = 4_000_000_000
EVERYWHERE = np.uint64(2**64 - 1)
FULL, PARENT, ABSOLUTE = 0, 1, 2
UPPER, LOWER, EXACT = 1, 2, 3
CLOCK_EVERY = 1024

SEARCH = np.dtype(
    [
        ("nodes", np.int64),  # moves tried
        ("most", np.int64),  # how many may be tried
        ("check", np.int64),  # when to look at the clock again
        ("deadline", np.int64),  # on the monotonic clock; 0: none
        ("cpu_deadline", np.int64),  # on the thread's processor clock
        ("clock", np.int64),  # their address, see arena.jit
        ("stopped", np.bool_),  # out of nodes or time: values no longer mean anything
        ("pruning", np.int64),  # FULL, PARENT or ABSOLUTE
        ("order", np.int64, MAX_CELLS),  # columns in the order they are tried
        ("sorts", np.bool_),  # whether anything below changes that order
        ("by_value", np.bool_),  # larger evaluation first
        ("beam", np.int64),  # only so many moves are tried; 0: all
        ("by_killer", np.bool_),  # what refuted the sister position first
        ("by_history", np.bool_),  # what refuted most positions first
        ("remembers", np.bool_),  # whether the transposition table is in use
        ("deeper", np.bool_),  # whether an entry of a deeper search serves too
        ("killer", np.uint64, MAX_CELLS + 1),  # by discs on the board
        ("history", np.int64, (2, MAX_CELLS)),  # by side and cell
        ("moves", np.uint64, (MAX_CELLS + 1, MAX_CELLS)),  # by discs on the board: sorted moves
        ("ranks", np.int64, (MAX_CELLS + 1, MAX_CELLS)),
        ("length", np.int64, MAX_CELLS + 2),  # by discs on the board: of the principal line
        ("line", np.int64, (MAX_CELLS + 2, MAX_CELLS + 1)),  # its cells
    ],
    align=True,
)

ENTRY = np.dtype([("key", np.uint64), ("value", np.int32), ("depth", np.int16),
                  ("bound", np.int8), ("cell", np.int8)], align=True)  # fmt: skip


@kernel
def exhausted(search: Search) -> bool:
    """Whether nodes or time have run out; the clock is read once in a thousand moves."""
    if search.nodes >= search.check:
        search.check = min(search.most, search.nodes + CLOCK_EVERY)
        if search.nodes >= search.most:
            search.stopped = True
        else:
            search.stopped = is_past(search.clock, search.deadline, search.cpu_deadline)
    return search.stopped


@kernel
def negamax(
    board: Board,
    weights: Weights,
    search: Search,
    table: Table,
    side: int,
    own: np.uint64,
    opp: np.uint64,
    value: int,
    discs: int,
    depth: int,
    alpha: int,
    beta: int,
    allowed: np.uint64,
) -> int:
    """The worth of a position to the player to move, `depth` plies deep, between alpha and beta.

    Only moves to the allowed cells are tried: at the root one column at a time, below it all.
    """
    search.length[discs] = 0
    remembers = search.remembers and depth > 1 and allowed == EVERYWHERE
    slot, known = 0, NONE
    if remembers:
        slot = find(table, own, opp)
        entry = table[slot]
        if entry.key == scramble(own, opp):
            if entry.depth == depth or (search.deeper and entry.depth > depth):
                if entry.bound == EXACT:
                    return entry.value
                if entry.bound == LOWER and entry.value >= beta:
                    return entry.value
                if entry.bound == UPPER and entry.value <= alpha:
                    return entry.value
            if entry.cell >= 0:
                known = np.uint64(1) << np.uint64(entry.cell)
    sorts = depth > 1 and (search.sorts or known != NONE)
    count = board.width
    if sorts:
        count = sort_moves(board, weights, search, side, own, opp, discs, known)
    best, best_disc, floor = -INFINITY, NONE, alpha
    for k in range(count):
        disc = search.moves[discs, k] if sorts else landing(board, own | opp, search.order[k])
        if disc & allowed == NONE:
            continue
        if exhausted(search):
            return best
        search.nodes += 1
        ends, worth = try_disc(board, weights, side, own, opp, value, discs, disc, depth == 1)
        if not ends:
            low, high = alpha, beta
            if search.pruning != FULL:
                low, high = (best if search.pruning == PARENT else -INFINITY), INFINITY
            worth = -negamax(
                board, weights, search, table, 1 - side, opp, own | disc, -worth,
                discs + 1, depth - 1, -high, -low, EVERYWHERE,
            )  # fmt: skip
            if search.stopped:
                return best
        if worth > best:
            best, best_disc = worth, disc
            if worth > alpha:
                alpha = worth
                note_line(search, discs, disc, ends)
            if is_cut(weights, search, worth, beta, discs):
                credit(search, side, discs, depth, disc)
                break
    if remembers:
        bound = LOWER if best >= beta else EXACT if best > floor else UPPER
        store(table, slot, own, opp, best, depth, bound, best_disc)
    return best


@kernel
def is_cut(weights: Weights, search: Search, worth: int, beta: int, discs: int) -> bool:
    """Whether the rest need not be tried: the bound is met, or (S1.2) nothing could be better."""
    if search.pruning == ABSOLUTE:
        return weights.win != 0 and worth >= win_worth(weights, worth, discs + 1)
    return worth >= beta


@kernel
def note_line(search: Search, discs: int, disc: np.uint64, ends: bool) -> None:
    """Write down a move and what is expected to follow it."""
    length = 0 if ends else search.length[discs + 1]
    search.line[discs, 0] = lowest(disc)
    for k in range(length):
        search.line[discs, k + 1] = search.line[discs + 1, k]
    search.length[discs] = length + 1


@kernel
def credit(search: Search, side: int, discs: int, depth: int, disc: np.uint64) -> None:
    """Remember the move that refuted a position, for its sisters (killer) and all others."""
    search.killer[discs] = disc
    if search.by_history:
        search.history[side, lowest(disc)] += depth * depth


@kernel
def sort_moves(
    board: Board,
    weights: Weights,
    search: Search,
    side: int,
    own: np.uint64,
    opp: np.uint64,
    discs: int,
    known: np.uint64,
) -> int:
    """List the moves, the most promising first; with a beam, only so many. How many there are."""
    count = 0
    for k in range(board.width):
        disc = landing(board, own | opp, search.order[k])
        if disc == NONE:
            continue
        rank = rank_move(board, weights, search, side, own, opp, discs, disc, known)
        place_at = count
        while place_at > 0 and search.ranks[discs, place_at - 1] < rank:
            search.ranks[discs, place_at] = search.ranks[discs, place_at - 1]
            search.moves[discs, place_at] = search.moves[discs, place_at - 1]
            place_at -= 1
        search.ranks[discs, place_at] = rank
        search.moves[discs, place_at] = disc
        count += 1
    return min(count, search.beam) if search.beam > 0 else count


@kernel
def rank_move(
    board: Board,
    weights: Weights,
    search: Search,
    side: int,
    own: np.uint64,
    opp: np.uint64,
    discs: int,
    disc: np.uint64,
    known: np.uint64,
) -> int:
    """How promising a move is: the table's, then the killer, then by history or evaluation."""
    if search.beam == 0 and disc == known:
        return 1 << 62
    if search.beam == 0 and search.by_killer and disc == search.killer[discs]:
        return 1 << 61
    rank = 0
    if search.by_history:
        rank = min(search.history[side, lowest(disc)], (1 << 24) - 1)
    if search.by_value or search.beam > 0:
        gain, won = place(board, weights, side, own, opp, disc)
        rank = 1 << 60 if won else (gain << 24) + rank
    return rank


@kernel
def scramble(own: np.uint64, opp: np.uint64) -> np.uint64:
    """Both words mixed into one (multipliers of Steele, Lea and Flood's SplitMix, 2014)."""
    word = own * np.uint64(0xBF58476D1CE4E5B9) + opp * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x9E3779B97F4A7C15)
    return word ^ (word >> np.uint64(29))


@kernel
def find(table: Table, own: np.uint64, opp: np.uint64) -> int:
    """The slot of a position: of its two, the one that holds it, else the first."""
    key = scramble(own, opp)
    slot: Any = np.int64(key & np.uint64(table.size - 1))
    return slot ^ 1 if table[slot ^ 1].key == key else slot


@kernel
def store(
    table: Table,
    slot: int,
    own: np.uint64,
    opp: np.uint64,
    value: int,
    depth: int,
    bound: int,
    disc: np.uint64,
) -> None:
    """Keep a result; of two slots the shallower result gives way."""
    key = scramble(own, opp)
    if table[slot].key != key and table[slot].depth > depth:
        slot ^= 1
    entry = table[slot]
    entry.key = key
    entry.value = value
    entry.depth = depth
    entry.bound = bound
    entry.cell = lowest(disc) if disc != NONE else -1
