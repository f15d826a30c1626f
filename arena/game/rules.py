"""The geometry of a game: which cells there are, where a disc can drop, which lines win.

One type serves flat boards and boards in space: a flat board is a space board of depth 1.
Cells are numbered column by column from the bottom, `column * height + level`, and a column is
`x * depth + y`, so every table about a board is indexed by one of two small integers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import BadRules, UnknownName

if TYPE_CHECKING:
    from arena.game.bits import OneRecord

MAX_CELLS = 64
PIE = "+pie"
SIDE = "([0-9]{1,9})"

Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Direction:
    """A step from one cell of a line to the next: along the width, the depth and the height."""

    dx: int
    dy: int
    dz: int

    def cells(self, start: Cell, count: int) -> list[Cell]:
        """The first `count` cells from a start on, on the board or not."""
        x, y, z = start
        return [(x + k * self.dx, y + k * self.dy, z + k * self.dz) for k in range(count)]

    def name_on(self, flat: bool) -> str:
        """The players' word for a line in this direction."""
        if self.dx == self.dy == 0:
            return "column"
        slope = {0: "", 1: "rising ", -1: "falling "}[self.dz]
        if flat:
            return f"{slope}diagonal" if self.dz else "row"
        if self.dx and self.dy:
            turn = "x+y" if self.dy > 0 else "x-y"
            return f"{slope}space diagonal {turn}" if self.dz else f"level diagonal {turn}"
        axis = "x" if self.dx else "y"
        return f"{slope}diagonal along {axis}" if self.dz else f"row along {axis}"


DIRECTIONS = tuple(Direction(*step) for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0))


class Line(NamedTuple):
    """`connect` cells in a row, as cell numbers and as a bit mask."""

    cells: tuple[int, ...]
    mask: int
    direction: Direction


@dataclass(frozen=True)
class Rules:
    """A board of width x depth x height cells on which `connect` discs in line win.

    With the pie rule the second player may steal the first disc instead of dropping one.
    """

    width: int
    depth: int
    height: int
    connect: int = 4
    pie: bool = False

    def __post_init__(self) -> None:
        sides = (self.width, self.depth, self.height)
        if min(sides) < 1:
            raise BadRules(f"a board needs at least one cell in each direction, not {self.size}")
        if self.cells > MAX_CELLS:
            raise BadRules(
                f"a {self.size} board has {self.cells} cells; "
                f"boards of up to {MAX_CELLS} cells are supported"
            )
        if self.connect < 2:
            raise BadRules(f"connect must be 2 or more, not {self.connect}")
        if self.connect > max(sides):
            raise BadRules(f"connect {self.connect} does not fit on a {self.size} board")

    @classmethod
    def flat(cls, columns: int, rows: int, connect: int = 4, pie: bool = False) -> Rules:
        """An upright board: in shops, 7 columns x 6 rows."""
        return _rules(columns, 1, rows, connect, pie)

    @classmethod
    def space(
        cls, width: int, depth: int, height: int, connect: int = 4, pie: bool = False
    ) -> Rules:
        """A board of width x depth pegs, each holding `height` discs."""
        return _rules(width, depth, height, connect, pie)

    @classmethod
    def named(cls, text: str) -> Rules:
        """A game by its name, or by its size: `connect4`, `8x7`, `4x4x4`, `9x6c5` (connect 5).

        `+pie` at the end, as in `9x7+pie`, adds the pie rule.
        """
        width, depth, height, connect, pie = read_board(text)
        return _rules(width, depth, height, 4 if connect is None else connect, pie)

    def with_pie(self, pie: bool) -> Rules:
        """The same board with the pie rule, or without it."""
        return _rules(self.width, self.depth, self.height, self.connect, pie)

    @cached_property
    def plain(self) -> Rules:
        """The same board without the pie rule: all that lines, kernels and solvers look at."""
        return self.with_pie(False)

    @property
    def is_flat(self) -> bool:
        """True if the board has a single layer of columns."""
        return self.depth == 1

    @property
    def size(self) -> str:
        """The size in the form that `Rules.named` reads."""
        if self.is_flat:
            return f"{self.width}x{self.height}"
        return f"{self.width}x{self.depth}x{self.height}"

    @cached_property
    def name(self) -> str:
        """The game's name, or its size where it has none; `Rules.named` reads it back."""
        board = self.size if self.connect == 4 else f"{self.size}c{self.connect}"
        for name, rules in NAMED_GAMES.items():
            if rules == self.plain:
                board = name
        return board + PIE if self.pie else board

    @cached_property
    def columns(self) -> int:
        """The number of columns a disc can be dropped into."""
        return self.width * self.depth

    @property
    def rows(self) -> int:
        """The number of discs a column holds; the levels of a board in space."""
        return self.height

    @cached_property
    def cells(self) -> int:
        """The number of discs that fill the board."""
        return self.width * self.depth * self.height

    @cached_property
    def max_moves(self) -> int:
        """The most moves a game can have: a disc for each cell, and a steal."""
        return self.cells + self.pie

    @cached_property
    def bottoms(self) -> tuple[int, ...]:
        """For each column, the bit of its lowest cell."""
        return tuple(1 << column * self.height for column in range(self.columns))

    @cached_property
    def column_masks(self) -> tuple[int, ...]:
        """For each column, the bits of all its cells."""
        return tuple(bottom * ((1 << self.height) - 1) for bottom in self.bottoms)

    @cached_property
    def board(self) -> OneRecord:
        """The tables that kernels read, as an array of one record."""
        from arena.game.bits import new_board  # with kernels, which not everybody needs

        return new_board(self, self.lines)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every winning line once."""
        starts = product(range(self.width), range(self.depth), range(self.height))
        lines = []
        for direction, start in product(DIRECTIONS, starts):
            cells = direction.cells(start, self.connect)
            if self.holds(*cells[-1]):
                numbers = tuple(self.cell(*cell) for cell in cells)
                lines.append(Line(numbers, sum(1 << number for number in numbers), direction))
        return tuple(lines)

    @cached_property
    def line_of(self) -> dict[int, Line]:
        """Every line by its mask."""
        return {line.mask: line for line in self.lines}

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """The directions in which this board has lines."""
        return tuple(dict.fromkeys(line.direction for line in self.lines))

    @cached_property
    def lines_through(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the masks of the lines it belongs to."""
        return tuple(
            tuple(line.mask for line in self.lines if line.mask >> cell & 1)
            for cell in range(self.cells)
        )

    @cached_property
    def centre_order(self) -> tuple[int, ...]:
        """Columns from the most to the least promising: lines through it, then the centre."""

        def promise(column: int) -> tuple[int, int, int]:
            cells = range(column * self.height, (column + 1) * self.height)
            x, y = divmod(column, self.depth)
            off_centre = abs(2 * x - self.width + 1) + abs(2 * y - self.depth + 1)
            return -sum(len(self.lines_through[cell]) for cell in cells), off_centre, column

        return tuple(sorted(range(self.columns), key=promise))

    @cached_property
    def centre_columns(self) -> tuple[int, ...]:
        """The middle column, or the middle ones where a side is even."""
        xs = {(self.width - 1) // 2, self.width // 2}
        ys = {(self.depth - 1) // 2, self.depth // 2}
        return tuple(x * self.depth + y for x in sorted(xs) for y in sorted(ys))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The column permutations that keep the game the same, the identity first."""
        swaps = (False, True) if self.width == self.depth else (False,)
        turns = {self._turn(*flips) for flips in product((False, True), (False, True), swaps)}
        identity = tuple(range(self.columns))
        return (identity, *sorted(turns - {identity}))

    @cached_property
    def mirror(self) -> tuple[int, ...]:
        """The permutation that exchanges left and right."""
        return self._turn(flip_x=True)

    def cell(self, x: int, y: int, z: int) -> int:
        """The number of the cell at these coordinates, all from 0."""
        if not self.holds(x, y, z):
            raise IndexError(f"cell ({x}, {y}, {z}) is not on the {self.size} board")
        return (x * self.depth + y) * self.height + z

    def coordinates(self, cell: int) -> Cell:
        """The coordinates of a cell: x, y and level, all from 0."""
        column, z = divmod(cell, self.height)
        x, y = divmod(column, self.depth)
        return x, y, z

    def _turn(self, flip_x: bool, flip_y: bool = False, swap: bool = False) -> tuple[int, ...]:
        xs, ys = range(self.width)[:: 1 - 2 * flip_x], range(self.depth)[:: 1 - 2 * flip_y]
        return tuple(y * self.depth + x if swap else x * self.depth + y for x in xs for y in ys)

    def holds(self, x: int, y: int, z: int) -> bool:
        """Check whether these are the coordinates of a cell."""
        return 0 <= x < self.width and 0 <= y < self.depth and 0 <= z < self.height

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules, (self.width, self.depth, self.height, self.connect, self.pie)

    def __str__(self) -> str:
        board = f"{self.size} connect {self.connect}"
        return f"{board} with the pie rule" if self.pie else board


@lru_cache(maxsize=256)
def _rules(width: int, depth: int, height: int, connect: int, pie: bool) -> Rules:
    """One object a board, so that its tables are computed once."""
    return Rules(width, depth, height, connect, pie)


class BoardWords(NamedTuple):
    """The parts of a name or size; connect is None where it is not given."""

    width: int
    depth: int
    height: int
    connect: int | None
    pie: bool


def read_board(text: str) -> BoardWords:
    """Read a name or size, whether or not there can be such a board."""
    name = text.lower().removesuffix(PIE)
    pie = name != text.lower()
    if name in NAMED_GAMES:
        rules = NAMED_GAMES[name]
        return BoardWords(rules.width, rules.depth, rules.height, rules.connect, pie)
    size = re.fullmatch(rf"{SIDE}x{SIDE}(?:x{SIDE})?(?:c{SIDE})?", name)
    if size is None:
        sizes = ("COLUMNSxROWS", "WIDTHxDEPTHxHEIGHT", f"connect4{PIE}")
        raise UnknownName("game", text, [*NAMED_GAMES, *sizes])
    width, second, third, connect = size.groups()
    depth, height = (1, second) if third is None else (second, third)
    discs = None if connect is None else int(connect)
    return BoardWords(int(width), int(depth), int(height), discs, pie)


NAMED_GAMES: dict[str, Rules] = {
    "connect4": Rules.flat(7, 6),
    "connect4-8x7": Rules.flat(8, 7),
    "connect4-9x7": Rules.flat(9, 7),
    "connect4-5x4": Rules.flat(5, 4),
    "score4": Rules.space(4, 4, 4),
}
CONNECT4 = NAMED_GAMES["connect4"]
SCORE4 = NAMED_GAMES["score4"]
