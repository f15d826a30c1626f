"""What all depth-first searches share: limits, the root, ties, and running out of time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, Rules, option
from arena.engine.contract import at_the_board
from arena.engine.reserve import NEVER, USUAL, Deadline, reserve_of
from arena.evaluation import Evaluation
from arena.evaluation.evaluation import largest_open_sum
from arena.evaluation.kernels import Weights, board_worth, weights_of
from arena.game.tables import Board, board_of, new_record
from arena.jit import CLOCK_ADDRESS
from engines.negamax import INFINITY, SEARCH, Search
from engines.reflex import safe_columns, winning_columns

FOREVER = 1 << 62
MOST_IN_TREE = 5  # plies that a tree goes deep where nobody asked for more
BEST_ONLY, TIES, EVERY = 0, 1, 2  # which columns' worths must be exact

Branch = tuple[int, float | None, list[Any]]  # a column, its worth (None: pruned), its children


@dataclass(frozen=True)
class Looked:
    """What a search of one depth found: the worth of the columns it finished, in order."""

    depth: int
    worths: dict[int, int]
    line: tuple[int, ...]
    complete: bool
    before: Mapping[int, int] = field(default_factory=dict)  # the same, one ply less, all columns


class SearchEngine(Engine):
    """An engine that looks some plies ahead and weighs what it sees there."""

    evaluation: Evaluation = option("rivest", "how positions are weighed: a name, file or weights")
    depth: int | None = option(None, "plies; none: the limit's depth, or 5 without one", least=1)
    prefer_quick: bool = option(True, "whether a sooner win is worth more, a later loss too (S4.4)")
    tie_break: Literal["first", "random", "zeros"] = option(
        "first", "which of several best columns to play; zeros: any if all are worth 0, else first"
    )
    ordering: Literal["centre", "left", "value"] = option(
        "centre", "which columns to try first: the central, the left, or the best by evaluation"
    )

    usual_depth: ClassVar[int] = 5
    _loaded: ClassVar[bool] = False

    def new_game(self, rules: Rules, seed: int) -> None:
        """Set up the tables of the board; the first game of a process loads the kernels."""
        super().new_game(rules, seed)
        self.board: Board = board_of(rules)
        self.weights: Weights = weights_of(self.evaluation, rules, self.prefer_quick)
        self.notes: Search = new_record(SEARCH)
        self.deadline: Deadline = NEVER
        self.set_up(self.notes)
        if not type(self)._loaded:
            type(self)._loaded = True
            self.choose(Position(rules), Limits(depth=2))
            self.new_game(rules, seed)

    def set_up(self, search: Search) -> None:
        """Write the options that a kernel reads into the record of a search."""
        order = range(self.rules.columns) if self.ordering == "left" else self.rules.centre_order
        search.order[: self.rules.columns] = np.array(order)
        search.clock = CLOCK_ADDRESS

    @abstractmethod
    def descend(self, position: Position, value: int, disc: int, depth: int, low: int) -> int:
        """The worth of one move, `depth` plies deep with it, exact if above `low`."""

    def look(self, position: Position, depth: int, columns: list[int], wanted: int) -> Looked:
        """Search these columns, one after the other, until nodes or time run out.

        A column that is not better than those before it may get only an upper bound, unless
        ties with the best (TIES) or all columns (EVERY) are wanted exactly.
        """
        worths: dict[int, int] = {}
        best = -INFINITY
        line: tuple[int, ...] = ()
        value = self.value(position)
        for column in columns:
            low = -INFINITY if wanted == EVERY else max(best - wanted, -INFINITY)
            worth = int(self.descend(position, value, position.landing(column), depth, low))
            if self.notes.stopped:
                break
            worths[column] = worth
            if worth > best:
                best, line = worth, self.line_from(position)
        return Looked(depth, worths, line, len(worths) == len(columns))

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Search once to the depth asked for, and play the best column found."""
        self.begin(position, limits)
        depth = self.plies(position, limits)
        looked = self.look(position, depth, self.columns(position), self.wanted)
        return self.answer(position, looked)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The exact worth of each column at the depth asked for; those it had time for."""
        with self.aside():
            self.begin(position, limits)
            looked = self.survey(position, limits)
        return {column: self.shown(worth) for column, worth in sorted(looked.worths.items())}

    def survey(self, position: Position, limits: Limits) -> Looked:
        """Search for the exact worths of all columns."""
        return self.look(position, self.plies(position, limits), self.columns(position), EVERY)

    @at_the_board
    def tree(self, position: Position, limits: Limits, plies: int = 2) -> list[Branch]:
        """The first plies of the search as a tree, its pruned branches marked (S1.7)."""
        depth = self.tree_depth(position, limits)
        with self.aside():
            return self._branches(position, min(plies, depth), depth, float("-inf"), float("inf"))

    @at_the_board
    def tree_depth(self, position: Position, limits: Limits) -> int:
        """How many plies a tree is deep: not as many as a search where nobody asked for more."""
        asked = self.depth or limits.depth or min(self.usual_depth, MOST_IN_TREE)
        return self.plies(position, Limits(depth=asked))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Search with notes apart, so that a question between two moves leaves no trace."""
        kept = vars(self).copy()
        self.notes = new_record(SEARCH)
        self.set_up(self.notes)
        try:
            yield
        finally:
            vars(self).update(kept)

    def begin(self, position: Position, limits: Limits) -> None:
        """Start counting nodes and time for a move."""
        notes = self.notes
        notes.nodes = notes.check = 0
        notes.stopped = False
        notes.most = limits.nodes or FOREVER
        self.deadline = reserve_of(type(self)).deadline(position, limits, self.early)
        notes.deadline, notes.cpu_deadline = self.deadline

    def plies(self, position: Position, limits: Limits) -> int:
        """How deep to look: the option, the limit, or the lesser of both, never past the end."""
        asked = [plies for plies in (self.depth, limits.depth) if plies is not None]
        left = self.rules.cells - position.ply
        return min(*asked, left) if asked else min(self.usual_depth, left)

    @property
    def early(self) -> float:
        """How many seconds before its time is over it stops, where it is never late."""
        return USUAL

    @property
    def wanted(self) -> int:
        """Which worths must be exact to break ties as asked."""
        return BEST_ONLY if self.tie_break == "first" else TIES

    def columns(self, position: Position) -> list[int]:
        """The legal columns in the order the root tries them."""
        legal = set(position.legal)
        order = (int(column) for column in self.notes.order[: self.rules.columns])
        return [column for column in order if column in legal]

    def answer(self, position: Position, looked: Looked) -> Choice:
        """Turn what was found into a choice, be it finished or not."""
        reserve_of(type(self)).learn(self.deadline)
        worths = looked.worths
        if not looked.complete:
            worths, rest = self.sound(position, looked)
            if rest and all(self.is_lost(worth) for worth in worths.values()):
                return self.guess(looked, rest)
        best = max(worths.values())
        equal = [column for column, worth in worths.items() if worth == best]
        if self.tie_break == "zeros" and (best != 0 or len(equal) < len(position.legal)):
            equal = equal[:1]
        column = self.break_tie(position, equal)
        line = looked.line if looked.line[:1] == (column,) else (column,)
        return Choice(column, self.shown(best), looked.depth, int(self.notes.nodes), line)

    def sound(self, position: Position, looked: Looked) -> tuple[dict[int, int], list[int]]:
        """What an unfinished search knows, and the columns left that need not be lost.

        Where no search of two plies was finished, reflexes say what wins or loses at once.
        """
        columns = list(looked.before) or list(position.legal)
        if not looked.before or looked.depth <= 2:
            columns = winning_columns(position) or safe_columns(position) or columns
        worths = {c: worth for c, worth in looked.worths.items() if c in columns}
        rest = [c for c in columns if c not in worths and not self.is_lost(looked.before.get(c, 0))]
        return worths, rest

    def guess(self, looked: Looked, columns: list[int]) -> Choice:
        """One of the columns that were not searched: the best one ply before, or any."""
        nodes = int(self.notes.nodes)
        if not looked.before:
            return Choice(self.random.choice(columns), nodes=nodes)
        column = max(columns, key=lambda column: looked.before[column])
        return Choice(column, depth=looked.depth - 1, nodes=nodes)

    def is_decided(self, worth: int) -> bool:
        """Whether a worth is a certain win or loss, so that looking deeper changes nothing."""
        return abs(worth) >= self.least_win

    def is_lost(self, worth: int) -> bool:
        """Whether a worth, or a bound above it, is a certain loss."""
        return -worth >= self.least_win

    @property
    def least_win(self) -> int:
        """The least that a won game is worth, or more than any unfinished one can be."""
        if self.weights.win > 0:
            return int(self.weights.win) - int(self.weights.quick) * self.rules.cells
        return int(largest_open_sum(self.evaluation, self.rules) * int(self.weights.scale)) + 1

    def break_tie(self, position: Position, columns: list[int]) -> int:
        """One of several columns that are worth the same."""
        return columns[0] if self.tie_break == "first" else self.random.choice(columns)

    def shown(self, worth: int) -> float:
        """A kernel's whole number in the evaluation's own units."""
        return worth / int(self.weights.scale)

    def value(self, position: Position) -> int:
        """The running evaluation at the root, from the player to move."""
        return board_worth(self.board, self.weights, *self.words(position))

    def words(self, position: Position) -> tuple[np.uint64, np.uint64]:
        """The discs of the player to move and of the other, as kernels take them."""
        return np.uint64(position.own), np.uint64(position.opponent)

    def line_from(self, position: Position) -> tuple[int, ...]:
        """The principal line that the kernel wrote down, as columns."""
        cells = self.notes.line[position.ply, : self.notes.length[position.ply]]
        return tuple(int(cell) // self.rules.height for cell in cells)

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
                self.begin(position, Limits(depth=depth))
                below = []
                worth = self.shown(self.look(position, depth, [column], EVERY).worths[column])
            branches.append((column, worth, below))
            alpha = max(alpha, worth) if self.prunes else alpha
        return branches
