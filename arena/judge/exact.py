"""The solver as a judge: asked in short slices, so that it can be interrupted, and remembering."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeVar

from arena.game.position import Position
from arena.game.rules import Rules
from arena.judge.asking import Allowance, Judge
from arena.solver.book import key_of

if TYPE_CHECKING:
    from arena.solver.exact import Budget, ExactSolver

T = TypeVar("T")

MEGABYTES = 64  # of table
SLICE = 0.5  # seconds in which neither a key is heard nor anything told
MOST_KNOWN = 1_000_000  # positions whose score is remembered


def judge_for(rules: Rules) -> ExactJudge:
    """The judge that fits a board; BadRules, with the reason, where there is none."""
    return ExactJudge(rules)


class ExactJudge(Judge):
    """Exact scores: of any position on flat boards, near the end of a game on boards in space."""

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES) -> None:
        from arena.solver.boards import solver_for

        self.rules = rules
        self.solver: ExactSolver = solver_for(rules, megabytes)
        self.known: dict[Hashable, int] = {}

    def partner(self) -> ExactJudge | None:
        """One who shares the table and all that is known; flat boards only."""
        from arena.solver.flat.solver import Solver

        if not isinstance(self.solver, Solver):
            return None
        other = ExactJudge(self.rules, 0)
        assert isinstance(other.solver, Solver)
        other.solver.use(self.solver.table)
        other.solver.book = self.solver.book
        other.known = self.known
        return other

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.solver.nodes

    def warm_up(self) -> None:
        """Compile what answers questions, outside of any budget."""
        self.solver.warm_up()

    def score(self, position: Position, allowed: Allowance) -> int | None:
        """What a position is worth; also of a game that is over."""
        key = _key(position)
        score = self.known.get(key)
        if score is None:
            score = self._ask(self._question(position), allowed)
            if score is not None and len(self.known) < MOST_KNOWN:
                self.known[key] = score
        return score

    def _question(self, position: Position) -> Callable[[Budget], int]:
        """How to ask for a score: columns that are known already bound it from below."""
        children = (_key(position.play(column)) for column in position.legal)
        known = [score for key in children if (score := self.known.get(key)) is not None]
        if not known:
            return lambda budget: self.solver.score(position, budget)
        return lambda budget: self.solver.score_from(position, -min(known), budget)

    def beats(self, position: Position, score: int, allowed: Allowance) -> bool | None:
        """Whether a position is worth more than a score."""
        known = self.known.get(_key(position))
        if known is not None:
            return known > score
        return self._ask(lambda budget: self.solver.beats(position, score, budget), allowed)

    def _ask(self, question: Callable[[Budget], T], allowed: Allowance) -> T | None:
        """The answer, or None once the allowance is used up.

        The kernel hears no interrupt. The solver's table keeps what was learned, so it is asked
        again and again for a moment, at the price of a few percent.
        """
        from arena.solver.exact import Budget, OutOfBudget

        most = None if allowed.nodes is None else self.solver.nodes + allowed.nodes
        while True:
            left = allowed.seconds
            seconds = SLICE if left is None else min(SLICE, left)
            nodes = None if most is None else most - self.solver.nodes
            if seconds <= 0 or (nodes is not None and nodes <= 0):
                return None
            try:
                return question(Budget(nodes, seconds))
            except OutOfBudget:
                allowed.waiting()


def _key(position: Position) -> Hashable:
    """The same for mirror images on flat boards, which are worth the same."""
    return key_of(position) if position.rules.is_flat else (position.first, position.second)
