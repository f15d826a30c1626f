"""How fast a host is, by a short standard search: games with limits by time depend on it.

The search is the exact solver's, on one core, and by processor time, of which the best of a few
counts. So the figure is the same on a busy host; that such a host has less time for everybody, or
that two threads share one core, it does not tell.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache

from arena.engine.limits import Limits

NODES, REPEATS, MEGABYTES = 200_000, 8, 1


def positions_a_second() -> float:
    """Positions that the exact solver looks at in a second of processor time, at its best."""
    from arena.game.position import Position  # with kernels, which few need who read limits
    from arena.game.rules import CONNECT4
    from arena.solver.solver import Budget, OutOfBudget, solver_for

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


@cache
def speed_of_this_host() -> float:
    """The speed of this machine, measured once in a process."""
    return positions_a_second()


def on_this_host(limits: Limits) -> Limits:
    """Limits as they are here; only those on the reference have the speed measured."""
    return limits if limits.on is None else limits.at_speed(speed_of_this_host())
