"""A board for the eye: discs in colour where there is colour, a winning line in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from arena.game.position import DISCS, Position

if TYPE_CHECKING:
    from arena.game.rules import Cell

COLOURS = ("red", "yellow")
MARGIN = "  "


def drawn(position: Position) -> Text:
    """The board as it is drawn in notation, three characters a cell; levels side by side."""
    rules = position.rules
    marked = {cell for line in position.winning_lines for cell in line.cells}
    board = Text()
    if rules.is_flat:
        for z in reversed(range(rules.height)):
            cells = [(x, 0, z) for x in range(rules.width)]
            board.append(MARGIN).append(_row(position, cells, marked)).append("\n")
        numbers = "".join(f"{column + 1:^3}" for column in range(rules.columns))
        return board.append(MARGIN + numbers.rstrip(), style="dim")
    names = (f"level {z + 1}".center(3 * rules.width) for z in range(rules.height))
    board.append(MARGIN + MARGIN.join(names).rstrip(), style="dim")
    for y in range(rules.depth):
        board.append("\n")
        for z in range(rules.height):
            cells = [(x, y, z) for x in range(rules.width)]
            board.append(MARGIN).append(_row(position, cells, marked))
    return board


def board_width(position: Position) -> int:
    """How many characters a drawn flat board is wide."""
    return len(MARGIN) + 3 * position.rules.width


def _row(position: Position, cells: list[Cell], marked: set[Cell]) -> Text:
    row = Text()
    for cell in cells:
        owner = position.owner(*cell)
        if owner is None:
            row.append(" . ", style="dim")
        elif cell in marked:
            row.append(f"[{DISCS[owner]}]", style=f"bold {COLOURS[owner]}")
        else:
            row.append(f" {DISCS[owner]} ", style=COLOURS[owner])
    return row
