"""Greedy: look one ply ahead and take the best-looking position."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engine.limits import LIMITS
from arena.evaluation import Evaluation
from arena.game.bits import Ints, OneRecord
from arena.kernels import drop, kernel, landing, root, weights_of

FULL = -4_000_000_000  # in place of a value: the column is full


@kernel
def evaluate_columns(
    board: OneRecord, weights: OneRecord, values: Ints, own: np.uint64, opp: np.uint64
) -> None:
    """Store the value of the board after each column."""
    board, weights = board[0], weights[0]
    node = root(board, weights, own, opp)
    for column in range(board.width):
        disc = landing(board, own | opp, column)
        values[column] = FULL if disc == 0 else drop(board, weights, node, disc, True)[1]


class Greedy(Engine):
    """Plays the move after which its evaluation of the board is highest.

    Source: `pick_best_move` of the usual tutorials: the first best column is kept
    """

    ignores = LIMITS

    evaluation: Evaluation = option("rivest", "evaluation: a name, a file or weights")
    tie_break: Literal["first", "random"] = option("first", "which of several best columns to play")

    def new_game(self) -> None:
        evaluation = self.evaluation
        if evaluation.has_win_weights:
            evaluation = replace(evaluation, win=None)  # full lines have weights of their own
        self.weights = weights_of(evaluation, self.rules, prefer_quick=False)
        self.scale = int(self.weights["scale"][0])
        self.values = np.zeros(self.rules.columns, np.int64)

    def choose(self, position: Position, limits: Limits) -> Choice:
        values = self.opinions(position, limits)
        most = max(values.values())
        best = [column for column, value in values.items() if value == most]
        column = best[0] if self.tie_break == "first" else self.random.choice(best)
        return Choice(column, most, depth=1, nodes=len(values))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        evaluate_columns(self.rules.board, self.weights, self.values, *position.words)
        values = self.values.tolist()
        return {c: value / self.scale for c, value in enumerate(values) if value != FULL}
