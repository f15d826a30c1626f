"""Connect Arena: pit engines of the Connect Four family against each other.

What an engine's author needs can be imported from here, and what a notebook or a script asks for:
`play`, `match`, `run`, `solve` and their like. It is loaded when it is asked for, so that help
texts do not wait for it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.engine.contract import Choice, Engine, Limits, PlayedGame, option
    from arena.engine.registry import register
    from arena.errors import ArenaError
    from arena.game import CONNECT4, SCORE4, STEAL, Position, Rules
    from arena.library.check import check
    from arena.library.exact import analyse, solve
    from arena.library.game import Game
    from arena.library.results import Results, open_journal
    from arena.library.runs import match, play, run
    from arena.library.tournament import Tournament

__version__ = "0.1.0"

__all__ = [
    "CONNECT4",
    "SCORE4",
    "STEAL",
    "ArenaError",
    "Choice",
    "Engine",
    "Game",
    "Limits",
    "PlayedGame",
    "Position",
    "Results",
    "Rules",
    "Tournament",
    "analyse",
    "check",
    "kaggle_agent",
    "match",
    "open_journal",
    "openspiel_bot",
    "option",
    "play",
    "register",
    "run",
    "solve",
]

HOMES = {
    "arena.engine.contract": ("Choice", "Engine", "Limits", "PlayedGame", "option"),
    "arena.errors": ("ArenaError",),
    "arena.game": ("CONNECT4", "SCORE4", "STEAL", "Position", "Rules"),
    "arena.engine.registry": ("register",),
    "arena.outside.guests": ("kaggle_agent", "openspiel_bot"),
    "arena.library.check": ("check",),
    "arena.library.exact": ("analyse", "solve"),
    "arena.library.game": ("Game",),
    "arena.library.results": ("Results", "open_journal"),
    "arena.library.runs": ("match", "play", "run"),
    "arena.library.tournament": ("Tournament",),
}
DEEDS = ("play", "run")  # packages of these names can be called


def __getattr__(name: str) -> Any:
    if name in DEEDS:
        return import_module(f"{__name__}.{name}")
    return globals().setdefault(name, _at_home(name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _at_home(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Deed(ModuleType):
    """A package that can be called: `arena.play` has the referee, and `arena.play(a, b)` plays."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        return _at_home(self.__name__.rpartition(".")[2])(*args, **named)

    @property
    def __wrapped__(self) -> Any:
        return _at_home(self.__name__.rpartition(".")[2])  # for whoever asks how it is called


class _Surface(ModuleType):
    """This very module, which makes packages callable as they are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in DEEDS and isinstance(value, ModuleType):
            value.__class__ = _Deed
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Surface
