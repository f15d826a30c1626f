"""Minimax: try everything, to a fixed depth, and trust the best worst case."""

from __future__ import annotations

import numpy as np

from arena.engines.search import EVERYWHERE, INFINITY, Search, SearchEngine, note_line
from arena.evaluation.kernels import Node, Weights, child, drop
from arena.game.kernels import NONE, landing
from arena.game.meter import spent
from arena.game.tables import Board
from arena.jit import kernel


@kernel
def minimax(
    board: Board, weights: Weights, search: Search, node: Node, depth: int, allowed: np.uint64
) -> int:
    """The worth of a position to the player to move, `depth` plies deep.

    What is good for the one is bad for the other, so a child's worth is simply negated. Only moves
    to the allowed cells are tried: at the root one column at a time, below it all.
    """
    own, opp, _, discs, _ = node
    best = -INFINITY
    search.lines.length[discs] = 0
    for k in range(board.width):
        disc = landing(board, own | opp, search.order[k])
        if disc & allowed == NONE:
            continue
        if spent(search.meter):
            return best
        search.meter.nodes += 1
        ends, worth = drop(board, weights, node, disc, depth == 1)
        if not ends:
            below = child(node, disc, worth)
            worth = -minimax(board, weights, search, below, depth - 1, EVERYWHERE)
        if worth > best:
            best = worth
            note_line(search.lines, discs, disc, ends)
    return best


class Minimax(SearchEngine):
    """Looks at every line of play to a fixed depth.

    Source: Shannon 1950; Blair 2011
    """

    prunes = False

    def worth_of(self, node: Node, disc: np.uint64, depth: int, low: int) -> int:
        """Search all that can follow one move."""
        return minimax(self.board, self.weights, self.notes, node, depth, disc)
