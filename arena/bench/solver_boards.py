"""What the solvers reach: the values of empty boards, and endgames on boards in space."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from time import process_time

from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.solver.flat.search import Solver
from arena.solver.solver import MEGABYTES, Budget, OutOfBudget
from arena.solver.space import SpaceSolver
from arena.tournament.numbered import derive_seed

# Who wins on the empty board: 1 the first player, -1 the second, 0 nobody.
VALUES = {
    "4x4": 0, "5x4": 0, "6x4": -1, "7x4": 0, "8x4": -1,
    "4x5": 0, "5x5": 0, "6x5": 0, "7x5": 0, "8x5": 1,
    "4x6": 0, "5x6": 0, "6x6": -1, "7x6": 1,
    "4x7": 0, "5x7": 0, "6x7": 1,
}  # fmt: skip

ALLOWED = (0.1, 1.0, 10.0)  # seconds
EMPTY = range(12, SCORE4.cells, 2)
POSITIONS = 20
ENOUGH = 0.5  # goes on to more empty cells as long as this share is solved


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """What was asked about an empty board, the answer, and its cost; no answer: out of time."""

    board: str
    asked: str
    answer: int | None
    expected: int
    seconds: float
    nodes: int

    @property
    def name(self) -> str:
        """What is told while others are still being asked."""
        return f"{self.board}, {self.asked}"

    @property
    def is_wrong(self) -> bool:
        """Whether the answer is not what is known."""
        return self.answer is not None and self.answer != self.expected


def empty_board(megabytes: float = MEGABYTES) -> Iterator[BoardAnswer]:
    """The usual board from the very beginning: its exact score, and only who wins."""
    for asked in ("exact score", "who wins"):
        solver, position = Solver(CONNECT4, megabytes, book=False), Position(CONNECT4)
        ask = solver.score if asked == "exact score" else solver.sign
        begin = process_time()
        answer = ask(position)
        yield BoardAnswer("7x6", asked, answer, 1, process_time() - begin, solver.nodes)


def other_boards(seconds: float, megabytes: float = MEGABYTES) -> Iterator[BoardAnswer]:
    """Who wins on boards of other sizes, each within so many seconds."""
    for name, value in VALUES.items():
        rules = Rules.named(name)
        solver, answer = Solver(rules, megabytes, book=False), None
        begin = process_time()
        with suppress(OutOfBudget):
            answer = solver.sign(Position(rules), Budget.lasting(seconds))
        yield BoardAnswer(name, "who wins", answer, value, process_time() - begin, solver.nodes)


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
        times = [_time(solver, _quiet_position(random, empty)) for _ in range(POSITIONS)]
        solved = {limit: sum(time <= limit for time in times) for limit in ALLOWED}
        yield Reach(SCORE4.size, empty, POSITIONS, solved)
        if solved[ALLOWED[-1]] < ENOUGH * POSITIONS:
            return


def _time(solver: SpaceSolver, position: Position) -> float:
    """How long the exact score takes from an empty table; more than any limit if too long."""
    solver.forget()
    begin = process_time()
    try:
        solver.score(position, Budget.lasting(ALLOWED[-1]))
    except OutOfBudget:
        return float("inf")
    return process_time() - begin


def _quiet_position(random: Random, empty: int) -> Position:
    """A random position in which nobody has won, reached by moves that do not win."""
    while True:
        position = Position(SCORE4)
        while SCORE4.cells - position.ply > empty and not position.is_over:
            quiet = [column for column in position.legal if not position.wins_with(column)]
            position = position.play(random.choice(quiet or position.legal))
        if not position.is_over and not any(map(position.wins_with, position.legal)):
            return position
