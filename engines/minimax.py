"""Minimax: try everything, to a fixed depth, and trust the best worst case."""

from __future__ import annotations

import numpy as np

from arena import Position, register
from arena.engine.levels import Offer, by_option
from arena.evaluation.kernels import Weights, try_disc
from arena.game.kernels import NONE, landing
from arena.game.tables import Board
from arena.jit import kernel
from engines.negamax import EVERYWHERE, INFINITY, Search, exhausted, note_line
from engines.search import SearchEngine


@kernel
def minimax(
    board: Board,
    weights: Weights,
    search: Search,
    side: int,
    own: np.uint64,
    opp: np.uint64,
    value: int,
    discs: int,
    depth: int,
    allowed: np.uint64,
) -> int:
    """The worth of a position to the player to move, `depth` plies deep.

    What is good for the one is bad for the other, so a child's worth is simply negated.
    """
    best = -INFINITY
    search.length[discs] = 0
    for k in range(board.width):
        disc = landing(board, own | opp, search.order[k])
        if disc & allowed == NONE:
            continue
        if exhausted(search):
            return best
        search.nodes += 1
        ends, worth = try_disc(board, weights, side, own, opp, value, discs, disc, depth == 1)
        if not ends:
            worth = -minimax(
                board, weights, search, 1 - side, opp, own | disc, -worth,
                discs + 1, depth - 1, EVERYWHERE,
            )  # fmt: skip
        if worth > best:
            best = worth
            note_line(search, discs, disc, ends)
    return best


@register("minimax")
class Minimax(SearchEngine):
    """Looks at every line of play to a fixed depth."""

    source = "Shannon 1950; Blair 2011 (S1.1); the server of S0.4; the S4 assignment (S4.2)"
    shares_chance = False
    offer = Offer(5, "every line of play, to a depth")
    prunes = False
    levels = by_option("depth", 1, 2, 4, 5, 6, varied=True)

    def descend(self, position: Position, value: int, disc: int, depth: int, low: int) -> int:
        """Search all that can follow one move."""
        own, opp = self.words(position)
        return minimax(
            self.board, self.weights, self.notes, 0, own, opp, value,
            position.ply, depth, np.uint64(disc),
        )  # fmt: skip
