"""Players of gym_connect_four: built with an environment, asked with an array."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

import numpy as np

from arena.bots.boards import own_rows
from arena.bots.gym_env import ConnectFourEnv, stand_in
from arena.bots.python_code import PythonAdapter, fitting, load_named
from arena.engine.contract import Limits
from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules

NAME = "Player"


class Gym(PythonAdapter):
    """A player of gym_connect_four, made from a stand-in for the environment.

    It is built for each game, told its side with `reset` if it has one, and does not learn here.
    """

    kind: ClassVar[str] = "gym"

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.env = ConnectFourEnv()
        self.player: Any = None
        self.side = 0  # 1 or -1, once it was told

    def check_rules(self, rules: Rules) -> None:
        """The environment knows boards of any shape, and lines of four."""
        super().check_rules(rules)
        if rules.connect != 4:
            raise BadRules(f"gym engines connect 4, not {rules.connect}")

    def load_code(self) -> None:
        """Build a player and its environment."""
        stand_in()
        player = load_named(self.target, self.kind, is_player, "a class with get_next_action")
        self.env = ConnectFourEnv(Position(self.rules))
        self.player = player(*fitting(player, self.env, NAME))
        self.side = 0

    def answer(self, position: Position, limits: Limits) -> object:
        """Show it the board with its own discs as 1, row 0 on top."""
        self.env.position = position
        side = self.env.current_player
        if side != self.side and hasattr(self.player, "reset"):  # a stolen disc changes its side
            self.player.reset(*fitting(self.player.reset, 0, side))
        self.side = side
        return self.player.get_next_action(np.array(own_rows(position, 0, 1, -1)))


def is_player(value: Any) -> bool:
    """Whether this is a class that can be asked for an action and be built."""
    asks = isinstance(value, type) and callable(getattr(value, "get_next_action", None))
    return asks and not inspect.isabstract(value)
