"""Every dialect that our engines can be asked in, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from arena.bots.dialects import DIALECTS
from arena.bots.speak_lines import speak_lines
from arena.bots.speak_uci import speak_uci
from arena.bots.spoken import Say, SpokenEngine
from arena.game.rules import CONNECT4

Speak = Callable[[SpokenEngine, Iterator[str], Say], None]

SPEAKERS: Mapping[str, Speak] = {
    "uci": speak_uci,
    **{name: partial(speak_lines, dialect) for name, dialect in DIALECTS.items()},
}


def usual_game(dialect: str) -> str:
    """The game that is played in a dialect where nobody says which."""
    return DIALECTS[dialect].game if dialect in DIALECTS else CONNECT4.name
