"""The former home of the threats of `arena.game.bits`, until all callers have moved."""

from arena.game.bits import all_threats, free_cells, new_threats, safe_cells
from arena.game.playouts import State as Place
from arena.game.playouts import next_state as drop
from arena.game.playouts import state_of as place_of
from arena.game.playouts import win_block_playout

__all__ = [
    "Place", "all_threats", "drop", "free_cells", "new_threats", "place_of", "safe_cells",
    "win_block_playout",
]  # fmt: skip
