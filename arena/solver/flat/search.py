"""The search: alpha-beta that knows the game, and the questions that lead to an exact score.

Before the moves of a position are searched: forced moves are followed; moves to which there is no
answer are seen; bounds are taken from the count of discs, from open lines, from the follow-up rule
for this position and each of its children, from the table, and from the table for each child.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.bits import new_record
from arena.game.meter import METER, UNLIMITED, is_spent
from arena.game.rules import Rules
from arena.jit import inlined, is_past, kernel, lowest, prefetch
from arena.solver.flat.bits import (
    LANES,
    NO_CELL,
    ONE,
    WORD,
    Field,
    Level,
    Number,
    Word,
    completing,
    frame_of,
    has_line,
    lead_bound,
)
from arena.solver.flat.order import (
    avoid,
    best_reply,
    complete_ranks,
    next_move,
    prefer,
    rank_moves,
)
from arena.solver.flat.table import (
    NO_COLUMN,
    child_keys,
    column_in,
    high,
    key_of,
    low,
    place_of,
    recall,
    remember,
    rest_of,
)

DEPTH = WORD + 2
TABLE_FROM, CHILDREN_FROM, MIRROR_FROM = 8, 18, 26  # free cells from which each pays

LOWEST = -100  # less than any score
UNKNOWN = 1000  # no score: the moves have to be searched

FIRST_PATIENCE, GROWTH, LAST_PATIENCE = 500, 8, 32000  # nodes of a question, round by round
MIDDLE, QUICK_WIN, QUICK_LOSS = 0, 1, 2
MAX_WORK = 31  # that an entry can tell, as a power of two

# A position on the way to the one at hand, and its moves.
LEVEL = np.dtype(
    [
        ("own", np.uint64),
        ("discs", np.uint64),
        ("ply", np.int64),
        ("sign", np.int64),  # -1 if forced moves have changed the player to move
        ("alpha", np.int64),
        ("beta", np.int64),
        ("alpha_before", np.int64),  # before any of its moves was searched
        ("least", np.int64),  # a lower bound of its score
        ("most", np.int64),  # and an upper one
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
        ("table_from", np.int64),
        ("children_from", np.int64),
        ("mirror_from", np.int64),
        ("table", np.int64),  # the address of its first entry
        ("index_bits", np.int64),  # it has so many entries, as a power of two
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
    field.table_from, field.children_from = TABLE_FROM, CHILDREN_FROM
    field.mirror_from = MIRROR_FROM
    return field


def give_table(field: Field, table: NDArray[np.uint64]) -> None:
    """Let searches remember in these words, a power of two of them, which must stay alive."""
    field.table, field.index_bits = table.ctypes.data, len(table).bit_length() - 1


class Node(NamedTuple):
    """A position whose score is asked for, between two bounds that matter."""

    own: Word  # the discs of the player to move
    discs: Word  # of both
    ply: Number
    alpha: Number
    beta: Number


@kernel
def look_up(
    own: Word, discs: Word, free: int, alpha: int, beta: int, here: Level, field: Field
) -> Number:
    """The best value of a child by the table, or less; children known not to help are put last."""
    child_keys(own, discs, free, here, field)
    moves, keys = here.moves, here.keys
    for i in range(field.columns):
        if moves[i] != NO_CELL:
            prefetch(field.table, place_of(keys[i], field))
    best = LOWEST
    for i in range(field.columns):
        if moves[i] == NO_CELL:
            continue
        entry = recall(place_of(keys[i], field), rest_of(keys[i], field), field)
        if entry != NO_CELL:
            best = max(best, -high(entry))
            if best >= beta:
                return best
            if -low(entry) <= alpha:
                avoid(i, here)
    return best


@inlined
def unflipped(column: int, flipped: int, field: Field) -> Number:
    """A column of an entry as it is on the board at hand, or the other way round."""
    return field.columns - 1 - column if flipped != 0 and column != NO_COLUMN else column


@kernel
def static_score(node: Node, key: Word, flipped: int, here: Level, field: Field) -> Number:
    """The score of a position if none of its moves has to be searched; else UNKNOWN.

    The player to move cannot win at once. A position whose score is unknown is written down at its
    level. The key, and whether it is that of the mirror image, are given by a parent that knows
    them (else 0).
    """
    own, discs, ply, alpha, beta = node
    cells, sign = field.cells, 1
    forced_here = False

    # Forced moves: as long as there is just one that does not lose at once, it is made.
    while True:
        other = own ^ discs
        free = field.board ^ discs
        open_cells = (discs + field.bottom) & field.board
        threats = completing(other, field.stride, field.connect) & free
        safe = open_cells
        forced = open_cells & threats
        if forced != NO_CELL:
            if forced & (forced - ONE) != NO_CELL:
                return sign * -((cells - ply) >> 1)
            safe = forced
        safe &= ~(threats >> ONE)
        if safe == NO_CELL:
            return sign * -((cells - ply) >> 1)
        if ply >= cells - 2:
            return 0
        least, most = -((cells - 2 - ply) >> 1), (cells - 1 - ply) >> 1
        if least >= beta:
            return sign * least
        if most <= alpha:
            return sign * most
        alpha, beta = max(alpha, least), min(beta, most)
        if safe & (safe - ONE) != NO_CELL:
            break
        own, discs, ply = other, discs | safe, ply + 1
        alpha, beta, sign = -beta, -alpha, -sign
        key, forced_here = NO_CELL, True
    field.meter.nodes += 1
    if is_spent(field.meter):
        return 0

    # The key, early: its place in the table is on the way while other things are looked at.
    left = cells - ply
    remembers = left >= field.table_from
    if remembers and key == NO_CELL:
        key, image = key_of(own, discs, left, field)
        flipped = 1 if image else 0
        prefetch(field.table, place_of(key, field))

    # Bounds at a glance: a move without an answer, lines still open, the follow-up rule.
    decided = rank_moves(own, discs, safe, here, field)
    if decided:
        return sign * most
    most = (left - 3) >> 1
    if most > 0 and not has_line(own | free, field.stride, field.connect):
        most = 0
    if least < 0 and not has_line(other | free, field.stride, field.connect):
        least = 0
    if forced_here:  # else the parent has tried
        most = min(most, lead_bound(own, other, frame_of(field)))
    if least >= beta:
        return sign * least
    if most <= alpha:
        return sign * most
    alpha, beta = max(alpha, least), min(beta, most)

    # The follow-up rule for the opponent, after each move.
    certain = best_reply(own, discs, here, field)
    if certain >= beta:
        return sign * certain
    least = max(least, certain)
    alpha = max(alpha, least)

    # The table: bounds that were proven before, and the move that was best.
    complete_ranks(here, field)
    place, rest = 0, NO_CELL
    if remembers:
        place, rest = place_of(key, field), rest_of(key, field)
        entry = recall(place, rest, field)
        if entry != NO_CELL:
            least, most = max(least, low(entry)), min(most, high(entry))
            if least >= beta:
                return sign * least
            if most <= alpha:
                return sign * most
            alpha, beta = max(alpha, least), min(beta, most)
            prefer(unflipped(column_in(entry), flipped, field), here, field)

    # The table for each child: one of them may settle it, others are put last.
    here.has_keys = 0
    if remembers and left >= field.children_from:
        certain = look_up(own, discs, left, alpha, beta, here, field)
        if certain >= beta:
            remember(place, rest, max(least, certain), most, NO_COLUMN, 0, field)
            return sign * certain
        least = max(least, certain)
        alpha = max(alpha, least)
        here.has_keys = 1

    # Nothing settles it: all that is known goes down to its level.
    here.own, here.discs, here.ply, here.sign = own, discs, ply, sign
    here.alpha, here.beta, here.alpha_before = alpha, beta, alpha
    here.least, here.most, here.best, here.best_column = least, most, LOWEST, NO_COLUMN
    here.remembers, here.place, here.rest, here.flipped = remembers, place, rest, flipped
    here.nodes_before = field.meter.nodes
    return UNKNOWN


@inlined
def _note_value(value: int, here: Level, field: Field) -> None:
    """Note the value of the move that was searched last."""
    if value > here.best:
        here.best = value
        here.best_column = lowest(here.moves[here.at]) // np.int64(field.stride)
        here.alpha = max(here.alpha, value)


@inlined
def _close_level(here: Level, field: Field) -> Number:
    """The score of a position whose moves have been searched, as its parent sees it."""
    best, least, most = here.best, here.least, here.most
    if best >= here.beta:
        least = max(least, best)
    else:
        most = min(most, best)
        if best > here.alpha_before:
            least = max(least, best)
    if here.remembers != 0:
        work, count = 0, field.meter.nodes - here.nodes_before
        while count > 0:
            work += 1
            count >>= 1
        column = unflipped(here.best_column, here.flipped, field)
        remember(here.place, here.rest, least, most, column, min(work, MAX_WORK), field)
    return here.sign * best


@kernel
def search(own: Word, discs: Word, ply: int, alpha: int, beta: int, field: Field) -> Number:
    """The score of a position whose player to move cannot win at once.

    Exact between alpha and beta, a bound outside; meaningless once the meter says stopped. The
    positions on the way are kept in the field, level by level: nothing calls itself.
    """
    level = bottom = ply - ply  # not a constant, for which all kernels would be compiled again
    here = field.levels[level]
    value = static_score(Node(own, discs, ply, alpha, beta), NO_CELL, bottom, here, field)
    if value != UNKNOWN:
        return value
    while True:
        # Back to the parent, when all moves are searched or one is good enough.
        here = field.levels[level]
        at = -1 if here.best >= here.beta else next_move(here, field)
        if at < 0:
            value = _close_level(here, field)
            level -= 1
            if level < bottom:
                return value
            _note_value(-value, field.levels[level], field)
            continue

        # The next move: settled at a glance, or one level deeper.
        key, flipped = NO_CELL, bottom
        if here.has_keys != 0:
            key, flipped = here.keys[at], here.flips[at]
        own, discs = here.own ^ here.discs, here.discs | here.moves[at]
        child = Node(own, discs, here.ply + 1, -here.beta, -here.alpha)
        value = static_score(child, key, flipped, field.levels[level + 1], field)
        if field.meter.stopped:
            return 0
        if value == UNKNOWN:
            level += 1
        else:
            _note_value(-value, here, field)


@kernel
def wins_at_once(own: Word, discs: Word, field: Field) -> Number:
    """Whether the player to move completes a line with the next disc."""
    open_cells = (discs + field.bottom) & field.board
    return completing(own, field.stride, field.connect) & open_cells != NO_CELL


@kernel
def window(own: Word, discs: Word, ply: int, alpha: int, field: Field) -> Number:
    """A bound of the score, above alpha if the score is."""
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    return search(own, discs, ply, alpha, alpha + 1, field)


@inlined
def next_alpha(question: int, least: int, most: int) -> Number:
    """The alpha of the next window: next to the middle, or halfway to the quickest end."""
    if question == MIDDLE:
        return min(max(0, least), most - 1)
    if question == QUICK_WIN:
        return min(max(most // 2, least), most - 1)
    return min(max(-(-least // 2) - 1, least), most - 1)


@kernel
def exact(own: Word, discs: Word, ply: int, field: Field) -> Number:
    """The score of any position; meaningless once the meter says stopped.

    Asks three questions by turns, each for a while: is it more than the middle, is it a quick win,
    is it a quick loss? Quick ends are found cheaply far from the middle, long ones next to it.
    """
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    least, most = -((field.cells - ply) >> 1), (field.cells - 1 - ply) >> 1
    meter = field.meter
    limit, round_patience = meter.most, FIRST_PATIENCE
    while least < most:
        for question in (QUICK_WIN, QUICK_LOSS, MIDDLE):
            # One question, in windows that narrow its bounds, until its nodes are used up.
            is_last = question == MIDDLE and round_patience >= LAST_PATIENCE
            patience = UNLIMITED if is_last else round_patience
            while least < most:
                alpha = next_alpha(question, least, most)
                meter.most, meter.check = min(limit, meter.nodes + patience), meter.nodes
                value = search(own, discs, ply, alpha, alpha + 1, field)
                if meter.stopped:
                    break
                if value > alpha:
                    least = value
                else:
                    most = value

            # Stopped for good, or only this question for now.
            if meter.stopped:
                if meter.nodes >= limit or is_past(meter.clock, meter.deadline, meter.cpu_deadline):
                    return 0
                meter.stopped = False
        round_patience *= GROWTH
    meter.most = limit
    return least
