"""What an engine needs to play, found by letting it play in a process of its own.

`python -P -m arena.export.needs NAME [OPTION=VALUE]...` builds the engine, plays with it and tells
as JSON which modules were loaded and which files were read. It loads nothing that an engine does
not need.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from arena.engine.contract import Engine, Limits
from arena.engine.errors import sentence, trace
from arena.engine.registry import find, places_in_use
from arena.errors import ArenaError, EngineFailure
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.outside.agent import KaggleAgent

OURS = ("arena",)
BOARDS = (CONNECT4, Rules.flat(6, 5), Rules.flat(8, 7))  # it must play on one of them
QUICKLY = Limits(depth=2, nodes=200, playouts=20, seconds=0.02)


@dataclass(frozen=True)
class Needs:
    """The modules that were loaded, with their files, the files that were read, and the engines."""

    modules: dict[str, str]
    read: list[str]
    engines: dict[str, str]  # names that were asked for, and where the engine of that name is


def _observe(words: Sequence[str]) -> Needs:
    """Build the engine and play, in this process."""
    read: dict[str, None] = {}

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes) and not _writes(arguments):
            read[os.path.abspath(os.fsdecode(arguments[0]))] = None

    sys.addaudithook(note)
    options = dict(word.split("=", 1) for word in words[1:])
    engine = find(words[0]).build(options)
    _play(engine, words[0])
    modules = {
        name: str(module.__file__)
        for name, module in [*sys.modules.items()]
        if getattr(module, "__file__", None)
    }
    return Needs(modules, [path for path in read if os.path.isfile(path)], places_in_use())


def _writes(arguments: tuple[Any, ...]) -> bool:
    return bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))


def _play(engine: Engine, name: str) -> None:
    """A game on each board; which of them it refuses is its own affair, unless it is all."""
    refusals = []
    for rules in BOARDS:
        try:
            KaggleAgent(engine).warm_up(rules)
        except ArenaError as error:
            refusals.append(error)
            continue
        for position in _positions(rules):
            engine.ask(position, QUICKLY)
    if len(refusals) == len(BOARDS):
        raise EngineFailure(f"engine {name} plays on none of Kaggle's boards: {refusals[0]}")


def _positions(rules: Rules) -> Iterator[Position]:
    """The positions of a long game, of which no move is better than another."""
    position = Position(rules)
    while not position.is_over:
        yield position
        position = position.play(position.legal[7 * position.ply % len(position.legal)])


def _main() -> None:
    """Answer on stdout, where nothing of what the engine prints can come in between."""
    answer = os.dup(1)
    os.dup2(2, 1)
    try:
        result: dict[str, Any] = asdict(_observe(sys.argv[1:]))
    except ArenaError as error:
        result = {"error": str(error), "trace": getattr(error, "trace", "")}
    except Exception as error:
        words = f"engine {sys.argv[1]} cannot play: {sentence(error)}"
        result = {"error": words, "trace": trace(error)}
    with suppress(BrokenPipeError), os.fdopen(answer, "w") as out:
        out.write(f"{json.dumps(result)}\n")


if __name__ == "__main__":
    _main()
