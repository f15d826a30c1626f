"""Alpha-beta with time estimation (Blair 2011, SEEDS S1.3): it guesses how deep it can go.

The search dives to the left. When it first reaches depth d in a turn, it multiplies the time used
so far by what the tree might cost, B_reduced^d with B_reduced = B - turns / B. If that is more than
it may use, d is as deep as this turn goes. If time runs out all the same, it stops and plays by
reflex among what it has finished. Blair's own pseudo-code counts depth from 0 and asks at every
node until a depth is fixed: both are switches, and set in `blair-time`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from arena import Limits, Position, Rules, option, register
from arena.engine.levels import Offer
from arena.evaluation import Evaluation
from arena.evaluation.kernels import Weights, try_disc
from arena.game.kernels import NONE, landing
from arena.game.tables import Board, new_record
from arena.jit import CLOCK_KIND, THREAD_CLOCK, kernel, nanoseconds
from engines.negamax import (
    ABSOLUTE,
    EVERYWHERE,
    FULL,
    INFINITY,
    Search,
    exhausted,
    is_cut,
    note_line,
)
from engines.search import Looked, SearchEngine

Plan = np.record

UNDECIDED = -1

PLAN = np.dtype(
    [
        ("deepest", np.int64),  # the deepest ply reached in this turn
        ("most", np.int64),  # as deep as the rules and the depth limit allow
        ("depth", np.int64),  # the depth fixed for this turn; UNDECIDED until it is
        ("start", np.int64),  # when the turn's search began; 0: not yet
        ("clock_kind", np.int64),  # by which clock it is measured
        ("branching", np.float64),  # B_reduced
        ("afford", np.float64),  # nanoseconds, or nodes if the limit is in nodes; 0: no estimate
        ("in_nodes", np.bool_),
        ("zero", np.int64),  # 1: the estimate counts depth from 0, not from 1
        ("always", np.bool_),  # ask at every move tried, not only where a depth is new
    ],
    align=True,
)


@kernel
def stops_at(search: Search, plan: Plan, depth: int) -> bool:
    """Whether the search goes no deeper than this; once decided, that stands for the turn."""
    is_new = depth > plan.deepest
    if is_new:
        plan.deepest = depth
    power = depth - plan.zero
    if plan.depth == UNDECIDED and plan.afford > 0 and power > 0 and (is_new or plan.always):
        used = np.float64(search.nodes)
        if not plan.in_nodes:
            used = np.float64(nanoseconds(search.clock, plan.clock_kind) - plan.start)
        if plan.branching**power * used >= plan.afford:
            plan.depth = depth
    return depth >= plan.most or (plan.depth != UNDECIDED and depth >= plan.depth)


@kernel
def dive(
    board: Board,
    weights: Weights,
    search: Search,
    plan: Plan,
    side: int,
    own: np.uint64,
    opp: np.uint64,
    value: int,
    discs: int,
    depth: int,
    alpha: int,
    beta: int,
    allowed: np.uint64,
) -> int:
    """Alpha-beta in which `depth` counts up from the root, and the plan says where it ends."""
    best = -INFINITY
    search.length[discs] = 0
    if plan.start == 0:
        plan.start = nanoseconds(search.clock, plan.clock_kind)
    for k in range(board.width):
        disc = landing(board, own | opp, search.order[k])
        if disc & allowed == NONE:
            continue
        if exhausted(search):
            return best
        search.nodes += 1
        is_leaf = stops_at(search, plan, depth + 1)
        ends, worth = try_disc(board, weights, side, own, opp, value, discs, disc, is_leaf)
        if not ends:
            worth = -dive(
                board, weights, search, plan, 1 - side, opp, own | disc, -worth,
                discs + 1, depth + 1, -beta, -alpha, EVERYWHERE,
            )  # fmt: skip
            if search.stopped:
                return best
        if worth > best:
            best = worth
            note_line(search, discs, disc, ends)
            if is_cut(weights, search, worth, beta, discs):
                break
            if search.pruning == FULL:
                alpha = max(alpha, worth)
    return best


@register("alphabeta-time")
class AlphaBetaTime(SearchEngine):
    """Fixes its depth each turn by estimating what one more ply would cost."""

    source = "Blair 2011 (S1.3), with its win-or-nothing evaluation H2 (S1.5)"
    shares_chance = False
    offer = Offer(7, "Blair's estimate of how deep time allows")

    evaluation: Evaluation = option("h2", "how positions are weighed: a name, file or weights")
    tie_break = "random"
    pruning: Literal["absolute", "full"] = option(
        "absolute", "at certain wins alone (S1.2), or full"
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

    def new_game(self, rules: Rules, seed: int) -> None:
        """Start without a plan."""
        self.plan: Plan = new_record(PLAN)
        super().new_game(rules, seed)

    def set_up(self, search: Search) -> None:
        """Write down how to prune."""
        super().set_up(search)
        search.pruning = ABSOLUTE if self.pruning == "absolute" else FULL

    def begin(self, position: Position, limits: Limits) -> None:
        """Start the clock of a turn, and the plan that goes with it.

        Where only nodes or depth are limited, no clock is read: the estimate counts nodes, or is
        not needed at all, and the same seed gives the same game.
        """
        budget = limits.budget(position)
        timed = budget is not None or (limits.nodes is None and limits.depth is None)
        plan = self.plan
        plan.deepest, plan.depth = 0, UNDECIDED
        plan.zero, plan.always = self.from_zero, self.ask_always
        plan.branching = self.reduced_branching(position)
        plan.in_nodes, plan.afford = not timed, float(limits.nodes or 0)
        if timed:
            most = min(self.seconds, budget or self.seconds)
            plan.afford = most * 1e9
            on_cpu = limits.cpu is not None and limits.cpu == budget
            plan.clock_kind = THREAD_CLOCK if on_cpu else CLOCK_KIND
            by_clock = replace(limits, cpu=None).budget(position)
            if on_cpu:
                limits = replace(limits, cpu=most, seconds=by_clock, clock=None)
            else:
                limits = replace(limits, seconds=most, clock=None)
        plan.start = 0
        super().begin(position, limits)

    @property
    def early(self) -> float:
        """As long before the limit as the buffer says."""
        return self.buffer

    def reduced_branching(self, position: Position) -> float:
        """B_reduced: the fuller the board, the fewer the columns to choose from."""
        columns = self.rules.columns
        turns = position.ply // columns if self.division == "integer" else position.ply / columns
        return max(1.0, columns - turns)

    def look(self, position: Position, depth: int, columns: list[int], wanted: int) -> Looked:
        """Search, and report the depth that was reached rather than the one allowed."""
        looked = super().look(position, depth, columns, wanted)
        return replace(looked, depth=int(self.plan.deepest))

    def descend(self, position: Position, value: int, disc: int, depth: int, low: int) -> int:
        """Dive below one move."""
        self.plan.most = depth
        own, opp = self.words(position)
        return dive(
            self.board, self.weights, self.notes, self.plan, 0, own, opp, value, position.ply, 0,
            -INFINITY if self.pruning == "absolute" else low, INFINITY, np.uint64(disc),
        )  # fmt: skip
