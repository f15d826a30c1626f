"""Perfect: never gives away what the position is worth.

The solver tells which columns are best, and one of them is drawn by the game's seed. Where the
limits leave no time for an exact answer, the columns are played by what could be proven about
them, and the move comes without a score.
"""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar, Literal

from arena import Choice, Engine, Limits, Position, Rules, option, register
from arena.engine.levels import PERFECT, Grade, Ladder, Offer, by_chance
from arena.engine.reserve import reserve_of
from arena.solver.exact import OutOfBudget, win_at
from arena.solver.flat.field import refuse
from arena.solver.flat.solver import Solver
from engines.greedy import Greedy
from engines.perfect.columns import NEAR, Columns
from engines.perfect.questions import Questions, shared_solver
from engines.reflex import safe_columns

ENTRY = 8  # bytes of the solver's table


@register("perfect")
class Perfect(Engine):
    """Plays exactly, by a solver: the soonest win, a draw, or the latest loss.

    It plays on flat boards of which columns x (rows + 1) is at most 64. With a depth limit it
    knows what happens within so many plies and no more; without any limit it solves the position,
    however long that takes.
    """

    source = "the game was solved by Allen and by Allis in 1988; the solver is our own"
    shares_chance = False
    offer = Offer(12, "never errs; flat boards alone", suits=(PERFECT,))
    levels: ClassVar[Ladder] = {
        **by_chance(0.5, 0.3, 0.15, 0.1, 0.05),
        PERFECT: Grade({}, seconds=None),
    }

    prefer: Literal["quick", "value"] = option(
        "quick", "quick: the best exact score; value: any column that keeps the win or the draw"
    )
    memory: int = option(
        32, "megabytes for the solver's table; the largest boards need 256", least=1, most=65536
    )

    _ready: ClassVar[set[Rules]] = set()  # boards whose kernels and book are loaded
    _timed: Solver | None = None
    _clean = -1  # its nodes when it was last empty

    def new_game(self, rules: Rules, seed: int) -> None:
        """Refuse a board that cannot be solved, and forget what was found under limits."""
        super().new_game(rules, seed)
        refuse(rules)
        if rules not in self._ready:
            load(rules)
            self._ready.add(rules)
        self._forget()
        self._eye = Greedy(evaluation="counts")
        self._eye.new_game(rules, seed)

    def _forget(self) -> None:
        """Empty the solvers of the last game; a table is written once before a clock runs."""
        self._counted: Solver | None = None
        if self._timed is None or self._timed.rules != self.rules:
            self._timed, self._clean = Solver(self.rules, self.memory), -1
        if self._timed.nodes != self._clean:
            self._timed.forget()
            self._clean = self._timed.nodes

    def choose(self, position: Position, limits: Limits) -> Choice:
        """One of the best columns with its exact score, or without one if it is not proven."""
        columns = self.judged(position, limits)
        best, proven = columns.best(self.prefer == "quick")
        return answer(columns, self.random.choice(best), proven)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The exact score of each column; under limits, of those that could be solved.

        A solver apart is asked, so that an opinion does not change the game.
        """
        questions = self._questions(position, limits, Solver(self.rules, self.memory))
        columns = Columns(position, position.legal, questions)
        with suppress(OutOfBudget):
            if _is_short(limits, position):
                columns.look_near(limits.depth or 0)
            else:
                for column in position.legal:
                    columns.worth(column)
        return {column.number: column.least for column in columns.all if column.is_solved}

    def judged(self, position: Position, limits: Limits) -> Columns:
        """All that the limits allow to find out about the columns."""
        questions = self._questions(position, limits, self._solver(limits))
        columns = Columns(position, self._in_order(position), questions)
        exactly = self.prefer == "quick"
        with suppress(OutOfBudget):
            if _is_short(limits, position):
                columns.look_near(limits.depth or 0)
            elif questions.limited:
                self._hurry(columns, exactly)
            elif exactly:
                columns.find_score()
            else:
                columns.find_value(exactly)
        reserve_of(type(self)).learn(questions.deadline)
        return columns

    def _hurry(self, columns: Columns, exactly: bool) -> None:
        """Ask the most useful things first: any moment may be the last."""
        if columns.look_near(NEAR) and exactly:
            return
        columns.find_value(exactly)
        if exactly:
            columns.find_score()

    def _questions(self, position: Position, limits: Limits, own: Solver) -> Questions:
        """The limits as questions to a solver of one's own, or to that of the process without."""
        deadline = reserve_of(type(self)).deadline(position, limits)
        if not deadline and limits.nodes is None:
            return Questions(shared_solver(position.rules, self.memory))
        return Questions(own, limits.nodes, deadline)

    def _solver(self, limits: Limits) -> Solver:
        """The solver that has seen this game alone; with few nodes, one of little memory."""
        assert self._timed is not None
        if limits.nodes is None:
            return self._timed
        if self._counted is None:
            filled = limits.nodes * self.rules.cells * ENTRY / 2**20
            self._counted = Solver(self.rules, min(self.memory, max(1, filled)))
        return self._counted

    def _in_order(self, position: Position) -> list[int]:
        """The columns as they look before anything is proven: safe ones first, then by lines."""
        worths = self._eye.opinions(position, Limits())
        safe = safe_columns(position)
        centre = position.rules.centre_order
        return sorted(position.legal, key=lambda c: (c not in safe, -worths[c], centre.index(c)))


def answer(columns: Columns, column: int, proven: bool) -> Choice:
    """A column as a choice; a score only where it is exact and nothing is better."""
    score: int | None = None
    if proven:
        with suppress(OutOfBudget):
            score = columns.worth(column)
    asked = columns.questions.asked
    return Choice(column, score, _plies_left(columns.position, score), asked)


def load(rules: Rules) -> None:
    """Compile or load the solver's kernels and its book, so that no clock ever sees it."""
    Solver(rules, 1).warm_up()


def _is_short(limits: Limits, position: Position) -> bool:
    """Whether the game may go on for longer than the depth limit lets us see."""
    return limits.depth is not None and limits.depth < position.rules.cells - position.ply


def _plies_left(position: Position, score: int | None) -> int | None:
    """In how many plies the game ends by a score; a drawn one ends on a full board."""
    if score is None:
        return None
    return (win_at(score, position) or position.rules.cells) - position.ply
