"""Iterative: the strong practical search. It searches 1, 2, 3, ... plies until its time is up.

The transposition table, the killers and the history of a search order the moves of the next one,
so that all searches together cost less than the last one alone (Slate and Atkin 1977, Chess 4.5).
Each refinement of alpha-beta is a switch, so that its effect can be measured; refinements.py has
them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from arena import Choice, Limits, Position, option
from arena.engines.refinements import (
    ENTRY,
    EXACT,
    LOWER,
    STATE,
    UPPER,
    State,
    Table,
    expected_line,
    is_in_beam,
    key_of,
    record_cutoff,
    slot_of,
    sort_moves,
    store,
    table_cutoff,
    table_move,
)
from arena.engines.reflex import best_columns
from arena.engines.search import EVERY, INFINITY, UNKNOWN, SearchEngine, Words
from arena.evaluation.kernels import Node, Weights
from arena.game.bits import NONE, Board, Ints, Meter, OneRecord
from arena.kernels import child, drop, kernel, landing, out_of_budget, root


@kernel
def negamax(
    board: Board, weights: Weights, order: Ints, meter: Meter, state: State, table: Table,
    node: Node, depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """The value of a position to the player to move, `depth` plies deep, or a bound on it."""
    own, opp, _, discs, _ = node
    first_alpha = alpha

    # The table: a result that is enough, or at least a good move.
    use_table = state.use_table and depth > 1
    slot, key, hint = 0, NONE, NONE
    if use_table:
        key = key_of(node, state.sides)
        slot = slot_of(table, key)
        if table_cutoff(table[slot], key, depth, alpha, beta):
            return table[slot].value
        hint = table_move(table[slot], key)

    # The moves, in the order of the columns or by rank.
    sorts = depth > 1 and (state.sorts or hint != NONE)
    count = sort_moves(board, weights, order, state, node, depth, hint) if sorts else board.width

    # Search them until one is a cutoff.
    best, best_disc = -INFINITY, NONE
    for k in range(count):
        disc = state.moves[discs, k] if sorts else landing(board, own | opp, order[k])
        if disc == NONE:
            continue
        if out_of_budget(meter):
            return best
        over, value = drop(board, weights, node, disc, depth == 1)
        if not over:
            below = child(node, disc, value)
            value = -negamax(
                board, weights, order, meter, state, table, below, depth - 1, -beta, -alpha
            )
            if meter.stopped:
                return best
        if value > best:
            best, best_disc = value, disc
            alpha = max(alpha, value)
            if value >= beta:
                record_cutoff(state, node, disc, depth)
                break

    if use_table:
        bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
        store(table, slot, key, depth, best, bound, best_disc)
    return best


@kernel
def search_columns(
    board: OneRecord, weights: OneRecord, order: Ints, columns: Ints, meter: OneRecord,
    state: OneRecord, table: Table, values: Ints, own: np.uint64, opp: np.uint64,
    depth: int, exact: int,
) -> int:  # fmt: skip
    """Store the value of each open column; return the number of nodes searched.

    Values within `exact` of the best are exact, others may be upper bounds.
    """
    board, weights, meter, state = board[0], weights[0], meter[0], state[0]
    node = root(board, weights, own, opp)
    best = -INFINITY
    for column in columns:
        disc = landing(board, own | opp, column)
        if disc == NONE or meter.stopped:
            continue
        over, value = True, -INFINITY  # outside the beam
        if depth == 1 or is_in_beam(board, weights, order, state, node, depth, disc):
            if out_of_budget(meter):
                continue
            over, value = drop(board, weights, node, disc, depth == 1)
        if not over:
            alpha, below = max(best - exact, -INFINITY), child(node, disc, value)
            value = -negamax(
                board, weights, order, meter, state, table, below, depth - 1, -INFINITY, -alpha
            )
        if not meter.stopped:
            values[column] = value
            best = max(best, value)
    return meter.nodes


class Iterative(SearchEngine):
    """Deepens ply by ply until time, nodes or depth run out, with a transposition table.

    Source: Slate and Atkin 1977 (Chess 4.5)
    """

    ordering: Literal["centre", "left", "value"] = option(  # type: ignore[assignment]
        "value", "which columns to try first: the central, the left, or the best by evaluation"
    )
    beam: int = option(0, "try only this many moves, the best by evaluation; 0: all", least=0)
    killers: bool = option(True, "try first what refuted the sister position")
    history: bool = option(True, "try first what refuted most positions")
    table: int = option(32, "megabytes of transposition table; 0: none", least=0, most=16384)
    deepening: bool = option(True, "search depth 1, 2, 3, ... up to the depth or the time limit")

    usual_depth = 12

    def new_game(self) -> None:
        super().new_game()
        if not hasattr(self, "memory"):
            entries = max(2, self.table * 2**20 // ENTRY.itemsize)
            self.memory: Table = np.empty(1 << entries.bit_length() - 1, ENTRY)
        self.memory.fill(0)  # so that all of it is in memory before a clock runs
        self.line: Ints = np.zeros(self.rules.cells, np.int64)
        self.state = state = np.zeros(1, STATE)
        by_value, beam = self.ordering == "value", self.beam
        state["by_value"], state["beam"] = by_value, beam
        state["by_killer"], state["by_history"] = self.killers, self.history
        state["sorts"] = beam > 0 or self.killers or self.history or by_value
        # H1 depends on the last move, not on the position alone: no table can hold it.
        state["use_table"] = self.table > 0 and not self.evaluation.rays
        state["sides"] = not self.evaluation.is_antisymmetric

    def choose(self, position: Position, limits: Limits) -> Choice:
        exact = 0 if self.tie_break == "first" else 1
        values, before, depth, nodes = self.deepen(position, limits, exact)
        if len(values) < len(position.legal):
            columns = list(before) or list(position.legal)
            if not before or depth <= 2:
                result, reflexes = best_columns(position.rules.board, *position.words)
                columns = reflexes if result >= 0 else columns
            values = {column: value for column, value in values.items() if column in columns}
            rest = [c for c in columns if c not in values and not self.is_lost(before.get(c, 0))]
            if rest and all(map(self.is_lost, values.values())):
                if not before:
                    return Choice(self.random.choice(rest), nodes=nodes)
                return Choice(max(rest, key=before.__getitem__), depth=depth - 1, nodes=nodes)
        best = max(values.values())
        column = self.pick(position, self.tied_columns(position, values, best))
        tables = self.rules.board, self.state, self.memory, self.line
        length = expected_line(*tables, *position.words, column)
        line = tuple(self.line[:length].tolist())
        return Choice(column, best / self.scale, depth, nodes, line)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        values, before, _, _ = self.fresh().deepen(position, limits, EVERY)
        values = before if len(values) < len(position.legal) and before else values
        return {column: values[column] / self.scale for column in sorted(values)}

    def deepen(
        self, position: Position, limits: Limits, exact: int
    ) -> tuple[dict[int, int], dict[int, int], int, int]:
        """Search ever deeper, the best column first, until the game is decided or time is up.

        Return the values of the last search, which may be unfinished, those of the one before, the
        depth and the nodes.
        """
        meter, words, legal = self.meter(position, limits), position.words, len(position.legal)
        plies = self.plies(position, limits)
        values: dict[int, int] = {}
        depth = nodes = 0
        self.columns = self.order
        for depth in range(1 if self.deepening else plies, plies + 1):
            before = values
            self.values.fill(UNKNOWN)
            nodes, _ = self.search(meter, words, depth, exact)
            found = self.values.tolist()
            values = {c: found[c] for c in self.columns.tolist() if found[c] != UNKNOWN}
            if len(values) < legal:
                if not values and before:
                    return before, before, depth - 1, nodes
                return values, before, depth, nodes
            if self.deepening and abs(max(values.values())) >= self.least_win:
                break  # looking deeper changes nothing
            if depth < plies:
                self.columns = np.array(sorted(values, key=values.__getitem__, reverse=True))
        return values, values, depth, nodes

    def search(self, meter: OneRecord, words: Words, depth: int, exact: int) -> tuple[int, int]:
        tables = *self.tables, self.columns, meter, self.state, self.memory, self.values
        return search_columns(*tables, *words, depth, exact), depth

    def plies(self, position: Position, limits: Limits) -> int:
        if self.deepening and self.depth is None:
            return limits.plies(position, self.usual_depth)
        return super().plies(position, limits)
