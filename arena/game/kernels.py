"""The rules at full speed: small pure functions on two words of discs.

`own` are the discs of the player to move, `opp` those of the other; a move is the bit of the cell
where the disc lands. Nothing is ever undone: a child is a new pair of words.

The bits of a board, here 7x6: column by column, each from the bottom, and no gap between columns.

    level 6     5  11  17  23  29  35  41
    level 5     4  10  16  22  28  34  40
    level 4     3   9  15  21  27  33  39
    level 3     2   8  14  20  26  32  38
    level 2     1   7  13  19  25  31  37
    level 1     0   6  12  18  24  30  36
    column      1   2   3   4   5   6   7

Up is 1 bit, right 6 (the height), rising 7, falling 5. Shifted so, a line could wrap around from
the top of one column to the bottom of the next: `starts` has the cells where none does. A board in
space is its columns one after the other, row by row of pegs.
"""

from __future__ import annotations

import numpy as np

from arena.game.tables import Bits, Board
from arena.jit import kernel, lowest

U1 = np.uint64(1)
NONE = np.uint64(0)


@kernel
def landing(board: Board, occupied: np.uint64, column: np.int64 | int) -> np.uint64:
    """The cell where a disc dropped into a column comes to rest; no bit if it is full."""
    cells = board.columns[column]
    return ((occupied & cells) + board.bottoms[column]) & cells


@kernel
def completes(board: Board, discs: np.uint64, disc: np.uint64) -> bool:
    """Whether a line through the disc just dropped is complete (`discs` includes it)."""
    cell = lowest(disc)
    for k in range(board.start[cell], board.start[cell + 1]):
        line = board.through[k]
        if discs & line == line:
            return True
    return False


@kernel
def has_line(board: Board, discs: np.uint64) -> bool:
    """Whether these discs hold a line anywhere: the board shifted along each direction."""
    lines = NONE
    for k in range(board.directions):
        step = board.steps[k]
        if board.connect == 4:
            pairs = discs & (discs >> step)
            lines |= pairs & (pairs >> (step << U1)) & board.starts[k]
        else:
            run = discs & board.starts[k]
            for far in range(1, board.connect):
                run &= discs >> (np.uint64(far) * step)
            lines |= run
    return lines != NONE


@kernel
def winning_disc(board: Board, own: np.uint64, opp: np.uint64) -> np.uint64:
    """A cell where the player to move wins at once; no bit if there is none."""
    for k in range(board.width):
        disc = landing(board, own | opp, board.order[k])
        if disc != NONE and has_line(board, own | disc):
            return disc
    return NONE


@kernel
def next_random(word: np.uint64) -> np.uint64:
    """The generator of all kernels: a product and a sum, with the constants of Knuth's MMIX."""
    return word * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


@kernel
def below(word: np.uint64, bound: np.uint64) -> np.uint64:
    """A number from 0 to bound - 1 from the upper, well mixed half of a random word."""
    return ((word >> np.uint64(32)) * bound) >> np.uint64(32)


@kernel
def playout(board: Board, own: np.uint64, opp: np.uint64, state: Bits) -> int:
    """Play at random to the end: 1 if the player to move wins, -1 if the other, 0 for a draw."""
    if board.upright and board.connect == 4:
        return _playout_flat(board, own, opp, state)
    return _playout_space(board, own, opp, state)


@kernel
def _playout_space(board: Board, own: np.uint64, opp: np.uint64, state: Bits) -> int:
    """A random game on any board; a full column is drawn again, so open ones are equally likely."""
    columns = np.uint64(board.width)
    word = state[0]
    result, sign = 0, 1
    while own | opp != board.full:
        word = next_random(word)
        disc = landing(board, own | opp, np.int64(below(word, columns)))
        if disc == NONE:
            continue
        own |= disc
        if has_line(board, own):
            result = sign
            break
        own, opp = opp, own
        sign = -sign
    state[0] = word
    return result


@kernel
def _playout_flat(board: Board, own: np.uint64, opp: np.uint64, state: Bits) -> int:
    """The same on flat boards with connect 4, the four directions held in registers."""
    columns, height = np.uint64(board.width), np.uint64(board.height)
    low, rise, fall = board.columns[0], height + U1, height - U1
    upright, level = board.starts[0], board.starts[1]
    rising, falling = board.starts[2], board.starts[3]
    occupied, full = own | opp, board.full
    word = state[0]
    result, sign = 0, 1
    while occupied != full:
        # A disc into a random column; a full one is drawn again.
        word = next_random(word)
        bottom = below(word, columns) * height
        stack = (occupied >> bottom) & low
        if stack == low:
            continue
        occupied |= (stack + U1) << bottom
        own |= (stack + U1) << bottom
        # Pairs along each direction, then pairs of pairs.
        a, b = own & (own >> U1), own & (own >> height)
        c, d = own & (own >> rise), own & (own >> fall)
        lines = (a & (a >> np.uint64(2)) & upright) | (b & (b >> (height << U1)) & level)
        lines |= (c & (c >> (rise << U1)) & rising) | (d & (d >> (fall << U1)) & falling)
        if lines != NONE:
            result = sign
            break
        own, opp = opp, own
        sign = -sign
    state[0] = word
    return result


@kernel
def perft(board: Board, own: np.uint64, opp: np.uint64, depth: int) -> int:
    """How many sequences of `depth` moves there are; games that end are not continued."""
    total = 0
    for column in range(board.width):
        disc = landing(board, own | opp, column)
        if disc == NONE:
            continue
        if depth == 1:
            total += 1
        elif not completes(board, own | disc, disc):
            total += perft(board, opp, own | disc, depth - 1)
    return total


@kernel
def random_games(board: Board, games: int, state: Bits) -> tuple[int, int, int]:
    """Play games at random from the empty board: how many the first won, drew and lost."""
    won = drawn = 0
    for _ in range(games):
        result = playout(board, NONE, NONE, state)
        won += result == 1
        drawn += result == 0
    return won, drawn, games - won - drawn
