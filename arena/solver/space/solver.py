"""Exact scores for boards in space, as far as they can be proven.

The game on 4x4x4 is unsolved, and so is nearly every position with many empty cells: ask with a
budget, and take `OutOfBudget` for an answer. What is answered is proven.
"""

from __future__ import annotations

import numpy as np

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.game.tables import board_of
from arena.solver.exact import MEGABYTES, ExactSolver
from arena.solver.space.patterns import field_of
from arena.solver.space.search import exact, window
from arena.solver.space.table import ENTRY_WORDS


class SpaceSolver(ExactSolver):
    """Exact scores for one board in space."""

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES) -> None:
        if rules.is_flat:
            raise BadRules(f"the endgame solver plays on boards in space; {rules} is flat")
        super().__init__()
        self.rules = rules
        self.board = board_of(rules)
        entries = max(2, int(megabytes * 2**20 / (8 * ENTRY_WORDS)))
        index_bits = entries.bit_length() - 1
        self.field = field_of(rules, index_bits)
        self.table = np.zeros((1 << index_bits, ENTRY_WORDS), np.uint64)

    def _score(self, position: Position) -> int:
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        return int(exact(self.board, self.field, self.table, own, opp, position.ply))

    def _bound(self, position: Position, alpha: int) -> int:
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        return int(window(self.board, self.field, self.table, own, opp, position.ply, alpha))
