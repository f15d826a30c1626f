"""N-tuple: one ply of a value that was learned by playing.

The network has seen millions of its own games. It gives the value of the position after each move,
and the best one is played: no search at all, a few microseconds a move. What it looks at is drawn
in `arena/network/value.py`; how it learns is in `arena/learning/update.py`.

Source: Thill, Koch and Konen 2012.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engine.limits import LIMITS
from arena.game.bits import OneRecord
from arena.jit import kernel
from arena.network.option import NetworkOption
from arena.network.value import MOVES, evaluate_moves, list_moves


@kernel
def look_ahead(
    boards: OneRecord, nets: OneRecord, lists: OneRecord, own: np.uint64, opp: np.uint64
) -> tuple[int, bool]:
    """Evaluate all moves; how many there are, and whether the only one listed wins at once."""
    board, net, moves = boards[0], nets[0], lists[0]
    wins = list_moves(board, moves, own, opp)
    if not wins:
        evaluate_moves(board, net, moves, own, opp)
    return moves.count, wins


class NTuple(Engine):
    """Plays the move after which a learned n-tuple network likes the position best.

    Source: Thill, Koch and Konen 2012
    """

    ignores = LIMITS

    weights: NetworkOption = option("shipped", "`shipped`, or a .net file written by `arena train`")
    threats: bool = option(True, "see lines that the opponent could complete with the next disc")
    tie_break: Literal["first", "random"] = option("first", "which of several best columns to play")

    def new_game(self) -> None:
        self.network = self.weights.network_for(self.rules)
        self.moves = np.zeros(1, MOVES)
        self.moves["threats"] = self.threats

    def choose(self, position: Position, limits: Limits) -> Choice:
        moves, tables = self.moves, (self.rules.board, self.network.tables)
        count, wins = look_ahead(*tables, moves, *position.words)
        if wins:
            return Choice(self._column(0), 1.0, depth=1, nodes=1)
        totals = moves["total"][0, :count].tolist()
        least = min(totals)
        best = [k for k, total in enumerate(totals) if total == least]
        k = best[0] if self.tie_break == "first" else self.random.choice(best)
        return Choice(self._column(k), -math.tanh(least), depth=1, nodes=count)

    def _column(self, k: int) -> int:
        return (int(self.moves["disc"][0, k]).bit_length() - 1) // self.rules.height

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        return {column: self._value(position.play(column)) for column in position.legal}

    def _value(self, after: Position) -> float:
        if after.is_over:
            return 0.0 if after.is_draw else 1.0
        if self.threats and any(map(after.wins_with, after.legal)):
            return -1.0
        return -self.network.value(after)
