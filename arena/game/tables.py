"""The former home of `arena.game.bits`, until all callers have moved."""

from arena.game.bits import (
    BOARD,
    MAX_PLACES,
    Bits,
    Board,
    Ints,
    new_record,
    record_of,
)
from arena.game.rules import Rules

__all__ = ["BOARD", "MAX_PLACES", "Bits", "Board", "Ints", "board_of", "new_record"]


def board_of(rules: Rules) -> Board:
    """The record of a board's tables."""
    return record_of(rules.board)
