"""Reflex: take a win, else do not let the opponent win at once, else anything."""

from __future__ import annotations

import numpy as np

from arena import Choice, Engine, Limits, Position
from arena.engine.limits import LIMITS
from arena.game.bits import OneRecord
from arena.kernels import completes, kernel, landing, winning_disc


@kernel
def best_columns(board: OneRecord, own: np.uint64, opp: np.uint64) -> tuple[int, list[int]]:
    """The best result within two plies (1, 0 or -1), and the columns that lead to it."""
    board, best = board[0], -1
    columns: list[int] = []
    for column in range(board.width):
        disc = landing(board, own | opp, column)
        if disc == 0:
            continue  # the column is full
        if completes(board, own | disc, disc):
            value = 1
        else:
            value = -1 if winning_disc(board, opp, own | disc) else 0
        if value > best:
            best = value
            columns.clear()
        if value == best:
            columns.append(column)
    return best, columns


class Reflex(Engine):
    """Takes a win, avoids moves after which the opponent wins at once, else plays at random.

    Source: FourPlay's ReflexAgent: two plies of minimax on the result alone
    """

    ignores = LIMITS

    def choose(self, position: Position, limits: Limits) -> Choice:
        value, columns = best_columns(position.rules.board, *position.words)
        return Choice(self.random.choice(columns), score=float(value), depth=2)
