"""The judge that commands and reports ask, made ready: compiled before any clock runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from arena.engine.warm_up import with_sound_cache
from arena.errors import BadRules
from arena.game.rules import Rules
from arena.judge.judge import Judge
from arena.judge.sampling import Judging
from arena.machine import usable_cores
from arena.show.progress import reporting
from arena.solver.solver import refuse

SECONDS = 10.0  # of each core, for the games of a report, where nothing else is said
MOST_CELLS = 49  # of a board on which that is enough to say something


def ready_judge(rules: Rules, quiet: bool = False) -> Judge:
    """The judge for a board, ready to answer; BadRules where there is none."""
    judge = Judge(rules)
    if quiet:
        with_sound_cache(judge.solver.warm_up)
        return judge
    with reporting() as report:
        report("the exact solver", 1, 1)
        with_sound_cache(judge.solver.warm_up)
    return judge


def judging(
    rules: Rules,
    seconds: float | None,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> Judging | None:
    """What a report needs to judge games for so long; None where no game ever can be.

    If nothing is said, nothing more is judged on boards that are too large to say much in a
    short time. What was judged before is told in any case.
    """
    if seconds is None:
        seconds = SECONDS if rules.is_flat and rules.cells <= MOST_CELLS else 0.0
    elif seconds > 0 and rules.is_flat:
        try:
            refuse(rules)
        except BadRules as error:
            print(f"arena: no accuracy: {error}", file=sys.stderr)
            return None
    return Judging(seconds, partial(ready_judge, rules, quiet), usable_cores(), on_interrupt)
