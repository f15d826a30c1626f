"""Connect Arena: pit engines of the Connect Four family against each other."""

from arena.engine import Choice, Engine, Limits, option
from arena.game import CONNECT4, SCORE4, Position, Rules
from arena.registry import Preset, register

__version__ = "0.1.0"

__all__ = [
    "CONNECT4",
    "SCORE4",
    "Choice",
    "Engine",
    "Limits",
    "Position",
    "Preset",
    "Rules",
    "option",
    "register",
]
