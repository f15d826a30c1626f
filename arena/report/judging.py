"""The judge that commands and reports ask, made ready: compiled before any clock runs."""

from __future__ import annotations

import sys

from arena.errors import BadRules
from arena.game.rules import Rules
from arena.judge.judge import Judge
from arena.show.progress import reporting
from arena.solver.solver import refuse

SECONDS = 10.0  # of each core, for the games of a report, where nothing else is said
MAX_CELLS = 49  # of a board on which that is enough to say something


def ready_judge(rules: Rules, quiet: bool = False) -> Judge:
    """The judge for a board, ready to answer; BadRules where there is none."""
    judge = Judge(rules)
    if quiet:
        judge.solver.warm_up()
        return judge
    with reporting() as report:
        report("the exact solver", 1, 1)
        judge.solver.warm_up()
    return judge


def judging_seconds(rules: Rules, seconds: float | None) -> float | None:
    """How long a report judges games; None, and a warning, where no game ever can be.

    By default no more games are judged on boards that are too large to say much in a short time.
    Games that were judged before are shown in any case.
    """
    if seconds is None:
        return SECONDS if rules.is_flat and rules.cells <= MAX_CELLS else 0.0
    if seconds > 0 and rules.is_flat:
        try:
            refuse(rules)
        except BadRules as error:
            print(f"arena: no accuracy: {error}", file=sys.stderr)
            return None
    return seconds
