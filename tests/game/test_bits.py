"""Tables reach kernels as arrays of one record, and words of discs as what they are."""

from __future__ import annotations

import numpy as np

from arena import Position, Rules
from arena.game.bits import BOARD, OneRecord, board_of
from arena.jit import kernel
from arena.kernels import landing


@kernel
def cell_of(board: OneRecord, own: np.uint64, opp: np.uint64, column: int) -> np.uint64:
    """Where a disc lands, by a kernel that Python calls."""
    return landing(board[0], own | opp, column)


def test_the_last_cell_of_64_is_no_overflow() -> None:
    position = Position.parse("16 16 16 16 1 1 1 1", Rules.space(4, 4, 4)).play(1)
    own, opp = position.words
    assert (int(own), int(opp)) == (position.own, position.opponent)
    assert (int(own) | int(opp)) >> 63 == 1
    assert cell_of(board_of(position.rules), own, opp, 1) == 1 << 5


def test_all_boards_share_one_type_and_a_rule_has_one_board() -> None:
    flat, space = Rules.flat(7, 6), Rules.space(4, 4, 4)
    assert board_of(flat).dtype is board_of(space).dtype is BOARD
    assert board_of(flat) is flat.board
