"""How many empty cells the endgame solver for boards in space can cope with, and how fast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic

from arena.game.position import Position
from arena.game.rules import SCORE4
from arena.solver.exact import MEGABYTES, Budget, OutOfBudget
from arena.solver.space.solver import SpaceSolver
from arena.tournament.seed import derive_seed

ALLOWED = (0.1, 1.0, 10.0)  # seconds
EMPTY = range(12, SCORE4.cells, 2)
POSITIONS = 20
ENOUGH = 0.5  # goes on to more empty cells as long as this share is solved


@dataclass(frozen=True, slots=True)
class Reach:
    """How many of some random positions were solved within which time."""

    board: str
    empty: int
    positions: int
    solved: dict[float, int]  # by seconds allowed

    @property
    def name(self) -> str:
        """What is told while the next ones are being solved."""
        return f"{self.board}, {self.empty} empty cells"


def reaches(megabytes: float = MEGABYTES) -> Iterator[Reach]:
    """Random positions with more and more empty cells, until half of them take too long."""
    solver = SpaceSolver(SCORE4, megabytes)
    solver.warm_up()
    for empty in EMPTY:
        random = Random(derive_seed("space", empty))
        times = [_time(solver, quiet_position(random, empty)) for _ in range(POSITIONS)]
        solved = {limit: sum(time <= limit for time in times) for limit in ALLOWED}
        yield Reach(SCORE4.size, empty, POSITIONS, solved)
        if solved[ALLOWED[-1]] < ENOUGH * POSITIONS:
            return


def quiet_position(random: Random, empty: int) -> Position:
    """A random position in which nobody has won, reached by moves that do not win."""
    while True:
        position = Position(SCORE4)
        while SCORE4.cells - position.ply > empty and not position.is_over:
            quiet = [column for column in position.legal if not position.wins_with(column)]
            position = position.play(random.choice(quiet or position.legal))
        if not position.is_over and not any(map(position.wins_with, position.legal)):
            return position


def _time(solver: SpaceSolver, position: Position) -> float:
    """How long the exact score takes from an empty table; more than any limit if too long."""
    solver.forget()
    begin = monotonic()
    try:
        solver.score(position, Budget(seconds=ALLOWED[-1]))
    except OutOfBudget:
        return float("inf")
    return monotonic() - begin
