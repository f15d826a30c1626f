"""Alpha-beta with time estimation (Blair 2011, S1.3): it guesses how deep it can go.

The search dives to the left. When it first reaches depth d in a turn, it multiplies the time used
so far by what the tree might cost, B_reduced^d with B_reduced = B - turns / B. If that is more than
it may use, d is as deep as this turn goes. If time runs out all the same, it stops and plays by
reflex among what it has finished.

Blair cuts at certain wins only. Full pruning, the default here, visits far fewer positions: about
B^(3/4) a ply if moves come in random order (Pearl 1982). The estimate then uses that number.
The preset `blair-time` has his own settings: absolute pruning and the evaluation H2, which knows
wins only. It counts depth from 0 and asks at every node until a depth is fixed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from arena import Limits, Position, option
from arena.engines.alphabeta import FULL, PRUNING, is_cut
from arena.engines.refinements import Window
from arena.engines.search import (
    EVERYWHERE,
    INFINITY,
    SEARCH,
    Search,
    SearchEngine,
    SearchResult,
    note_line,
)
from arena.evaluation.kernels import Node, Weights, child, drop
from arena.game.kernels import NONE, landing
from arena.game.meter import spent
from arena.game.tables import Board
from arena.jit import CLOCK_KIND, THREAD_CLOCK, kernel, nanoseconds

UNDECIDED = -1
PRUNED = 0.75  # the exponent of B that full pruning leaves (Pearl 1982)

PLAN: list[Any] = [
    ("pruning", np.int64),  # FULL or ABSOLUTE
    ("deepest", np.int64),  # the deepest ply reached in this turn
    ("allowed_depth", np.int64),  # as deep as the rules and the depth limit allow
    ("fixed_depth", np.int64),  # the depth fixed for this turn; UNDECIDED until it is
    ("start", np.int64),  # when the turn's search began; 0: not yet
    ("clock_kind", np.int64),  # by which clock it is measured
    ("branching", np.float64),  # the estimated cost of one more ply
    ("afford", np.float64),  # nanoseconds, or nodes if the limit is in nodes; 0: no estimate
    ("in_nodes", np.bool_),
    ("from_zero", np.int64),  # 1: the estimate counts depth from 0, not from 1
    ("ask_always", np.bool_),  # ask at every move tried, not only where a depth is new
]


@kernel
def stops_at(search: Search, depth: int) -> bool:
    """Whether the search goes no deeper than this; once decided, that stands for the turn."""
    is_new = depth > search.deepest
    if is_new:
        search.deepest = depth
    power = depth - search.from_zero
    asks = search.fixed_depth == UNDECIDED and search.afford > 0 and power > 0
    if asks and (is_new or search.ask_always):
        used = np.float64(search.meter.nodes)
        if not search.in_nodes:
            used = np.float64(nanoseconds(search.meter.clock, search.clock_kind) - search.start)
        if search.branching**power * used >= search.afford:
            search.fixed_depth = depth
    if depth >= search.allowed_depth:
        return True
    return search.fixed_depth != UNDECIDED and depth >= search.fixed_depth


@kernel
def dive(
    board: Board, weights: Weights, search: Search,
    node: Node, depth: int, window: Window, allowed: np.uint64,
) -> int:  # fmt: skip
    """Alpha-beta in which `depth` counts up from the root, and the plan says where it ends."""
    own, opp, _, discs, _ = node
    alpha, beta = window
    best = -INFINITY
    search.lines.length[discs] = 0
    if search.start == 0:
        search.start = nanoseconds(search.meter.clock, search.clock_kind)
    for k in range(board.width):
        disc = landing(board, own | opp, search.order[k])
        if disc & allowed == NONE:
            continue
        if spent(search.meter):
            return best
        search.meter.nodes += 1
        is_leaf = stops_at(search, depth + 1)
        ends, worth = drop(board, weights, node, disc, is_leaf)
        if not ends:
            below = child(node, disc, worth)
            worth = -dive(board, weights, search, below, depth + 1, (-beta, -alpha), EVERYWHERE)
            if search.meter.stopped:
                return best
        if worth > best:
            best = worth
            note_line(search.lines, discs, disc, ends)
            if is_cut(weights, search.pruning, worth, beta, discs):
                break
            if search.pruning == FULL:
                alpha = max(alpha, worth)
    return best


class AlphaBetaTime(SearchEngine):
    """Fixes its depth each turn by estimating what one more ply would cost.

    Source: Blair 2011; the cost of full pruning: Pearl 1982
    """

    pruning: Literal["full", "absolute"] = option(
        "full", "full alpha-beta, or cuts at certain wins only"
    )
    seconds: float = option(30.0, "T_max, the most it may use for a turn", least=0.001)
    buffer: float = option(1.0, "stop so long before the limit, at most a tenth of it", least=0)
    division: Literal["real", "integer"] = option("real", "how turns / B is rounded")
    from_zero: bool = option(
        False, "count depth from 0 in the estimate, as Blair's pseudo-code: a ply deeper"
    )
    ask_always: bool = option(
        False, "estimate at every move until a depth is fixed, not only where a depth is new"
    )
    usual_depth = 64

    layout: ClassVar[np.dtype[Any]] = np.dtype([*SEARCH, *PLAN], align=True)

    def set_up(self) -> None:
        """Write down how to prune and to estimate."""
        super().set_up()
        self.early = self.buffer
        self.notes.pruning = PRUNING[self.pruning]
        self.notes.from_zero, self.notes.ask_always = self.from_zero, self.ask_always

    def start(self, position: Position, limits: Limits) -> None:
        """Start the clock of a turn, and the plan that goes with it.

        Where only nodes or depth are limited, no clock is read: the estimate counts nodes, or is
        not needed at all, and the same seed gives the same game.
        """
        plan, budget = self.notes, limits.budget(position)
        timed = budget is not None or (limits.nodes is None and limits.depth is None)
        plan.deepest, plan.fixed_depth, plan.start = 0, UNDECIDED, 0
        plan.branching = self.branching(position)
        plan.in_nodes, plan.afford = not timed, float(limits.nodes or 0)
        if timed:
            most = min(self.seconds, budget or self.seconds)
            on_cpu = limits.cpu is not None and limits.cpu == budget
            plan.afford, plan.clock_kind = most * 1e9, THREAD_CLOCK if on_cpu else CLOCK_KIND
            by_clock = replace(limits, cpu=None).budget(position)
            if on_cpu:
                limits = replace(limits, cpu=most, seconds=by_clock, clock=None, increment=0)
            else:
                limits = replace(limits, seconds=most, clock=None, increment=0)
        super().start(position, limits)

    def branching(self, position: Position) -> float:
        """B_reduced, which is lower on a fuller board; full pruning leaves a power of it."""
        columns = self.rules.columns
        turns = position.ply // columns if self.division == "integer" else position.ply / columns
        reduced = max(1.0, columns - turns)
        return reduced**PRUNED if self.pruning == "full" else reduced

    def search(
        self, position: Position, depth: int, columns: list[int], wanted: int
    ) -> SearchResult:
        """Search, and report the depth that was reached rather than the one allowed."""
        self.notes.allowed_depth = depth
        result = super().search(position, depth, columns, wanted)
        return replace(result, depth=int(self.notes.deepest))

    def worth_of(self, node: Node, disc: np.uint64, depth: int, low: int) -> int:
        """Dive below one move."""
        window = -INFINITY if self.pruning == "absolute" else low, INFINITY
        return dive(self.board, self.weights, self.notes, node, 0, window, disc)
