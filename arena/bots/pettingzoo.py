"""Policies for PettingZoo's Connect Four, which itself need not be installed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from arena.bots.adapter import PythonAdapter, fitting, load_named
from arena.bots.boards import own_rows
from arena.bots.gym import Discrete
from arena.engine.contract import Limits
from arena.game.position import Position

EXPECTED = "a function (observation, action_mask) or a class with one"
METHODS = ("__call__", "act", "get_action", "choose_action", "select_action")


class Env:
    """The environment as `Agent(env)` sees it: one position, from the side of the player to move.

    The observation has the shape (rows, columns, 2), own discs first, row 0 on top. PettingZoo's
    board has 6 rows of 7; other flat boards keep their own shape.
    """

    possible_agents = agents = ("player_0", "player_1")

    def __init__(self, position: Position | None = None) -> None:
        self.position = position or Position()

    @property
    def agent_selection(self) -> str:
        """The player to move."""
        return self.agents[self.position.to_move]

    def observe(self, agent: str = "") -> dict[str, Any]:
        """The view of the player to move."""
        mask = np.zeros(self.position.rules.columns, np.int8)
        mask[list(self.position.legal)] = 1
        cells = own_rows(self.position, (0, 0), (1, 0), (0, 1))
        return {"observation": np.array(cells, np.int8), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The observation of a game that is not over."""
        return self.observe() if observe else None, 0.0, False, False, {}

    observation_space = observe  # whose arrays have the shapes and types of the real spaces

    def action_space(self, agent: str = "") -> Discrete:
        """All columns."""
        return Discrete(self.position.rules.columns)


class PettingZoo(PythonAdapter):
    """A policy for PettingZoo: a function, or a class that is built as Agent() or Agent(env)."""

    kind: ClassVar[str] = "pettingzoo"
    any_connect: ClassVar[bool] = False  # an observation cannot express it

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.env = Env()
        self.policy: Callable[..., Any] | None = None
        self.takes_dict = False

    def load_code(self) -> None:
        self.env = Env(Position(self.rules))
        policy = load_named(self.target, self.kind, is_policy, EXPECTED)
        if isinstance(policy, type):
            agent = policy(self.env) if expects_env(policy) else policy()
            policy = getattr(agent, method_of(policy))
        self.policy = policy
        self.takes_dict = len(fitting(policy, None, None)) == 1

    def answer(self, position: Position, limits: Limits) -> object:
        """Ask the policy; one with a single parameter receives everything in one dict."""
        assert self.policy is not None
        self.env.position = position
        seen = self.env.observe()
        return self.policy(seen) if self.takes_dict else self.policy(*seen.values())


def is_policy(value: Any) -> bool:
    """Check whether a value can be asked for a column, or is a class whose objects can."""
    return bool(method_of(value)) if isinstance(value, type) else callable(value)


def method_of(policy: type) -> str:
    """The method of a class that chooses a column; empty if it has none."""
    own = {name for base in policy.__mro__ for name in vars(base)}  # without those of `type`
    return next((name for name in METHODS if name in own), "")


def expects_env(policy: type) -> bool:
    """Check whether the first parameter of a class is `env` or required."""
    first = next(iter(inspect.signature(policy).parameters.values()), None)
    if first is None or first.kind in (first.VAR_KEYWORD, first.KEYWORD_ONLY):
        return False
    return first.name.startswith("env") or first.default is first.empty
