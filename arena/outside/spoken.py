"""An engine of ours that others ask in a dialect of theirs: what every such dialect needs of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from arena.engine.contract import COUNTS, Choice, Engine, Limits
from arena.engine.warm_up import with_sound_cache
from arena.game.position import Position
from arena.game.rules import Rules

Say = Callable[[str], None]  # one line, sent at once


@dataclass
class SpokenEngine:
    """An engine, the game it is to play, and limits of its own on top of what it is told."""

    engine: Engine
    rules: Rules
    limits: Limits
    seed: int
    _warm: set[Rules] = field(default_factory=set)

    def warm_up(self) -> None:
        """Make it ready for the first move on its board; nothing is read before that."""
        if self.rules not in self._warm:
            with_sound_cache(lambda: self.engine.warm_up(self.rules))
            self._warm.add(self.rules)

    def new_game(self, rules: Rules | None = None) -> None:
        """A game begins, perhaps on another board."""
        self.rules = self.rules if rules is None else rules
        self.warm_up()
        self.engine.new_game(self.rules, self.seed)

    def choose(self, position: Position, asked: Limits) -> Choice:
        """Its move, within the limits that are asked for and its own."""
        return self.engine.choose(position, tighter(self.limits, asked))


def tighter(one: Limits, other: Limits) -> Limits:
    """The limits that keep both."""
    both: dict[str, Any] = {}
    for name in (*COUNTS, "seconds", "cpu"):
        given = [x for x in (getattr(one, name), getattr(other, name)) if x is not None]
        both[name] = min(given, default=None)
    by_clock = other if other.clock is not None else one
    return replace(by_clock, **both)
