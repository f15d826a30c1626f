"""Warm-up: compile and load everything before a clock runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.engine.contract import Engine
from arena.engine.errors import sentence
from arena.errors import ArenaError, EngineFailure
from arena.game.rules import Rules

Report = Callable[[str, int, int], None]  # a name, its number from 1, how many there are


def warm_up(
    engines: Sequence[tuple[str, Engine]], rules: Rules, report: Report | None = None
) -> None:
    """Get each engine ready for its first move on this board, and report which one is next.

    ArenaError if an engine does not play on this board, or breaks.
    """
    for number, (name, engine) in enumerate(engines, start=1):
        if report is not None:
            report(name, number, len(engines))
        try:
            engine.get_ready(rules)
        except ArenaError as error:
            error.args = (f"engine {name}: {error}",)
            raise
        except Exception as error:
            raise EngineFailure(f"engine {name}: {sentence(error, engine)}") from error
