"""Compiles the kernels that many tests use: `python -m tests.compiling solver`.

Numba keeps them on disk. The parts are compiled side by side, each by a process of its own.
"""

from __future__ import annotations

import sys
from contextlib import suppress

PARTS = ("solver", "engines")


def compile_solver() -> None:
    """The exact solvers, of flat boards and in space."""
    from arena import SCORE4, Position, Rules
    from arena.solver.flat.search import Solver
    from arena.solver.solver import Budget, OutOfBudget
    from arena.solver.space import SpaceSolver

    flat = Solver(Rules.named("connect4"), 1)
    flat.scores(Position.parse("44444433333322"))
    with suppress(OutOfBudget):
        SpaceSolver(SCORE4, 1).score(Position(SCORE4), Budget(nodes=1000))


def compile_engines() -> None:
    """Every engine that does not ask the solver."""
    from arena import CONNECT4, SCORE4
    from arena.engine.registry import find, names

    for name in names():
        if not name.startswith("perfect"):
            for rules in (CONNECT4, SCORE4):
                find(name).build({}).get_ready(rules)


if __name__ == "__main__":
    {"solver": compile_solver, "engines": compile_engines}[sys.argv[1]]()
