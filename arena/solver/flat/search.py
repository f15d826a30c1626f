"""The search: alpha-beta that knows the game, and the questions that lead to an exact score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import inlined, kernel, lowest
from arena.solver.flat.field import NO_LIMIT, Field, Level
from arena.solver.flat.order import next_move
from arena.solver.flat.patterns import NO_CELL, Number, Word
from arena.solver.flat.settle import UNSETTLED, Node, past, settle, threats_of, unflipped
from arena.solver.flat.table import remember

FIRST_BUDGET, GROWTH, LAST_BUDGET = 500, 8, 32000  # nodes a question may cost, round by round
MIDDLE, QUICK_WIN, QUICK_LOSS = 0, 1, 2
MOST_WORK = 31  # as much as an entry can tell, as a power of two


@inlined
def _take(value: int, here: Level, field: Field) -> None:
    """The move that was searched last is worth so much."""
    if value > here.best:
        here.best = value
        here.best_column = lowest(here.moves[here.at]) // np.int64(field.stride)
        here.alpha = max(here.alpha, value)


@inlined
def _leave(here: Level, field: Field) -> Number:
    """The score of a position whose moves have been searched, as its parent sees it."""
    best, least, most = here.best, here.least, here.most
    if best >= here.beta:
        least = max(least, best)
    else:
        most = min(most, best)
        if best > here.alpha_before:
            least = max(least, best)
    if here.remembers != 0:
        work, count = 0, field.nodes - here.nodes_before
        while count > 0:
            work += 1
            count >>= 1
        column = unflipped(here.best_column, here.flipped, field)
        remember(here.place, here.rest, least, most, column, min(work, MOST_WORK), field)
    return here.sign * best


@kernel
def search(own: Word, discs: Word, ply: int, alpha: int, beta: int, field: Field) -> Number:
    """The score of a position whose player to move cannot win at once.

    Exact between alpha and beta, a bound outside; meaningless once the field says stopped. The
    positions on the way are kept in the field, level by level: nothing calls itself.
    """
    level = bottom = ply - ply  # not a constant, for which all kernels would be compiled again
    here = field.levels[level]
    value = settle(Node(own, discs, ply, alpha, beta), NO_CELL, bottom, here, field)
    if value != UNSETTLED:
        return value
    while True:
        # Back to the parent, when all moves are searched or one is good enough.
        here = field.levels[level]
        at = -1 if here.best >= here.beta else next_move(here, field)
        if at < 0:
            value = _leave(here, field)
            level -= 1
            if level < bottom:
                return value
            _take(-value, field.levels[level], field)
            continue

        # The next move: settled at a glance, or one level deeper.
        key, flipped = NO_CELL, bottom
        if here.has_keys != 0:
            key, flipped = here.keys[at], here.flips[at]
        own, discs = here.own ^ here.discs, here.discs | here.moves[at]
        child = Node(own, discs, here.ply + 1, -here.beta, -here.alpha)
        value = settle(child, key, flipped, field.levels[level + 1], field)
        if field.stopped:
            return 0
        if value == UNSETTLED:
            level += 1
        else:
            _take(-value, here, field)


@kernel
def wins_at_once(own: Word, discs: Word, field: Field) -> Number:
    """Whether the player to move completes a line with the next disc."""
    return (threats_of(own, field) & (discs + field.bottom) & field.board) != NO_CELL


@kernel
def window(own: Word, discs: Word, ply: int, alpha: int, field: Field) -> Number:
    """Whether the score is more than alpha: a bound above it, or one at most alpha."""
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    return search(own, discs, ply, alpha, alpha + 1, field)


@inlined
def ask(question: int, least: int, most: int) -> Number:
    """The alpha of the next window: next to the middle, or halfway to the quickest end."""
    if question == MIDDLE:
        return min(max(0, least), most - 1)
    if question == QUICK_WIN:
        return min(max(most // 2, least), most - 1)
    return min(max(-(-least // 2) - 1, least), most - 1)


@kernel
def exact(own: Word, discs: Word, ply: int, field: Field) -> Number:
    """The score of any position; meaningless once the field says stopped.

    Asks three questions by turns, each for a while: is it more than the middle, is it a quick win,
    is it a quick loss? Quick ends are found cheaply far from the middle, long ones next to it.
    """
    if wins_at_once(own, discs, field):
        return (field.cells + 1 - ply) >> 1
    if ply == field.cells:
        return 0
    least, most = -((field.cells - ply) >> 1), (field.cells - 1 - ply) >> 1
    limit, budget = field.most, FIRST_BUDGET
    while least < most:
        for question in (QUICK_WIN, QUICK_LOSS, MIDDLE):
            # One question, in windows that narrow its bounds, until its nodes are used up.
            patience = NO_LIMIT if question == MIDDLE and budget >= LAST_BUDGET else budget
            while least < most:
                alpha = ask(question, least, most)
                field.most = min(limit, field.nodes + patience)
                value = search(own, discs, ply, alpha, alpha + 1, field)
                if field.stopped:
                    break
                if value > alpha:
                    least = value
                else:
                    most = value

            # Stopped for good, or only this question for now.
            if field.stopped:
                if field.nodes >= limit or past(field):
                    field.most = limit
                    return 0
                field.stopped = False
        budget *= GROWTH
    field.most = limit
    return least


@kernel
def exact_all(
    own: NDArray[np.uint64], discs: NDArray[np.uint64], plies: NDArray[np.int64], field: Field
) -> NDArray[np.int64]:
    """The scores of many positions."""
    scores = np.empty(len(own), np.int64)
    for i in range(len(own)):
        scores[i] = exact(own[i], discs[i], plies[i], field)
    return scores
