"""A flat board in one word, its patterns, and bounds: a column is `stride` bits, the highest empty.

The bits of 7x6, whose stride is 7, as they lie on the board:

     6 13 20 27 34 41 48    the free bit above each column
    -------------------
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46    from one cell to the next of a line:
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44        upright            1
     1  8 15 22 29 36 43        level              stride
     0  7 14 21 28 35 42        slanting           stride - 1, stride + 1

The free bit keeps patterns from running into the next column: a line in any direction is found by
shifting the whole word, whatever the board's size. `connect` is an argument everywhere; where it is
the constant 4 the compiler keeps only the short way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.bits import METER, new_record
from arena.game.rules import Rules
from arena.jit import inlined, kernel, popcount

Word = Any  # np.uint64, one bit a cell
Number = Any  # np.int64, or a truth value, from words and records
Field = Any  # a record of the layout FIELD
Level = Any  # a record of the layout LEVEL

ONE, TWO, THREE = (np.uint64(n) for n in (1, 2, 3))
NO_CELL = np.uint64(0)
EVERY_BIT = np.uint64(2**64 - 1)
WORD = 64  # bits
LANES = 32  # columns at most, padded so that loops over them run in whole vectors
VECTOR = 8  # columns at a time: enough for the usual board
NO_BOUND = 100  # more than any score

DEPTH = WORD + 2
TABLE_FROM, CHILDREN_FROM, MIRROR_FROM = 8, 18, 26  # free cells from which each saves time

# A position on the way to the one at hand, and its moves.
LEVEL = np.dtype(
    [
        ("own", np.uint64),
        ("discs", np.uint64),
        ("ply", np.int64),
        ("sign", np.int64),  # -1 if forced moves have changed the player to move
        ("alpha", np.int64),
        ("least", np.int64),  # a lower bound of its score
        ("most", np.int64),  # and an upper one
        ("best", np.int64),  # the highest value of the moves searched so far
        ("best_column", np.int64),
        ("at", np.int64),  # the move that is being searched
        ("nodes_before", np.int64),
        ("use_table", np.int64),  # whether it belongs in the table
        ("has_keys", np.int64),  # whether the keys of its children are stored
        ("slot", np.int64),  # in the table
        ("rest", np.uint64),  # of its key
        ("flipped", np.int64),  # whether its key is that of the mirror image
        ("moves", np.uint64, LANES),  # by column, from the centre outwards
        ("ranks", np.int64, LANES),
        ("keys", np.uint64, LANES),  # of the children
        ("flips", np.int64, LANES),  # whether these are those of mirror images
    ],
    align=True,
)

FIELD = np.dtype(
    [
        ("connect", np.int64),
        ("columns", np.int64),
        ("lanes", np.int64),  # columns, rounded up to whole vectors
        ("cells", np.int64),
        ("bits", np.int64),  # of a key
        ("stride", np.uint64),
        ("board", np.uint64),
        ("bottom", np.uint64),
        ("top", np.uint64),
        ("leading", np.uint64),
        ("trailing", np.uint64),
        ("column", np.uint64, LANES),  # cells of the columns, from the centre outwards
        ("number", np.int64, LANES),  # which columns these are
        ("through", np.int64, WORD),  # by cell: how many lines run through it
        ("table_from", np.int64),
        ("children_from", np.int64),
        ("mirror_from", np.int64),
        ("table", np.int64),  # the address of its first entry
        ("index_bits", np.int64),  # log2 of the number of entries
        ("meter", METER),
        ("levels", LEVEL, DEPTH),
    ],
    align=True,
)


def field_of(rules: Rules) -> Field:
    """A fresh record for a flat board of at most a word; it has no table yet."""
    field: Any = new_record(FIELD)
    width, height = rules.width, rules.height
    stride = height + 1
    field.connect, field.columns = rules.connect, width
    field.lanes = -(-width // VECTOR) * VECTOR
    field.cells, field.bits, field.stride = width * height, width * stride, stride

    def cells(rows: Any) -> int:
        return sum(1 << column * stride + row for column in range(width) for row in rows)

    field.board, field.bottom = cells(range(height)), cells([0])
    field.top = cells([height - 1])
    field.leading = cells(range(height % 2, height, 2))
    field.trailing = cells(range(1 - height % 2, height, 2))
    for place, column in enumerate(rules.centre_order):
        field.column[place] = ((1 << height) - 1) << column * stride
        field.number[place] = column
    for cell in range(width * height):
        column, row = divmod(cell, height)
        field.through[column * stride + row] = len(rules.lines_through[cell])
    field.table_from, field.children_from = TABLE_FROM, CHILDREN_FROM
    field.mirror_from = MIRROR_FROM
    return field


def give_table(field: Field, table: NDArray[np.uint64]) -> None:
    """Let searches use these words, a power of two of them, which must stay alive."""
    field.table, field.index_bits = table.ctypes.data, len(table).bit_length() - 1


class Frame(NamedTuple):
    """A board's constants, as scalars that stay in registers."""

    connect: int
    stride: Word  # bits a column: its cells and one above
    board: Word  # all cells
    bottom: Word  # the lowest cell of each column
    top: Word  # the highest cell of each column
    leading: Word  # cells with an even number of cells from themselves to the top
    trailing: Word  # the others


@inlined
def frame_of(field: Field, connect: int) -> Frame:
    """The constants of a board; given 4 for `connect`, the compiler knows how long lines are."""
    return Frame(
        connect, field.stride, field.board, field.bottom, field.top, field.leading, field.trailing
    )


@inlined
def completing(discs: Word, stride: Word, connect: int) -> Word:
    """Cells, free or not, that would complete a line with discs alone."""
    if connect != 4:
        return _completing_any(discs, stride, connect)
    ends = (discs << ONE) & (discs << TWO) & (discs << THREE)
    for step in (stride - ONE, stride, stride + ONE):
        ends |= _fourth(discs, step)
    return ends


@inlined
def _fourth(cells: Word, step: Word) -> Word:
    """Cells that would be the fourth of a line along one direction."""
    up = cells << step  # shifted once more each time: three steps at once may be 64 bits or more
    up_two = up << step
    down = cells >> step
    down_two = down >> step
    return (up & up_two & ((up_two << step) | down)) | (down & down_two & ((down_two >> step) | up))


@kernel
def _completing_any(cells: Word, stride: Word, connect: int) -> Word:
    """The same for lines of any length; upright, only the cell above, as discs do not float."""
    ends, moved = EVERY_BIT, cells
    for _ in range(1, connect):
        moved <<= ONE
        ends &= moved
    for step in (stride - ONE, stride, stride + ONE):
        for lacking in range(connect):
            line, moved = EVERY_BIT, cells
            for _ in range(lacking):
                moved <<= step
                line &= moved
            moved = cells
            for _ in range(lacking + 1, connect):
                moved >>= step
                line &= moved
            ends |= line
    return ends


@inlined
def has_line(cells: Word, stride: Word, connect: int) -> Word:
    """True if a whole line lies among these cells."""
    if connect != 4:
        return _has_line_of_any(cells, stride, connect)
    lines = NO_CELL
    for step in (ONE, stride - ONE, stride, stride + ONE):
        pairs = cells & (cells >> step)
        lines |= pairs & ((pairs >> step) >> step)
    return lines != NO_CELL


@kernel
def _has_line_of_any(cells: Word, stride: Word, connect: int) -> Word:
    """True if a line of any length lies among these cells."""
    lines = NO_CELL
    for step in (ONE, stride - ONE, stride, stride + ONE):
        line = moved = cells
        for _ in range(1, connect):
            moved >>= step
            line &= moved
        lines |= line
    return lines != NO_CELL


@inlined
def over(cells: Word, frame: Frame) -> Word:
    """All cells above these, in their columns.

    Taking the lowest cell from a column turns all bits up to the lowest of these; the free bit
    above each column keeps that from reaching into the next one.
    """
    marked = cells | (frame.top << ONE)
    return frame.board & ~(marked ^ (marked - frame.bottom))


@inlined
def lead_bound(leader: Word, follower: Word, frame: Frame) -> Number:
    """The most that the player to move can score if the other one just answers; or NO_BOUND.

    The player to move leads, the other one follows:

    - In a column with an even number of free cells the follower answers each disc right above it,
      so the leader gets the `leading` cells there, the follower the `trailing` ones.
    - In a column with an odd number that would leave the last cell to the leader and the follower
      without an answer. Where the follower has a threat on a cell that falls to them by answering,
      the game ends before that: such a column is *held*.
    - The other odd columns go in pairs: when the leader first drops into one, the follower drops
      into another one, and both are even from then on. The leader may get the lowest free cell of
      each. If their number is odd this fails, and nothing is claimed.

    If the leader has no line among all cells they may get, they cannot win. If the follower has a
    threat among theirs, the leader has to play right below it in the end, after all other cells are
    filled. (The even case is Allis's claimeven, 1988; held and paired columns go beyond it.)
    """
    # The columns: even ones, and of the odd ones those that are held and those that go in pairs.
    discs = leader | follower
    free = frame.board ^ discs
    lowest_free = (discs + frame.bottom) & frame.board
    odd = lowest_free & frame.trailing
    odd_columns = odd | over(odd, frame)
    threats = completing(follower, frame.stride, frame.connect) & free
    holding = threats & frame.leading & odd_columns
    held_tops = odd_columns & frame.top & over(holding, frame)
    held = (held_tops << ONE) - (held_tops >> (frame.stride - TWO))
    paired = odd_columns & ~held

    # The cells that each of the two may get, and the threats of the follower among theirs.
    threats = (threats & frame.trailing & ~held & ~(odd & paired)) | (holding & held)
    never = over(threats, frame)  # the game ends before these are reached
    leads = (free & frame.leading & ~held) | (free & frame.trailing & held) | (odd & paired)
    follows = (free & frame.trailing & ~held & ~odd) | (free & frame.leading & held)

    # The bound: when the leader has to play below such a threat, if there is one.
    ends = popcount(threats & ~never)
    lines = has_line(follower | follows, frame.stride, frame.connect)
    bound = -1 if lines else 0
    bound = bound if ends == 0 else -((popcount(never) + 2 * ends) >> 1)
    unpaired = popcount(paired & frame.top) & 1
    open_lines = has_line(leader | (leads & ~never), frame.stride, frame.connect)
    return NO_BOUND if open_lines or unpaired != 0 else bound
