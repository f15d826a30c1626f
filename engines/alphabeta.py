"""Alpha-beta: minimax without the lines of play that cannot matter.

Negamax form, fail-soft: a worth is always seen by the player to move, a child's worth is negated.
Alpha is what that player is sure of already, beta what the opponent is: a move worth beta or more
will never be allowed, so that the rest of its sisters need not be tried. Each refinement of that is
a switch, so that its worth can be measured; they are in refinements.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from arena import Choice, Limits, Position, option
from arena.engines.refinements import (
    ENTRY,
    EXACT,
    LOWER,
    REFINEMENTS,
    UPPER,
    Table,
    Window,
    answers,
    credit,
    key_of,
    move_in,
    slot_of,
    sort_moves,
    store,
)
from arena.engines.search import (
    EVERY,
    EVERYWHERE,
    INFINITY,
    SEARCH,
    Search,
    SearchEngine,
    SearchResult,
    note_line,
)
from arena.evaluation.kernels import Node, Weights, child, drop, win_value
from arena.game.kernels import NONE, landing
from arena.game.meter import spent
from arena.game.tables import Board
from arena.jit import kernel

FULL, PARENT, ABSOLUTE = 0, 1, 2
PRUNING = {"full": FULL, "parent": PARENT, "absolute": ABSOLUTE}


@kernel
def negamax(
    board: Board, weights: Weights, search: Search, table: Table,
    node: Node, depth: int, window: Window, allowed: np.uint64,
) -> int:  # fmt: skip
    """The worth of a position to the player to move, `depth` plies deep, within the window.

    Only moves to the allowed cells are tried: at the root one column at a time, below it all.
    """
    own, opp, _, discs, _ = node
    alpha, beta = window
    search.lines.length[discs] = 0

    # What the table knows: enough, or at least a good move.
    remembers = search.remembers and depth > 1 and allowed == EVERYWHERE
    slot, table_move = 0, NONE
    if remembers:
        key = key_of(node)
        slot = slot_of(table, key)
        if answers(search, table[slot], key, depth, window):
            return table[slot].value
        table_move = move_in(table[slot], key)

    # The moves, in the order of the columns or the most promising first.
    sorts = depth > 1 and (search.sorts or table_move != NONE)
    count = sort_moves(board, weights, search, node, depth, table_move) if sorts else board.width

    # Each of them, until one is too good to be allowed.
    best, best_disc = -INFINITY, NONE
    for k in range(count):
        disc = search.moves[discs, k] if sorts else landing(board, own | opp, search.order[k])
        if disc & allowed == NONE:
            continue
        if spent(search.meter):
            return best
        search.meter.nodes += 1
        ends, worth = drop(board, weights, node, disc, depth == 1)
        if not ends:
            low, high = alpha, beta
            if search.pruning != FULL:
                low, high = (best if search.pruning == PARENT else -INFINITY), INFINITY
            worth = -negamax(
                board, weights, search, table,
                child(node, disc, worth), depth - 1, (-high, -low), EVERYWHERE,
            )  # fmt: skip
            if search.meter.stopped:
                return best
        if worth > best:
            best, best_disc = worth, disc
            if worth > alpha:
                alpha = worth
                note_line(search.lines, discs, disc, ends)
            if is_cut(weights, search.pruning, worth, beta, discs):
                credit(search, node, disc, depth)
                break

    if remembers:
        bound = LOWER if best >= beta else EXACT if best > window[0] else UPPER
        store(table, slot, key_of(node), depth, best, bound, best_disc)
    return best


@kernel
def is_cut(weights: Weights, pruning: int, worth: int, beta: int, discs: int) -> bool:
    """Whether the rest need not be tried: the bound is met, or (S1.2) nothing could be better."""
    if pruning == ABSOLUTE:
        return weights.win != 0 and worth >= win_value(weights, worth, discs + 1)
    return worth >= beta


class AlphaBeta(SearchEngine):
    """Minimax to a fixed depth, leaving out what cannot change the result.

    Source: Knuth and Moore 1975; Gaiceanu 2022, Blair 2011, FourPlay
    """

    pruning: Literal["full", "parent", "absolute"] = option(
        "full", "full alpha-beta; the parent's bound alone; certain wins alone"
    )
    beam: int = option(0, "try only so many moves, the best by evaluation; 0: all", least=0)
    killers: bool = option(False, "try first what refuted the sister position")
    history: bool = option(False, "try first what refuted most positions")
    table: int = option(0, "megabytes of transposition table; 0: none", least=0, most=16384)
    deepening: bool = option(False, "search depth 1, 2, 3, ... up to the depth or the time limit")

    layout: ClassVar[np.dtype[Any]] = np.dtype(
        [*SEARCH, ("pruning", np.int64), *REFINEMENTS], align=True
    )
    deeper = False  # whether the table may answer with a deeper search than asked for

    def new_game(self) -> None:
        """Start with an empty table, every page of it touched before a clock runs."""
        if not hasattr(self, "memory"):
            self.memory: Table = np.empty(self.table_size(), dtype=ENTRY)
        self.memory.fill(0)
        super().new_game()

    def table_size(self) -> int:
        """How many entries the table has: the power of two that fits, two at least."""
        entries = self.table * 2**20 // ENTRY.itemsize
        return 1 << max(1, entries.bit_length() - 1)

    def set_up(self) -> None:
        """Write down the switches."""
        super().set_up()
        notes = self.notes
        notes.pruning, notes.beam = PRUNING[self.pruning], self.beam
        notes.by_value = self.ordering == "value"
        notes.by_killer, notes.by_history = self.killers, self.history
        notes.sorts = self.beam > 0 or self.killers or self.history or self.ordering == "value"
        # H1 depends on the last move, not on the position alone: no table can hold it.
        notes.remembers = self.table > 0 and not self.evaluation.rays
        notes.deeper = self.deeper

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Search with a table apart as well."""
        with super().aside():
            self.memory = np.zeros(self.memory.size, dtype=ENTRY)
            yield

    def worth_of(self, node: Node, disc: np.uint64, depth: int, low: int) -> int:
        """Search what can follow one move, as far as it can matter."""
        window = -INFINITY if self.pruning == "absolute" else low, INFINITY
        return negamax(self.board, self.weights, self.notes, self.memory, node, depth, window, disc)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Search to the depth asked for, at once or deepening ply by ply."""
        if not self.deepening:
            return super().choose(position, limits)
        self.start(position, limits)
        return self.answer(position, self.deepen(position, limits, self.wanted))

    def survey(self, position: Position, limits: Limits) -> dict[int, int]:
        """The exact worths of all columns, at the last depth that was finished."""
        if not self.deepening:
            return super().survey(position, limits)
        result = self.deepen(position, limits, EVERY)
        return dict(result.before) or result.worths

    def plies(self, position: Position, limits: Limits) -> int:
        """As deep as asked for; deepening with nothing but time or nodes to stop it: to the end."""
        if self.deepening and self.depth is None and limits.depth is None:
            bounded = limits.nodes or limits.budget(position)
            return self.rules.cells - position.ply if bounded else super().plies(position, limits)
        return super().plies(position, limits)

    def deepen(self, position: Position, limits: Limits, wanted: int) -> SearchResult:
        """Search ever deeper, the best column so far first, until it is decided or time is up."""
        columns = self.columns(position)
        finished = SearchResult(0, {}, (), False)
        for depth in range(1, self.plies(position, limits) + 1):
            result = self.search(position, depth, columns, wanted)
            if not result.complete:
                is_news = result.worths or not finished.complete
                return replace(result, before=finished.worths) if is_news else finished
            finished = result
            if abs(max(result.worths.values())) >= self.least_win:  # looking deeper changes nothing
                break
            columns.sort(key=lambda column: -finished.worths[column])
        return finished
