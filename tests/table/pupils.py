"""Engines that learn: whatever they are told, and in which order, shows in their moves."""

from __future__ import annotations

import os
import time
from zlib import crc32

from arena import Choice, Engine, Limits, PlayedGame, Position


class Diary(Engine):
    """Writes down all it is told, and plays by that; its score is the number of games."""

    learns = True

    def __init__(self) -> None:
        super().__init__()
        self.games = 0
        self.memory = 0

    def learn(self, game: PlayedGame) -> None:
        self.games += 1
        told = (game.number, game.columns, game.own_result, game.reason, game.seat, game.opponent)
        self.memory = crc32(repr((told, self.random.random())).encode(), self.memory)

    def choose(self, position: Position, limits: Limits) -> Choice:
        columns = position.legal
        return Choice(columns[(self.memory >> position.ply) % len(columns)], float(self.games))


class Other(Diary):
    """A second one, which starts otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = 12345


class RaisesAtThird(Diary):
    """Breaks when it is told of its third game."""

    def learn(self, game: PlayedGame) -> None:
        super().learn(game)
        if self.games == 3:
            raise ValueError("too much to learn")


class HangsAtThird(Diary):
    """Never gets over its third game."""

    def learn(self, game: PlayedGame) -> None:
        super().learn(game)
        while self.games == 3:
            time.sleep(0.01)


class LeavesAtThird(Diary):
    """Ends its process when it is told of its third game."""

    def learn(self, game: PlayedGame) -> None:
        super().learn(game)
        if self.games == 3:
            os._exit(9)


class InterruptsAtThird(Diary):
    """Raises what no table survives when it is told of its third game."""

    def learn(self, game: PlayedGame) -> None:
        super().learn(game)
        if self.games == 3:
            raise KeyboardInterrupt
