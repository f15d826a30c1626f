"""N-tuple: one ply of a value that was learned by playing.

The network has seen millions of its own games. It says what the position after each move is worth,
and the best one is played: no search at all, a few microseconds a move. What it looks at is drawn
in `arena/network/value.py`; how it learns is in `arena/learning/update.py`.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from arena import Choice, Limits, Position, Rules, option, register
from arena.engine.levels import Offer
from arena.engine.limits import LIMITS
from arena.engines.explore import Explorer
from arena.game.kernels import NONE, winning_disc
from arena.game.tables import board_of, new_record
from arena.network.option import NetworkOption
from arena.network.value import MOVES, evaluate_moves, list_moves, network_value


@register("ntuple")
class NTuple(Explorer):
    """Plays the move after which a learned n-tuple network likes the position best."""

    source = "Thill, Koch and Konen 2012"
    shares_chance = False
    ignores = LIMITS
    offer = Offer(11, "one ply of a learned network; 7x6 and 4x4x4")

    weights: NetworkOption = option("shipped", "`shipped`, or a .net file written by `arena train`")
    threats: bool = option(True, "see where the opponent could complete a line with the next disc")
    tie_break: Literal["first", "random"] = option("first", "which of several best columns to play")

    def new_game(self, rules: Rules, seed: int) -> None:
        """Have the network of this board ready."""
        super().new_game(rules, seed)
        self.network = self.weights.network_for(rules)
        self.moves = new_record(MOVES)
        self.moves.threats = self.threats

    def choose(self, position: Position, limits: Limits) -> Choice:
        """A win if there is one, else the column after which the network likes it best."""
        board, moves = board_of(self.rules), self.moves
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        if list_moves(board, moves, own, opp):
            return Choice(self._column(0), 1.0, depth=1, nodes=1)
        evaluate_moves(board, self.network.record, moves, own, opp)
        totals = moves.total[: moves.count].tolist()
        least = min(totals)
        best = [k for k, total in enumerate(totals) if total == least]
        k = best[0] if self.tie_break == "first" else self.random.choice(best)
        return Choice(self._column(k), -math.tanh(least), depth=1, nodes=len(totals))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The value of the position after each column, from -1 to 1, to the player to move."""
        return {column: self._worth(position.play(column)) for column in position.legal}

    def _worth(self, after: Position) -> float:
        if after.is_over:
            return 0.0 if after.is_draw else 1.0
        board, own, opp = board_of(self.rules), np.uint64(after.own), np.uint64(after.opponent)
        if self.threats and winning_disc(board, own, opp) != NONE:
            return -1.0
        return -float(network_value(board, self.network.record, own, opp))

    def _column(self, k: int) -> int:
        return (int(self.moves.disc[k]).bit_length() - 1) // self.rules.height
