"""The board of a game in progress: roomy or compact, in colour, or in letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rich.text import Text

from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.show.board import MARGIN, Board, Line, Look, as_plain, as_text, flat_rows, level_names

STYLES = ("bright_red", "bright_yellow")  # of the first side and the second
BLUE = "blue"  # the frame of the board


@dataclass(frozen=True)
class Painter:
    """Draws boards; without colour, letters tell the sides apart."""

    has_colour: bool
    width: int = 80

    @cached_property
    def look(self) -> Look:
        """How cells are drawn: the last disc in round brackets, winning ones in square."""
        discs, empty = ("●●", "·") if self.has_colour else (DISCS, ".")
        return Look(discs, STYLES, empty, around_last="()")

    def disc(self, seat: int) -> Text:
        """A disc of this side."""
        return Text(self.look.discs[seat], style=self.look.styles[seat])

    def board(self, position: Position, roomy: bool = False) -> list[Text]:
        """The lines of a board."""
        if not position.rules.is_flat:
            return self._space(position)
        return self._flat(position, roomy)

    def _flat(self, position: Position, roomy: bool) -> list[Text]:
        rules, board, arrow = position.rules, Board(position, self.look), Text()
        if position.moves:  # where the last disc was dropped
            style = STYLES[1 - position.to_move]
            arrow = Text(MARGIN + " " * (4 * position.last_column + 2)).append("▼", style=style)
        frame, between = ("│", BLUE), ("│" if roomy else " ", BLUE)
        lines = [arrow, self._bar("┌┬┐" if roomy else "┌─┐", rules)]
        for row, cells in enumerate(flat_rows(rules)):
            if roomy and row:
                lines.append(self._bar("├┼┤", rules))
            runs: Line = []
            for cell in cells:
                runs += [between if runs else frame, board.cell(cell)]
            lines.append(as_text([[*runs, frame]]))
        numbers = " ".join(f"{column + 1:^3}" for column in range(rules.columns))
        lines.append(self._bar("└┴┘" if roomy else "└─┘", rules))
        return [*lines, Text(f"{MARGIN} {numbers}".rstrip())]

    def _bar(self, joints: str, rules: Rules) -> Text:
        """A line of the frame: its left end, what stands between two columns, its right end."""
        bar = joints[0] + joints[1].join(["───"] * rules.width) + joints[2]
        return as_text([[(bar, BLUE)]])

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
    """Rows of X, O and -, for any terminal; in space levels side by side, x across, y down."""
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
    lines = [f" y {MARGIN.join(name.ljust(across) for name in names)}".rstrip()]
    lines += [f"{y:>2} {row}" for y, row in enumerate(rows, start=1)]
    return "\n".join([*lines, f" x {apart.join([numbers] * rules.height)}"])
