"""What every exact solver answers, and what an answer may cost."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.errors import IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules

T = TypeVar("T")

MEGABYTES = 128  # of table, by default
NO_LIMIT = 1 << 62
LONGEST = 1e9  # seconds: more would not fit the kernels' clock
SHORT_WAIT, LONG_WAIT = 1.0, 4.0  # seconds after which Ctrl-C gets a chance


class OutOfBudget(Exception):
    """The time or the nodes ran out before the score was known."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a question may cost; None is no limit."""

    nodes: int | None = None
    seconds: float | None = None
    cpu: float | None = None  # seconds of the processor, for the thread that asks


class ExactSolver(ABC):
    """Exact scores for one board, with a table that remembers from one question to the next.

    Scores are seen from the player to move: 0 draw, +k a win with k - 1 own discs left, -k a loss
    so. Each answer is proven, or OutOfBudget is raised. Not for two threads at once.
    """

    rules: Rules
    field: Any  # the record that the kernels work on
    table: Any  # the array in which they remember

    @abstractmethod
    def _score(self, position: Position) -> int:
        """What a position that is not over is worth; meaningless once the field says stopped."""

    @abstractmethod
    def _bound(self, position: Position, alpha: int) -> int:
        """A bound on its score that lies on the same side of alpha, above it or not."""

    def known(self, position: Position) -> int | None:
        """What is known without search."""
        return score_of_end(position) if position.is_over else None

    def warm_up(self) -> None:
        """Compile the kernels, or load them, on nobody's clock; a book would not even call them."""
        empty = Position(self.rules)
        self._allow(Budget(nodes=1))
        self._score(empty)
        self._bound(empty, 0)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.field.nodes)

    def forget(self) -> None:
        """Empty the table."""
        self.table[:] = 0

    def score(self, position: Position, budget: Budget | None = None) -> int:
        """What a position is worth, exactly; also of a game that is over."""
        value = self.known(position)
        if value is None:
            self._allow(budget)
            value = self._score(position)
            self._check()
        return value

    def score_from(self, position: Position, least: int, budget: Budget | None = None) -> int:
        """The same where it is known to be worth so much at least, which is mostly all it is.

        Asks again and again whether it is more: often that is a single question.
        """
        value = self.known(position)
        if value is None:
            self._allow(budget)
            while value is None:
                bound = self._bound(position, least)
                self._check()
                value, least = least if bound <= least else None, bound
        return value

    def beats(self, position: Position, score: int, budget: Budget | None = None) -> bool:
        """Whether a position is worth more than a score; often cheaper to tell than its score."""
        value = self.known(position)
        if value is None:
            self._allow(budget)
            value = self._bound(position, score)
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
        nodes = NO_LIMIT if budget.nodes is None else budget.nodes
        field.most = min(NO_LIMIT, self.nodes + nodes)
        field.deadline = field.cpu_deadline = 0
        if budget.seconds is not None:
            field.deadline = time.monotonic_ns() + int(min(budget.seconds, LONGEST) * 1e9)
        if budget.cpu is not None:
            field.cpu_deadline = time.thread_time_ns() + int(min(budget.cpu, LONGEST) * 1e9)

    def _check(self) -> None:
        if self.field.stopped:
            raise OutOfBudget


def until_answered(
    question: Callable[[Budget], T], stopped: Callable[[], bool] = lambda: False
) -> T:
    """Ask for a while again and again, so that Ctrl-C is heard and others may stop it.

    A kernel hears nobody. The solver's table keeps what was learned, so little is lost. Once it
    is stopped, OutOfBudget is raised.
    """
    seconds = SHORT_WAIT
    while True:
        try:
            return question(Budget(seconds=seconds))
        except OutOfBudget:
            if stopped():
                raise
            seconds = min(2 * seconds, LONG_WAIT)


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


def win_at(score: int, position: Position) -> int | None:
    """The same, by a position's score."""
    return winning_disc(score, position.ply, position.rules.cells)
