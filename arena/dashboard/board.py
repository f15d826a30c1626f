"""A board of a few characters: the last move or the winning line marked, levels side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arena.dashboard.blocks import Block
from arena.dashboard.glyphs import DISC_STYLES, MARK, QUIET, STRONG, Glyphs
from arena.show.board import Line

if TYPE_CHECKING:
    from arena.game.position import Position
    from arena.game.rules import Cell, Rules

ROOMY = 30  # columns; a board that would be wider has no gaps


class Scale(NamedTuple):
    """Spaces between the discs of a row, empty lines between rows, spaces between levels."""

    gap: int
    leading: int
    apart: int


TIGHT, USUAL, LARGE, HUGE = Scale(0, 0, 1), Scale(1, 0, 2), Scale(3, 1, 4), Scale(5, 2, 6)


def scales(rules: Rules) -> list[Scale]:
    """The scales that suit a board, the smallest first."""
    if not rules.is_flat:
        return [TIGHT, USUAL]
    return [USUAL, LARGE, HUGE] if board_size(rules, USUAL)[0] <= ROOMY else [TIGHT]


def board_size(rules: Rules, scale: Scale) -> tuple[int, int]:
    """Columns and rows that a board takes."""
    if rules.is_flat:
        return _spread(rules.width, scale.gap), _spread(rules.height, scale.leading)
    level = _spread(rules.width, scale.gap) + scale.apart
    return rules.height * level - scale.apart, rules.depth + 1


def _spread(cells: int, gap: int) -> int:
    return cells + (cells - 1) * gap


def draw_board(position: Position, scale: Scale, glyphs: Glyphs) -> Block:
    """The board, its top row first; of a board in space the levels, the lowest first."""
    rules, marked = position.rules, _marked(position)
    if rules.is_flat:
        block: Block = []
        for z in reversed(range(rules.height)):
            cells = [(x, 0, z) for x in range(rules.width)]
            block.append(_row(position, cells, marked, scale, glyphs))
            block += [[("", "")] for _ in range(scale.leading if z else 0)]
        return block
    width = _spread(rules.width, scale.gap)
    names = (str(z + 1).center(width) for z in range(rules.height))
    block = [[((" " * scale.apart).join(names), QUIET)]]
    for y in range(rules.depth):
        line: Line = []
        for z in range(rules.height):
            line += [(" " * scale.apart, "")] if z else []
            line += _row(position, [(x, y, z) for x in range(rules.width)], marked, scale, glyphs)
        block.append(line)
    return block


def _marked(position: Position) -> set[Cell]:
    """The cells of the winning lines, or of the last move."""
    if position.winner is not None:
        return {cell for line in position.winning_lines for cell in line.cells}
    if not position.moves:
        return set()
    rules, column = position.rules, position.moves[-1]
    top = position.moves.count(column) - 1
    return {(column // rules.depth, column % rules.depth, top)}


def _row(
    position: Position, cells: list[Cell], marked: set[Cell], scale: Scale, glyphs: Glyphs
) -> Line:
    row: Line = []
    for number, cell in enumerate(cells):
        if number and scale.gap:
            row.append((" " * scale.gap, ""))
        owner = position.owner(*cell)
        if owner is None:
            row.append((glyphs.empty, QUIET))
        else:
            style = DISC_STYLES[owner]
            mark = f"{STRONG} {MARK} {style}" if cell in marked else style
            row.append((glyphs.discs[owner], mark))
    return row
