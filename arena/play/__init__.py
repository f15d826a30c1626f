"""Games being played: the referee, the clocks, and what is written down."""

from arena.play.clock import Clock
from arena.play.record import GameRecord, MoveRecord
from arena.play.referee import Referee, play_game

__all__ = [
    "Clock",
    "GameRecord",
    "MoveRecord",
    "Referee",
    "play_game",
]
