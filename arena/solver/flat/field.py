"""What a search works on: a board's constants, its counters, and room for moves, as one record."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.game.rules import Rules
from arena.game.tables import new_record
from arena.jit import CLOCK_ADDRESS, inlined
from arena.solver.flat.patterns import Frame

Field = Any  # a record of the layout FIELD
Level = Any  # one of the layout LEVEL

WORD = 64  # bits
LANES = 32  # columns at most, padded so that loops over them run in whole vectors
DEPTH = WORD + 2
NO_LIMIT = 1 << 62  # nodes: more than any search will see

# What can be switched off, each a row of the ablation in `arena bench solver`.
FEATURES = {
    "table": 1,  # positions are remembered
    "mirror": 2,  # mirror images share their entry
    "children": 4,  # all children are looked up before one is searched
    "decides": 8,  # a move that leaves no answer is seen without searching it
    "lines": 16,  # without an open line nobody wins
    "follow": 32,  # the follow-up bound of this position
    "replies": 64,  # the follow-up bounds of all children
    "order": 128,  # by threats first; otherwise by the lines through a cell alone
    "dead": 256,  # discs that no line can use any more count for nobody in the table
}
ALL_FEATURES = sum(FEATURES.values())
USUAL = ALL_FEATURES & ~FEATURES["dead"]  # such keys cost more time than they save

# Free cells from which on a feature pays.
TABLE_FROM, CHILDREN_FROM, MIRROR_FROM = 8, 18, 26

# What is known of a position on the way to the one at hand.
LEVEL = np.dtype(
    [
        ("own", np.uint64),
        ("discs", np.uint64),
        ("ply", np.int64),
        ("sign", np.int64),  # -1 if forced moves have changed the player to move
        ("alpha", np.int64),
        ("beta", np.int64),
        ("alpha_before", np.int64),  # before any of its moves was searched
        ("least", np.int64),  # it is worth this at least
        ("most", np.int64),  # and this at most
        ("best", np.int64),
        ("best_column", np.int64),
        ("at", np.int64),  # the move that is being searched
        ("nodes_before", np.int64),
        ("remembers", np.int64),  # whether it belongs in the table
        ("has_keys", np.int64),  # whether the keys of its children are written down
        ("place", np.int64),  # in the table
        ("rest", np.uint64),
        ("flipped", np.int64),  # whether its key is that of the mirror image
        ("moves", np.uint64, LANES),  # by column, from the centre outwards
        ("ranks", np.int64, LANES),
        ("keys", np.uint64, LANES),  # of the children
        ("flips", np.int64, LANES),  # whether these are those of mirror images
        ("wins", np.uint64, LANES),  # moves to which there is no answer
        ("bounds", np.int64, LANES),
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
        ("features", np.int64),
        ("table_from", np.int64),
        ("children_from", np.int64),
        ("mirror_from", np.int64),
        ("table", np.int64),  # the address of its first entry
        ("index_bits", np.int64),  # it has so many entries, as a power of two
        ("nodes", np.int64),
        ("most", np.int64),  # nodes after which to stop
        ("deadline", np.int64),  # nanoseconds of the monotonic clock; 0: none
        ("cpu_deadline", np.int64),  # of the thread's processor clock
        ("clock", np.int64),  # their address, see arena.jit
        ("stopped", np.bool_),
        ("levels", LEVEL, DEPTH),
    ],
    align=True,
)


def field_of(rules: Rules, features: int = USUAL) -> Field:
    """A fresh record for a flat board of at most a word; it has no table yet."""
    field: Any = new_record(FIELD)
    width, height = rules.width, rules.height
    stride = height + 1
    field.connect, field.columns = rules.connect, width
    field.lanes = -(-width // 8) * 8
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
    field.features = features
    field.table_from, field.children_from = TABLE_FROM, CHILDREN_FROM
    field.mirror_from = MIRROR_FROM
    field.clock = CLOCK_ADDRESS
    return field


def give_table(field: Field, table: NDArray[np.uint64]) -> None:
    """Let searches remember in these words, a power of two of them, which must stay alive."""
    field.table, field.index_bits = table.ctypes.data, len(table).bit_length() - 1


@inlined
def frame_of(field: Field) -> Frame:
    """The constants of any board."""
    return Frame(
        field.connect, field.stride, field.board, field.bottom, field.top, field.leading,
        field.trailing,
    )  # fmt: skip


@inlined
def frame_of_four(field: Field) -> Frame:
    """The constants of a board with lines of four: the compiler then knows their length."""
    return Frame(
        4, field.stride, field.board, field.bottom, field.top, field.leading, field.trailing
    )
