"""The shared part of searches to a fixed depth: options, depth, ties, and running out of time.

An engine supplies a kernel that searches the columns one by one and stores their values. If nodes
or time run out, the finished columns still count.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engines.reflex import best_columns
from arena.evaluation import Evaluation
from arena.evaluation.kernels import largest_open_sum
from arena.game.bits import Ints, OneRecord
from arena.kernels import weights_of

INFINITY = 4_000_000_000
EVERY = 2 * INFINITY  # as `exact`: the values of all columns
UNKNOWN = -2 * INFINITY  # in place of a value: the column is full or was not searched

Words = tuple[np.uint64, np.uint64]  # the discs of the player to move, and of the opponent


class SearchEngine(Engine):
    """An engine that searches some plies and evaluates the positions there."""

    evaluation: Evaluation = option("rivest", "evaluation: a name, a file or weights")
    depth: int | None = option(None, "plies to search (default: the depth limit, else 5)", least=1)
    prefer_quick: bool = option(True, "prefer sooner wins and later losses")
    tie_break: Literal["first", "random", "zeros"] = option(
        "first",
        "which of several best columns to play; zeros: any if all are 0, else the first",
    )
    ordering: Literal["centre", "left"] = option("centre", "which columns to try first")

    ignores = frozenset({"playouts"})
    usual_depth: ClassVar[int] = 5

    @abstractmethod
    def search(self, meter: OneRecord, words: Words, depth: int, exact: int) -> tuple[int, int]:
        """Write the values of `self.columns` into `self.values`; return nodes and depth.

        Values within `exact` of the best must be exact, others may be upper bounds.
        """

    def new_game(self) -> None:
        rules = self.rules
        weights = weights_of(self.evaluation, rules, self.prefer_quick)
        left_first = self.ordering == "left"
        self.order = np.array([*range(rules.columns)] if left_first else rules.centre_order)
        self.columns: Ints = self.order  # of the root
        self.values: Ints = np.empty(rules.columns, np.int64)
        self.tables = rules.board, weights, self.order
        self.scale, win, quick = (int(weights[name][0]) for name in ("scale", "win", "quick"))
        open_sum = int(largest_open_sum(self.evaluation, rules) * self.scale)
        self.least_win = max(win - quick * rules.cells, open_sum + 1)  # of all won games

    def warm_up(self) -> None:
        super().warm_up()
        self.choose(Position(self.rules), Limits(nodes=1))  # cut short, it asks reflex

    def choose(self, position: Position, limits: Limits) -> Choice:
        exact = 0 if self.tie_break == "first" else 1
        values, nodes, depth = self.column_values(position, limits, exact)
        if len(values) < len(position.legal):
            columns = best_columns(position.rules.board, *position.words)[1]
            values = {column: value for column, value in values.items() if column in columns}
            rest = [column for column in columns if column not in values]
            if rest and all(map(self.is_lost, values.values())):
                return Choice(self.random.choice(rest), nodes=nodes)
        best = max(values.values())
        columns = self.tied_columns(position, values, best)
        return Choice(self.pick(position, columns), best / self.scale, depth, nodes)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        values, _, _ = self.column_values(position, limits, EVERY)
        return {column: values[column] / self.scale for column in sorted(values)}

    def column_values(
        self, position: Position, limits: Limits, exact: int
    ) -> tuple[dict[int, int], int, int]:
        """The values of the columns that nodes and time allow, the nodes, and the depth."""
        self.values.fill(UNKNOWN)
        meter, depth = self.meter(position, limits), self.plies(position, limits)
        nodes, depth = self.search(meter, position.words, depth, exact)
        values = self.values.tolist()
        columns = self.columns.tolist()
        return {c: values[c] for c in columns if values[c] != UNKNOWN}, nodes, depth

    def plies(self, position: Position, limits: Limits) -> int:
        """The depth to search: the option or the limit, whichever is less, never past the end."""
        left = position.rules.cells - position.ply
        if self.depth is None and limits.depth is None:
            return min(self.usual_depth, left)
        return min(self.depth or left, limits.depth or left, left)

    def tied_columns(self, position: Position, values: dict[int, int], best: int) -> list[int]:
        """The columns of the best value, from which `pick` takes one."""
        columns = [column for column, value in values.items() if value == best]
        if self.tie_break == "zeros" and (best != 0 or len(columns) < len(position.legal)):
            return columns[:1]
        return columns

    def pick(self, position: Position, columns: list[int]) -> int:
        """One of several columns of the same value."""
        return columns[0] if self.tie_break == "first" else self.random.choice(columns)

    def is_lost(self, value: int) -> bool:
        """Check whether a value, or an upper bound, is a certain loss."""
        return -value >= self.least_win
