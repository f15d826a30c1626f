"""Alpha-beta with time estimation (Blair 2011): it guesses how deep it can go.

The search dives down the first line of play. When it first reaches depth d in a turn, it multiplies
the time used so far by the size of such a tree, B_reduced^d with B_reduced = B - turns / B. If that
is more than the limit, d becomes the depth of this turn. If time still runs out, it stops and plays
by reflex among the columns it has finished.

Blair prunes at certain wins only. Full pruning, the default here, visits far fewer positions: about
B^(3/4) a ply if moves come in random order (Pearl 1982). The estimate then uses that number.
His pseudo-code (`as_published`) counts depth from 0, rounds turns / B down, and estimates at every
node until a depth is fixed.

`hybrid`, Blair's future work, breaks ties between columns by H1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from arena import Limits, Position, option
from arena.engines.alphabeta import FULL, PRUNING, is_cutoff
from arena.engines.probabilities import Probabilities
from arena.engines.search import EVERY, INFINITY, SearchEngine, Words
from arena.evaluation import EVALUATIONS
from arena.evaluation.kernels import Node, Weights
from arena.game.bits import NONE, Board, Ints, Meter, OneRecord
from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, THREAD_CLOCK, nanoseconds
from arena.kernels import child, drop, kernel, landing, out_of_budget, root

UNDECIDED = -1
PRUNED = 0.75  # the exponent of B that full pruning leaves (Pearl 1982)

Plan = np.record

PLAN = np.dtype(
    [
        ("pruning", np.int64),  # FULL or ABSOLUTE
        ("as_published", np.int64),  # 1: depth counts from 0, and each move estimates; else 0
        ("deepest", np.int64),  # the deepest ply reached in this turn
        ("allowed_depth", np.int64),  # as deep as the rules and the depth limit allow
        ("fixed_depth", np.int64),  # the depth fixed for this turn; UNDECIDED until it is
        ("branching", np.float64),  # the estimated cost of one more ply
        ("budget", np.float64),  # nanoseconds, or nodes if these are limited; 0: no estimate
        ("in_nodes", np.bool_),
        ("clock", np.int64),  # the address of the clocks, and which of them measures
        ("clock_kind", np.int64),
        ("start", np.int64),  # when the turn's search began
    ],
    align=True,
)


@kernel
def is_depth_limit(plan: Plan, meter: Meter, depth: int) -> bool:
    """Check whether this is the last ply; once fixed, the depth holds for the turn."""
    is_new = depth > plan.deepest
    if is_new:
        plan.deepest = depth
    power = depth - plan.as_published
    asks = plan.fixed_depth == UNDECIDED and plan.budget > 0 and power > 0
    if asks and (is_new or plan.as_published == 1):
        used = np.float64(meter.nodes)
        if not plan.in_nodes:
            used = np.float64(nanoseconds(plan.clock, plan.clock_kind) - plan.start)
        if plan.branching**power * used >= plan.budget:
            plan.fixed_depth = depth
    if depth >= plan.allowed_depth:
        return True
    return plan.fixed_depth != UNDECIDED and depth >= plan.fixed_depth


@kernel
def negamax(
    board: Board, weights: Weights, order: Ints, meter: Meter, plan: Plan,
    node: Node, depth: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Alpha-beta in which `depth` counts up from the root, and the plan says where it ends."""
    own, opp = node[0], node[1]
    best = -INFINITY
    for i in range(board.width):
        disc = landing(board, own | opp, order[i])
        if disc == NONE:
            continue  # the column is full
        if out_of_budget(meter):
            break
        over, value = drop(board, weights, node, disc, is_depth_limit(plan, meter, depth + 1))
        if not over:
            below = child(node, disc, value)
            value = -negamax(board, weights, order, meter, plan, below, depth + 1, -beta, -alpha)
        best = max(best, value)
        if plan.pruning == FULL:
            alpha = max(alpha, value)
        if is_cutoff(weights, node, best, beta, plan.pruning):
            break
    return best


@kernel
def search_columns(
    board: OneRecord, weights: OneRecord, order: Ints, columns: Ints, meter: OneRecord,
    plan: OneRecord, values: Ints, own: np.uint64, opp: np.uint64, exact: int,
) -> tuple[int, int]:  # fmt: skip
    """Store the value of each open column; return the nodes and the deepest ply reached."""
    board, weights, meter, plan = board[0], weights[0], meter[0], plan[0]
    if not plan.in_nodes:
        plan.start = nanoseconds(plan.clock, plan.clock_kind)
    node = root(board, weights, own, opp)
    best = -INFINITY
    for column in columns:
        disc = landing(board, own | opp, column)
        if disc == NONE or out_of_budget(meter):
            continue  # the column is full, or nodes or time have run out
        over, value = drop(board, weights, node, disc, is_depth_limit(plan, meter, 1))
        if not over:
            alpha, below = max(best - exact, -INFINITY), child(node, disc, value)
            value = -negamax(board, weights, order, meter, plan, below, 1, -INFINITY, -alpha)
        if not meter.stopped:
            values[column] = value
            best = max(best, value)
    return meter.nodes, plan.deepest


class AlphaBetaTime(SearchEngine):
    """Fixes its depth each turn by estimating what one more ply would cost.

    Source: Blair 2011; the cost of full pruning: Pearl 1982
    """

    pruning: Literal["full", "absolute"] = option(
        "full", "full alpha-beta, or prune at certain wins only, as Blair does"
    )
    seconds: float = option(30.0, "T_max, the most it may use for a turn", least=0.001)
    buffer: float = option(1.0, "seconds to stop before the limit, at most a tenth of it", least=0)
    as_published: bool = option(
        False, "estimate as Blair's pseudo-code: at every move, in whole turns, depth from 0"
    )

    usual_depth = 64

    def new_game(self) -> None:
        super().new_game()
        self.early = self.buffer
        self.plan = np.zeros(1, PLAN)

    def column_values(
        self, position: Position, limits: Limits, exact: int
    ) -> tuple[dict[int, int], int, int]:
        """Make the plan of a turn, and search.

        If only nodes or depth are limited, no clock is read: the estimate counts nodes, or there is
        none, and the same seed gives the same game.
        """
        allowed, clock = limits.budget(position), CLOCK_KIND
        in_nodes = allowed is None and (limits.nodes is not None or limits.depth is not None)
        budget = float(limits.nodes or 0)
        if not in_nodes:
            if allowed is not None and allowed == limits.cpu:
                clock = THREAD_CLOCK
            budget = 1e9 * min(self.seconds, allowed or self.seconds)
            wall = min(self.seconds, limits.wall_budget(position) or self.seconds)
            limits = replace(limits, seconds=wall, clock=None, increment=0)
        self.plan[0] = (
            PRUNING[self.pruning], self.as_published, 0, self.plies(position, limits), UNDECIDED,
            self.branching(position), budget, in_nodes, CLOCK_ADDRESS, clock, 0,
        )  # fmt: skip
        return super().column_values(position, limits, exact)

    def branching(self, position: Position) -> float:
        """B_reduced, which is lower on a fuller board; full pruning leaves a power of it."""
        columns = self.rules.columns
        turns = position.ply // columns if self.as_published else position.ply / columns
        reduced = max(1.0, columns - turns)
        return reduced**PRUNED if self.pruning == "full" else reduced

    def search(self, meter: OneRecord, words: Words, depth: int, exact: int) -> tuple[int, int]:
        exact = exact if self.pruning == "full" else EVERY
        tables = *self.tables, self.columns, meter, self.plan, self.values
        return search_columns(*tables, *words, exact)


class Hybrid(AlphaBetaTime):
    """Estimates its depth like alphabeta-time, and breaks ties between columns by H1.

    Source: Blair 2011, future work
    """

    tie_break = "random"  # so that the search finds all equal columns
    where: Literal["ties", "leaves"] = option(
        "ties", "H1 breaks ties at the root, or evaluates leaves"
    )

    def new_game(self) -> None:
        if self.where == "leaves":
            self.evaluation = replace(EVALUATIONS["h1"], name="h1 at the leaves")
        super().new_game()
        self.h1 = Probabilities()
        self.h1.begin(self.rules, 0)

    def pick(self, position: Position, columns: list[int]) -> int:
        if self.where == "ties":
            values = self.h1.opinions(position, Limits())
            most = max(values[column] for column in columns)
            columns = [column for column in columns if values[column] == most]
        return super().pick(position, columns)
