"""Greedy: look one ply ahead and take the best-looking position."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engine.limits import LIMITS
from arena.evaluation import Evaluation
from arena.evaluation.kernels import Weights, board_value, drop, weights_of
from arena.game.bits import record_of
from arena.game.kernels import landing
from arena.game.tables import Board, Ints, board_of
from arena.jit import kernel, popcount


@kernel
def weigh(
    board: Board, weights: Weights, own: np.uint64, opp: np.uint64, columns: Ints, worths: Ints
) -> None:
    """Write down what the board is worth after each of these columns."""
    node = own, opp, board_value(board, weights, own, opp), popcount(own | opp), 0
    for k in range(columns.size):
        disc = landing(board, own | opp, columns[k])
        worths[k] = drop(board, weights, node, disc, True)[1]


class Greedy(Engine):
    """Plays the move after which its evaluation of the board is highest.

    Source: `pick_best_move` of the usual tutorials: the first best column is kept
    """

    ignores = LIMITS

    evaluation: Evaluation = option("rivest", "how positions are weighed: a name, file or weights")
    tie_break: Literal["first", "random"] = option("first", "which of several best columns to play")

    def new_game(self) -> None:
        """Set up the weights: a won game is worth what the evaluation says, not more."""
        evaluation = self.evaluation
        as_is = replace(evaluation, win=None) if evaluation.weighs_wins else evaluation
        self.weights: Weights = record_of(weights_of(as_is, self.rules, prefer_quick=False))

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column that leads to the highest evaluation."""
        worths = self.opinions(position, limits)
        most = max(worths.values())
        best = [column for column, worth in worths.items() if worth == most]
        column = best[0] if self.tie_break == "first" else self.random.choice(best)
        return Choice(column, most, depth=1, nodes=len(worths))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The evaluation of the board after each column, as it stands."""
        columns = np.array(position.legal, dtype=np.int64)
        worths = np.zeros(columns.size, dtype=np.int64)
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        weigh(board_of(self.rules), self.weights, own, opp, columns, worths)
        in_units = worths / int(self.weights.scale)
        return dict(zip(position.legal, in_units.tolist(), strict=True))
