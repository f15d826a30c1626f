"""Probabilities at low depth: no search, only the rays of the disc to be dropped (H1)."""

from __future__ import annotations

from typing import Literal

from arena import Choice, Engine, Limits, Position, option
from arena.engine.limits import LIMITS
from arena.evaluation.rays import promise


class Probabilities(Engine):
    """Drops where the rays left, right and below promise most, be it a win, a block or neither.

    Source: Blair 2011, H1
    """

    ignores = LIMITS

    vertical: Literal["down", "up"] = option("down", "which ray of the column counts")
    diagonals: bool = option(False, "whether diagonal rays count too")
    tie_break: Literal["first", "random"] = option(
        "random", "which of several best columns to play"
    )

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column with the largest H1."""
        promises = self.opinions(position, limits)
        most = max(promises.values())
        best = [column for column, worth in promises.items() if worth == most]
        column = best[0] if self.tie_break == "first" else self.random.choice(best)
        return Choice(column, most, depth=1, nodes=len(promises))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """H1 of each column."""
        up = self.vertical == "up"
        return {
            column: float(promise(position.play(column), up, self.diagonals))
            for column in position.legal
        }
