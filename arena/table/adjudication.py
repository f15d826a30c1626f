"""Adjudication: rules that end a game before its last move.

A ruling is reset at the beginning of a game and applied after each move. Its time is not charged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from arena.game.position import FIRST, Position
from arena.game.rules import Rules
from arena.solver.solver import Budget, OutOfBudget, solver_for
from arena.table.game import Reason

NODES = 2000  # for the proof after a move; a limit in nodes makes games repeatable
MEGABYTES = 2  # for the table of the solver

Proof = Callable[[Position], int | None]  # the proven result for the first player, or None
EarlyEnd = tuple[int, Reason, str]  # the result for the first player, the reason, the detail


class MostPlies:
    """A draw after a number of plies; a steal counts as one."""

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def begin(self, opening: Position) -> None:
        """Nothing to reset."""

    def ending(self, position: Position, players: tuple[str, str]) -> EarlyEnd | None:
        """Return a draw if there are enough plies."""
        if len(position.moves) < self.plies:
            return None
        return 0, "max plies", f"drawn after {self.plies} plies"


class Proven:
    """The proven result, once half of the cells are filled and both players have moved.

    A solver proves most games far earlier, which would leave the engines nothing to do.
    """

    def __init__(self, fresh: Callable[[], Proof]) -> None:
        self.fresh = fresh
        self.proof: Proof | None = None
        self.start = 0

    def begin(self, opening: Position) -> None:
        """Forget the last game: what a solver remembers may change what it can prove."""
        self.proof = None
        self.start = max(opening.rules.cells // 2, opening.ply + 2)

    def ending(self, position: Position, players: tuple[str, str]) -> EarlyEnd | None:
        """Return the result of best play, if it is proven."""
        if position.ply < self.start:
            return None
        if self.proof is None:
            self.proof = self.fresh()
        result = self.proof(position)
        if result is None:
            return None
        outcome = f"a win for {players[0 if result > 0 else 1]}" if result else "a draw"
        return result, "adjudicated", f"proven {outcome} after {position.ply} plies"


Ruling: TypeAlias = MostPlies | Proven


def fresh_proof(rules: Rules) -> Proof:
    """Return a proof by a new solver; without a book, which would end games in the opening."""
    solver = solver_for(rules.plain, MEGABYTES, book=False)

    def proof(position: Position) -> int | None:
        try:
            sign = solver.sign(position.plain, Budget(NODES))
        except OutOfBudget:
            return None
        return sign if position.to_move == FIRST else -sign

    return proof


def rulings(rules: Rules, max_plies: int | None, solver: bool) -> tuple[Ruling, ...]:
    """Return the rules in use; load the kernels of the solver if it is one of them."""
    rulings: list[Ruling] = []
    if solver:
        fresh_proof(rules)(Position(rules))
        rulings.append(Proven(lambda: fresh_proof(rules)))
    if max_plies is not None:
        rulings.append(MostPlies(max_plies))
    return tuple(rulings)
