"""Players of gym_connect_four: built with an environment, asked with an array."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from operator import index
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar, SupportsIndex

import numpy as np

from arena.bots.adapter import PythonAdapter, fitting, load_named, stand_in
from arena.bots.boards import board_rows, own_rows
from arena.engine.contract import Limits
from arena.game.position import Position

PACKAGE = "gym_connect_four"
PARTS = ("", ".connect_four_env", ".envs", ".envs.connect_four_env")

Step = tuple[Any, float, bool, dict[str, Any]]


class Discrete:
    """A space of actions: n columns."""

    def __init__(self, n: int) -> None:
        self.n = n

    def sample(self, mask: Any = None) -> int:
        """A random column, among those of a mask if one is given."""
        return int(np.random.choice(self.n if mask is None else np.flatnonzero(mask)))

    def contains(self, action: int) -> bool:
        return 0 <= action < self.n


class ConnectFourEnv:
    """A stand-in for the environment, with one position: 1 is the first player, -1 the second."""

    LOSS_REWARD, DEF_REWARD, DRAW_REWARD, WIN_REWARD = -1, 0, 0.5, 1

    def __init__(self, position: Position | None = None) -> None:
        self.position = position or Position()
        rules = self.position.rules
        self.board_shape = (rules.height, rules.columns)
        self.action_space = Discrete(rules.columns)
        self.observation_space = SimpleNamespace(shape=self.board_shape, low=-1, high=1, dtype=int)

    @property
    def board(self) -> Any:
        """The board as an array, row 0 on top."""
        return np.array(board_rows(self.position, (0, 1, -1)))

    @property
    def current_player(self) -> int:
        """1 if the first player is to move, else -1."""
        return -1 if self.position.to_move else 1

    def available_moves(self) -> frozenset[int]:
        """The columns that are not full."""
        return frozenset(self.position.legal)

    def is_valid_action(self, action: int) -> bool:
        return action in self.position.legal

    def is_win_state(self) -> bool:
        return self.position.winner is not None

    def step(self, action: SupportsIndex) -> Step:
        """Drop a disc; return the board, its player's reward, and whether the game is over."""
        self.position = self.position.play(index(action))
        drawn = self.DRAW_REWARD if self.position.is_draw else self.DEF_REWARD
        reward = self.WIN_REWARD if self.is_win_state() else drawn
        return self.board, reward, self.position.is_over, {}

    def reset(self) -> Any:
        self.position = Position(self.position.rules)
        return self.board

    def render(self, mode: str = "console", **more: Any) -> None:
        """Draw nothing."""

    def close(self) -> None:
        """Do nothing."""


class Player(ABC):
    """The base class of the package's players."""

    def __init__(self, env: ConnectFourEnv, name: str = "Player") -> None:
        self.env = env
        self.name = name

    @abstractmethod
    def get_next_action(self, state: Any) -> int:
        """Pick a column."""


class RandomPlayer(Player):
    """Plays a random open column; some files import it as an opponent."""

    def __init__(self, env: ConnectFourEnv, name: str = "RandomPlayer", seed: int | None = None):
        super().__init__(env, name)
        self._random = Random(seed)

    def get_next_action(self, state: Any) -> int:
        """Pick a random open column."""
        return self._random.choice(sorted(self.env.available_moves()))


NAMES = {each.__name__: each for each in (ConnectFourEnv, Player, RandomPlayer)}
NAME = "Player"


class Gym(PythonAdapter):
    """A player of gym_connect_four with a stand-in for its environment.

    Arena builds it for each game and passes its side to `reset` if it has that method. It does not
    learn here.
    """

    kind: ClassVar[str] = "gym"
    any_connect: ClassVar[bool] = False

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.env = ConnectFourEnv()
        self.player: Any = None
        self.side = 0  # 1 or -1 once it is known

    def load_code(self) -> None:
        stand_in(PACKAGE, {PACKAGE + part: NAMES for part in PARTS})
        player = load_named(self.target, self.kind, is_player, "a class with get_next_action")
        self.env = ConnectFourEnv(Position(self.rules))
        self.player = player(*fitting(player, self.env, NAME))
        self.side = 0

    def answer(self, position: Position, limits: Limits) -> object:
        """Show the board with its own discs as 1, row 0 on top."""
        self.env.position = position
        side = self.env.current_player
        if side != self.side and hasattr(self.player, "reset"):  # a stolen disc changes its side
            self.player.reset(*fitting(self.player.reset, 0, side))
        self.side = side
        return self.player.get_next_action(np.array(own_rows(position, 0, 1, -1)))


def is_player(value: Any) -> bool:
    """Check whether this is a class with get_next_action that can be built."""
    asks = isinstance(value, type) and callable(getattr(value, "get_next_action", None))
    return asks and not inspect.isabstract(value)
