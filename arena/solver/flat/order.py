"""The order of moves, and bounds on their scores that need no search; all columns at once.

Loops without branches run over whole vectors of columns: ranking seven moves costs little more than
ranking one. A rank is a number whose lowest bits name the column, so the largest gives both.
"""

from __future__ import annotations

from arena.jit import inlined, kernel, lowest, popcount
from arena.solver.flat.bits import (
    LANES,
    NO_CELL,
    ONE,
    VECTOR,
    Field,
    Frame,
    Level,
    Number,
    Word,
    completing,
    frame_of,
    lead_bound,
)

NO_MOVE = -(1 << 50)  # lower than any rank
TABLE_MOVE = 1 << 40  # the table's move goes first
UNLIKELY = 1 << 30  # rank lost by a move that the table knows not to help
THREAT = 1000  # each cell that would complete a line; the lines through a cell count one each
LOWEST = -200  # less than any score


@inlined
def _completes(own: Word, move: Word, discs: Word, frame: Frame) -> Word:
    """Free cells that complete a line after a move."""
    return completing(own | move, frame.stride, frame.connect) & ~(discs | move) & frame.board


@inlined
def _decides(threats: Word, move: Word, discs: Word, frame: Frame) -> Word:
    """The move, if the opponent has no answer to the threats it leaves; else no cell."""
    open_cells = ((discs | move) + frame.bottom) & frame.board
    forced = open_cells & threats
    answers = (open_cells if forced == NO_CELL else forced) & ~(threats >> ONE)
    lost = (answers == NO_CELL) | (forced & (forced - ONE) != NO_CELL)
    return move if lost else NO_CELL


@inlined
def _count_threats(own: Word, discs: Word, lanes: int, frame: Frame, here: Level) -> Number:
    """Store how many threats each move makes; True if one of them decides."""
    moves, ranks = here.moves, here.ranks
    decided = NO_CELL
    for i in range(lanes):
        threats = _completes(own, moves[i], discs, frame)
        ranks[i] = popcount(threats)
        decided |= _decides(threats, moves[i], discs, frame)
    return decided != NO_CELL


@kernel
def rank_moves(own: Word, discs: Word, safe: Word, here: Level, field: Field) -> Number:
    """Store the safe moves and how many threats each makes; True if one decides."""
    for i in range(field.lanes):
        here.moves[i] = safe & field.column[i]
    if field.connect != 4:
        return _count_threats(own, discs, field.lanes, frame_of(field, field.connect), here)
    if field.lanes != VECTOR:
        return _count_threats(own, discs, field.lanes, frame_of(field, 4), here)
    return _count_threats(own, discs, VECTOR, frame_of(field, 4), here)


@inlined
def complete_ranks(here: Level, field: Field) -> None:
    """Turn the numbers of threats into ranks, with the lines through each cell and the column."""
    moves, ranks = here.moves, here.ranks
    for i in range(field.lanes):
        move, rank = moves[i], NO_MOVE
        if move != NO_CELL:
            rank = THREAT * ranks[i] + field.through[lowest(move)]
        ranks[i] = rank * LANES + (LANES - 1 - i)


@inlined
def prefer(column: int, here: Level, field: Field) -> None:
    """Rank the column first that was best in an earlier search."""
    for i in range(field.columns):
        if field.number[i] == column:
            here.ranks[i] += TABLE_MOVE * LANES


@inlined
def avoid(i: int, here: Level) -> None:
    """Rank a move last."""
    here.ranks[i] -= UNLIKELY * LANES


@inlined
def next_move(here: Level, field: Field) -> Number:
    """The place of the best move that has not been tried; -1 if all have been."""
    ranks = here.ranks
    best = ranks[0]
    for i in range(1, field.lanes):
        best = max(best, ranks[i])
    at = LANES - 1 - (best & (LANES - 1))
    ranks[at] = NO_MOVE * LANES
    here.at = at
    return at if best > NO_MOVE else -1


@inlined
def _reply(own: Word, move: Word, discs: Word, frame: Frame) -> Number:
    """A lower bound of a move's score, by the follow-up bound on the opponent."""
    bound = lead_bound(own ^ discs, own | move, frame)
    return LOWEST if move == NO_CELL else -bound


@inlined
def _best_reply(own: Word, discs: Word, lanes: int, frame: Frame, here: Level) -> Number:
    """The highest of the moves' lower bounds."""
    moves, best = here.moves, LOWEST
    for i in range(lanes):
        best = max(best, _reply(own, moves[i], discs, frame))
    return best


@kernel
def best_reply(own: Word, discs: Word, here: Level, field: Field) -> Number:
    """A lower bound of the score, by the follow-up rule after each move."""
    if field.connect != 4:
        return _best_reply(own, discs, field.lanes, frame_of(field, field.connect), here)
    if field.lanes != VECTOR:
        return _best_reply(own, discs, field.lanes, frame_of(field, 4), here)
    return _best_reply(own, discs, VECTOR, frame_of(field, 4), here)
