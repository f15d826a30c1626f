"""Reflex: take a win, else do not let the opponent win at once, else anything."""

from __future__ import annotations

from arena import Choice, Engine, Limits, Position
from arena.engine.limits import LIMITS


def winning_columns(position: Position) -> list[int]:
    """The columns that win at once for the player to move."""
    return [column for column in position.legal if position.wins_with(column)]


def safe_columns(position: Position) -> list[int]:
    """The columns after which the opponent cannot win at once."""
    return [column for column in position.legal if not winning_columns(position.play(column))]


class Reflex(Engine):
    """Takes a win, avoids moves after which the opponent wins at once, else plays at random.

    Source: FourPlay's ReflexAgent: two plies of minimax on the result alone
    """

    ignores = LIMITS

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Pick a winning column, a safe one, or any."""
        wins = winning_columns(position)
        if wins:
            return Choice(self.random.choice(wins), score=1.0, depth=2)
        safe = safe_columns(position)
        return Choice(
            self.random.choice(safe or position.legal), score=0.0 if safe else -1.0, depth=2
        )
