"""Connect Arena: pit engines of the Connect Four family against each other.

What an engine's author needs can be imported from here, and what a notebook or a script asks for:
`play`, `match`, `run`, `solve` and their like. It is loaded when it is asked for, so that help
texts do not wait for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.engine.contract import Choice, Engine, Limits, PlayedGame, option
    from arena.engine.registry import register
    from arena.errors import ArenaError
    from arena.game import CONNECT4, SCORE4, STEAL, Position, Rules
    from arena.library.check import check
    from arena.library.exact import analyse, solve
    from arena.library.explain import explain
    from arena.library.game import Game
    from arena.library.ratings import rate
    from arena.library.results import Results, open_journal
    from arena.library.runs import match, play, run
    from arena.library.tournament import Tournament

__version__ = "0.1.0"

__all__ = [
    "CONNECT4", "SCORE4", "STEAL", "ArenaError", "Choice", "Engine", "Game", "Limits", "PlayedGame",
    "Position", "Results", "Rules", "Tournament", "analyse", "check", "explain", "kaggle_agent",
    "match", "open_journal", "openspiel_bot", "option", "play", "rate", "register", "run", "solve",
]  # fmt: skip

LAZY = {
    "engine.contract": ("Choice", "Engine", "Limits", "PlayedGame", "option"),
    "errors": ("ArenaError",),
    "game": ("CONNECT4", "SCORE4", "STEAL", "Position", "Rules"),
    "engine.registry": ("register",),
    "bots.openspiel": ("openspiel_bot",),
    "export.kaggle": ("kaggle_agent",),
    "library.check": ("check",),
    "library.exact": ("analyse", "solve"),
    "library.explain": ("explain",),
    "library.game": ("Game",),
    "library.ratings": ("rate",),
    "library.results": ("Results", "open_journal"),
    "library.runs": ("match", "play", "run"),
    "library.tournament": ("Tournament",),
}


def __getattr__(name: str) -> Any:
    for module, names in LAZY.items():
        if name in names:
            return globals().setdefault(name, getattr(import_module(f"{__name__}.{module}"), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
