"""The refinements of alpha-beta: a better order of moves, and a transposition table.

First come moves that refuted a sister position (killer: Akl and Newborn 1977) or many positions
(history: Schaeffer 1983), or those of the highest evaluation; a beam drops all but the best. The
transposition table (Greenblatt, Eastlake and Crocker 1967) holds the best move of a position and
its value, or a bound on it, whatever moves led there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.evaluation.kernels import LEARNED, Node, Weights, leaf_value, place
from arena.game.bits import NONE, U1, Board, Ints, OneRecord
from arena.game.rules import MAX_CELLS
from arena.kernels import kernel, landing, lowest

Entry = np.record
Table = NDArray[np.void]
State = np.record

ASK_NETWORK = 5  # plies left; with fewer, its order costs more than it saves

UPPER, LOWER, EXACT = 1, 2, 3  # the kind of value of an entry

ENTRY = np.dtype([("key", np.uint64), ("value", np.int32), ("depth", np.int16),
                  ("bound", np.int8), ("cell", np.int8)], align=True)  # fmt: skip

STATE = np.dtype(
    [
        ("sorts", np.bool_),  # true if anything below changes the order of moves
        ("by_value", np.bool_),  # larger evaluation first
        ("beam", np.int64),  # the number of moves to try; 0: all
        ("by_killer", np.bool_),  # the move that refuted a sister position first
        ("by_history", np.bool_),  # moves that refuted many positions first
        ("use_table", np.bool_),
        ("sides", np.uint64),  # 1: the key of an entry has the side to move, else 0
        ("killer", np.uint64, MAX_CELLS + 1),  # by discs on the board
        ("history", np.int64, (2, MAX_CELLS)),  # by side and cell
        ("moves", np.uint64, (MAX_CELLS + 1, MAX_CELLS)),  # by discs on the board: sorted moves
        ("ranks", np.int64, (MAX_CELLS + 1, MAX_CELLS)),
    ],
    align=True,
)


# ---- the order of moves


@kernel
def sort_moves(
    board: Board, weights: Weights, order: Ints, state: State,
    node: Node, depth: int, table_move: np.uint64,
) -> int:  # fmt: skip
    """List the moves by rank, with a beam only the first ones; return their number."""
    own, opp, _, discs, _ = node
    count = 0
    for i in range(board.width):
        disc = landing(board, own | opp, order[i])
        if disc == NONE:
            continue
        rank = rank_move(board, weights, state, node, depth, disc, table_move)
        k = count
        while k > 0 and state.ranks[discs, k - 1] < rank:
            state.ranks[discs, k] = state.ranks[discs, k - 1]
            state.moves[discs, k] = state.moves[discs, k - 1]
            k -= 1
        state.ranks[discs, k] = rank
        state.moves[discs, k] = disc
        count += 1
    return min(count, state.beam) if state.beam > 0 else count


@kernel
def rank_move(
    board: Board, weights: Weights, state: State,
    node: Node, depth: int, disc: np.uint64, table_move: np.uint64,
) -> int:  # fmt: skip
    """The rank of a move: the table's, then the killer, then by evaluation and history."""
    own, opp, value, discs, side = node
    if state.beam == 0 and disc == table_move:
        return 1 << 62
    if state.beam == 0 and state.by_killer and disc == state.killer[discs]:
        return 1 << 61
    rank = 0
    if state.by_history:
        rank = min(state.history[side, lowest(disc)], (1 << 24) - 1)
    if state.by_value or state.beam > 0:
        gain, won = place(board, weights, side, own, opp, disc)
        if weights.leaf >= LEARNED:
            asks = state.beam > 0 or depth >= ASK_NETWORK
            gain = (
                leaf_value(board, weights, value + gain, side, own | disc, opp, disc) if asks else 0
            )
        rank = 1 << 60 if won else (gain << 24) + rank
    return rank


@kernel
def is_in_beam(
    board: Board, weights: Weights, order: Ints, state: State,
    node: Node, depth: int, disc: np.uint64,
) -> bool:  # fmt: skip
    """Check whether the beam, if there is one, has this move."""
    if state.beam == 0:
        return True
    for k in range(sort_moves(board, weights, order, state, node, depth, NONE)):
        if state.moves[node[3], k] == disc:
            return True
    return False


@kernel
def record_cutoff(state: State, node: Node, disc: np.uint64, depth: int) -> None:
    """Store a move that refuted a position, for its sisters (killer) and for all others."""
    _, _, _, discs, side = node
    state.killer[discs] = disc
    if state.by_history:
        state.history[side, lowest(disc)] += depth * depth


# ---- the transposition table


@kernel
def key_of(node: Node, sides: np.uint64) -> np.uint64:
    """Both words of discs mixed into one (multipliers of SplitMix: Steele, Lea and Flood 2014).

    If the evaluation of one player is not the negative of the other's, the key has the side.
    """
    word = node[0] * np.uint64(0xBF58476D1CE4E5B9) + node[1] * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x9E3779B97F4A7C15)
    word ^= word >> np.uint64(29)
    return word ^ ((np.uint64(node[4]) & sides) << np.uint64(63))


@kernel
def slot_of(table: Table, key: np.uint64) -> int:
    """The slot of a position: of its two slots the one that holds it, else the first."""
    slot: Any = np.int64(key & np.uint64(table.size - 1))
    return slot ^ 1 if table[slot ^ 1].key == key else slot


@kernel
def table_cutoff(entry: Entry, key: np.uint64, depth: int, alpha: int, beta: int) -> bool:
    """Check whether an entry replaces the search of this key."""
    if entry.key != key or entry.depth < depth:
        return False
    if entry.bound == LOWER:
        return entry.value >= beta
    if entry.bound == UPPER:
        return entry.value <= alpha
    return True


@kernel
def table_move(entry: Entry, key: np.uint64) -> np.uint64:
    """The best move of an entry for this key; no bit if it has none."""
    return U1 << np.uint64(entry.cell) if entry.key == key and entry.cell >= 0 else NONE


@kernel
def store(
    table: Table, slot: int, key: np.uint64, depth: int, value: int, bound: int, disc: np.uint64
) -> None:
    """Store a result; of two slots, the shallower one is overwritten."""
    if table[slot].key != key and table[slot].depth > depth:
        slot ^= 1
    entry = table[slot]
    entry.key = key
    entry.value = value
    entry.depth = depth
    entry.bound = bound
    entry.cell = lowest(disc) if disc != NONE else -1


@kernel
def expected_line(
    board: OneRecord, state: OneRecord, table: Table, line: Ints,
    own: np.uint64, opp: np.uint64, column: int,
) -> int:  # fmt: skip
    """Store a move and those that follow it in the table; return their number."""
    board, state = board[0], state[0]
    disc, side, count = landing(board, own | opp, column), 0, 0
    while disc != NONE:
        line[count] = lowest(disc) // board.height
        count += 1
        own, opp, side = opp, own | disc, 1 - side
        key = key_of((own, opp, 0, 0, side), state.sides)
        entry = table[slot_of(table, key)]
        disc = table_move(entry, key) & ~(own | opp) if entry.bound != UPPER else NONE
    return count
