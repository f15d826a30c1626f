"""Policies for PettingZoo's Connect Four: called with an observation and a mask of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from arena.bots.adapter import PythonAdapter, fitting, load_named
from arena.bots.boards import own_planes
from arena.engine.contract import Limits
from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules

WORDS = "a function (observation, action_mask) or a class of such"


class PettingZoo(PythonAdapter):
    """A policy for PettingZoo's Connect Four, which itself is not needed.

    The observation is of shape (rows, columns, 2), one's own discs first, row 0 on top. The
    environment has 6 rows of 7; other flat boards are shown in the same way, in their own shape.
    """

    kind: ClassVar[str] = "pettingzoo"

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.policy: Callable[..., Any] | None = None
        self.takes_one = False

    def check_rules(self, rules: Rules) -> None:
        """The observation does not tell how many discs make a line: it is four."""
        super().check_rules(rules)
        if rules.connect != 4:
            raise BadRules(f"pettingzoo engines connect 4, not {rules.connect}")

    def load_code(self) -> None:
        """Load the policy; of a class a new one is built for each game."""
        policy = load_named(self.target, self.kind, callable, WORDS)
        self.policy = policy() if isinstance(policy, type) else policy
        self.takes_one = len(fitting(self.policy, None, None)) == 1

    def answer(self, position: Position, limits: Limits) -> object:
        """Show the board in two planes; a policy with one parameter is given all in one dict."""
        assert self.policy is not None
        seen = observe(position)
        if self.takes_one:
            return self.policy(seen)
        return self.policy(seen["observation"], seen["action_mask"])


def observe(position: Position) -> dict[str, Any]:
    """What the environment shows to the player to move."""
    mask = np.zeros(position.rules.columns, np.int8)
    mask[list(position.legal)] = 1
    return {"observation": np.array(own_planes(position), np.int8), "action_mask": mask}
