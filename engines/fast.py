"""Alpha-beta compiled by Numba: a fast engine to copy (alpha-beta: Knuth and Moore 1975)."""

import numpy as np

from arena import Choice, Engine, option
from arena.kernels import board_of, has_line, kernel, landing, out_of_budget

WIN = 1000


@kernel
def negamax(board, meter, own, opp, discs, depth, alpha, beta):
    """The value of a position to the player to move, who owns the bits `own`."""
    if depth == 0 or discs == board.cells:
        return 0
    for i in range(board.width):
        disc = landing(board, own | opp, board.order[i])
        if disc == 0:
            continue  # the column is full
        if out_of_budget(meter):
            break
        if has_line(board, own | disc):
            value = WIN - discs  # the sooner, the better
        else:
            value = -negamax(board, meter, opp, own | disc, discs + 1, depth - 1, -beta, -alpha)
        alpha = max(alpha, value)
        if alpha >= beta:
            break  # the opponent will not allow this line
    return alpha


@kernel
def search_columns(board, meter, values, own, opp, discs, depth):
    """Store the value of each open column; return the nodes, and whether it was cut short."""
    board, meter = board[0], meter[0]  # arrays of one record
    for column in range(board.width):
        disc = landing(board, own | opp, column)
        if disc != 0:
            values[column] = WIN - discs
            if not has_line(board, own | disc):
                below = opp, own | disc, discs + 1, depth - 1
                values[column] = -negamax(board, meter, *below, -WIN, WIN)
    return meter.nodes, meter.stopped


class Fast(Engine):
    """Alpha-beta that searches deeper until its limits are used up: a page to copy."""

    depth: int = option(8, "plies to search when nothing else limits it", least=1)

    def new_game(self):
        self.values = np.zeros(self.rules.columns, np.int64)

    def choose(self, position, limits):
        meter, nodes, reached, score = self.meter(position, limits), 0, None, None
        best = position.legal[0]
        for depth in range(1, limits.plies(position, self.depth) + 1):
            values, nodes, stopped = self.search(meter, position, depth)
            if stopped:
                break  # an unfinished depth decides nothing
            best, reached = max(values, key=values.get), depth
            score = values[best]
            if abs(score) > WIN // 2:
                break  # decided
        return Choice(best, score, reached, nodes)

    def opinions(self, position, limits):
        depth = min(limits.depth or self.depth, position.rules.cells - position.ply)
        values, _, stopped = self.search(self.meter(position, limits), position, depth)
        return {} if stopped else values  # cut short, it cannot tell

    def search(self, meter, position, depth):
        """The value of each legal column, central ones first; nodes; whether it was cut short."""
        board, values = board_of(position.rules), self.values
        nodes, stopped = search_columns(board, meter, values, *position.words, position.ply, depth)
        columns = [c for c in position.rules.centre_order if c in position.legal]
        return {column: float(values[column]) for column in columns}, nodes, stopped
