"""Adjudication: rules by which a game ends before its last move.

A ruling is told when a game begins and asked after each move. What it needs for an answer is on
nobody's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from arena.game.position import FIRST, Position
from arena.game.rules import Rules
from arena.solver.solver import Budget, OutOfBudget, solver_for
from arena.table.game import Reason

NODES = 2000  # that a proof may take after a move: few, and a number, so that games repeat exactly
MEGABYTES = 2  # of the table for that

Proof = Callable[[Position], int | None]  # the first player's result by best play, if it is proven
EarlyEnd = tuple[int, Reason, str]  # the result for the first player, the reason, words for it


class MostPlies:
    """A game of so many plies is a draw."""

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def begin(self, opening: Position) -> None:
        """There is nothing to remember."""

    def ending(self, position: Position, players: tuple[str, str]) -> EarlyEnd | None:
        """A draw, if so many moves were made, a steal among them."""
        if len(position.moves) < self.plies:
            return None
        return 0, "max plies", f"drawn after {self.plies} plies"


class Proven:
    """From the middle of the game on, a game ends when its value is proven.

    It begins when half of the cells are filled and both players have made a move. A good solver
    knows the value of most games far earlier, but that would leave the engines nothing to do.
    """

    def __init__(self, fresh: Callable[[], Proof]) -> None:
        self.fresh = fresh
        self.proof: Proof | None = None
        self.start = 0

    def begin(self, opening: Position) -> None:
        """Forget the last game: what a solver remembers could change what it can prove."""
        self.proof = None
        self.start = max(opening.rules.cells // 2, opening.ply + 2)

    def ending(self, position: Position, players: tuple[str, str]) -> EarlyEnd | None:
        """The result of best play, if it is proven."""
        if position.ply < self.start:
            return None
        if self.proof is None:
            self.proof = self.fresh()
        result = self.proof(position)
        if result is None:
            return None
        what = f"a win for {players[0 if result > 0 else 1]}" if result else "a draw"
        return result, "adjudicated", f"proven {what} after {position.ply} plies"


Ruling: TypeAlias = MostPlies | Proven


def fresh_proof(rules: Rules) -> Proof:
    """A solver that has seen no game yet, without a book: that would end games in the opening."""
    solver = solver_for(rules.plain, MEGABYTES, book=False)

    def proof(position: Position) -> int | None:
        try:
            sign = solver.sign(position.plain, Budget(NODES))
        except OutOfBudget:
            return None
        return sign if position.to_move == FIRST else -sign

    return proof


def rulings(rules: Rules, max_plies: int | None, solver: bool) -> tuple[Ruling, ...]:
    """The rules that are on; with the solver, its kernels are loaded now."""
    rulings: list[Ruling] = []
    if solver:
        fresh_proof(rules)(Position(rules))
        rulings.append(Proven(lambda: fresh_proof(rules)))
    if max_plies is not None:
        rulings.append(MostPlies(max_plies))
    return tuple(rulings)
