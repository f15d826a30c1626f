"""What all depth-first searches share: limits, the root, ties, and running out of time.

An engine brings a kernel that searches one move (`worth_of`). The columns of the root are tried
here one by one, so that a search that runs out of time still knows those it has finished.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engine.timing import USUAL, reserve_of
from arena.engines.reflex import safe_columns, winning_columns
from arena.evaluation import Evaluation
from arena.evaluation.evaluation import largest_open_sum
from arena.evaluation.kernels import Node, Weights, board_value, weights_of
from arena.game.bits import record_of
from arena.game.meter import METER, Meter, new_meter
from arena.game.rules import MAX_CELLS
from arena.game.tables import Board, board_of, new_record
from arena.jit import kernel, lowest

INFINITY = 4_000_000_000
EVERYWHERE = np.uint64(2**64 - 1)
MOST_IN_TREE = 5  # plies that a tree goes deep where nobody asked for more
BEST_ONLY, TIES, EVERY = 0, 1, 2  # which columns' worths must be exact

Search = np.record
Lines = np.record
Branch = tuple[int, float | None, list[Any]]  # a column, its worth (None: pruned), its children

# The principal line from each ply on, by discs on the board: how long it is, and its cells.
LINES = np.dtype(
    [
        ("length", np.int64, MAX_CELLS + 2),
        ("cells", np.int64, (MAX_CELLS + 2, MAX_CELLS + 1)),
    ]
)
# What every search keeps; an engine that needs more has a record of its own that begins with it.
SEARCH: list[Any] = [
    ("meter", METER),  # nodes are moves tried
    ("order", np.int64, MAX_CELLS),  # columns in the order they are tried
    ("lines", LINES),
]


@kernel
def note_line(lines: Lines, discs: int, disc: np.uint64, ends: bool) -> None:
    """Write down a move and what is expected to follow it."""
    length = 0 if ends else lines.length[discs + 1]
    lines.cells[discs, 0] = lowest(disc)
    for k in range(length):
        lines.cells[discs, k + 1] = lines.cells[discs + 1, k]
    lines.length[discs] = length + 1


@dataclass(frozen=True)
class SearchResult:
    """What a search to one depth says: the worth of the columns it finished, in order."""

    depth: int
    worths: dict[int, int]
    line: tuple[int, ...]
    complete: bool
    before: Mapping[int, int] = field(default_factory=dict)  # of all columns, one ply less deep


class SearchEngine(Engine):
    """An engine that looks some plies ahead and weighs what it sees there."""

    evaluation: Evaluation = option("rivest", "how positions are weighed: a name, file or weights")
    depth: int | None = option(None, "plies; none: the limit's depth, or 5 without one", least=1)
    prefer_quick: bool = option(True, "whether a sooner win is worth more, a later loss too")
    tie_break: Literal["first", "random", "zeros"] = option(
        "first", "which of several best columns to play; zeros: any if all are worth 0, else first"
    )
    ordering: Literal["centre", "left", "value"] = option(
        "centre", "which columns to try first: the central, the left, or the best by evaluation"
    )

    ignores = frozenset({"playouts"})
    usual_depth: ClassVar[int] = 5
    layout: ClassVar[np.dtype[Any]] = np.dtype(SEARCH, align=True)  # of the record of a search
    early = USUAL  # seconds before its time is over that it stops, where it is never late
    _loaded: ClassVar[bool] = False

    @abstractmethod
    def worth_of(self, node: Node, disc: np.uint64, depth: int, low: int) -> int:
        """The worth of one move, `depth` plies deep with it, exact if above `low`."""

    def new_game(self) -> None:
        """Set up the tables of the board; the first game of a process loads the kernels."""
        self.board: Board = board_of(self.rules)
        self.weights: Weights = record_of(
            weights_of(self.evaluation, self.rules, self.prefer_quick)
        )
        self.set_up()
        if not type(self)._loaded:
            type(self)._loaded = True
            self.choose(Position(self.rules), Limits(depth=2))
            self.begin(self.rules, self.seed_of_game)

    def set_up(self) -> None:
        """Take a new record for searches, and write down the options that a kernel reads."""
        self.notes: Search = new_record(self.layout)
        self.counter: Meter = self.notes.meter
        order = range(self.rules.columns) if self.ordering == "left" else self.rules.centre_order
        self.notes.order[: self.rules.columns] = np.array(order)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Search with notes apart, so that a question between two moves leaves no trace."""
        kept = vars(self).copy()
        self.set_up()
        try:
            yield
        finally:
            vars(self).update(kept)

    # ---- a move

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Search once to the depth asked for, and play the best column of it."""
        self.start(position, limits)
        depth = self.plies(position, limits)
        return self.answer(
            position, self.search(position, depth, self.columns(position), self.wanted)
        )

    def start(self, position: Position, limits: Limits) -> None:
        """Start counting nodes and time for a move."""
        self._deadline = reserve_of(type(self)).deadline(position, limits, self.early)
        self.notes.meter = new_meter(limits.nodes, self._deadline)

    def plies(self, position: Position, limits: Limits) -> int:
        """How deep to look: the option, the limit, or the lesser of both, never past the end."""
        asked = [plies for plies in (self.depth, limits.depth) if plies is not None]
        left = self.rules.cells - position.ply
        return min(*asked, left) if asked else min(self.usual_depth, left)

    @property
    def wanted(self) -> int:
        """Which worths must be exact to break ties as asked."""
        return BEST_ONLY if self.tie_break == "first" else TIES

    def columns(self, position: Position) -> list[int]:
        """The legal columns in the order the root tries them."""
        legal = set(position.legal)
        order = self.notes.order[: self.rules.columns].tolist()
        return [column for column in order if column in legal]

    def search(
        self, position: Position, depth: int, columns: list[int], wanted: int
    ) -> SearchResult:
        """Search these columns, one after the other, until nodes or time run out.

        A column that is not better than those before it may get only an upper bound, unless
        ties with the best (TIES) or all columns (EVERY) are wanted exactly.
        """
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        node = own, opp, board_value(self.board, self.weights, own, opp), position.ply, 0
        worths: dict[int, int] = {}
        best = -INFINITY
        line: tuple[int, ...] = ()
        for column in columns:
            low = -INFINITY if wanted == EVERY else max(best - wanted, -INFINITY)
            worth = int(self.worth_of(node, np.uint64(position.landing(column)), depth, low))
            if self.counter.stopped:
                break
            worths[column] = worth
            if worth > best:
                best, lines = worth, self.notes.lines
                cells = lines.cells[position.ply, : lines.length[position.ply]]
                line = tuple(int(cell) // self.rules.height for cell in cells)
        return SearchResult(depth, worths, line, len(worths) == len(columns))

    # ---- from the worths to a choice

    def answer(self, position: Position, result: SearchResult) -> Choice:
        """Turn a search into a choice, be it finished or not."""
        worths = result.worths
        if not result.complete:
            worths, rest = self.sound(position, result)
            if rest and all(self.is_lost(worth) for worth in worths.values()):
                return self.guess(result, rest)
        best = max(worths.values())
        equal = [column for column, worth in worths.items() if worth == best]
        if self.tie_break == "zeros" and (best != 0 or len(equal) < len(position.legal)):
            equal = equal[:1]
        column = self.break_tie(position, equal)
        line = result.line if result.line[:1] == (column,) else (column,)
        return Choice(column, self.in_units(best), result.depth, int(self.counter.nodes), line)

    def break_tie(self, position: Position, columns: list[int]) -> int:
        """One of several columns that are worth the same."""
        return columns[0] if self.tie_break == "first" else self.random.choice(columns)

    def sound(self, position: Position, result: SearchResult) -> tuple[dict[int, int], list[int]]:
        """What an unfinished search knows, and the columns left that need not be lost.

        Where no search of two plies was finished, reflexes say what wins or loses at once.
        """
        columns = list(result.before) or list(position.legal)
        if not result.before or result.depth <= 2:
            columns = winning_columns(position) or safe_columns(position) or columns
        worths = {c: worth for c, worth in result.worths.items() if c in columns}
        rest = [c for c in columns if c not in worths and not self.is_lost(result.before.get(c, 0))]
        return worths, rest

    def guess(self, result: SearchResult, columns: list[int]) -> Choice:
        """One of the columns that were not searched: the best one ply before, or any."""
        nodes = int(self.counter.nodes)
        if not result.before:
            return Choice(self.random.choice(columns), nodes=nodes)
        column = max(columns, key=lambda column: result.before[column])
        return Choice(column, depth=result.depth - 1, nodes=nodes)

    def in_units(self, worth: int) -> float:
        """A kernel's whole number in the evaluation's own units."""
        return worth / int(self.weights.scale)

    def is_lost(self, worth: int) -> bool:
        """Whether a worth, or a bound above it, is a certain loss."""
        return -worth >= self.least_win

    @property
    def least_win(self) -> int:
        """The least that a won game is worth, or more than any unfinished one can be."""
        open_sum = int(largest_open_sum(self.evaluation, self.rules) * int(self.weights.scale))
        return max(int(self.weights.win) - int(self.weights.quick) * self.rules.cells, open_sum + 1)

    # ---- what it thinks of a position

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The exact worth of each column at the depth asked for; those it had time for."""
        with self.aside():
            self.start(position, limits)
            worths = self.survey(position, limits)
        return {column: self.in_units(worth) for column, worth in sorted(worths.items())}

    def survey(self, position: Position, limits: Limits) -> dict[int, int]:
        """The exact worths of all columns."""
        depth = self.plies(position, limits)
        return self.search(position, depth, self.columns(position), EVERY).worths

    def tree(self, position: Position, limits: Limits, plies: int = 2) -> list[Branch]:
        """The first plies of the search as a tree, its pruned branches marked."""
        depth = self.tree_depth(position, limits)
        with self.aside():
            return self._branches(position, min(plies, depth), depth, float("-inf"), float("inf"))

    def tree_depth(self, position: Position, limits: Limits) -> int:
        """How many plies a tree is deep: not as many as a search where nobody asked for more."""
        asked = self.depth or limits.depth or min(self.usual_depth, MOST_IN_TREE)
        return self.plies(position, Limits(depth=asked))

    def _branches(
        self, position: Position, plies: int, depth: int, alpha: float, beta: float
    ) -> list[Branch]:
        """The children of a node, worth to its player to move, as alpha-beta meets them."""
        branches: list[Branch] = []
        for column in self.columns(position):
            if alpha >= beta:
                branches.append((column, None, []))
                continue
            child = position.play(column)
            if plies > 1 and not child.is_over:
                below = self._branches(child, plies - 1, depth - 1, -beta, -alpha)
                worth = -max(w for _, w, _ in below if w is not None)
            else:
                self.start(position, Limits(depth=depth))
                below = []
                worth = self.in_units(self.search(position, depth, [column], EVERY).worths[column])
            branches.append((column, worth, below))
            alpha = max(alpha, worth) if self.prunes else alpha
        return branches
