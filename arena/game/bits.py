"""The rules as kernels: a board as tables, and small pure functions on two words of discs.

`own` are the discs of the player to move, `opp` those of the opponent; a move is the bit of the
cell where the disc lands. A child is a new pair of words, so no move is undone. A meter counts the
nodes of a search and checks its time.

The bits of a board, here 7x6: column by column, each from the bottom, and no gap between columns.

    level 6     5  11  17  23  29  35  41
    level 5     4  10  16  22  28  34  40
    level 4     3   9  15  21  27  33  39
    level 3     2   8  14  20  26  32  38
    level 2     1   7  13  19  25  31  37
    level 1     0   6  12  18  24  30  36
    column      1   2   3   4   5   6   7

Up is 1 bit, right 6 (the height), rising 7, falling 5. Shifted so, a line could wrap around from
the top of one column to the bottom of the next: `starts` has the cells where none does. A board in
space is its columns one after the other, row by row of pegs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.game.rules import DIRECTIONS, MAX_CELLS, Direction, Line, Rules
from arena.jit import CLOCK_ADDRESS, is_past, kernel, lowest

Board = np.record
Meter = np.record
Bits = NDArray[np.uint64]
Ints = NDArray[np.int64]

# An array of one record. Python passes tables to kernels in this form, which takes 0.3 us; for a
# record, Numba describes its layout at every call, for 1 to 6 us. All arrays of a kind must share
# one dtype object, or Numba compares their fields.
OneRecord: TypeAlias = Any

U1 = np.uint64(1)
NONE = np.uint64(0)

# Column, row, rising and falling diagonal: the directions of a flat board.
UPRIGHT = (Direction(0, 0, 1), Direction(1, 0, 0), Direction(1, 0, 1), Direction(1, 0, -1))

# A cell lies on fewer lines than two ways along each direction for each connect; with at most 64
# cells no board comes near this many places on lines (4x4x4 connect 2 has 936).
MAX_PLACES = 1664

BOARD = np.dtype(
    [
        ("connect", np.int64),
        ("cells", np.int64),
        ("height", np.int64),
        ("width", np.int64),  # the number of columns
        ("upright", np.bool_),  # a flat board
        ("full", np.uint64),  # every cell
        ("floor", np.uint64),  # the lowest cells of all columns
        ("bottoms", np.uint64, MAX_CELLS),  # by column: its lowest cell
        ("columns", np.uint64, MAX_CELLS),  # by column: all its cells
        ("order", np.int64, MAX_CELLS),  # columns, the most promising first
        ("directions", np.int64),  # the length of the next two tables
        ("steps", np.uint64, len(DIRECTIONS)),  # by direction: from a cell of a line to the next
        ("starts", np.uint64, len(DIRECTIONS)),  # by direction: the cells a line can start at
        ("start", np.int64, MAX_CELLS + 1),  # by cell: where its lines start in `through`
        ("through", np.uint64, MAX_PLACES),  # the lines through cell 0, through cell 1, ...
    ],
    align=True,
)


def board_of(rules: Rules) -> OneRecord:
    """The tables of a board, which all kernels read; a kernel takes them out with `board[0]`."""
    return rules.board


def new_board(rules: Rules, lines: Sequence[Line]) -> OneRecord:
    """Fill in the tables of a board that has only these lines (`Rules.board` has all)."""
    tables = np.zeros(1, BOARD)
    board = record_of(tables)
    board.connect, board.cells, board.height = rules.connect, rules.cells, rules.height
    board.width = rules.columns
    board.upright = rules.is_flat
    board.full, board.floor = 2**rules.cells - 1, sum(rules.bottoms)
    starts = dict.fromkeys(UPRIGHT if rules.is_flat else rules.directions, 0)
    for line in lines:
        starts[line.direction] |= 1 << line.cells[0]
    board.directions = len(starts)
    places = sorted((cell, at) for at, line in enumerate(lines) for cell in line.cells)
    lists = {
        "bottoms": rules.bottoms,
        "columns": rules.column_masks,
        "order": rules.centre_order,
        "steps": [(step.dx * rules.depth + step.dy) * rules.height + step.dz for step in starts],
        "starts": [*starts.values()],
        "start": [bisect_left(places, (cell,)) for cell in range(rules.cells + 1)],
        "through": [lines[at].mask for _, at in places],
    }
    for name, values in lists.items():
        board[name][: len(values)] = np.array(values, dtype=board[name].dtype)
    return tables


def record_of(array: OneRecord) -> np.record:
    """The record in an array of one, sharing its memory."""
    record: np.record = array.view(np.recarray)[0]
    return record


def new_record(layout: np.dtype[np.void]) -> np.record:
    """A record of this layout, all zeros."""
    return record_of(np.zeros(1, layout))


# ---- discs and lines


@kernel
def landing(board: Board, occupied: np.uint64, column: np.int64 | int) -> np.uint64:
    """The cell where a disc dropped into a column comes to rest; no bit if it is full."""
    cells = board.columns[column]
    return ((occupied & cells) + board.bottoms[column]) & cells


@kernel
def completes(board: Board, discs: np.uint64, disc: np.uint64) -> bool:
    """Check whether a line through this disc is complete (`discs` includes it)."""
    cell = lowest(disc)
    for k in range(board.start[cell], board.start[cell + 1]):
        line = board.through[k]
        if discs & line == line:
            return True
    return False


@kernel
def has_line(board: Board, discs: np.uint64) -> bool:
    """Check for a line anywhere, by shifting the board along each direction."""
    lines = NONE
    for k in range(board.directions):
        step = board.steps[k]
        if board.connect == 4:
            pairs = discs & (discs >> step)
            lines |= pairs & (pairs >> (step << U1)) & board.starts[k]
        else:
            run = discs & board.starts[k]
            for far in range(1, board.connect):
                run &= discs >> (np.uint64(far) * step)
            lines |= run
    return lines != NONE


@kernel
def winning_disc(board: Board, own: np.uint64, opp: np.uint64) -> np.uint64:
    """A cell where the player to move wins at once; no bit if there is none."""
    for k in range(board.width):
        disc = landing(board, own | opp, board.order[k])
        if disc != NONE and has_line(board, own | disc):
            return disc
    return NONE


# ---- cells and threats: a threat is a cell that would complete a line


@kernel
def free_cells(board: Board, occupied: np.uint64) -> np.uint64:
    """The cells a disc can come to rest on: empty, with the floor or a disc right below."""
    return ~occupied & ((occupied << U1) | board.floor) & board.full


@kernel
def safe_cells(board: Board, free: np.uint64, theirs: np.uint64) -> np.uint64:
    """The moves after which the opponent, who has these threats, does not win at once."""
    urgent = free & theirs
    if urgent & (urgent - U1) != NONE:
        return NONE
    if urgent != NONE:
        free = urgent
    return free & ~((theirs & ~board.floor) >> U1)


@kernel
def new_threats(board: Board, discs: np.uint64, disc: np.uint64) -> np.uint64:
    """The last missing cells of lines through a disc, whether they are still empty or not."""
    cell = lowest(disc)
    threats = NONE
    for k in range(board.start[cell], board.start[cell + 1]):
        rest = board.through[k] & ~discs
        if rest & (rest - U1) == NONE:
            threats |= rest
    return threats


@kernel
def all_threats(board: Board, discs: np.uint64) -> np.uint64:
    """The last missing cells of all lines."""
    threats, rest = NONE, discs
    while rest != NONE:
        threats |= new_threats(board, discs, rest & (~rest + U1))
        rest &= rest - U1
    return threats


# ---- meters: the nodes and the time of a search

UNLIMITED = 1 << 62
CHECK_EVERY = 1024  # nodes between two looks at the clocks

METER = np.dtype(
    [
        ("nodes", np.int64),  # so far
        ("most", np.int64),  # their limit
        ("every", np.int64),  # nodes between two looks at the clocks
        ("check", np.int64),  # the number of nodes at the next look
        ("deadline", np.int64),  # on the monotonic clock; 0: none
        ("cpu_deadline", np.int64),  # on the thread's processor clock; 0: none
        ("clock", np.int64),  # the address of both, see arena.jit
        ("stopped", np.bool_),  # out of nodes or time: the result is meaningless
    ],
    align=True,
)


def meter_fields(
    nodes: int | None, deadline: tuple[int, int], every: int = CHECK_EVERY
) -> tuple[int | bool, ...]:
    """The fields of a fresh meter with this limit of nodes and these deadlines.

    A plain tuple sets a record as a whole, much faster than field by field.
    """
    most = UNLIMITED if nodes is None else nodes
    return 0, most, every, min(every, most), *deadline, CLOCK_ADDRESS, False


@kernel
def is_spent(meter: Meter) -> bool:
    """Check whether nodes or time have run out."""
    if meter.nodes >= meter.check:
        meter.check = min(meter.most, meter.nodes + meter.every)
        if meter.nodes >= meter.most:
            meter.stopped = True
        else:
            meter.stopped = is_past(meter.clock, meter.deadline, meter.cpu_deadline)
    return bool(meter.stopped)


@kernel
def out_of_budget(meter: Meter) -> bool:
    """Check whether nodes or time have run out; if not, count a node."""
    if is_spent(meter):
        return True
    meter.nodes += 1
    return False
