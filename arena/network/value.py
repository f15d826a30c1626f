"""The value of a position by an n-tuple network (Bledsoe and Browning 1959; Lucas 2008).

Each tuple of cells has a table with a weight for every state of its cells. A cell has one of four
states in two bits: mine, theirs, the landing cell of the next disc, or empty above that. With `own`
and `opp` the discs of the player to move and the opponent, and `next` the landing cells, the low
bits are those of `own | next` and the high bits those of `opp | next`:

    bits of a tuple of 3     high 0 1 0   low 1 1 0     mine, next, empty
    number of its weight     0b010_110

The value is tanh of the sum of one weight from every table in every symmetry of the board: 1 is a
sure win of the player to move, -1 a loss. There is a table for each side to move, as a state that
is good with an even number of discs is often bad with an odd one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arena.game.bits import NONE, U1, Board, completes, free_cells, landing
from arena.game.rules import MAX_CELLS
from arena.jit import gather, kernel, lowest, popcount, read_float
from arena.network.tuples import MAX_TUPLES

Net = np.record
Moves = np.record

MAX_SYMMETRIES = 8
SURE = 20.0  # a sum whose tanh is 1

NETWORK = np.dtype(
    [
        ("tuples", np.int64),
        ("symmetries", np.int64),
        ("span", np.int64),  # weights for one side to move
        ("weights", np.int64),  # the address of their array
        ("mask", np.uint64, MAX_TUPLES),  # by tuple: its cells
        ("start", np.int64, MAX_TUPLES),  # by tuple: its first weight
        ("length", np.uint64, MAX_TUPLES),  # by tuple: its number of cells
        ("column", np.int64, (MAX_SYMMETRIES, MAX_CELLS)),  # by symmetry: where a column goes
        ("cell", np.uint64, (MAX_SYMMETRIES, MAX_CELLS)),  # by symmetry: where a cell goes
    ],
    align=True,
)

# The moves of a position, and the board after each of them in every image.
MOVES = np.dtype(
    [
        ("threats", np.int64),  # 1: if the player who moves next wins at once, the sum is sure
        ("count", np.int64),
        ("disc", np.uint64, MAX_CELLS),
        ("total", np.float64, MAX_CELLS),  # to the player who moves next
        ("low", np.uint64, (MAX_SYMMETRIES, MAX_CELLS)),
        ("high", np.uint64, (MAX_SYMMETRIES, MAX_CELLS)),
    ],
    align=True,
)


@kernel
def transform(board: Board, net: Net, symmetry: int, discs: np.uint64) -> np.uint64:
    """Discs as a symmetry of the board moves them."""
    if symmetry == 0:
        return discs
    height, low, moved = np.uint64(board.height), board.columns[0], NONE
    for column in range(board.width):
        stack = (discs >> (np.uint64(column) * height)) & low
        moved |= stack << (np.uint64(net.column[symmetry, column]) * height)
    return moved


@kernel
def network_sum(board: Board, net: Net, own: np.uint64, opp: np.uint64) -> float:
    """The sum of the weights of a position, before tanh, to the player to move."""
    base = net.weights + 4 * net.span * (popcount(own | opp) & 1)
    half = net.tuples // 2
    total = more = 0.0  # two sums at a time, as each addition waits for the one before
    for symmetry in range(net.symmetries):
        low, high = transform(board, net, symmetry, own), transform(board, net, symmetry, opp)
        free = free_cells(board, low | high)
        low |= free
        high |= free
        for k in range(half):
            total += weight_of(net, base, k, low, high)
            more += weight_of(net, base, half + k, low, high)
        if net.tuples & 1:
            total += weight_of(net, base, net.tuples - 1, low, high)
    return total + more


@kernel
def weight_of(net: Net, base: int, k: int, low: np.uint64, high: np.uint64) -> Any:
    """The weight of a tuple on a board with these low and high bits."""
    mask = net.mask[k]
    number = gather(low, mask) | (gather(high, mask) << net.length[k])
    return read_float(base, net.start[k] + np.int64(number))


@kernel
def network_value(board: Board, net: Net, own: np.uint64, opp: np.uint64) -> float:
    """The value of an unfinished position to the player to move, from -1 to 1."""
    return math.tanh(network_sum(board, net, own, opp))


@kernel
def list_moves(board: Board, moves: Moves, own: np.uint64, opp: np.uint64) -> bool:
    """List the legal moves, or only a move that wins at once; return whether there is one."""
    moves.count = 0
    for k in range(board.width):
        disc = landing(board, own | opp, board.order[k])
        if disc == NONE:
            continue
        if completes(board, own | disc, disc):
            moves.disc[0], moves.count = disc, 1
            return True
        moves.disc[moves.count] = disc
        moves.count += 1
    return False


@kernel
def evaluate_moves(board: Board, net: Net, moves: Moves, own: np.uint64, opp: np.uint64) -> None:
    """Sum up the weights after each move, for the player who moves next.

    It goes tuple by tuple for all moves together: most tuples are the same after most moves, and
    their weight is in the processor's cache.
    """
    # The board after each move, in each image.
    for symmetry in range(net.symmetries):
        mine, theirs = transform(board, net, symmetry, own), transform(board, net, symmetry, opp)
        for k in range(moves.count):
            disc = U1 << net.cell[symmetry, lowest(moves.disc[k])]
            free = free_cells(board, mine | theirs | disc)
            moves.low[symmetry, k] = theirs | free
            moves.high[symmetry, k] = mine | disc | free

    # One weight for each tuple, image and move.
    moves.total[: moves.count] = 0.0
    base = net.weights + 4 * net.span * (1 - (popcount(own | opp) & 1))
    for at in range(net.tuples):
        mask, length, start = net.mask[at], net.length[at], net.start[at]
        for symmetry in range(net.symmetries):
            for k in range(moves.count):
                high = gather(moves.high[symmetry, k], mask)
                number = gather(moves.low[symmetry, k], mask) | (high << length)
                moves.total[k] += read_float(base, start + np.int64(number))
    if moves.threats == 1:
        mark_threats(board, moves, own, opp)


@kernel
def mark_threats(board: Board, moves: Moves, own: np.uint64, opp: np.uint64) -> None:
    """Set a sure sum for moves after which the other player completes a line at once."""
    urgent = NONE
    for k in range(moves.count):
        disc = moves.disc[k]
        if completes(board, opp | disc, disc):
            urgent |= disc
    for k in range(moves.count):
        disc = moves.disc[k]
        above = (disc << U1) & board.full & ~board.floor
        opens = above != NONE and completes(board, opp | above, above)
        if opens or urgent & ~disc != NONE:
            moves.total[k] = SURE
