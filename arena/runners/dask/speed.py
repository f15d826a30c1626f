"""How fast a host is, by a short standard search: games with limits by time depend on it."""

from __future__ import annotations

import time
from contextlib import suppress

from arena.game.position import Position
from arena.game.rules import CONNECT4
from arena.solver.ask import Budget, OutOfBudget
from arena.solver.exact import solver_for

NODES, REPEATS, MEGABYTES = 200_000, 3, 1


def positions_a_second() -> float:
    """Positions that the exact solver looks at in a second of processor time, at its best."""
    solver = solver_for(CONNECT4, MEGABYTES, book=False)
    solver.warm_up()
    best = 0.0
    for _ in range(REPEATS):
        solver.forget()
        before, begun = solver.nodes, time.thread_time()
        with suppress(OutOfBudget):
            solver.score(Position(CONNECT4), Budget(nodes=NODES))
        best = max(best, (solver.nodes - before) / max(time.thread_time() - begun, 1e-9))
    return best
