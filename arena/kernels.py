"""The public parts of compiled engines (docs: writing an engine, step 4).

State is `uint64` words and tuples of them; tables are arrays of one record. A kernel that Python
calls takes such arrays and passes `board[0]`, `meter[0]`, `weights[0]` to other kernels.

kernel             compile a function with Numba and cache it on disk
board_of           the tables of a board: columns, lines, cells (also `rules.board`)
landing            the cell where a disc dropped into a column comes to rest; 0 if it is full
has_line           whether these discs hold a line anywhere
completes          whether a line through this disc is complete
winning_disc       a cell where the player to move wins at once; 0 if there is none
out_of_budget      count a node; true if nodes or time have run out
popcount, lowest   the number of set bits; the index of the lowest one
next_random        the next word of a generator of random numbers

With an evaluation, a node of a search is a tuple that carries the value along:

weights_of         the numbers of an evaluation on a board
root               the node of a position
drop               drop a disc at a node: whether that ends the search, and the value
child              the node after a move
win_value          the value of a won game
"""

from arena.evaluation.kernels import child, drop, root, weights_of, win_value
from arena.game.bits import board_of, completes, has_line, landing, out_of_budget, winning_disc
from arena.game.playouts import next_random
from arena.jit import kernel, lowest, popcount

__all__ = [
    "board_of", "child", "completes", "drop", "has_line", "kernel", "landing", "lowest",
    "next_random", "out_of_budget", "popcount", "root", "weights_of", "win_value", "winning_disc",
]  # fmt: skip
