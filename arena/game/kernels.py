"""The former home of `arena.game.bits` and `playouts`, until all callers have moved."""

from arena.game.bits import NONE, U1, completes, has_line, landing, winning_disc
from arena.game.playouts import below, next_random, perft, playout, random_games

__all__ = [
    "NONE", "U1", "below", "completes", "has_line", "landing", "next_random", "perft", "playout",
    "random_games", "winning_disc",
]  # fmt: skip
