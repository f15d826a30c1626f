"""The body of `arena speak`: an engine between stdin and stdout."""

from __future__ import annotations

import sys

from arena.engine.contract import Limits
from arena.errors import UnknownName
from arena.game.rules import Rules
from arena.outside.agent import counts_in
from arena.outside.finding import build_engine
from arena.outside.speakers import SPEAKERS, usual_game
from arena.outside.spoken import SpokenEngine, tighter
from arena.outside.words import engine_words


def speak_dialect(dialect: str, engine: str, game: str | None, limit: str, seed: int) -> None:
    """Answer in a dialect until stdin ends."""
    if dialect not in SPEAKERS:
        raise UnknownName("dialect", dialect, SPEAKERS)
    rules = Rules.named(usual_game(dialect) if game is None else game)
    words = engine_words(engine)[1:]
    counts = counts_in(dict(word.split("=", 1) for word in words if "=" in word))
    limits = tighter(Limits(**counts), Limits.parse(limit))
    spoken = SpokenEngine(build_engine(engine), rules, limits, seed)
    SPEAKERS[dialect](spoken, iter(sys.stdin.readline, ""), _say)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
