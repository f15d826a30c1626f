"""What a search works on: a board's constants, its counters, and room for moves, as one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.errors import BadRules
from arena.game.rules import Rules
from arena.game.tables import new_record
from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, inlined
from arena.solver.bits import Frame

Field = Any  # a record of the layout below

WORD = 64  # bits
LANES = 32  # columns at most, padded so that loops over them run in whole vectors
DEPTH = WORD + 2

# What can be switched off, each a row of the ablation in `arena bench solver`.
FEATURES = {
    "dead": 1,  # discs that no line can use any more count for nobody in the table
    "mirror": 2,  # mirror images share their entry
    "table": 4,  # positions are remembered
    "children": 8,  # all children are looked up before one is searched
    "lines": 16,  # without an open line nobody wins
    "follow": 32,  # the follow-up bound of this position
    "replies": 64,  # the follow-up bounds of all children
    "order": 128,  # by threats and promise; otherwise from the centre outwards
}
ALL_FEATURES = sum(FEATURES.values())

FIELD = np.dtype(
    [
        ("connect", np.int64),
        ("columns", np.int64),
        ("lanes", np.int64),  # columns, rounded up to whole vectors
        ("height", np.int64),
        ("cells", np.int64),
        ("bits", np.int64),  # of a key
        ("stride", np.uint64),
        ("board", np.uint64),
        ("bottom", np.uint64),
        ("top", np.uint64),
        ("leading", np.uint64),
        ("trailing", np.uint64),
        ("from_third", np.uint64),
        ("from_fifth", np.uint64),
        ("from_ninth", np.uint64),
        ("column", np.uint64, LANES),  # cells of the columns, from the centre outwards
        ("number", np.int64, LANES),  # which columns these are
        ("through", np.int64, WORD),  # by cell: how many lines run through it
        ("features", np.int64),
        ("index_bits", np.int64),  # of the table
        ("nodes", np.int64),
        ("most", np.int64),  # nodes after which to stop
        ("deadline", np.int64),  # nanoseconds of the monotonic clock; 0: none
        ("clock", np.int64),
        ("clock_kind", np.int64),
        ("stopped", np.bool_),
        # What is known of each position on the way to the one at hand, by level.
        ("own", np.uint64, DEPTH),
        ("discs", np.uint64, DEPTH),
        ("ply", np.int64, DEPTH),
        ("alpha", np.int64, DEPTH),
        ("beta", np.int64, DEPTH),
        ("alpha_before", np.int64, DEPTH),  # before any of its moves was searched
        ("least", np.int64, DEPTH),  # it is worth this at least
        ("most_here", np.int64, DEPTH),  # and this at most
        ("sign", np.int64, DEPTH),  # -1 if forced moves have changed the player to move
        ("best", np.int64, DEPTH),
        ("best_column", np.int64, DEPTH),
        ("tried", np.int64, DEPTH),  # moves so far
        ("nodes_before", np.int64, DEPTH),
        ("place", np.int64, DEPTH),  # in the table
        ("rest", np.uint64, DEPTH),
        ("flipped", np.int64, DEPTH),  # whether its key is that of the mirror image
        ("remembers", np.int64, DEPTH),
        ("looked", np.int64, DEPTH),  # whether the keys of its children are known
        ("moves", np.uint64, (DEPTH, LANES)),
        ("ranks", np.int64, (DEPTH, LANES)),
        ("bounds", np.int64, (DEPTH, LANES)),
        ("keys", np.uint64, (DEPTH, LANES)),  # of the children
        ("flips", np.int64, (DEPTH, LANES)),  # whether these are those of mirror images
    ],
    align=True,
)


def refuse(rules: Rules) -> None:
    """Say why a board cannot be solved exactly, if that is so."""
    if not rules.is_flat:
        raise BadRules(f"the exact solver plays on flat boards; {rules} is in space")
    bits = rules.width * (rules.height + 1)
    if bits > WORD:
        raise BadRules(
            f"{rules} is too large for the exact solver: columns x (rows + 1) is {bits}, "
            f"at most {WORD} fit"
        )


def field_of(rules: Rules, index_bits: int, features: int = ALL_FEATURES) -> Field:
    """A fresh record for a board and a table of 2 ** index_bits entries."""
    refuse(rules)
    field: Any = new_record(FIELD)
    width, height = rules.width, rules.height
    stride = height + 1
    field.connect, field.columns, field.height = rules.connect, width, height
    field.lanes = -(-width // 8) * 8
    field.cells, field.bits, field.stride = width * height, width * stride, stride

    def cells(rows: Any) -> int:
        return sum(1 << column * stride + row for column in range(width) for row in rows)

    field.board, field.bottom = cells(range(height)), cells([0])
    field.top = cells([height - 1])
    field.leading = cells(range(height % 2, height, 2))
    field.trailing = cells(range(1 - height % 2, height, 2))
    field.from_third, field.from_fifth = cells(range(2, height)), cells(range(4, height))
    field.from_ninth = cells(range(8, height))
    for place, column in enumerate(rules.centre_order):
        field.column[place] = ((1 << height) - 1) << column * stride
        field.number[place] = column
    for cell in range(width * height):
        column, row = divmod(cell, height)
        field.through[column * stride + row] = len(rules.lines_through[cell])
    field.features, field.index_bits = features, index_bits
    field.clock, field.clock_kind = CLOCK_ADDRESS, CLOCK_KIND
    return field


@inlined
def frame_of(field: Field) -> Frame:
    """The constants of any board."""
    return Frame(
        field.connect, field.stride, field.board, field.bottom, field.top, field.leading,
        field.trailing, field.from_third, field.from_fifth, field.from_ninth,
    )  # fmt: skip


@inlined
def frame_of_four(field: Field) -> Frame:
    """The constants of a board with lines of four: the compiler then knows their length."""
    return Frame(
        4, field.stride, field.board, field.bottom, field.top, field.leading,
        field.trailing, field.from_third, field.from_fifth, field.from_ninth,
    )  # fmt: skip
