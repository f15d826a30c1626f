"""Random games as kernels.

Random games that look for wins keep the threats of both players: a new disc only adds threats on
the lines through it, and a player wins by dropping into one. The state is a tuple (own, opp, mine,
theirs): the discs of the player to move and of the opponent, then their threats.
"""

from __future__ import annotations

import numpy as np

from arena.game.bits import (
    NONE,
    U1,
    Bits,
    Board,
    all_threats,
    free_cells,
    has_line,
    landing,
    new_threats,
)
from arena.jit import kernel

State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


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
    """The same on flat boards with connect 4, with the four directions in registers."""
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
def state_of(board: Board, own: np.uint64, opp: np.uint64) -> State:
    """The state of a position: its discs and all threats."""
    return own, opp, all_threats(board, own), all_threats(board, opp)


@kernel
def next_state(board: Board, state: State, disc: np.uint64) -> State:
    """The state after a move, seen by the other player."""
    own, opp, mine, theirs = state
    own |= disc
    return opp, own, theirs, mine | new_threats(board, own, disc)


@kernel
def win_block_playout(board: Board, state: State, random: Bits) -> int:
    """A random game in which both take a win, else block one; the result is as in `playout`."""
    columns = np.uint64(board.width)
    word = random[0]
    result, sign = 0, 1
    while True:
        own, opp, mine, theirs = state
        free = free_cells(board, own | opp)
        if free == NONE:
            break
        if free & mine != NONE:
            result = sign
            break
        disc = free & theirs
        if disc & (disc - U1) != NONE:  # two to block: the opponent wins with the other
            result = -sign
            break
        while disc == NONE:
            word = next_random(word)
            disc = free & board.columns[np.int64(below(word, columns))]
        state = next_state(board, state, disc)
        sign = -sign
    random[0] = word
    return result
