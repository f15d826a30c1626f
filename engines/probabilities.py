"""Probabilities at low depth: no search, only the rays of the disc to be dropped (Blair 2011, H1).

A ray is the disc and the next connect - 1 cells in one direction. It counts 1 for an empty cell
and 3 for a disc of mine, and nothing at all if it leaves the board or meets a disc of theirs.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engine.limits import LIMITS
from arena.evaluation.kernels import ray_table, rays_value
from arena.game.bits import Bits, Ints, OneRecord
from arena.kernels import kernel, landing

FULL = -1  # in place of a value: the column is full


@kernel
def evaluate_discs(
    board: OneRecord, rays: Bits, values: Ints, own: np.uint64, opp: np.uint64
) -> None:
    """Store H1 of each column's next disc."""
    board = board[0]
    for column in range(board.width):
        disc = landing(board, own | opp, column)
        values[column] = FULL if disc == 0 else rays_value(board, rays, own | disc, opp, disc)


class Probabilities(Engine):
    """Drops where the rays to the left, right and below promise most; it knows no wins or blocks.

    Source: Blair 2011, H1
    """

    ignores = LIMITS

    vertical: Literal["down", "up"] = option("down", "which vertical ray counts")
    diagonals: bool = option(False, "count diagonal rays too")
    tie_break: Literal["first", "random"] = option(
        "random", "which of several best columns to play"
    )

    def new_game(self) -> None:
        self.rays = ray_table(self.rules, self.vertical == "up", self.diagonals)
        self.values = np.zeros(self.rules.columns, np.int64)

    def choose(self, position: Position, limits: Limits) -> Choice:
        values = self.opinions(position, limits)
        most = max(values.values())
        best = [column for column, value in values.items() if value == most]
        column = best[0] if self.tie_break == "first" else self.random.choice(best)
        return Choice(column, most, depth=1, nodes=len(values))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        evaluate_discs(self.rules.board, self.rays, self.values, *position.words)
        values = self.values.tolist()
        return {column: float(value) for column, value in enumerate(values) if value != FULL}
