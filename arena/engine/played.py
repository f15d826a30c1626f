"""A finished game as an engine that learns is told of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.game.position import STEAL
from arena.game.rules import Rules


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One of an engine's own games, from its first column to its result.

    `by_fault` tells that somebody's mistake ended it (the reason: an exception, an illegal move,
    time, memory, a crash): the result then says nothing about the last position.
    """

    number: int  # in its tournament or match, from 1
    rules: Rules
    opening: tuple[int, ...]  # columns that nobody chose
    columns: tuple[int, ...]  # of all moves, a steal among them, those of the opening first
    result: int  # for whoever moved first: 1 won, 0 drew, -1 lost
    reason: str  # "line", "full board", "max plies", "adjudicated", or whose fault: "time" ...
    by_fault: bool
    seat: int  # its own: 0 moved first
    opponent: str  # the name of the other player

    @property
    def own_result(self) -> int:
        """The result for the engine that is told: 1 won, 0 drew, -1 lost."""
        return -self.result if self.seat else self.result

    @property
    def plain(self) -> PlayedGame:
        """The same without the pie rule, as if whoever got the first disc had begun."""
        if not self.rules.pie:
            return self
        game = replace(self, rules=self.rules.plain)
        if STEAL not in self.columns:
            return game
        return replace(
            game,
            opening=_discs(self.opening),
            columns=_discs(self.columns),
            result=-self.result,
            seat=1 - self.seat,
        )


def _discs(columns: tuple[int, ...]) -> tuple[int, ...]:
    """The columns without a steal."""
    return tuple(column for column in columns if column != STEAL)
