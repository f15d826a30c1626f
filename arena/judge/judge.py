"""The judge: exact scores within a budget, none asked for twice; and all columns of a position."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.solver.book import key_of
from arena.solver.solver import Budget, OutOfBudget, solver_for

MEGABYTES = 64  # of table
MOST_SCORES = 1_000_000  # that are remembered
FIRST_NODES, MORE = 1_000_000, 10  # for each column, before any gets more; then so many times more


class Judge:
    """Exact scores, seen from the player to move; None where the budget was too small for a proof.

    Any position of a flat board can be judged, on boards in space those near the end of a game.
    """

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES) -> None:
        self.rules = rules
        self.solver = solver_for(rules.plain, megabytes)
        self.scores: dict[Hashable, int] = {}

    def partner(self) -> Judge | None:
        """One for another thread, who shares the table and all scores; None: there is no other."""
        from arena.solver.flat.solver import Solver  # loads the compiler

        if not isinstance(self.solver, Solver):
            return None
        other = Judge(self.rules, 0)
        assert isinstance(other.solver, Solver)
        other.solver.use(self.solver.table)
        other.solver.book = self.solver.book
        other.scores = self.scores
        return other

    def score(self, position: Position, budget: Budget) -> int | None:
        """What a position is worth; also of a game that is over."""
        if position.rules.pie:
            return self._score_with_pie(position, budget)
        key = _key(position)
        score = self.scores.get(key)
        if score is None:
            try:
                score = self._search(position, budget)
            except OutOfBudget:
                return None
            if len(self.scores) < MOST_SCORES:
                self.scores[key] = score
        return score

    def _search(self, position: Position, budget: Budget) -> int:
        """Ask the solver: columns whose score is known already bound it from below."""
        children = (_key(position.play(column)) for column in position.legal)
        scores = [score for key in children if (score := self.scores.get(key)) is not None]
        if not scores:
            return self.solver.score(position, budget)
        return self.solver.score_from(position, -min(scores), budget)

    def _score_with_pie(self, position: Position, budget: Budget) -> int | None:
        """The first disc is worth its best to whoever takes the side, so nothing to its owner."""
        if position.ply == 0:
            after = {column: self.score(position.play(column), budget) for column in position.legal}
            worths = [worth for worth in after.values() if worth is not None]
            return -min(worths) if len(worths) == len(after) else None
        worth = self.score(position.plain, budget)
        return abs(worth) if worth is not None and position.can_steal else worth

    def beats(self, position: Position, score: int, budget: Budget) -> bool | None:
        """Whether a position is worth more than a score, which is often far cheaper to tell."""
        if position.rules.pie:
            if position.ply <= 1:
                worth = self.score(position, budget)
                return None if worth is None else worth > score
            position = position.plain
        own = self.scores.get(_key(position))
        if own is not None:
            return own > score
        try:
            return self.solver.beats(position, score, budget)
        except OutOfBudget:
            return None


def _key(position: Position) -> Hashable:
    """The same for mirror images on flat boards, which are worth the same."""
    return key_of(position) if position.rules.is_flat else (position.first, position.second)


@dataclass(frozen=True)
class Solution:
    """The exact score of each choice of the player to move; None is not proven."""

    position: Position
    scores: dict[int, int | None]
    seconds: float
    nodes: int

    @property
    def open(self) -> list[int]:
        """The columns that are not proven."""
        return [column for column, score in self.scores.items() if score is None]

    @property
    def most(self) -> int | None:
        """The highest score that is proven for a column."""
        return max((score for score in self.scores.values() if score is not None), default=None)

    @property
    def score(self) -> int | None:
        """What the position is worth; known when every column is."""
        return None if self.open else self.most

    @property
    def best(self) -> list[int]:
        """The columns that keep this score."""
        if self.score is None:
            return []
        return [column for column, score in self.scores.items() if score == self.score]


def solve_columns(
    judge: Judge,
    position: Position,
    seconds: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Solution:
    """Ask for every column within so many seconds for all; progress hears how many are done."""
    began, before = time.perf_counter(), judge.solver.nodes
    scores: dict[int, int | None] = dict.fromkeys(position.choices)
    left = sorted(scores, key=[*position.rules.centre_order, STEAL].index)

    def on_wait() -> None:
        progress(len(scores) - len(left))

    nodes, budget = FIRST_NODES, Budget.lasting(seconds, on_wait=on_wait)
    while left and not budget.is_over:
        for column in left:
            score = judge.score(position.play(column), budget.with_nodes(nodes))
            scores[column] = None if score is None else -score
        left = [column for column in left if scores[column] is None]
        nodes *= MORE
    return Solution(position, scores, time.perf_counter() - began, judge.solver.nodes - before)
