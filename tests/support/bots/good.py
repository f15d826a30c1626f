"""Bots that keep the contract, each in a way of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena import Choice, Engine, Limits, PlayedGame, Position, option
from arena.errors import BadRules


class Leftmost(Engine):
    """Drops into the leftmost open column."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


class Numpy(Engine):
    """Answers with numbers of numpy, as kernels do."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        column: Any = np.int64(position.legal[-1])
        count: Any = np.int32(1)
        return Choice(column, float(np.float64(0.5)), count, count)


class Imitator(Engine):
    """Plays where its last game began, and without one in the leftmost open column."""

    learns = True
    began = 0

    def learn(self, game: PlayedGame) -> None:
        self.began = game.columns[0]

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.began if self.began in position.legal else position.legal[0])


class FlatOnly(Engine):
    """Plays on flat boards and declines all others."""

    far: bool = option(False, "whether to play far to the right")

    def new_game(self) -> None:
        if not self.rules.is_flat:
            raise BadRules("only flat boards, please")

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[-1 if self.far else 0])

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        return {column: float(column) for column in position.legal}
