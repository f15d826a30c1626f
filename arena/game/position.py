"""A position: two sets of discs, whose turn it is, and who has won."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import IllegalMove
from arena.game.rules import CONNECT4, Cell, Rules

if TYPE_CHECKING:
    import numpy as np

FIRST, SECOND = 0, 1
DISCS = "XO"
STEAL = 254  # the move that takes the first disc; it fits a byte, as columns do


class WinningLine(NamedTuple):
    """A completed line: who owns it, its cells as (x, y, level) from 0, and its direction."""

    player: int
    cells: tuple[Cell, ...]
    direction: str


class Position:
    """An immutable state of a game; `play` returns the next one.

    `first` and `second` are the discs of the two players, one bit a cell. Columns count from 0
    here and from 1 in the notation for people. By the pie rule the second player may answer the
    first disc with STEAL: the disc changes its owner, and the first player moves again.
    """

    def __init__(
        self,
        rules: Rules = CONNECT4,
        first: int = 0,
        second: int = 0,
        moves: tuple[int, ...] = (),
        winner: int | None = None,
        stolen: bool = False,
    ) -> None:
        """Take the parts unchecked; use `Position.parse` and `play` instead."""
        self.rules = rules
        self.first = first
        self.second = second
        self.moves = moves
        self.ply = (first | second).bit_count()
        self.winner = winner
        self.stolen = stolen
        self._legal: tuple[int, ...] | None = None

    @classmethod
    def parse(cls, text: str, rules: Rules = CONNECT4) -> Position:
        """Read a string of moves ("4453") or a drawn board."""
        from arena.game.notation import read_position

        return read_position(text, rules)

    @property
    def to_move(self) -> int:
        """The player whose turn it is: 0 for the first, 1 for the second."""
        return (self.ply ^ self.stolen) & 1

    @property
    def own(self) -> int:
        """The discs of the player to move."""
        return self.second if (self.ply ^ self.stolen) & 1 else self.first

    @property
    def opponent(self) -> int:
        """The discs of the player who has just moved."""
        return self.first if (self.ply ^ self.stolen) & 1 else self.second

    @property
    def words(self) -> tuple[np.uint64, np.uint64]:
        """Both sets of discs as kernels take them, first those of the player to move.

        Numba takes a plain integer for an int64, which overflows where cell 63 is in use.
        """
        word = _word()
        if (self.ply ^ self.stolen) & 1:
            return word(self.second), word(self.first)
        return word(self.first), word(self.second)

    @property
    def can_steal(self) -> bool:
        """True in reply to the first disc, by the pie rule."""
        return self.rules.pie and self.ply == 1 and not self.stolen

    @property
    def why_no_steal(self) -> str:
        """The reason why STEAL is not allowed here."""
        if not self.rules.pie:
            return "STEAL is not allowed: the game is played without the pie rule"
        if self.stolen:
            return "STEAL is not allowed: the first disc has already been stolen"
        return "STEAL is only allowed in reply to the first disc"

    @property
    def plain(self) -> Position:
        """The position without the pie rule, as if the owner of the first disc had begun.

        The player to move has the same discs and the same columns; only the steal is gone.
        """
        if not self.rules.pie:
            return self
        first, second, winner = self.first, self.second, self.winner
        if self.stolen:
            first, second = second, first
            winner = None if winner is None else 1 - winner
        moves = tuple([column for column in self.moves if column != STEAL])
        return Position(self.rules.plain, first, second, moves, winner)

    @property
    def is_over(self) -> bool:
        """True if somebody has won or the board is full."""
        return self.winner is not None or self.ply == self.rules.cells

    @property
    def is_draw(self) -> bool:
        """True if the board is full and nobody has a line."""
        return self.winner is None and self.ply == self.rules.cells

    @property
    def legal(self) -> tuple[int, ...]:
        """The columns a disc can be dropped into; none when the game is over."""
        if self._legal is None:
            occupied = self.first | self.second
            masks = () if self.is_over else self.rules.column_masks
            self._legal = tuple([c for c, mask in enumerate(masks) if occupied & mask != mask])
        return self._legal

    @property
    def choices(self) -> tuple[int, ...]:
        """The legal columns, and STEAL where it is allowed."""
        return (*self.legal, STEAL) if self.can_steal else self.legal

    def play(self, column: int) -> Position:
        """The position after the player to move drops a disc into this column, or steals."""
        rules, moves, stolen = self.rules, self.moves, self.stolen
        if not 0 <= column < rules.columns or self.winner is not None:
            if column == STEAL and self.can_steal:
                return Position(rules, self.second, self.first, (*moves, STEAL), None, True)
            raise self._illegal(column)
        first, second = self.first, self.second
        mask = rules.column_masks[column]
        disc = (((first | second) & mask) + rules.bottoms[column]) & mask
        if not disc:
            raise self._illegal(column)
        if (self.ply ^ stolen) & 1:
            second |= disc
            winner = SECOND if _completes(second, disc, rules) else None
        else:
            first |= disc
            winner = FIRST if _completes(first, disc, rules) else None
        after = Position(rules, first, second, (*moves, column), winner, stolen)
        if winner is None and disc << 1 & mask:  # the column is not full: the same are legal
            after._legal = self._legal
        return after

    def wins_with(self, column: int) -> bool:
        """Check whether dropping into this column completes a line at once."""
        disc = self.landing(column)
        return disc != 0 and self.winner is None and _completes(self.own | disc, disc, self.rules)

    def landing(self, column: int) -> int:
        """The bit of the cell where a disc dropped here comes to rest; 0 if the column is full."""
        mask = self.rules.column_masks[column]
        return (((self.first | self.second) & mask) + self.rules.bottoms[column]) & mask

    def disc(self, column: int, row: int) -> int | None:
        """The player whose disc is in this cell, or None; rows count from 0 at the bottom.

        Columns are those of `play`: in space, column `x * depth + y` and its levels as rows.
        """
        rules = self.rules
        if 0 <= column < rules.columns and 0 <= row < rules.rows:
            return self.owner(*divmod(column, rules.depth), row)
        board = f"columns 0 to {rules.columns - 1}, rows 0 to {rules.rows - 1}"
        raise IndexError(f"column {column}, row {row} is not on the {rules.size} board ({board})")

    def owner(self, x: int, y: int, z: int) -> int | None:
        """The player whose disc is in this cell, or None; all coordinates count from 0."""
        bit = 1 << self.rules.cell(x, y, z)
        return FIRST if self.first & bit else SECOND if self.second & bit else None

    @property
    def last_column(self) -> int:
        """The column of the last disc that was dropped."""
        return self.moves[0] if self.moves[-1] == STEAL else self.moves[-1]

    @property
    def last_cell(self) -> int:
        """The number of the cell where the last disc lies: the highest of its column."""
        stack = (self.first | self.second) & self.rules.column_masks[self.last_column]
        return stack.bit_length() - 1

    @cached_property
    def winning_lines(self) -> tuple[WinningLine, ...]:
        """Every line the winner has completed; one disc can complete several."""
        if self.winner is None:
            return ()
        rules, discs = self.rules, (self.first, self.second)[self.winner]
        full = [line for line in rules.lines if discs & line.mask == line.mask]
        return tuple(
            WinningLine(
                self.winner,
                tuple(map(rules.coordinates, cells)),
                direction.name_on(rules.is_flat),
            )
            for cells, _, direction in full
        )

    @property
    def winning_line(self) -> WinningLine | None:
        """The line that decided the game, the first of them if one disc made several."""
        return self.winning_lines[0] if self.winning_lines else None

    def image(self, symmetry: tuple[int, ...]) -> Position:
        """The position with its columns moved by a symmetry of the board."""
        mask, height = self.rules.column_masks[0], self.rules.height

        def moved(discs: int) -> int:
            return sum(
                (discs >> column * height & mask) << target * height
                for column, target in enumerate(symmetry)
            )

        moves = tuple(move if move == STEAL else symmetry[move] for move in self.moves)
        first, second = moved(self.first), moved(self.second)
        return Position(self.rules, first, second, moves, self.winner, self.stolen)

    def mirrored(self) -> Position:
        """The position seen from behind: left and right change places."""
        return self.image(self.rules.mirror)

    @cached_property
    def symmetry_key(self) -> tuple[int, int]:
        """A pair of numbers that all images of a position share."""
        images = (self.image(symmetry) for symmetry in self.rules.symmetries)
        return min((image.first, image.second) for image in images)

    @property
    def notation(self) -> str:
        """The moves as 1-based columns, or the drawing of a board that was set up."""
        from arena.game.notation import write_position

        return write_position(self)

    def __str__(self) -> str:
        from arena.game.notation import draw

        return draw(self)

    def __repr__(self) -> str:
        return f"<Position {self.rules} {self.notation!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine = (self.first, self.second, self.stolen, self.rules)
        return mine == (other.first, other.second, other.stolen, other.rules)

    def __hash__(self) -> int:
        return hash((self.first, self.second, self.rules))

    def __reduce__(self) -> tuple[object, ...]:
        parts = (self.rules, self.first, self.second, self.moves, self.winner, self.stolen)
        return Position, parts

    def _illegal(self, column: int) -> IllegalMove:
        if self.winner is not None:
            return IllegalMove(f"the game is over: {DISCS[self.winner]} has won")
        if self.ply == self.rules.cells:
            return IllegalMove("the game is over: the board is full")
        if column == STEAL:
            return IllegalMove(self.why_no_steal)
        from arena.game.notation import column_words, not_on_board  # which imports positions

        if 0 <= column < self.rules.columns:
            return IllegalMove(f"{column_words(column, self.rules)} is full")
        return IllegalMove(not_on_board(column, self.rules))


@cache
def _word() -> type[np.uint64]:
    """NumPy's word, imported late: many read positions and need no kernels."""
    from numpy import uint64

    return uint64


def _completes(discs: int, disc: int, rules: Rules) -> bool:
    """Check whether a line through this disc is complete (`discs` includes it)."""
    for line in rules.lines_through[disc.bit_length() - 1]:  # noqa: SIM110  # twice as fast
        if discs & line == line:
            return True
    return False
