"""Bots for runs that are watched: none needs a compiler, some take their time."""

from __future__ import annotations

import time

from arena import Choice, Engine, Limits, Position


class Quick(Engine):
    """Plays at random, by its seed."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.random.choice(position.legal))


class Slow(Quick):
    """The same, after a moment."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        time.sleep(0.04)
        return super().choose(position, limits)


class Raises(Quick):
    """Fails in its second move."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if position.ply >= 2:
            raise RuntimeError("out of ideas")
        return super().choose(position, limits)
