"""What moves compile or load after a warm-up, engine by engine: python -m tests.loading BOARD.

Each engine has a process of its own, forked from one in which no kernel of any engine is loaded.
One line of JSON an engine: its name, what its warm-up loaded, and what its moves did.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.engine.registry import names
from arena.errors import BadRules
from arena.game.rules import Rules
from arena.table.probe import sample_positions, threatened_positions, winning_positions

LIMITS = (
    Limits(seconds=0.004),
    Limits(clock=0.05, increment=0.01),
    Limits(cpu=0.004),
    Limits(nodes=30),
    Limits(depth=2),
    Limits(nodes=30, playouts=20, depth=4, seconds=0.01),
)
VARIANTS = (
    "iterative ordering=value killers=yes history=yes table=1 tie_break=random",
    "iterative beam=3",
    "alphabeta pruning=absolute evaluation=h1",
    "greedy evaluation=counts tie_break=random",
    "hybrid where=leaves",
    "mcts playout=light expand=all solver=no",
    "oracle level=master corner=no",
    "perfect prefer=value",
)


@contextmanager
def watching_numba() -> Iterator[list[str]]:
    """The kernels for which numba had no code at hand when they were called."""
    from numba.core.dispatcher import Dispatcher

    seen: list[str] = []
    original: Any = Dispatcher.compile

    def compile_or_load(self: Any, signature: Any) -> Any:
        seen.append(self.py_func.__name__)
        return original(self, signature)

    setattr(Dispatcher, "compile", compile_or_load)  # noqa: B010
    try:
        yield seen
    finally:
        setattr(Dispatcher, "compile", original)  # noqa: B010


def after_warm_up(text: str, rules: Rules) -> dict[str, Any]:
    """What an engine loads: while it is warmed up, and in moves of all kinds afterwards."""
    positions = [
        *sample_positions(rules)[::2],
        *islice(winning_positions(rules), 1),
        *islice(threatened_positions(rules), 1),
    ]
    with watching_numba() as seen:
        engine = build_engine(text)
        try:
            engine.get_ready(rules)
        except BadRules:
            return {"engine": text, "declined": True}
        before, modules = list(seen), set(sys.modules)
        seen.clear()
        for limits in LIMITS:
            engine.begin(rules, 1)
            for position in positions:
                engine.ask(position, limits)
    late = [*seen, *sorted(set(sys.modules) - modules)]
    return {"engine": text, "declined": False, "warm-up": before, "moves": late}


def main() -> None:
    """Every engine and preset, and some with other options, on the board that is asked for."""
    import arena.jit
    import arena.table.preloaded  # noqa: F401  # numba itself, as where tables come from

    rules = Rules.named(sys.argv[1])
    for text in (*names(), *VARIANTS):
        build_engine(text)
    for text in (*names(), *VARIANTS):
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            continue
        try:
            print(json.dumps(after_warm_up(text, rules)), flush=True)
        finally:
            os._exit(0)


if __name__ == "__main__":
    main()
