"""Random: any open column, each as likely as the next."""

from __future__ import annotations

import numpy as np

from arena import Choice, Engine, Limits, Position
from arena.engine.limits import LIMITS
from arena.game.bits import OneRecord
from arena.kernels import kernel, landing


@kernel
def open_columns(board: OneRecord, own: np.uint64, opp: np.uint64) -> list[int]:
    """The columns that are not full."""
    return [column for column in range(board[0].width) if landing(board[0], own | opp, column)]


class Random(Engine):
    """Drops into a random open column.

    Source: The baseline of every tournament
    """

    ignores = LIMITS

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.random.choice(open_columns(position.rules.board, *position.words)))
