"""The search: alpha-beta that knows the game, and the questions that lead to an exact score.

Before the moves of a position are searched: forced moves are followed; moves to which there is no
answer are seen; bounds are taken from the count of discs, from open lines, from the follow-up rule
for this position and each of its children, from the table, and from the table for each child.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.bits import UNLIMITED, is_spent
from arena.game.position import Position
from arena.game.rules import Rules
from arena.jit import bit_length, inlined, is_past, kernel, lowest, prefetch
from arena.solver.book import book_for
from arena.solver.flat.bits import (
    NO_CELL,
    ONE,
    Field,
    Level,
    Number,
    Word,
    completing,
    field_of,
    frame_of,
    give_table,
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
    index_bits_for,
    key_of,
    low,
    probe,
    rest_of,
    slot_of,
    store,
)
from arena.solver.solver import MEGABYTES, ExactSolver, refuse

LOWEST = -100  # less than any score
UNKNOWN = 1000  # no score: the moves have to be searched

FIRST_PATIENCE, GROWTH, LAST_PATIENCE = 500, 8, 32000  # nodes of a question, round by round
MIDDLE, QUICK_WIN, QUICK_LOSS = 0, 1, 2
MAX_WORK = 31  # that an entry can tell, as a power of two


class Node(NamedTuple):
    """A position, and the question whether its score is more than alpha."""

    own: Word  # the discs of the player to move
    discs: Word  # of both
    ply: Number
    alpha: Number


@kernel
def probe_children(
    own: Word, discs: Word, free: int, alpha: int, here: Level, field: Field
) -> Number:
    """The best value of a child by the table, or less; children known not to help come last."""
    child_keys(own, discs, free, here, field)
    moves, keys = here.moves, here.keys
    for i in range(field.columns):
        if moves[i] != NO_CELL:
            prefetch(field.table, slot_of(keys[i], field))
    best = LOWEST
    for i in range(field.columns):
        if moves[i] == NO_CELL:
            continue
        entry = probe(slot_of(keys[i], field), rest_of(keys[i], field), field)
        if entry != NO_CELL:
            best = max(best, -high(entry))
            if best > alpha:
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

    The player to move cannot win at once. A position whose score is unknown is stored at its
    level. The key, and whether it is that of the mirror image, come from a parent that knows them
    (else 0).
    """
    own, discs, ply, alpha = node
    cells, sign = field.cells, 1
    forced_here = False

    # Forced moves: as long as there is just one that does not lose at once, it is made.
    while True:
        other = own ^ discs
        free = field.board ^ discs
        open_cells = (discs + field.bottom) & field.board
        threats = completing(other, field.stride, field.connect) & free
        forced = open_cells & threats
        safe = (open_cells if forced == NO_CELL else forced) & ~(threats >> ONE)
        if forced & (forced - ONE) != NO_CELL or safe == NO_CELL:
            return sign * -((cells - ply) >> 1)
        if ply >= cells - 2:
            return 0
        least, most = -((cells - 2 - ply) >> 1), (cells - 1 - ply) >> 1
        if least > alpha:
            return sign * least
        if most <= alpha:
            return sign * most
        if safe & (safe - ONE) != NO_CELL:
            break
        own, discs, ply = other, discs | safe, ply + 1
        alpha, sign = -1 - alpha, -sign
        key, forced_here = NO_CELL, True
    field.meter.nodes += 1
    if is_spent(field.meter):
        return 0

    # The key, early: its table entry is fetched while the rest is computed.
    left = cells - ply
    use_table = left >= field.table_from
    if use_table and key == NO_CELL:
        key, image = key_of(own, discs, left, field)
        flipped = 1 if image else 0
        prefetch(field.table, slot_of(key, field))

    # Bounds without search: a move without an answer, lines still open, the follow-up rule.
    decided = rank_moves(own, discs, safe, here, field)
    if decided:
        return sign * most
    most = (left - 3) >> 1
    if most > 0 and not has_line(own | free, field.stride, field.connect):
        most = 0
    if least < 0 and not has_line(other | free, field.stride, field.connect):
        least = 0
    if forced_here:  # else the parent has tried
        most = min(most, lead_bound(own, other, frame_of(field, field.connect)))
    if least > alpha:
        return sign * least
    if most <= alpha:
        return sign * most

    # The follow-up rule for the opponent, after each move.
    certain = best_reply(own, discs, here, field)
    if certain > alpha:
        return sign * certain
    least = max(least, certain)

    # The table: bounds that were proven before, and the move that was best.
    complete_ranks(here, field)
    slot, rest = 0, NO_CELL
    if use_table:
        slot, rest = slot_of(key, field), rest_of(key, field)
        entry = probe(slot, rest, field)
        if entry != NO_CELL:
            least, most = max(least, low(entry)), min(most, high(entry))
            if least > alpha:
                return sign * least
            if most <= alpha:
                return sign * most
            prefer(unflipped(column_in(entry), flipped, field), here, field)

    # The table for each child: one may decide the position, others are tried last.
    here.has_keys = 0
    if use_table and left >= field.children_from:
        certain = probe_children(own, discs, left, alpha, here, field)
        if certain > alpha:
            store(slot, rest, max(least, certain), most, NO_COLUMN, 0, field)
            return sign * certain
        least = max(least, certain)
        here.has_keys = 1

    # Undecided: all that is known is stored at its level.
    here.own, here.discs, here.ply, here.sign, here.alpha = own, discs, ply, sign, alpha
    here.least, here.most, here.best, here.best_column = least, most, LOWEST, NO_COLUMN
    here.use_table, here.slot, here.rest, here.flipped = use_table, slot, rest, flipped
    here.nodes_before = field.meter.nodes
    return UNKNOWN


@inlined
def _note_value(value: int, here: Level, field: Field) -> None:
    """Note the value of the move that was searched last."""
    if value > here.best:
        here.best = value
        here.best_column = lowest(here.moves[here.at]) // np.int64(field.stride)


@inlined
def _close_level(here: Level, field: Field) -> Number:
    """The score of a position whose moves have been searched, as its parent sees it."""
    least, most = here.least, here.most
    if here.best > here.alpha:
        least = max(least, here.best)
    else:
        most = min(most, here.best)
    if here.use_table != 0:
        work = bit_length(np.uint64(field.meter.nodes - here.nodes_before))
        column = unflipped(here.best_column, here.flipped, field)
        store(here.slot, here.rest, least, most, column, min(work, MAX_WORK), field)
    return here.sign * here.best


@kernel
def search(own: Word, discs: Word, ply: int, alpha: int, field: Field) -> Number:
    """A bound of the score of a position whose player to move cannot win at once.

    It is above alpha if the score is; meaningless once the meter says stopped. The positions on the
    way are kept in the field, level by level: nothing calls itself.
    """
    level = bottom = 0
    here = field.levels[level]
    value = static_score(Node(own, discs, ply, alpha), NO_CELL, bottom, here, field)
    if value != UNKNOWN:
        return value
    while True:
        # Back to the parent, when all moves are searched or one is good enough.
        here = field.levels[level]
        at = -1 if here.best > here.alpha else next_move(here, field)
        if at < 0:
            value = _close_level(here, field)
            level -= 1
            if level < bottom:
                return value
            _note_value(-value, field.levels[level], field)
            continue

        # The next move: scored without search, or one level deeper.
        key, flipped = NO_CELL, bottom
        if here.has_keys != 0:
            key, flipped = here.keys[at], here.flips[at]
        own, discs = here.own ^ here.discs, here.discs | here.moves[at]
        child = Node(own, discs, here.ply + 1, -1 - here.alpha)
        value = static_score(child, key, flipped, field.levels[level + 1], field)
        if field.meter.stopped:
            return 0
        if value == UNKNOWN:
            level += 1
        else:
            _note_value(-value, here, field)


@kernel
def wins_at_once(own: Word, discs: Word, field: Field) -> Number:
    """True if the player to move completes a line with the next disc."""
    open_cells = (discs + field.bottom) & field.board
    return completing(own, field.stride, field.connect) & open_cells != NO_CELL


@kernel
def window(own: Word, discs: Word, ply: int, alpha: int, field: Field) -> Number:
    """A bound of the score, above alpha if the score is."""
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    return search(own, discs, ply, alpha, field)


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

    Asks three questions in turn, each for a while: is it more than the middle, is it a quick win,
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
                value = search(own, discs, ply, alpha, field)
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


class Solver(ExactSolver):
    """Exact scores for one flat board, from its opening book or by search."""

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES, book: bool = True) -> None:
        super().__init__()
        refuse(rules)
        self.rules = rules
        self.field = field_of(rules)
        index_bits = index_bits_for(rules.width * (rules.height + 1), megabytes)
        self._use(np.zeros(1 << index_bits, np.uint64))
        self.book = book_for(rules) if book else None

    def _use(self, table: NDArray[np.uint64]) -> None:
        self.table = table
        give_table(self.field, table)

    def partner(self) -> Solver:
        """A solver for another thread with the same table, which needs no lock.

        Its entries are single words that carry their own key.
        """
        other = Solver(self.rules, 0, book=False)
        other.book = self.book
        other._use(self.table)
        return other

    def known_score(self, position: Position) -> int | None:
        """The score by the rules or by the book; else None."""
        if position.is_over or self.book is None:
            return super().known_score(position)
        return self.book.score(position)

    def _score(self, position: Position) -> int:
        return int(exact(*words_of(position), position.ply, self.field))

    def _bound(self, position: Position, alpha: int) -> int:
        return int(window(*words_of(position), position.ply, alpha, self.field))


def words_of(position: Position) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move and all discs, one free bit above each column."""
    rules = position.rules
    height, column = rules.height, rules.column_masks[0]
    own = discs = 0
    for at in range(rules.width):
        own |= (position.own >> at * height & column) << at * (height + 1)
        discs |= ((position.first | position.second) >> at * height & column) << at * (height + 1)
    return np.uint64(own), np.uint64(discs)
