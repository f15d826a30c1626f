"""Exact scores for boards in space, as far as they can be proven.

The game on 4x4x4 is unsolved, and so is nearly every position with many empty cells: ask with a
budget, and take `OutOfBudget` for an answer. What is answered is proven.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

from arena.errors import BadRules, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules
from arena.game.tables import board_of
from arena.solver.solver import MEGABYTES, NO_LIMIT, Budget, OutOfBudget, score_of_end
from arena.solver.space_search import ENTRY_WORDS, exact, field_of, window


class SpaceSolver:
    """Exact scores for one board in space, with a table that remembers between questions.

    Scores are seen from the player to move: 0 draw, +k a win with k - 1 own discs left, -k a loss
    so. Not for two threads at once.
    """

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES) -> None:
        if rules.is_flat:
            raise BadRules(f"the endgame solver plays on boards in space; {rules} is flat")
        self.rules = rules
        self.board = board_of(rules)
        entries = max(2, int(megabytes * 2**20 / (8 * ENTRY_WORDS)))
        index_bits = entries.bit_length() - 1
        self.field = field_of(rules, index_bits)
        self.table = np.zeros((1 << index_bits, ENTRY_WORDS), np.uint64)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.field.nodes)

    def forget(self) -> None:
        """Empty the table."""
        self.table[:] = 0

    def score(self, position: Position, budget: Budget | None = None) -> int:
        """What a position is worth, exactly; also of a game that is over."""
        if position.is_over:
            return score_of_end(position)
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        self._allow(budget)
        value = int(exact(self.board, self.field, self.table, own, opp, position.ply))
        self._check()
        return value

    def beats(self, position: Position, score: int, budget: Budget | None = None) -> bool:
        """Whether a position is worth more than a score: often cheaper than what it is worth."""
        if position.is_over:
            return score_of_end(position) > score
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        self._allow(budget)
        value = int(window(self.board, self.field, self.table, own, opp, position.ply, score))
        self._check()
        return value > score

    def sign(self, position: Position, budget: Budget | None = None) -> int:
        """Who wins: 1 the player to move, 0 nobody, -1 the other one."""
        if self.beats(position, 0, budget):
            return 1
        return 0 if self.beats(position, -1, budget) else -1

    def scores(self, position: Position, budget: Budget | None = None) -> dict[int, int]:
        """What each legal column is worth to the player to move."""
        return {column: -self.score(position.play(column), budget) for column in position.legal}

    def best(self, position: Position, budget: Budget | None = None) -> list[int]:
        """The columns that keep the exact score."""
        scores = self.scores(position, budget)
        if not scores:
            raise IllegalMove("the game is over: there is no best column")
        top = max(scores.values())
        return [column for column, score in scores.items() if score == top]

    def all_scores(self, positions: Iterable[Position]) -> list[int]:
        """Scores of many positions."""
        return [self.score(position) for position in positions]

    def _allow(self, budget: Budget | None) -> None:
        field, budget = self.field, budget or Budget()
        field.stopped = False
        field.most = NO_LIMIT if budget.nodes is None else field.nodes + budget.nodes
        field.deadline = 0
        if budget.seconds is not None:
            field.deadline = time.monotonic_ns() + int(budget.seconds * 1e9)

    def _check(self) -> None:
        if self.field.stopped:
            raise OutOfBudget
