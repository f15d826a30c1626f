"""Which boards can be solved, what scores mean, and what every exact solver answers.

Scores are seen from the player to move: 0 draw, +k a win with k - 1 own discs left, -k a loss so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.ask import Budget, OutOfBudget, ask

MEGABYTES = 128  # of table, by default
FLAT_BITS = 64  # for a flat board: each column takes its cells and one bit more
TALLEST = 61  # rows of a single column: shifts along its lines stay below so many bits


def solvable(rules: Rules) -> bool:
    """Whether every position of a board can be solved."""
    if rules.width == 1 and rules.height > TALLEST:
        return False
    return rules.is_flat and rules.width * (rules.height + 1) <= FLAT_BITS


def refuse(rules: Rules) -> None:
    """Say why the positions of a board cannot be solved, if that is so."""
    if not rules.is_flat:
        raise BadRules(f"the exact solver plays on flat boards; {rules} is in space")
    if not solvable(rules):
        bits = rules.width * (rules.height + 1)
        one = f"at most {TALLEST + 1} of one column"
        limit = f"at most {FLAT_BITS} fit" if rules.width > 1 else one
        raise BadRules(
            f"{rules} is too large for the exact solver: columns x (rows + 1) is {bits}, {limit}"
        )


def score_of_end(position: Position) -> int:
    """The score of a game that is over: the player to move has lost it, or nobody has."""
    if position.winner is None:
        return 0
    return -((position.rules.cells - position.ply) // 2 + 1)


def winning_disc(score: int, ply: int, cells: int) -> int | None:
    """The number of the disc that completes the line, by the score at a ply; None for a draw."""
    if score == 0:
        return None
    winner = ply % 2 if score > 0 else 1 - ply % 2
    discs = (cells + 1 - winner) // 2  # that the winner has in all
    return 2 * (discs - abs(score)) + 1 + winner


class ExactSolver(ABC):
    """Exact scores for one board, with a table that remembers from one question to the next.

    Each answer is proven, or OutOfBudget is raised.
    """

    rules: Rules
    field: Any  # the record that the kernels work on
    table: Any  # the array in which they remember

    def __init__(self) -> None:
        self.turn = Lock()  # of the threads that ask

    @abstractmethod
    def _score(self, position: Position) -> int:
        """What a position that is not over is worth; meaningless once the field says stopped."""

    @abstractmethod
    def _bound(self, position: Position, alpha: int) -> int:
        """A bound on its score that lies on the same side of alpha, above it or not."""

    def score_at_sight(self, position: Position) -> int | None:
        """The score where no search is needed; else None."""
        return score_of_end(position) if position.is_over else None

    def warm_up(self) -> None:
        """Compile the kernels, or load them, on nobody's clock; a book would not even call them."""
        empty = Position(self.rules)
        for question in (self._score, lambda position: self._bound(position, 0)):
            with suppress(OutOfBudget):
                ask(self, partial(question, empty), Budget(nodes=1))

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.field.nodes)

    def forget(self) -> None:
        """Empty the table."""
        self.table[:] = 0

    def score(self, position: Position, budget: Budget | None = None) -> int:
        """What a position is worth, exactly; also of a game that is over."""
        score = self.score_at_sight(position)
        return ask(self, lambda: self._score(position), budget) if score is None else score

    def score_from(self, position: Position, least: int, budget: Budget | None = None) -> int:
        """The score of a position that is worth so much at least, which is mostly all it is."""
        score = self.score_at_sight(position)
        return ask(self, lambda: self._climb(position, least), budget) if score is None else score

    def _climb(self, position: Position, least: int) -> int:
        """Ask whether it is more, again and again: often once is enough."""
        while True:
            bound = self._bound(position, least)
            if bound <= least or self.field.stopped:
                return least
            least = bound

    def beats(self, position: Position, score: int, budget: Budget | None = None) -> bool:
        """Whether a position is worth more than a score; often cheaper to tell than its score."""
        bound = self.score_at_sight(position)
        if bound is None:
            bound = ask(self, lambda: self._bound(position, score), budget)
        return bound > score

    def sign(self, position: Position, budget: Budget | None = None) -> int:
        """Who wins: 1 the player to move, 0 nobody, -1 the other one."""
        if self.beats(position, 0, budget):
            return 1
        return 0 if self.beats(position, -1, budget) else -1

    def scores(self, position: Position, budget: Budget | None = None) -> dict[int, int]:
        """What each legal column is worth to the player to move."""
        return {column: -self.score(position.play(column), budget) for column in position.legal}


def solver_for(rules: Rules, megabytes: float = MEGABYTES, book: bool = True) -> ExactSolver:
    """The solver for a board; BadRules, with the reason, for a flat one that is too large.

    Flat boards are solved from any position, given time. Boards in space are solved near the end
    alone: ask about those with a budget.
    """
    from arena.solver.flat.solver import Solver  # both load the compiler
    from arena.solver.space.solver import SpaceSolver

    if rules.is_flat:
        return Solver(rules, megabytes, book=book)
    return SpaceSolver(rules, megabytes)
