"""The board of a game in progress: roomy or compact, in the colours of a theme, or in letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rich.text import Text

from arena.errors import UnknownName
from arena.game.position import DISCS, Position
from arena.game.rules import Cell, Rules
from arena.show.board import MARGIN, Board, Line, Look, as_plain, as_text, flat_rows, level_names


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

    @cached_property
    def look(self) -> Look:
        """How cells are drawn: the last disc in round brackets, winning ones in square."""
        alike = len(set(self.theme.discs)) == 1
        discs = DISCS if alike and not self.has_colour else self.theme.discs
        empty = "·" if self.has_colour else "."
        return Look(discs, self.theme.styles, empty, around_last="()")

    def disc(self, seat: int) -> Text:
        """A disc of this side."""
        return Text(self.look.discs[seat], style=self.look.styles[seat])

    def board(
        self, position: Position, roomy: bool = False, falling: Falling | None = None
    ) -> list[Text]:
        """The lines of a board."""
        if not position.rules.is_flat:
            return self._space(position)
        return self._flat(position, roomy, falling)

    def rows(self, rules: Rules, roomy: bool) -> int:
        """How many lines `board` has."""
        if rules.is_flat:
            return 2 * rules.height + 3 if roomy else rules.height + 4
        return (rules.depth + 3) * len(list(self._groups(rules))) - 1

    def _flat(self, position: Position, roomy: bool, falling: Falling | None) -> list[Text]:
        rules, board, arrow = position.rules, Board(position, self.look), Text()
        if position.moves and falling is None:  # where the last disc was dropped
            style = self.theme.styles[1 - position.to_move]
            own = style.partition(" on ")[2] or style  # outside the board a background is the disc
            arrow = Text(MARGIN + " " * (4 * position.last_column + 2)).append("▼", style=own)
        frame, between = ("│", self.theme.frame), ("│" if roomy else " ", self.theme.frame)
        lines = [arrow, self._bar("┌┬┐" if roomy else "┌─┐", rules)]
        for row, cells in enumerate(flat_rows(rules)):
            if roomy and row:
                lines.append(self._bar("├┼┤", rules))
            runs: Line = []
            for cell in cells:
                drawn = board.cell(cell)
                if falling is not None and cell == falling.cell:
                    drawn = f" {self.look.discs[falling.seat]} ", self.look.styles[falling.seat]
                runs += [between if runs else frame, drawn]
            lines.append(as_text([[*runs, frame]]))
        numbers = " ".join(f"{column + 1:^3}" for column in range(rules.columns))
        lines.append(self._bar("└┴┘" if roomy else "└─┘", rules))
        return [*lines, Text(f"{MARGIN} {numbers}".rstrip())]

    def _bar(self, joints: str, rules: Rules) -> Text:
        """A line of the frame: its left end, what stands between two columns, its right end."""
        bar = joints[0] + joints[1].join(["───"] * rules.width) + joints[2]
        return as_text([[(bar, self.theme.frame)]])

    def _space(self, position: Position) -> list[Text]:
        """Levels side by side, as many as fit; y goes down, x to the right."""
        rules, board = position.rules, Board(position, self.look)
        numbers = "".join(f"{x + 1:^3}" for x in range(rules.width))
        lines: list[Text] = []
        for levels in self._groups(rules):
            lines += [Text()] if lines else []
            heading = level_names(3 * rules.width, levels)
            lines.append(Text(f"{MARGIN}y {heading}", style="dim"))
            for y, runs in enumerate(board.rows(levels=levels), start=1):
                lines.append(Text(f"{MARGIN}{y:<2}", style="dim").append_tokens(runs))
            below = MARGIN.join([numbers] * len(levels)).rstrip()
            lines.append(Text(f"{MARGIN}x {below}", style="dim"))
        return lines

    def _groups(self, rules: Rules) -> Iterable[range]:
        """The levels that stand in one row."""
        fit = max(1, (self.width - 8) // (3 * rules.width + len(MARGIN)))
        for start in range(0, rules.height, fit):
            yield range(start, min(start + fit, rules.height))


def plain_board(position: Position) -> str:
    """Rows of X, O and -, for any terminal; levels of a space board side by side."""
    rules = position.rules
    gap = " " if rules.width > 9 else ""  # between columns, and before what has one digit
    board = Board(position, Look(empty="-", around=gap, around_last=gap, around_winning=gap))
    numbers = gap.join(f"{x + 1:>{1 + len(gap)}}" for x in range(rules.width))
    if rules.is_flat:
        return f"{as_plain(board.rows(gap))}\n{numbers}"
    names = [f"level {z + 1}" for z in range(rules.height)]
    across = max(len(numbers), len(names[-1]))
    apart = " " * (across - len(numbers)) + MARGIN
    rows = as_plain(board.rows(gap, apart)).splitlines()
    lines = [f"   {MARGIN.join(name.ljust(across) for name in names)}".rstrip()]
    lines += [f"{y:>2} {row}" for y, row in enumerate(rows, start=1)]
    return "\n".join([*lines, f"   {apart.join([numbers] * rules.height)}"])
