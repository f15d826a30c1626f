"""A position solved: what each of its columns is worth, those that are cheap first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from arena.game.position import Position
from arena.judge.judge import Judge
from arena.solver.ask import Budget

FIRST_NODES, MORE = 1_000_000, 10  # for each column, before any gets more; then so many times more


@dataclass(frozen=True)
class Solution:
    """The exact score of each legal column for the player to move; None is not proven."""

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
    scores: dict[int, int | None] = dict.fromkeys(position.legal)
    left = [column for column in position.rules.centre_order if column in scores]

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
