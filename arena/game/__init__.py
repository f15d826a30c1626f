"""The rules: boards of up to 64 cells, positions, and their notation."""

from arena.game.position import DISCS, FIRST, SECOND, STEAL, Position, WinningLine
from arena.game.rules import CONNECT4, NAMED_GAMES, SCORE4, Direction, Line, Rules

__all__ = [
    "CONNECT4",
    "DISCS",
    "FIRST",
    "NAMED_GAMES",
    "SCORE4",
    "SECOND",
    "STEAL",
    "Direction",
    "Line",
    "Position",
    "Rules",
    "WinningLine",
]
