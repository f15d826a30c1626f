"""Flat boards as foreign code sees them: all encodings, written and read.

Every encoding starts with the top row. They differ in the cells (numbers, letters, own and other)
and in their arrangement: rows, one list, planes, a line of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar

from arena.errors import BadNotation
from arena.game.position import DISCS, STEAL, Position
from arena.game.rules import Rules

T = TypeVar("T")

Symbols = tuple[T, T, T]  # an empty cell, a disc of the first player, a disc of the second

NUMBERS: Symbols[int] = (0, 1, 2)
STEAL_NUMBER = -2  # a steal in protocols that count columns from 0


def board_rows(position: Position, symbols: Symbols[T]) -> list[list[T]]:
    """The rows from the top, each from the left."""
    empty, first, second = symbols
    firsts, seconds = position.first, position.second
    return [
        [first if firsts & bit else second if seconds & bit else empty for bit in row]
        for row in _bits(position.rules)
    ]


@lru_cache(maxsize=64)
def _bits(rules: Rules) -> list[list[int]]:
    """The bit of every cell, in rows from the top."""
    levels = range(rules.height - 1, -1, -1)
    return [[1 << rules.cell(x, 0, z) for x in range(rules.width)] for z in levels]


def flat_board(position: Position, symbols: Symbols[T]) -> list[T]:
    """All cells in one list, the top row first."""
    return list(chain.from_iterable(board_rows(position, symbols)))


def board_text(position: Position, symbols: Symbols[str], cell: str, row: str) -> str:
    """The board as text; `cell` separates cells, `row` separates rows."""
    return row.join(cell.join(cells) for cells in board_rows(position, symbols))


def own_rows(position: Position, empty: T, own: T, other: T) -> list[list[T]]:
    """The rows from the top with the discs of the player to move as `own`."""
    symbols = (empty, other, own) if position.to_move else (empty, own, other)
    return board_rows(position, symbols)


def read_flat_board(cells: Sequence[T], rules: Rules, symbols: Symbols[T]) -> Position:
    """Read a board in one list, the top row first; its moves stay unknown."""
    if len(cells) != rules.cells:
        raise BadNotation(f"a {rules.size} board has {rules.cells} cells, found {len(cells)}")
    drawing = dict(zip(symbols, f".{DISCS}", strict=True))
    unknown = next((cell for cell in cells if cell not in drawing), None)
    if unknown is not None:
        expected = ", ".join(repr(symbol) for symbol in symbols)
        raise BadNotation(f"{unknown!r} is not a cell; expected one of {expected}")
    drawn = [drawing[cell] for cell in cells]
    rows = (drawn[at : at + rules.width] for at in range(0, rules.cells, rules.width))
    return Position.parse("/".join("".join(row) for row in rows), rules)


def followed(before: Position, after: Position) -> Position | None:
    """The later position with its moves, if at most one move leads to it; else None."""
    if before.rules != after.rules:
        return None
    discs = (after.first, after.second)
    if (before.first, before.second) == discs:
        return before
    columns = (*before.legal, STEAL) if before.can_steal else before.legal
    following = map(before.play, columns)
    return next((each for each in following if (each.first, each.second) == discs), None)
