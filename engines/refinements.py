"""The refinements of alpha-beta: an order in which it prunes more, and a table of what it has seen.

Moves are ordered by what refuted a sister position (killer), what refuted most positions (history),
or by their evaluation; a beam drops all but the best. The transposition table holds the result of a
position however it was reached, as a value or a bound on it, and the best move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.engines.search import Search
from arena.evaluation.kernels import LEARNED, Node, Weights, leaf_value, place
from arena.game.kernels import NONE, U1, landing
from arena.game.rules import MAX_CELLS
from arena.game.tables import Board
from arena.jit import kernel, lowest

Window = tuple[int, int]  # alpha and beta: only worths between them matter
Entry = np.record
Table = NDArray[np.void]

ASK_NETWORK = 5  # plies left; nearer to the leaves its order costs more than it saves

UPPER, LOWER, EXACT = 1, 2, 3  # what the value of an entry is

ENTRY = np.dtype([("key", np.uint64), ("value", np.int32), ("depth", np.int16),
                  ("bound", np.int8), ("cell", np.int8)], align=True)  # fmt: skip

REFINEMENTS: list[Any] = [
    ("sorts", np.bool_),  # whether anything below changes the order of moves
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
]


@kernel
def sort_moves(
    board: Board, weights: Weights, search: Search, node: Node, depth: int, table_move: np.uint64
) -> int:
    """List the moves, the most promising first; with a beam, only so many. How many there are."""
    own, opp, _, discs, _ = node
    count = 0
    for k in range(board.width):
        disc = landing(board, own | opp, search.order[k])
        if disc == NONE:
            continue
        rank = rank_move(board, weights, search, node, depth, disc, table_move)
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
    node: Node,
    depth: int,
    disc: np.uint64,
    table_move: np.uint64,
) -> int:
    """How promising a move is: the table's, then the killer, then by history or evaluation."""
    own, opp, value, discs, side = node
    if search.beam == 0 and disc == table_move:
        return 1 << 62
    if search.beam == 0 and search.by_killer and disc == search.killer[discs]:
        return 1 << 61
    rank = 0
    if search.by_history:
        rank = min(search.history[side, lowest(disc)], (1 << 24) - 1)
    if search.by_value or search.beam > 0:
        gain, won = place(board, weights, side, own, opp, disc)
        if weights.leaf >= LEARNED:
            asks = search.beam > 0 or depth >= ASK_NETWORK
            gain = (
                leaf_value(board, weights, value + gain, side, own | disc, opp, disc) if asks else 0
            )
        rank = 1 << 60 if won else (gain << 24) + rank
    return rank


@kernel
def credit(search: Search, node: Node, disc: np.uint64, depth: int) -> None:
    """Remember the move that refuted a position, for its sisters (killer) and all others."""
    _, _, _, discs, side = node
    search.killer[discs] = disc
    if search.by_history:
        search.history[side, lowest(disc)] += depth * depth


@kernel
def key_of(node: Node) -> np.uint64:
    """Both words of discs mixed into one (multipliers of SplitMix: Steele, Lea and Flood 2014)."""
    word = node[0] * np.uint64(0xBF58476D1CE4E5B9) + node[1] * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x9E3779B97F4A7C15)
    return word ^ (word >> np.uint64(29))


@kernel
def slot_of(table: Table, key: np.uint64) -> int:
    """Where a position is in the table: of its two slots, the one that holds it, else the first."""
    slot: Any = np.int64(key & np.uint64(table.size - 1))
    return slot ^ 1 if table[slot ^ 1].key == key else slot


@kernel
def answers(search: Search, entry: Entry, key: np.uint64, depth: int, window: Window) -> bool:
    """Whether an entry says enough about the position of this key to search no further."""
    alpha, beta = window
    if entry.key != key:
        return False
    if entry.depth != depth and not (search.deeper and entry.depth > depth):
        return False
    if entry.bound == LOWER:
        return entry.value >= beta
    if entry.bound == UPPER:
        return entry.value <= alpha
    return True


@kernel
def move_in(entry: Entry, key: np.uint64) -> np.uint64:
    """The best move that an entry knows for the position of this key; no bit if none."""
    return U1 << np.uint64(entry.cell) if entry.key == key and entry.cell >= 0 else NONE


@kernel
def store(
    table: Table, slot: int, key: np.uint64, depth: int, value: int, bound: int, disc: np.uint64
) -> None:
    """Keep a result; of two slots the shallower result gives way."""
    if table[slot].key != key and table[slot].depth > depth:
        slot ^= 1
    entry = table[slot]
    entry.key = key
    entry.value = value
    entry.depth = depth
    entry.bound = bound
    entry.cell = lowest(disc) if disc != NONE else -1
