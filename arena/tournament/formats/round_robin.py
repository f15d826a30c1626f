"""Everybody meets everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arena.tournament.formats.format import EveryPairAgain, Field, GameResult, Ranking, Scored


@dataclass(frozen=True)
class RoundRobin(EveryPairAgain):
    """Every engine meets every other.

    All pairs come in the order of the circle method: neighbours in it are different players. All
    sit in a circle, the last one in the middle; each meets the one opposite, then all move on by
    one seat. With an odd number nobody sits in the middle.
    """

    kind: Literal["round-robin"] = "round-robin"

    def ranking(self, field: Field, results: Sequence[GameResult], scored: Scored) -> Ranking:
        """By points a game: all have had the same opponents."""
        return Ranking(scored.by(scored.has_played, lambda player: scored.shares[player] or 0.0))

    def pairs(self, field: Field) -> int:
        """Each of n players has n - 1 others to meet."""
        return field.players * (field.players - 1) // 2

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """Who sit opposite at a table after some turns of the circle."""
        circle = field.players - 1 + field.players % 2
        turn, table = divmod(place, field.players // 2)
        if field.players % 2:
            table += 1
        elif table == 0:
            return turn, circle
        return (turn + table) % circle, (turn - table) % circle
