"""What a tournament's games add up to: plain numbers, from which ratings and reports are made.

Everything here is filled in one pass over the journal (`collect`), in little memory, whatever the
number of games. Players are their numbers in the line-up; first index is always the one who moved
first, or whose row it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.standings.intervals import Numbers
from arena.standings.scoreboard import Counts, Scoreboard
from arena.standings.timekeeping import Timekeeping

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
    by_move: tuple[Curve, ...]  # those known of time, cpu, nodes, depth by own move number
    depth_by_ply: Curve | None  # depth reached by ply of the game, the opening included
    first_seconds: float | None = None  # mean time of its first move in a game
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

    scoreboard: Scoreboard  # who beat whom
    causes: dict[str, Counts]  # reason -> [player]: games lost by it; "line" included
    distinct: float  # share of games whose moves are not those of an earlier game
    lengths: Counts  # games by plies
    moves: tuple[Moves, ...]  # by player
    openings: dict[str, Counts]  # notation (or OTHERS) -> LOSS, DRAW, WIN of the first player
    notable: tuple[Notable, ...]
    time: Timekeeping  # of moves of 1 ms of the processor or more
    seconds: float  # of all games together
    endings: dict[str, int] = field(default_factory=dict)  # reason -> games, draws included

    @property
    def names(self) -> tuple[str, ...]:
        """The line-up."""
        return self.scoreboard.names

    @property
    def games(self) -> int:
        """How many there are."""
        return self.scoreboard.games
