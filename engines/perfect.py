"""Perfect: never gives the value of a position away; and perfect but for some errors.

The exact solver in `arena/solver` finds the best columns, and chance picks one of them. This page
decides which questions to ask, and what to do when time runs out: the columns are then ranked by
what is proven about them, and the move has no score.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic_ns, thread_time_ns
from typing import Literal

from arena import Choice, Engine, Limits, Position, Rules, option
from arena.engine.timing import Deadline, reserve_of
from arena.engines.greedy import Greedy
from arena.solver.flat.search import Solver
from arena.solver.solver import PATIENT, Budget, OutOfBudget, refuse, score_of_end, winning_disc

NEAR = 6  # plies to look at first


@dataclass(slots=True)
class ColumnBounds:
    """A column, the position after it, and bounds of its score for the player who drops there."""

    number: int
    after: Position
    least: int
    most: int

    @property
    def rank(self) -> tuple[int, int]:
        """A rank by its bounds: not losing, then open, then losing late."""
        if self.least >= 0:
            return 2, self.least
        return (1, int(self.most > 0)) if self.most >= 0 else (0, self.most)


class Columns:
    """The legal columns of a position, the most promising first, and the bounds of their scores.

    All questions are of one kind: does a column reach a score? Each answer moves one of its bounds.
    The most useful questions come first: what happens within a few plies, then who wins, then the
    exact score. A question that needs more than the nodes or the time raises OutOfBudget.
    """

    def __init__(
        self, position: Position, order: Sequence[int], solver: Solver,
        nodes: int | None, deadline: Deadline,
    ) -> None:  # fmt: skip
        self.position, self.solver = position, solver
        self.nodes, self.deadline, self.nodes_before = nodes, deadline, solver.nodes
        self.is_limited = nodes is not None or bool(deadline)
        free = position.rules.cells - position.ply
        self.soonest_win, self.soonest_loss = (free + 1) // 2, -(free // 2)
        self.all: list[ColumnBounds] = []
        for number in order:
            after = position.play(number)
            least, most = self.soonest_loss, self.soonest_win - 1
            if after.is_over:
                least = most = -score_of_end(after)
            self.all.append(ColumnBounds(number, after, least, most))

    @property
    def searched(self) -> int:
        """The nodes searched for all questions so far."""
        return self.solver.nodes - self.nodes_before

    def _budget(self, share: float = 1.0) -> Budget:
        """A share of the nodes and of the time that are left."""
        if not self.is_limited:
            return PATIENT
        nodes = None if self.nodes is None else int(share * (self.nodes - self.searched))
        clocks = zip(self.deadline, (monotonic_ns(), thread_time_ns()), strict=True)
        wall, cpu = (end and now + int(share * (end - now)) for end, now in clocks)
        return Budget(nodes, (wall, cpu))

    def reaches(self, column: ColumnBounds, score: int, share: float = 1.0) -> bool:
        """Check whether a column has this score or more; search only if its bounds are open."""
        if column.least < score <= column.most:
            if self.solver.beats(column.after, -score, self._budget(share)):
                column.most = score - 1
            else:
                column.least = score
        return column.least >= score

    def look_near(self, plies: int) -> bool:
        """Find wins and losses within this many plies; True if one side wins."""
        plies = min(plies, self.position.rules.cells - self.position.ply)
        for sooner in range((plies + 1) // 2):
            if self._reaching(self.soonest_win - sooner):
                return True
            if 2 * sooner + 2 <= plies and not self._reaching(self.soonest_loss + sooner + 1):
                return True
        return False

    def _reaching(self, score: int) -> list[ColumnBounds]:
        """All columns that have this score or more."""
        return [column for column in self.all if self.reaches(column, score)]

    def find_value(self, exactly: bool) -> None:
        """Find the columns that win, or else those that draw; with `exactly`, one is enough.

        A first round gives each column a small share, so that a hard one does not take the time of
        all; the second round spends the rest.
        """
        for share in (0.5 / len(self.all), 1.0):
            for score in (1, 0):
                reached = [self._try(column, score, share) for column in self.all]
                if any(reached):
                    if exactly or None not in reached:
                        return
                    break

    def _try(self, column: ColumnBounds, score: int, share: float) -> bool | None:
        try:
            return self.reaches(column, score, share)
        except OutOfBudget:
            return None

    def find_score(self) -> None:
        """Find the exact score, and all columns that keep it."""
        score = self.solver.score(self.position, self._budget())
        for column in self.all:
            column.most = min(column.most, score)
        self._reaching(score)

    def best(self, exactly: bool) -> tuple[list[int], bool]:
        """The best columns, and whether that is proven; if not, the most promising one.

        The best columns have the exact score, or else keep the win or the draw.
        """
        top = max(column.least for column in self.all)
        ceiling = max(column.most for column in self.all)
        enough = top
        if not exactly:
            enough = 1 if top > 0 else 0 if top == 0 else self.soonest_loss
            ceiling = enough if top > 0 or ceiling < 0 else ceiling
        if enough == ceiling:
            return sorted(c.number for c in self.all if c.least >= enough), True
        return [max(self.all, key=lambda column: column.rank).number], False

    def solve(self, column: ColumnBounds) -> int:
        """The exact score of a column."""
        if column.least < column.most:
            column.least = column.most = -self.solver.score(column.after, self._budget())
        return column.least

    def choice(self, number: int, proven: bool) -> Choice:
        """A column as a choice, with a score only if it is exact and the best."""
        score = plies = None
        if proven:
            with suppress(OutOfBudget):
                score = self.solve(next(c for c in self.all if c.number == number))
                ply, cells = self.position.ply, self.position.rules.cells
                plies = (winning_disc(score, ply, cells) or cells) - ply
        return Choice(number, score, plies, self.searched)


class Perfect(Engine):
    """Plays exactly, by a solver: the soonest win, a draw, or the latest loss.

    It plays on flat boards with columns x (rows + 1) of at most 64. With a depth limit it sees that
    many plies; without any limit it solves the position, however long that takes.

    Source: The game was solved by Allen and by Allis in 1988; the solver is our own
    """

    ignores = frozenset({"playouts"})

    prefer: Literal["quick", "value"] = option(
        "quick", "quick: the best exact score; value: any column that keeps the win or the draw"
    )
    memory: int = option(
        32, "megabytes for the solver's table; the largest boards need 256", least=1, most=65536
    )

    _solver: Solver | None = None  # of this game, for moves under limits

    def new_game(self) -> None:
        refuse(self.rules)
        if self._solver is None or self._solver.rules != self.rules:
            self._solver = Solver(self.rules, self.memory)
            self._solver.warm_up()
        if self._solver.nodes:  # write the table before a clock runs, as memory is slow at first
            self._solver.forget()
        self._counts = Greedy(evaluation="counts")
        self._counts.begin(self.rules, 0)

    def choose(self, position: Position, limits: Limits) -> Choice:
        columns = self._prove(position, limits)
        best, proven = columns.best(self.prefer == "quick")
        return columns.choice(self._pick(best, position), proven)

    def _pick(self, best: list[int], position: Position) -> int:
        return self.random.choice(best)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        engine = self.fresh() if _is_limited(limits) else self
        columns = engine._columns(position, position.legal, limits)
        with suppress(OutOfBudget):
            if _is_short(limits, position):
                columns.look_near(limits.depth or 0)
            else:
                for column in columns.all:
                    columns.solve(column)
        return {
            column.number: column.least for column in columns.all if column.least == column.most
        }

    def _prove(self, position: Position, limits: Limits) -> Columns:
        """The columns with all bounds that can be found within the limits."""
        columns = self._columns(position, self._sorted_columns(position), limits)
        exactly = self.prefer == "quick"
        with suppress(OutOfBudget):
            if _is_short(limits, position):
                columns.look_near(limits.depth or 0)
            elif columns.is_limited:  # the most useful questions first: time may run out
                if not (columns.look_near(NEAR) and exactly):
                    columns.find_value(exactly)
                    if exactly:
                        columns.find_score()
            elif exactly:
                columns.find_score()
            else:
                columns.find_value(exactly)
        return columns

    def _columns(self, position: Position, order: Sequence[int], limits: Limits) -> Columns:
        """The columns before any question; without limits, for the solver of the process."""
        self._deadline = reserve_of(type(self)).deadline(position, limits)
        solver = self._solver if _is_limited(limits) else shared_solver(self.rules, self.memory)
        assert solver is not None
        return Columns(position, order, solver, limits.nodes, self._deadline)

    def _sorted_columns(self, position: Position) -> list[int]:
        """The columns before anything is proven: safe ones first, then by lines."""
        values = self._counts.ask_opinions(position, Limits())
        after = {column: position.play(column) for column in position.legal}
        loses = {column: any(map(next_.wins_with, next_.legal)) for column, next_ in after.items()}
        centre = position.rules.centre_order
        return sorted(position.legal, key=lambda c: (loses[c], -values[c], centre.index(c)))


class PerfectEps(Perfect):
    """Plays like perfect, but errs with a given probability.

    An error is a random column that is not among the best ones of `prefer`: it has a lower score,
    or, with `prefer: value`, gives the win or the draw away. If all columns are equal, there is no
    error. If limits leave no time for a proof, any column but the chosen one is an error.

    Source: Graded sparring partners
    """

    error: float = option(0.1, "how often it errs, from 0 to 1", least=0, most=1)

    def _pick(self, best: list[int], position: Position) -> int:
        errs = self.random.random() < self.error
        worse = [column for column in position.legal if column not in best]
        return self.random.choice(worse if errs and worse else best)


class PerfectEps5(PerfectEps):
    """Perfect, but errs in 5 % of its moves."""

    error = 0.05


class PerfectEps10(PerfectEps):
    """Perfect, but errs in 10 % of its moves."""

    error = 0.1


class PerfectEps25(PerfectEps):
    """Perfect, but errs in 25 % of its moves."""

    error = 0.25


class PerfectEps50(PerfectEps):
    """Perfect, but errs in 50 % of its moves."""

    error = 0.5


@lru_cache(maxsize=2)
def shared_solver(rules: Rules, megabytes: int) -> Solver:
    """The solver of this process for a board: its table changes no answer, only its time."""
    return Solver(rules, megabytes)


def _is_limited(limits: Limits) -> bool:
    """Check whether a question may end without an answer, which then depends on the table."""
    return limits.nodes is not None or limits.timed


def _is_short(limits: Limits, position: Position) -> bool:
    """Check whether the depth limit ends before the game does."""
    return limits.depth is not None and limits.depth < position.rules.cells - position.ply
