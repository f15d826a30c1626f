"""One way in for exact scores."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.flat.search import Solver
from arena.solver.solver import Budget, OutOfBudget, solver_for
from arena.solver.space import SpaceSolver


@pytest.mark.parametrize(("name", "kind"), [("7x6", Solver), ("4x4x4", SpaceSolver)])
def test_the_solver_that_fits(name: str, kind: type) -> None:
    solver = solver_for(Rules.named(name), megabytes=1, book=False)
    assert isinstance(solver, kind)
    assert solver.rules == Rules.named(name)
    hard = Position(solver.rules).play(1).play(1).play(2)
    for ask in (solver.score, solver.scores, solver.sign):
        with pytest.raises(OutOfBudget):
            ask(hard, Budget(nodes=10))


@pytest.mark.parametrize("name", ["8x8", "9x7", "64x1"])
def test_boards_that_nobody_solves(name: str) -> None:
    with pytest.raises(BadRules, match="too large"):
        solver_for(Rules.named(name))


SCRIPT = """
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.solver import solver_for
for name in ("4x4c3", "2x2x3c2"):
    position = Position(Rules.named(name))
    solver = solver_for(position.rules, 1)
    print(solver.score(position), solver.sign(position), solver.scores(position)[1])
"""


def test_kernels_from_the_disk_cache_answer_the_same() -> None:
    """A kernel that calls itself with two signatures compiles well, and crashes when it is loaded.

    The second process finds what the first one has compiled.
    """
    told = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert told[0].stdout == told[1].stdout == "4 1 4\n5 1 5\n"
