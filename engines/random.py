"""Random: any open column, each as likely as the next."""

from __future__ import annotations

from arena import Choice, Engine, Limits, Position
from arena.engine.limits import LIMITS


class Random(Engine):
    """Drops into a random open column.

    Source: The baseline of every tournament
    """

    ignores = LIMITS

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Pick any legal column."""
        return Choice(self.random.choice(position.legal))
