"""Random: any open column, each as likely as the next."""

from __future__ import annotations

from arena import Choice, Engine, Limits, Position, register
from arena.engine.levels import Offer
from arena.engine.limits import LIMITS


@register("random")
class Random(Engine):
    """Drops into a random open column."""

    source = "the baseline of every tournament"
    shares_chance = False
    ignores = LIMITS
    offer = Offer(1, "any column")

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Pick any legal column."""
        return Choice(self.random.choice(position.legal))
