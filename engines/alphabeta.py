"""Alpha-beta: minimax without the lines of play that cannot matter.

The kernel is in negamax.py. Each refinement is a switch, so that its worth can be measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from arena import Choice, Limits, Position, Rules, option, register
from arena.engine.levels import (
    ADVANCED,
    EASY,
    HARD,
    MEDIUM,
    VARIED,
    Grade,
    Ladder,
    Offer,
    by_option,
)
from engines.negamax import (
    ABSOLUTE,
    ENTRY,
    FULL,
    INFINITY,
    PARENT,
    Search,
    Table,
    negamax,
)
from engines.search import EVERY, Looked, SearchEngine

PRUNING = {"full": FULL, "parent": PARENT, "absolute": ABSOLUTE}


@register("alphabeta")
class AlphaBeta(SearchEngine):
    """Minimax to a fixed depth, leaving out what cannot change the result."""

    source = "Knuth and Moore 1975; Gaiceanu 2022 (S0.2), Blair 2011 (S1.2), FourPlay (S3.3)"
    shares_chance = False
    offer = Offer(6, "the same without what cannot matter", (EASY, MEDIUM, ADVANCED, HARD))
    levels = by_option("depth", 1, 2, 4, 6, 8, varied=True)
    levels_in_space: ClassVar[Ladder] = {
        level: Grade({"evaluation": "counts", "depth": depth, **VARIED})
        for level, depth in ((ADVANCED, 5), (HARD, 6))
    }

    pruning: Literal["full", "parent", "absolute"] = option(
        "full", "full alpha-beta; the parent's bound alone (S3.3); certain wins alone (S1.2)"
    )
    beam: int = option(0, "try only so many moves, the best by evaluation; 0: all", least=0)
    killers: bool = option(False, "try first what refuted the sister position")
    history: bool = option(False, "try first what refuted most positions")
    table: int = option(0, "megabytes of transposition table; 0: none", least=0, most=16384)
    deepening: bool = option(False, "search depth 1, 2, 3, ... up to the depth or the time limit")

    deeper = False  # whether the table may answer with a deeper search than asked for

    def new_game(self, rules: Rules, seed: int) -> None:
        """Start with an empty table, every page of it touched before a clock runs."""
        if not hasattr(self, "memory"):
            self.memory: Table = np.empty(self.table_size(), dtype=ENTRY)
        self.memory.fill(0)
        super().new_game(rules, seed)

    def table_size(self) -> int:
        """How many entries the table has: the power of two that fits, two at least."""
        entries = self.table * 2**20 // ENTRY.itemsize
        return 1 << max(1, entries.bit_length() - 1)

    def set_up(self, search: Search) -> None:
        """Write down the switches."""
        super().set_up(search)
        search.pruning = PRUNING[self.pruning]
        search.beam = self.beam
        search.by_value = self.ordering == "value"
        search.by_killer, search.by_history = self.killers, self.history
        search.sorts = self.beam > 0 or self.killers or self.history or self.ordering == "value"
        # H1 depends on the last move, not on the position alone: no table can hold it.
        search.remembers = self.table > 0 and not self.evaluation.rays
        search.deeper = self.deeper

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Search to the depth asked for, at once or deepening ply by ply."""
        if not self.deepening:
            return super().choose(position, limits)
        self.begin(position, limits)
        return self.answer(position, self.deepen(position, limits, self.wanted))

    def survey(self, position: Position, limits: Limits) -> Looked:
        """The exact worths of all columns, at the last depth that was finished."""
        if not self.deepening:
            return super().survey(position, limits)
        looked = self.deepen(position, limits, EVERY)
        return replace(looked, worths=dict(looked.before) or looked.worths)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Search with a table apart as well."""
        with super().aside():
            self.memory = np.zeros(self.memory.size, dtype=ENTRY)
            yield

    def plies(self, position: Position, limits: Limits) -> int:
        """As deep as asked for; deepening with nothing but time or nodes to stop it: to the end."""
        if self.deepening and self.depth is None and limits.depth is None:
            bounded = limits.nodes or limits.budget(position)
            return self.rules.cells - position.ply if bounded else super().plies(position, limits)
        return super().plies(position, limits)

    def deepen(self, position: Position, limits: Limits, wanted: int) -> Looked:
        """Search ever deeper, the best column so far first, until it is decided or time is up."""
        columns = self.columns(position)
        finished = Looked(0, {}, (), False)
        for depth in range(1, self.plies(position, limits) + 1):
            looked = self.look(position, depth, columns, wanted)
            if not looked.complete:
                known = looked.worths or not finished.complete
                return replace(looked, before=finished.worths) if known else finished
            finished = looked
            if self.is_decided(max(looked.worths.values())):
                break
            columns.sort(key=lambda column: -looked.worths[column])
        return finished

    def descend(self, position: Position, value: int, disc: int, depth: int, low: int) -> int:
        """Search what can follow one move, as far as it can matter."""
        own, opp = self.words(position)
        low = -INFINITY if self.pruning == "absolute" else low
        return negamax(
            self.board, self.weights, self.notes, self.memory, 0, own, opp, value,
            position.ply, depth, low, INFINITY, np.uint64(disc),
        )  # fmt: skip
