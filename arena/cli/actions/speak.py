"""The body of `arena speak`: an engine between stdin and stdout."""

from __future__ import annotations

import sys
from contextlib import closing

from arena.bots.speak import SPEAKERS, usual_game
from arena.bots.spoken import SpokenEngine
from arena.engine.contract import Limits
from arena.errors import UnknownName
from arena.game.rules import Rules


def speak_dialect(dialect: str, engine: str, game: str | None, limit: str, seed: int) -> None:
    """Answer in a protocol until stdin ends."""
    if dialect not in SPEAKERS:
        raise UnknownName("protocol", dialect, SPEAKERS)
    rules = Rules.named(usual_game(dialect) if game is None else game)
    spoken = SpokenEngine.from_words(engine, rules, Limits.parse(limit), seed)
    with closing(spoken):
        SPEAKERS[dialect](spoken, iter(sys.stdin.readline, ""), _say)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
