"""What games add up to for one player: the score with its error, and the telemetry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from arena.play.record import GameRecord

NORMAL_95 = 1.959963984540054  # a normal value is within so many deviations 19 times in 20


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's games: results, and time, nodes and depth over all its moves."""

    won: int
    drawn: int
    lost: int
    moves: int
    seconds: float
    longest: float
    cpu: float  # of the moves that count their nodes
    nodes: int
    depth: int | None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A point for a win, half a point for a draw."""
        return self.won + self.drawn / 2

    @property
    def mean_seconds(self) -> float | None:
        """The mean time of a move, on the wall."""
        return self.seconds / self.moves if self.moves else None

    @property
    def node_rate(self) -> float | None:
        """Nodes for each second of the processor."""
        return self.nodes / self.cpu if self.nodes and self.cpu > 0 else None


def tally(records: Sequence[GameRecord], player: str) -> Tally:
    """What a player's games add up to."""
    seats = [
        (record, record.players.index(player)) for record in records if player in record.players
    ]
    results = [-record.result if seat else record.result for record, seat in seats]
    moves = [move for record, seat in seats for move in record.moves_of(seat)]
    return Tally(
        results.count(1),
        results.count(0),
        results.count(-1),
        len(moves),
        sum(move.seconds for move in moves),
        max((move.seconds for move in moves), default=0.0),
        sum(move.cpu for move in moves if move.nodes is not None),
        sum(move.nodes for move in moves if move.nodes is not None),
        max((move.depth for move in moves if move.depth is not None), default=None),
    )


def wilson(points: float, games: float) -> tuple[float, float]:
    """The 95 % interval of a score as a share of all points (E. B. Wilson, 1927).

    It stays within 0 and 1 and has a width even when every game was won.
    """
    if games == 0:
        return 0.0, 1.0
    share, z = points / games, NORMAL_95
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
