"""The solver of flat boards as the rest of the harness sees it: positions in, exact scores out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.book import book_for
from arena.solver.flat.search import exact, field_of, give_table, window
from arena.solver.flat.table import index_bits_for
from arena.solver.solver import MEGABYTES, ExactSolver, refuse


class Solver(ExactSolver):
    """Exact scores for one flat board, from its opening book as far as that reaches."""

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES, book: bool = True) -> None:
        super().__init__()
        refuse(rules)
        self.rules = rules
        self.field = field_of(rules)
        index_bits = index_bits_for(rules.width * (rules.height + 1), megabytes)
        self.use(np.zeros(1 << index_bits, np.uint64))
        self.book = book_for(rules) if book else None

    def use(self, table: NDArray[np.uint64]) -> None:
        """Take another table, of a power of two entries, perhaps one that others use as well.

        Entries are single words that carry their own key, so those who share it need no lock.
        """
        self.table = table
        give_table(self.field, table)

    def known_score(self, position: Position) -> int | None:
        """The score by the rules or by the book; else None."""
        if position.is_over or self.book is None:
            return super().known_score(position)
        return self.book.score(position)

    def _score(self, position: Position) -> int:
        return int(exact(*words_of(position), position.ply, self.field))

    def _bound(self, position: Position, alpha: int) -> int:
        return int(window(*words_of(position), position.ply, alpha, self.field))


def words_of(position: Position) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move and all discs, one free bit above each column."""
    rules = position.rules
    height, column = rules.height, (1 << rules.height) - 1
    own = discs = 0
    for at in range(rules.width):
        own |= (position.own >> at * height & column) << at * (height + 1)
        discs |= ((position.first | position.second) >> at * height & column) << at * (height + 1)
    return np.uint64(own), np.uint64(discs)
