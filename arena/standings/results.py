"""What a tournament's games add up to: plain numbers, from which ratings and reports are made.

Everything here is filled in one pass over the journal (`collect`), in little memory, whatever the
number of games. Players are their numbers in the line-up; first index is always the one who moved
first, or whose row it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arena.standings.tally import GamesByOpening

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

LOSS, DRAW, WIN = 0, 1, 2
VALUES = np.array([0.0, 0.5, 1.0])  # points of each
OTHERS = "others"  # stands for the openings beyond the first many


@dataclass(frozen=True)
class Spread:
    """Where some numbers lie; median and 95th percentile are estimated, to 1 % of themselves."""

    mean: float
    median: float
    p95: float
    most: float
    least: float
    count: int


@dataclass(frozen=True)
class Moves:
    """One player's moves: how long, how many nodes, how deep. What is not known is None, not 0."""

    count: int  # moves with telemetry
    seconds: Spread | None
    cpu: Spread | None
    nodes: Spread | None
    depth: Spread | None
    nodes_per_second: float | None  # all nodes over all processor time of the moves that count them
    used: float | None  # mean share of the time allowed for a move, where there is a limit
    by_move: tuple[Curve, ...]  # those known of time, cpu, nodes, depth by own move number (S4.7)
    depth_by_ply: Curve | None  # depth reached by ply of the game, the opening included (S1.7)
    first_seconds: float | None = None  # mean time of its first move in a game (S1.6)
    last_seconds: float | None = None  # and of its last

    def curve(self, name: str) -> Curve | None:
        """One of the curves by move number; None if nothing is known of it."""
        return next((curve for curve in self.by_move if curve.name == name), None)


@dataclass(frozen=True)
class Curve:
    """A mean at each x, and how many moves it is the mean of."""

    name: str
    x: Counts
    mean: Numbers
    count: Counts


@dataclass(frozen=True)
class Notable:
    """A game worth showing: why, its number, and all that a reader wants to see of it."""

    why: str
    number: int
    first: int
    second: int
    result: int
    reason: str
    detail: str
    moves: bytes


@dataclass(frozen=True)
class Results:
    """All that the games of a tournament say, except for ratings."""

    names: tuple[str, ...]
    games: int
    outcomes: Counts  # [first, second, LOSS | DRAW | WIN of the first player]
    pairs: dict[tuple[int, int], Counts]  # (a, b), a < b: five counts of a's points from pairs
    causes: dict[str, Counts]  # reason -> [player]: games lost by it; "line" included
    distinct: float  # share of games whose moves are not those of an earlier game
    lengths: Counts  # games by plies
    moves: tuple[Moves, ...]  # by player
    openings: dict[str, Counts]  # notation (or OTHERS) -> LOSS, DRAW, WIN of the first player
    notable: tuple[Notable, ...]
    over_time: tuple[tuple[int, Counts], ...]  # games so far, outcomes so far; some 40 of them
    busy: float | None  # wall over processor time of moves of 1 ms of the latter or more
    seconds: float  # of all games together
    by_opening: GamesByOpening | None = None  # which games go together, for the errors of ratings
    endings: dict[str, int] = field(default_factory=dict)  # reason -> games, draws included
    extra: dict[str, float] = field(default_factory=dict)

    @property
    def by_seat(self) -> Counts:
        """[player, seat, LOSS | DRAW | WIN of that player]."""
        first = self.outcomes.sum(axis=1)
        second = self.outcomes.sum(axis=0)[:, ::-1]
        return np.stack([first, second], axis=1)

    @property
    def score(self) -> Counts:
        """[player, LOSS | DRAW | WIN], in both seats."""
        total: Counts = self.by_seat.sum(axis=1)
        return total

    @property
    def points(self) -> Numbers:
        """A point for a win, half for a draw."""
        points: Numbers = self.score @ VALUES
        return points

    @property
    def first_advantage(self) -> float:
        """The mean score of whoever moved first; one half without games."""
        total = self.outcomes.sum(axis=(0, 1))
        return float(total @ VALUES / total.sum()) if total.sum() else 0.5

    def versus(self, player: int, other: int) -> Counts:
        """LOSS, DRAW, WIN of a player against another, in both seats."""
        both: Counts = self.outcomes[player, other] + self.outcomes[other, player][::-1]
        return both
