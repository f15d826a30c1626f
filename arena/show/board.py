"""A board for the eye: cells as runs of characters with a style, in rows, levels side by side.

A run is what rich, the dashboard and plain text all can show. `Look` says how cells are drawn,
`Board` gives a position's rows in it; frames, numbers and names around them are their user's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import NamedTuple

from rich.text import Text

from arena.game.position import DISCS, Position
from arena.game.rules import Cell, Rules

COLOURS = ("red", "yellow")
MARGIN = "  "
ROOMY = 30  # columns; a board that would be wider has no gaps

HTML_COLOURS = {"X": "#d64545", "O": "#e0b020", ".": "#8886"}  # in a notebook

Run = tuple[str, str]  # characters and their style
Line = list[Run]


@dataclass(frozen=True)
class Look:
    """How cells are drawn: discs of both sides, an empty cell, and how some discs stand out.

    The two characters of `around` and its kin stand left and right of a disc; none, if they are
    empty. A style that stands out is added to that of the disc.
    """

    discs: Sequence[str] = DISCS
    styles: Sequence[str] = COLOURS
    empty: str = "."
    empty_style: str = "dim"
    around: str = "  "
    around_last: str = "  "
    around_winning: str = "[]"
    last_style: str = ""
    winning_style: str = "bold"


PLAIN = Look(around="", around_last="", around_winning="")


@dataclass(frozen=True)
class Board:
    """A position in a look."""

    position: Position
    look: Look = Look()

    @cached_property
    def winning(self) -> frozenset[Cell]:
        """The cells of all lines that were completed."""
        return frozenset(cell for line in self.position.winning_lines for cell in line.cells)

    @cached_property
    def last(self) -> Cell | None:
        """Where the last disc lies, if the moves are known."""
        return last_cell(self.position)

    def cell(self, cell: Cell) -> Run:
        """One cell."""
        look, owner = self.look, self.position.owner(*cell)
        around, disc, style = look.around, look.empty, look.empty_style
        if owner is not None:
            disc, style = look.discs[owner], look.styles[owner]
            if cell in self.winning:
                around, style = look.around_winning, f"{look.winning_style} {style}".strip()
            elif cell == self.last:
                around, style = look.around_last, f"{look.last_style} {style}".strip()
        return f"{around[:1]}{disc}{around[1:]}", style

    def rows(
        self, gap: str = "", apart: str = MARGIN, levels: Sequence[int] | None = None
    ) -> list[Line]:
        """All rows, the top one first; of a board in space these levels, side by side."""
        rules = self.position.rules
        if rules.is_flat:
            return [self._row(cells, gap) for cells in flat_rows(rules)]
        lines = []
        for y in range(rules.depth):
            line: Line = []
            for z in range(rules.height) if levels is None else levels:
                line += [(apart, "")] if line else []
                line += self._row([(x, y, z) for x in range(rules.width)], gap)
            lines.append(line)
        return lines

    def _row(self, cells: Iterable[Cell], gap: str) -> Line:
        line: Line = []
        for cell in cells:
            line += [(gap, "")] if gap and line else []
            line.append(self.cell(cell))
        return line


def flat_rows(rules: Rules) -> list[list[Cell]]:
    """The cells of a flat board, row by row, the top one first."""
    return [[(x, 0, z) for x in range(rules.width)] for z in reversed(range(rules.height))]


def last_cell(position: Position) -> Cell | None:
    """Where the last disc lies, if the moves are known."""
    return position.rules.coordinates(position.last_cell) if position.moves else None


def level_names(width: int, levels: Sequence[int]) -> str:
    """A heading over levels that stand side by side, each so wide."""
    return MARGIN.join(f"level {z + 1}".center(width) for z in levels).rstrip()


def board_text(position: Position) -> Text:
    """The board as it is drawn in notation, three characters a cell, in colour."""
    rules, rows = position.rules, Board(position).rows()
    if rules.is_flat:
        numbers = "".join(f"{column + 1:^3}" for column in range(rules.columns)).rstrip()
        return as_text([*rows, [(numbers, "dim")]])
    return as_text([[(level_names(3 * rules.width, range(rules.height)), "dim")], *rows])


def board_width(position: Position) -> int:
    """How many characters the text of a flat board is wide."""
    return len(MARGIN) + 3 * position.rules.width


def as_text(lines: Iterable[Line], margin: str = MARGIN) -> Text:
    """Lines of runs for rich."""
    text = Text()
    for number, line in enumerate(lines):
        text.append("\n" if number else "").append(margin)
        for characters, style in line:
            text.append(characters, style=style)
    return text


def as_plain(lines: Iterable[Line]) -> str:
    """Lines of runs without styles."""
    return "\n".join("".join(characters for characters, _ in line) for line in lines)


def board_html(position: Position) -> str:
    """A board in colours; discs of a line are underlined."""
    rules = position.rules
    lines = [[(level_names(rules.width * 2 - 1, range(rules.height)), "")]] * (not rules.is_flat)
    rows = Board(position, PLAIN).rows(" ")
    text = "\n".join("".join(map(_run, *zip(*line, strict=True))) for line in [*lines, *rows])
    if rules.is_flat:
        text += "\n" + " ".join(str(column % 10) for column in range(1, rules.columns + 1))
    return f'<pre style="line-height: 1.3">{text}</pre>'


def _run(characters: str, style: str) -> str:
    colour = HTML_COLOURS.get(characters)
    if colour is None:
        return escape(characters)
    line = "; text-decoration: underline" if "bold" in style else ""
    disc = "·" if characters == "." else "●"
    return f'<span style="color: {colour}{line}">{disc}</span>'


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
    """Columns and rows that a board takes, if a disc is one character."""
    row = rules.width + (rules.width - 1) * scale.gap
    if rules.is_flat:
        return row, rules.height + (rules.height - 1) * scale.leading
    return rules.height * (row + scale.apart) - scale.apart, rules.depth + 1


def scaled_board(position: Position, scale: Scale, look: Look) -> list[Line]:
    """The board, its top row first; of a board in space the numbered levels, the lowest first."""
    rules, gap, apart = position.rules, " " * scale.gap, " " * scale.apart
    first, *others = Board(position, look).rows(gap, apart)
    if not rules.is_flat:
        width = rules.width + (rules.width - 1) * scale.gap
        names = apart.join(str(z + 1).center(width) for z in range(rules.height))
        return [[(names, look.empty_style)], first, *others]
    lines = [first]
    for row in others:
        lines += [[("", "")] for _ in range(scale.leading)]
        lines.append(row)
    return lines
