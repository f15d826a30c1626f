"""What compiled engines are made of: import it from here (docs: writing an engine, step 4).

State is `uint64` words and tuples of them; tables are arrays of one record. A kernel that Python
calls takes such arrays and hands `board[0]`, `meter[0]`, `weights[0]` on to the others.

kernel             compile a function with Numba and keep the result on disk
board_of           the tables of a board: columns, lines, cells (also `rules.board`)
landing            the cell where a disc dropped into a column comes to rest; 0 if it is full
has_line           whether these discs hold a line anywhere
completes          whether a line through this disc is complete
winning_disc       a cell where the player to move wins at once; 0 if there is none
out_of_budget      count a node, or tell that nodes or time have run out
popcount, lowest   how many bits are set; the number of the lowest one
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
