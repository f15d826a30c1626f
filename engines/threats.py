"""Threats: the cells that would complete a line, carried along for each player.

No kernel here tests for a win: a new disc can only add threats on the lines through it, and a
player wins by dropping into a threat. A place in the game is a tuple (own, opp, mine, theirs): the
discs of the player to move and of the other, then the threats of both.
"""

from __future__ import annotations

import numpy as np

from arena.game.kernels import NONE, U1, below, next_random
from arena.game.tables import Bits, Board
from arena.jit import kernel, lowest

Place = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@kernel
def free_cells(board: Board, occupied: np.uint64) -> np.uint64:
    """The cells a disc can come to rest on: empty, with the floor or a disc right below."""
    return ~occupied & ((occupied << U1) | board.floor) & board.full


@kernel
def safe_cells(board: Board, free: np.uint64, theirs: np.uint64) -> np.uint64:
    """The moves after which the opponent, who has these threats, does not win at once."""
    urgent = free & theirs
    if urgent & (urgent - U1) != NONE:
        return NONE
    if urgent != NONE:
        free = urgent
    return free & ~((theirs & ~board.floor) >> U1)


@kernel
def new_threats(board: Board, discs: np.uint64, disc: np.uint64) -> np.uint64:
    """The last missing cells of lines through a disc, whether they are still empty or not."""
    cell = lowest(disc)
    threats = NONE
    for k in range(board.start[cell], board.start[cell + 1]):
        rest = board.through[k] & ~discs
        if rest & (rest - U1) == NONE:
            threats |= rest
    return threats


@kernel
def all_threats(board: Board, discs: np.uint64) -> np.uint64:
    """The last missing cells of all lines."""
    threats, rest = NONE, discs
    while rest != NONE:
        threats |= new_threats(board, discs, rest & (~rest + U1))
        rest &= rest - U1
    return threats


@kernel
def place_of(board: Board, own: np.uint64, opp: np.uint64) -> Place:
    """A position as a place."""
    return own, opp, all_threats(board, own), all_threats(board, opp)


@kernel
def drop(board: Board, place: Place, disc: np.uint64) -> Place:
    """The place after a move, seen by the other player."""
    own, opp, mine, theirs = place
    own |= disc
    return opp, own, theirs, mine | new_threats(board, own, disc)


@kernel
def win_block_playout(board: Board, place: Place, random: Bits) -> int:
    """A random game in which both take a win, else block one; the result is as in `playout`."""
    columns = np.uint64(board.width)
    word = random[0]
    result, sign = 0, 1
    while True:
        own, opp, mine, theirs = place
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
        place = drop(board, place, disc)
        sign = -sign
    random[0] = word
    return result
