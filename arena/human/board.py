"""The board of a game in progress: roomy or compact, in colour, or in plain letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rich.text import Text

from arena.errors import UnknownName
from arena.game.position import DISCS, Position
from arena.game.rules import Cell, Rules

MARGIN = "  "
PLAIN_EMPTY = "-"


@dataclass(frozen=True)
class Theme:
    """The first side's look, then the second's; `frame` is the colour of the board."""

    colours: tuple[str, str]
    styles: tuple[str, str]
    discs: tuple[str, str]
    frame: str


THEMES = {
    "classic": Theme(("red", "yellow"), ("bright_red", "bright_yellow"), ("●", "●"), "blue"),
    "blue-red": Theme(("blue", "red"), ("bright_blue", "bright_red"), ("●", "●"), "white"),
    "contrast": Theme(
        ("yellow", "blue"),
        ("bold black on bright_yellow", "bold bright_white on blue"),
        ("X", "O"),
        "bright_white",
    ),
    "mono": Theme(("X", "O"), ("bold", "bold"), ("X", "O"), "dim"),
}


def theme_named(name: str) -> Theme:
    """A theme, or a sentence with the names there are."""
    if name.lower() not in THEMES:
        raise UnknownName("theme", name, THEMES)
    return THEMES[name.lower()]


class Falling(NamedTuple):
    """A disc on its way down."""

    cell: Cell
    seat: int


@dataclass(frozen=True)
class Painter:
    """Draws boards in a theme; without colour, letters tell the sides apart."""

    theme: Theme
    has_colour: bool
    width: int = 80

    def disc(self, seat: int) -> Text:
        """A disc of this side."""
        discs = self.theme.discs if self.has_colour or len(set(self.theme.discs)) > 1 else DISCS
        return Text(discs[seat], style=self.theme.styles[seat])

    def board(
        self, position: Position, roomy: bool = False, falling: Falling | None = None
    ) -> list[Text]:
        """The lines of a board, the last disc in round brackets, winning ones in square."""
        if not position.rules.is_flat:
            return self._space(position)
        return self._flat(position, roomy, falling)

    def rows(self, rules: Rules, roomy: bool) -> int:
        """How many lines `board` has."""
        if rules.is_flat:
            return 2 * rules.height + 3 if roomy else rules.height + 4
        return (rules.depth + 3) * len(list(self._groups(rules))) - 1

    def _flat(self, position: Position, roomy: bool, falling: Falling | None) -> list[Text]:
        rules = position.rules
        lines = [self._arrow(position, falling), self._bar("┌┬┐" if roomy else "┌─┐", rules)]
        for z in reversed(range(rules.height)):
            row = Text(MARGIN)
            for x in range(rules.width):
                row.append("│" if roomy or x == 0 else " ", style=self.theme.frame)
                row.append(self._cell(position, (x, 0, z), falling))
            lines.append(row.append("│", style=self.theme.frame))
            if roomy and z:
                lines.append(self._bar("├┼┤", rules))
        numbers = " ".join(f"{column + 1:^3}" for column in range(rules.columns))
        lines.append(self._bar("└┴┘" if roomy else "└─┘", rules))
        return [*lines, Text(f"{MARGIN} {numbers}".rstrip())]

    def _bar(self, joints: str, rules: Rules) -> Text:
        """A line of the frame: its left end, what stands between two columns, its right end."""
        bar = joints[0] + joints[1].join(["───"] * rules.width) + joints[2]
        return Text(MARGIN).append(bar, style=self.theme.frame)

    def _arrow(self, position: Position, falling: Falling | None) -> Text:
        """Where the last disc was dropped."""
        if not position.moves or falling is not None:
            return Text()
        seat = 1 - position.to_move
        indent = MARGIN + " " * (4 * position.moves[-1] + 2)
        return Text(indent).append("▼", style=_foreground(self.theme.styles[seat]))

    def _space(self, position: Position) -> list[Text]:
        """Levels side by side, as many as fit; y goes down, x to the right."""
        rules = position.rules
        lines: list[Text] = []
        for levels in self._groups(rules):
            lines += [Text()] if lines else []
            names = (f"level {z + 1}".center(3 * rules.width) for z in levels)
            lines.append(Text(f"{MARGIN}y " + MARGIN.join(names).rstrip(), style="dim"))
            for y in range(rules.depth):
                row = Text(f"{MARGIN}{y + 1:<2}", style="dim")
                for z in levels:
                    for x in range(rules.width):
                        row.append(self._cell(position, (x, y, z), None))
                    row.append(MARGIN)
                lines.append(row)
            numbers = "".join(f"{x + 1:^3}" for x in range(rules.width))
            below = f"{MARGIN}x " + MARGIN.join([numbers] * len(levels)).rstrip()
            lines.append(Text(below, style="dim"))
        return lines

    def _groups(self, rules: Rules) -> Iterable[range]:
        """The levels that stand in one row."""
        fit = max(1, (self.width - 8) // (3 * rules.width + len(MARGIN)))
        for start in range(0, rules.height, fit):
            yield range(start, min(start + fit, rules.height))

    def _cell(self, position: Position, cell: Cell, falling: Falling | None) -> Text:
        if falling is not None and cell == falling.cell:
            return Text(" ").append(self.disc(falling.seat)).append(" ")
        owner = position.owner(*cell)
        if owner is None:
            return Text(" · " if self.has_colour else " . ", style="dim")
        style = self.theme.styles[owner]
        brackets = "  "
        if any(cell in line.cells for line in position.winning_lines):
            brackets, style = "[]", f"bold {style}"
        elif cell == last_cell(position):
            brackets = "()"
        glyph = self.disc(owner).plain
        return Text(f"{brackets[0]}{glyph}{brackets[1]}", style=style)


def last_cell(position: Position) -> Cell | None:
    """Where the last disc lies, if the moves are known."""
    if not position.moves:
        return None
    column, rules = position.moves[-1], position.rules
    stack = (position.first | position.second) & rules.column_masks[column]
    return rules.coordinates(stack.bit_length() - 1)


def plain_board(position: Position) -> str:
    """Rows of X, O and -, for any terminal (S4.1); levels of a space board side by side."""
    rules = position.rules
    wide = len(str(rules.width)) if rules.width > 9 else 1
    gap = " " if wide > 1 else ""

    def row(cells: Iterable[Cell]) -> str:
        owners = (position.owner(*cell) for cell in cells)
        shown = (PLAIN_EMPTY if owner is None else DISCS[owner] for owner in owners)
        return gap.join(disc.rjust(wide) for disc in shown)

    numbers = gap.join(str(x + 1).rjust(wide) for x in range(rules.width))
    if rules.is_flat:
        levels = reversed(range(rules.height))
        return "\n".join([*(row((x, 0, z) for x in range(rules.width)) for z in levels), numbers])
    across = max(len(numbers), len(f"level {rules.height}"))
    titles = MARGIN.join(f"level {z + 1}".ljust(across) for z in range(rules.height))
    lines = [f"   {titles}".rstrip()]
    for y in range(rules.depth):
        boards = (row((x, y, z) for x in range(rules.width)) for z in range(rules.height))
        lines.append(f"{y + 1:>2} " + MARGIN.join(board.ljust(across) for board in boards).rstrip())
    below = MARGIN.join([numbers.ljust(across)] * rules.height).rstrip()
    return "\n".join([*lines, f"   {below}"])


def _foreground(style: str) -> str:
    """A style without its background, for signs outside the board."""
    return style.partition(" on ")[2] or style
