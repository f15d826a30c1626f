"""An engine held back to a level: it plays a share of its moves at random, and thinks less."""

from __future__ import annotations

from typing import Any

from arena.engine.contract import Choice, Engine, Limits
from arena.game.position import Position
from arena.game.rules import Rules
from arena.tournament.seed import derive_seed


class Graded(Engine):
    """Plays like another engine, but for some moves at random."""

    def __init__(self, thinker: Engine, slips: float, most: Limits) -> None:
        self.thinker = thinker
        self.slips = slips
        self.most = most
        super().__init__()

    def new_game(self, rules: Rules, seed: int) -> None:
        """A new game for both; chance in the slips is not that of the thinker."""
        super().new_game(rules, seed)
        self.thinker.new_game(rules, derive_seed(seed, "thinker"))

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Any column, with the probability of a slip, or what the thinker chooses."""
        if self.random.random() < self.slips:
            return Choice(self.random.choice(position.legal))
        return self.thinker.choose(position, tighter(limits, self.most))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """What the thinker thinks of each column."""
        return self.thinker.opinions(position, tighter(limits, self.most))

    def warm_up(self, rules: Rules) -> None:
        """Make the thinker ready."""
        self.thinker.warm_up(rules)
        self.new_game(rules, 0)

    def settings(self) -> dict[str, Any]:
        """The thinker's options as they are set now."""
        return self.thinker.settings()


def graded(engine: Engine, slips: float, most: Limits) -> Engine:
    """The engine held back; as it is where there is nothing to hold back."""
    if not slips and most == Limits():
        return engine
    # What goes wrong is blamed on a line of the engine's own file, which is found by its module.
    kind = type(Graded.__name__, (Graded,), {"__module__": type(engine).__module__})
    held: Engine = kind(engine, slips, most)
    return held


def tighter(limits: Limits, most: Limits) -> Limits:
    """Of two limits the lesser of each kind; the clock is that of the game."""

    def lesser(name: str) -> Any:
        given = [getattr(each, name) for each in (limits, most) if getattr(each, name) is not None]
        return min(given, default=None)

    counted = {name: lesser(name) for name in ("depth", "nodes", "playouts", "seconds", "cpu")}
    return Limits(**counted, clock=limits.clock, increment=limits.increment)
