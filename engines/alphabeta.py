"""Alpha-beta: minimax without the lines of play that cannot matter (Knuth and Moore 1975).

A value is always that of the player to move, so a child's value is negated. Alpha is the value that
this player is already sure of, beta the most that the opponent will allow. Once a move reaches
beta, the opponent will avoid this position, and its other moves need not be tried. A result outside
alpha and beta is a bound on the value ("fail-soft").

Two published programs prune less (the option `pruning`): FourPlay passes on only the parent's
bound, and Blair 2011 prunes only at certain wins. `iterative` has the refinements.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from arena import option
from arena.engines.search import EVERY, INFINITY, SearchEngine, Words
from arena.evaluation.kernels import Node, Weights
from arena.game.bits import Board, Ints, Meter, OneRecord
from arena.kernels import child, drop, kernel, landing, out_of_budget, root, win_value

FULL, PARENT, ABSOLUTE = 0, 1, 2
PRUNING = {"full": FULL, "parent": PARENT, "absolute": ABSOLUTE}


@kernel
def negamax(
    board: Board, weights: Weights, order: Ints, meter: Meter, node: Node, depth: int,
    alpha: int, beta: int, pruning: int,
) -> int:  # fmt: skip
    """The value of a position to the player to move, `depth` plies deep, or a bound on it."""
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
            low, high = alpha, beta
            if pruning != FULL:
                low, high = (best if pruning == PARENT else -INFINITY), INFINITY
            below = child(node, disc, value)
            value = -negamax(board, weights, order, meter, below, depth - 1, -high, -low, pruning)
        best, alpha = max(best, value), max(alpha, value)
        if is_cutoff(weights, node, best, beta, pruning):
            break
    return best


@kernel
def is_cutoff(weights: Weights, node: Node, value: int, beta: int, pruning: int) -> bool:
    """Check whether the other moves can be skipped: beta is reached, or this is a certain win."""
    if pruning == ABSOLUTE:
        return weights.win != 0 and value >= win_value(weights, value, node[3] + 1)
    return value >= beta


@kernel
def search_columns(
    board: OneRecord, weights: OneRecord, order: Ints, columns: Ints, meter: OneRecord,
    values: Ints, own: np.uint64, opp: np.uint64, depth: int, exact: int, pruning: int,
) -> int:  # fmt: skip
    """Store the value of each open column; return the number of nodes searched.

    Values within `exact` of the best are exact, others may be upper bounds.
    """
    board, weights, meter = board[0], weights[0], meter[0]
    node = root(board, weights, own, opp)
    best = -INFINITY
    for column in columns:
        disc = landing(board, own | opp, column)
        if disc == 0 or out_of_budget(meter):
            continue  # the column is full, or nodes or time have run out
        over, value = drop(board, weights, node, disc, depth == 1)
        if not over:
            alpha, below = max(best - exact, -INFINITY), child(node, disc, value)
            value = -negamax(
                board, weights, order, meter, below, depth - 1, -INFINITY, -alpha, pruning
            )
        if not meter.stopped:
            values[column] = value
            best = max(best, value)
    return meter.nodes


class AlphaBeta(SearchEngine):
    """Minimax to a fixed depth, without the moves that cannot change the result.

    Source: Knuth and Moore 1975; Gaiceanu 2022, Blair 2011, FourPlay
    """

    pruning: Literal["full", "parent", "absolute"] = option(
        "full", "full alpha-beta; only the parent's bound; only certain wins"
    )

    def search(self, meter: OneRecord, words: Words, depth: int, exact: int) -> tuple[int, int]:
        pruning = PRUNING[self.pruning]
        exact = exact if pruning == FULL else EVERY
        tables = *self.tables, self.columns, meter, self.values
        return search_columns(*tables, *words, depth, exact, pruning), depth
