"""Connect Arena: pit engines of the Connect Four family against each other.

What an engine's author needs can be imported from here; it is loaded when it is asked for, so that
help texts do not wait for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.engine.contract import Choice, Engine, Limits, option
    from arena.engine.played import PlayedGame
    from arena.engine.registry import Preset, register
    from arena.game import CONNECT4, SCORE4, STEAL, Position, Rules

__version__ = "0.1.0"

__all__ = [
    "CONNECT4",
    "SCORE4",
    "STEAL",
    "Choice",
    "Engine",
    "Limits",
    "PlayedGame",
    "Position",
    "Preset",
    "Rules",
    "kaggle_agent",
    "openspiel_bot",
    "option",
    "register",
]

HOMES = {
    "arena.engine.contract": ("Choice", "Engine", "Limits", "option"),
    "arena.engine.played": ("PlayedGame",),
    "arena.game": ("CONNECT4", "SCORE4", "STEAL", "Position", "Rules"),
    "arena.engine.registry": ("Preset", "register"),
    "arena.outside.guests": ("kaggle_agent", "openspiel_bot"),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return globals().setdefault(name, getattr(import_module(home), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
