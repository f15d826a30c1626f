"""Minimax: try everything, to a fixed depth, and trust the best worst case (Shannon 1950).

What is good for one player is bad for the other, so a value is always that of the player to move,
and the value of a child is simply negated. A node is a tuple of the discs of both players and the
value so far, which is carried along from move to move.
"""

from __future__ import annotations

import numpy as np

from arena.engines.search import INFINITY, SearchEngine, Words
from arena.evaluation.kernels import Node, Weights
from arena.game.bits import Board, Ints, Meter, OneRecord
from arena.kernels import child, drop, kernel, landing, out_of_budget, root


@kernel
def minimax(
    board: Board, weights: Weights, order: Ints, meter: Meter, node: Node, depth: int
) -> int:
    """The value of a position to the player to move, `depth` plies deep."""
    own, opp = node[0], node[1]
    best = -INFINITY
    for i in range(board.width):
        disc = landing(board, own | opp, order[i])
        if disc == 0:
            continue  # the column is full
        if out_of_budget(meter):
            break
        over, value = drop(board, weights, node, disc, depth == 1)
        if not over:
            below = child(node, disc, value)
            value = -minimax(board, weights, order, meter, below, depth - 1)
        best = max(best, value)
    return best


@kernel
def search_columns(
    board: OneRecord, weights: OneRecord, order: Ints, meter: OneRecord, values: Ints,
    own: np.uint64, opp: np.uint64, depth: int,
) -> int:  # fmt: skip
    """Store the value of each open column; return the number of nodes searched."""
    board, weights, meter = board[0], weights[0], meter[0]
    node = root(board, weights, own, opp)
    for column in order:
        disc = landing(board, own | opp, column)
        if disc == 0 or out_of_budget(meter):
            continue  # the column is full, or nodes or time have run out
        over, value = drop(board, weights, node, disc, depth == 1)
        if not over:
            below = child(node, disc, value)
            value = -minimax(board, weights, order, meter, below, depth - 1)
        if not meter.stopped:
            values[column] = value
    return meter.nodes


class Minimax(SearchEngine):
    """Searches every line of play to a fixed depth.

    Source: Shannon 1950; Blair 2011
    """

    prunes = False

    def search(self, meter: OneRecord, words: Words, depth: int, exact: int) -> tuple[int, int]:
        return search_columns(*self.tables, meter, self.values, *words, depth), depth
