"""The solver as the rest of the harness sees it: positions in, exact scores out."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.errors import IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.book import book_for
from arena.solver.field import USUAL, field_of, give_table, refuse
from arena.solver.search import exact, exact_all, window
from arena.solver.table import index_bits_for

MEGABYTES = 128  # of table, by default
NO_LIMIT = 1 << 62


class OutOfBudget(Exception):
    """The time or the nodes ran out before the score was known."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a question may cost; None is no limit."""

    nodes: int | None = None
    seconds: float | None = None


class Solver:
    """Exact scores for one board, with a table that remembers from one question to the next.

    Scores are seen from the player to move: 0 draw, +k a win with k - 1 own discs left, -k a loss
    so. Not for two threads at once.
    """

    def __init__(
        self,
        rules: Rules,
        megabytes: float = MEGABYTES,
        features: int = USUAL,
        book: bool = True,
    ) -> None:
        refuse(rules)
        self.rules = rules
        self.field = field_of(rules, features)
        self.use(np.zeros(1 << self.bits_for(megabytes), np.uint64))
        self.book = book_for(rules) if book else None

    def bits_for(self, megabytes: float) -> int:
        """How many bits a place has in a table of this size."""
        return index_bits_for(self.rules.width * (self.rules.height + 1), megabytes)

    def use(self, table: NDArray[np.uint64]) -> None:
        """Take another table, of a power of two entries, perhaps one that others use as well.

        Entries are single words that carry their own key, so those who share it need no lock.
        """
        self.table = table
        give_table(self.field, table)

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
        known = None if self.book is None else self.book.score(position)
        if known is not None:
            return known
        own, discs = words_of(position)
        self._allow(budget)
        value = int(exact(own, discs, position.ply, self.field))
        self._check()
        return value

    def beats(self, position: Position, score: int, budget: Budget | None = None) -> bool:
        """Whether a position is worth more than a score; often cheaper to tell than its score."""
        if position.is_over:
            return score_of_end(position) > score
        known = None if self.book is None else self.book.score(position)
        if known is not None:
            return known > score
        own, discs = words_of(position)
        self._allow(budget)
        value = int(window(own, discs, position.ply, score, self.field))
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
        """Scores of many positions, none of them over, in one go."""
        words = [(*words_of(position), position.ply) for position in positions]
        own = np.array([word[0] for word in words], np.uint64)
        discs = np.array([word[1] for word in words], np.uint64)
        plies = np.array([word[2] for word in words], np.int64)
        return [int(score) for score in self.scores_of_words(own, discs, plies)]

    def scores_of_words(
        self, own: NDArray[np.uint64], discs: NDArray[np.uint64], plies: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The same for positions that are words already."""
        self._allow(None)
        found: NDArray[np.int64] = exact_all(own, discs, plies, self.field)
        return found

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


def words_of(position: Position) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move and all discs, one free bit above each column."""
    rules = position.rules
    height, column = rules.height, (1 << rules.height) - 1
    own = discs = 0
    for at in range(rules.width):
        own |= (position.own >> at * height & column) << at * (height + 1)
        discs |= ((position.first | position.second) >> at * height & column) << at * (height + 1)
    return np.uint64(own), np.uint64(discs)


def score_of_end(position: Position) -> int:
    """The score of a game that is over: the player to move has lost it, or nobody has."""
    if position.winner is None:
        return 0
    return -((position.rules.cells - position.ply) // 2 + 1)


def win_at(score: int, position: Position) -> int | None:
    """The number of the disc that completes the line, by a position's score; None for a draw."""
    if score == 0:
        return None
    cells, mover = position.rules.cells, position.to_move
    winner = mover if score > 0 else 1 - mover
    total = (cells + 1 - winner) // 2  # discs the winner has in all
    return 2 * (total - abs(score)) + 1 + winner
