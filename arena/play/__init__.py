"""Games being played: the referee, the clocks, and what is written down."""

from arena.play.clock import Clock
from arena.play.match import Player, play_match
from arena.play.record import GameRecord, MoveRecord
from arena.play.referee import Referee, play_game

__all__ = [
    "Clock",
    "GameRecord",
    "MoveRecord",
    "Player",
    "Referee",
    "play_game",
    "play_match",
]
