"""Adjudication: rules by which a game ends before its last move.

A ruling is told when a game begins and asked after each move. What it needs for an answer is on
nobody's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from arena.game.position import FIRST, Position
from arena.game.rules import Rules
from arena.play.record import Reason

if TYPE_CHECKING:
    from arena.solver.exact import ExactSolver

NODES = 2000  # that a proof may take after a move: few, and a number, so that games repeat exactly
MEGABYTES = 2  # of the table for that


class Verdict(NamedTuple):
    """How a game ends: the result for the first player, the reason, and words for it."""

    result: int
    reason: Reason
    detail: str


class Ruling(Protocol):
    """One rule, at one table."""

    def begin(self, opening: Position) -> None:
        """A game begins from this position."""

    def verdict(self, position: Position, players: tuple[str, str]) -> Verdict | None:
        """How the game ends here; None if it goes on."""


class MostPlies:
    """A game of so many plies is a draw."""

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def begin(self, opening: Position) -> None:
        """There is nothing to remember."""

    def verdict(self, position: Position, players: tuple[str, str]) -> Verdict | None:
        """A draw, if there are so many discs."""
        if position.ply < self.plies:
            return None
        return Verdict(0, "max plies", f"drawn after {self.plies} plies")


class Judge(Protocol):
    """Whoever can prove what a position is worth, starting afresh for each game."""

    def value(self, position: Position) -> int | None:
        """The result for the first player with best play; None if it is not proven."""


class Proven:
    """From the middle of the game on, a game ends when its value is proven.

    It begins when half of the cells are filled and both players have made a move. A good solver
    knows the value of most games far earlier, but that would leave the engines nothing to do.
    """

    def __init__(self, judge: Callable[[], Judge]) -> None:
        self.fresh = judge
        self.judge: Judge | None = None
        self.start = 0

    def begin(self, opening: Position) -> None:
        """Forget the last game: what a judge remembers could change what it can prove."""
        self.judge = None
        self.start = max(opening.rules.cells // 2, opening.ply + 2)

    def verdict(self, position: Position, players: tuple[str, str]) -> Verdict | None:
        """The result of best play, if it is proven."""
        if position.ply < self.start:
            return None
        if self.judge is None:
            self.judge = self.fresh()
        result = self.judge.value(position)
        if result is None:
            return None
        what = f"a win for {players[0 if result > 0 else 1]}" if result else "a draw"
        return Verdict(result, "adjudicated", f"proven {what} after {position.ply} plies")


class SolverJudge:
    """An exact solver with a few nodes for each question."""

    def __init__(self, solver: ExactSolver) -> None:
        self.solver = solver

    def value(self, position: Position) -> int | None:
        """Who wins, if so few nodes tell."""
        from arena.solver.exact import Budget, OutOfBudget

        try:
            sign = self.solver.sign(position, Budget(nodes=NODES))
        except OutOfBudget:
            return None
        return sign if position.to_move == FIRST else -sign


def fresh_judge(rules: Rules) -> SolverJudge:
    """A judge that has seen no game yet, without a book: that would end games in the opening."""
    from arena.solver.boards import solver_for

    return SolverJudge(solver_for(rules, MEGABYTES, book=False))


def rulings(rules: Rules, max_plies: int | None, solver: bool) -> tuple[Ruling, ...]:
    """The rules that are on; with the solver, its kernels are loaded now."""
    made: list[Ruling] = []
    if solver:
        fresh_judge(rules).value(Position(rules))
        made.append(Proven(lambda: fresh_judge(rules)))
    if max_plies is not None:
        made.append(MostPlies(max_plies))
    return tuple(made)
