"""Exact scores: which boards can be solved, what an answer may cost, and how to ask for it.

A kernel cannot be interrupted. A caller that has to react to Ctrl-C, show progress or be stopped
asks in slices: the solver's table keeps most of what one slice has found for the next. The longer a
question lasts, the longer its slices.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules

T = TypeVar("T")

MEGABYTES = 128  # of table, by default
FLAT_BITS = 64  # for a flat board: each column takes its cells and one bit more
MAX_COLUMN = 61  # rows of a single column: shifts along its lines stay below a word

SLICE, MAX_SLICE = 0.5, 4.0  # seconds of a slice, at first and in the end
CLOCK_EVERY = 2048  # nodes between two looks at the clocks


class OutOfBudget(Exception):
    """The time or the nodes ran out before the answer was proven."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The nodes and the time that a question may take.

    The deadline is that of an engine's move (see arena.engine.timing). A moment of processor time,
    of all threads together, may bound many questions: what can be proven until then does not depend
    on other programs.
    """

    nodes: int | None = None
    deadline: tuple[int, int] = (0, 0)  # nanoseconds of the wall's and the thread's clock; 0: none
    until: float | None = None  # a moment of `time.process_time`
    on_wait: Callable[[], None] | None = field(default=None, compare=False)  # after each slice

    @classmethod
    def lasting(
        cls,
        seconds: float | None,
        nodes: int | None = None,
        on_wait: Callable[[], None] | None = None,
    ) -> Budget:
        """A budget of processor time for all questions together, and of nodes for each."""
        until = None if seconds is None else time.process_time() + seconds
        return cls(nodes, until=until, on_wait=on_wait)

    def with_nodes(self, nodes: int | None) -> Budget:
        """The same budget with other nodes."""
        return replace(self, nodes=nodes)

    @property
    def time_left(self) -> float | None:
        """Seconds of the processor until the moment when all questions end."""
        return None if self.until is None else max(0.0, self.until - time.process_time())

    @property
    def is_over(self) -> bool:
        """True if the time has run out."""
        wall, cpu = self.deadline
        return (
            self.time_left == 0.0
            or 0 < wall <= time.monotonic_ns()
            or 0 < cpu <= time.thread_time_ns()
        )

    def slice(self, seconds: float) -> tuple[int, int]:
        """The deadline of the next slice; that of the question if it needs no slices."""
        wall, cpu = self.deadline
        left = self.time_left
        if left is None and self.on_wait is None:
            return wall, cpu
        end = time.monotonic_ns() + int(1e9 * (seconds if left is None else min(seconds, left)))
        return min(end, wall) if wall else end, cpu


PATIENT = Budget(on_wait=lambda: None)  # no limit, but Ctrl-C works


def is_solvable(rules: Rules) -> bool:
    """True if every position of a board can be solved."""
    if rules.width == 1 and rules.height > MAX_COLUMN:
        return False
    return rules.is_flat and rules.width * (rules.height + 1) <= FLAT_BITS


def refuse(rules: Rules) -> None:
    """Refuse a board whose positions cannot be solved."""
    if not rules.is_flat:
        raise BadRules(f"the exact solver plays on flat boards; {rules} is in space")
    if not is_solvable(rules):
        bits = rules.width * (rules.height + 1)
        one = f"at most {MAX_COLUMN + 1} of one column"
        limit = f"at most {FLAT_BITS} fit" if rules.width > 1 else one
        raise BadRules(
            f"{rules} is too large for the exact solver: columns x (rows + 1) is {bits}, {limit}"
        )


def score_of_end(position: Position) -> int:
    """The score of a finished game: the player to move has lost it, or it is a draw."""
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

    Each answer is proven, or OutOfBudget is raised. Several threads may ask one solver: they take
    turns, slice by slice.
    """

    rules: Rules
    field: Any  # the record that the kernels work on
    table: Any  # the array in which they remember

    def __init__(self) -> None:
        self.nodes = 0  # searched so far
        self._turn = Lock()

    @abstractmethod
    def _score(self, position: Position) -> int:
        """The score of a position that is not over; meaningless once the meter says stopped."""

    @abstractmethod
    def _bound(self, position: Position, alpha: int) -> int:
        """A bound on its score that lies on the same side of alpha, above it or not."""

    def known_score(self, position: Position) -> int | None:
        """The score where no search is needed; else None."""
        return score_of_end(position) if position.is_over else None

    def warm_up(self) -> None:
        """Compile or load the kernels, also those that a book makes needless at first."""
        empty = Position(self.rules)
        for question in (self._score, lambda position: self._bound(position, 0)):
            with suppress(OutOfBudget):
                self._ask(partial(question, empty), Budget(nodes=1))

    def forget(self) -> None:
        """Empty the table, and count nodes from 0."""
        self.table[:] = 0
        self.nodes = 0

    def partner(self) -> ExactSolver | None:
        """A solver for another thread with the same table; None where tables cannot be shared."""
        return None

    def score(self, position: Position, budget: Budget | None = None) -> int:
        """The exact score of a position; also of a game that is over."""
        score = self.known_score(position)
        return self._ask(lambda: self._score(position), budget) if score is None else score

    def score_from(self, position: Position, least: int, budget: Budget | None = None) -> int:
        """The score of a position whose score is known to be `least` or more, and mostly is."""
        score = self.known_score(position)
        return self._ask(lambda: self._climb(position, least), budget) if score is None else score

    def _climb(self, position: Position, least: int) -> int:
        """Raise the bound until the score is not above it; once is often enough."""
        while True:
            bound = self._bound(position, least)
            if bound <= least or self.field.meter.stopped:
                return least
            least = bound

    def beats(self, position: Position, score: int, budget: Budget | None = None) -> bool:
        """True if a position has more than a score; often cheaper to prove than its score."""
        bound = self.known_score(position)
        if bound is None:
            bound = self._ask(lambda: self._bound(position, score), budget)
        return bound > score

    def sign(self, position: Position, budget: Budget | None = None) -> int:
        """The value: 1 the player to move wins, 0 a draw, -1 the opponent wins."""
        if self.beats(position, 0, budget):
            return 1
        return 0 if self.beats(position, -1, budget) else -1

    def scores(self, position: Position, budget: Budget | None = None) -> dict[int, int]:
        """The score of each legal column, seen from the player to move."""
        return {column: -self.score(position.play(column), budget) for column in position.legal}

    def _ask(self, question: Callable[[], T], budget: Budget | None) -> T:
        """The answer of a kernel, or OutOfBudget.

        The budget's `on_wait` is called after each slice, and may raise to end the waiting.
        """
        from arena.game.bits import meter_fields  # loads the compiler

        budget = budget or Budget()
        left, seconds = budget.nodes, SLICE
        while not budget.is_over and (left is None or left > 0):
            with self._turn:
                self.field["meter"] = meter_fields(left, budget.slice(seconds), CLOCK_EVERY)
                answer, meter = question(), self.field["meter"]  # faster than as attributes
                used = int(meter["nodes"])
                self.nodes += used
                if not meter["stopped"]:
                    return answer
            left = None if left is None else left - used
            if budget.on_wait is not None:
                budget.on_wait()
            seconds = min(2 * seconds, MAX_SLICE)
        raise OutOfBudget


def solver_for(rules: Rules, megabytes: float = MEGABYTES, book: bool = True) -> ExactSolver:
    """The solver for a board; BadRules, with the reason, for a flat one that is too large.

    Flat boards are solved from any position, given time. Boards in space are solved near the end
    alone: ask about those with a budget.
    """
    from arena.solver.flat.search import Solver  # both load the compiler
    from arena.solver.space import SpaceSolver

    if rules.is_flat:
        return Solver(rules, megabytes, book=book)
    return SpaceSolver(rules, megabytes)
