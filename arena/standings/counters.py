"""What is counted of games for a figure: points, means over moves, lengths, wins that were missed.

Games of one opening hang together, and so do copies of one game: intervals of shares come from how
much openings differ, or distinct games where all begin alike. Moves of one game hang together too:
those of means come from how much games differ.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from arena.game.rules import Rules
from arena.standings.intervals import clustered_wilson, student
from arena.standings.moves import SCALES, Sketch, telemetry_layout
from arena.standings.wins import Wins
from arena.table.game import GOOD_ENDS, Game
from arena.tournament.figures import CAUSES, DIAGONAL, FAULT, SPREAD, Figure

Ends = tuple[float | None, float | None]  # of an interval; None: no bound on that side
Interval = Callable[[float], Ends]  # by how sure it has to be

UNBOUNDED: Ends = (None, None)
RESULTS = {"wins": 1, "draws": 0, "losses": -1, "won": 1, "drawn": 0, "lost": -1}


@dataclass(frozen=True)
class Measured:
    """What the games say of a figure; no value where they say nothing."""

    figure: Figure
    value: float | None = None
    games: int = 0
    within: Interval | None = None  # None: it has no interval
    deviation: float | None = None  # of the figure in a single game, where it is a mean

    def interval(self, confidence: float = 0.95) -> Ends | None:
        """Where the figure behind the games lies; None if that cannot be told of it."""
        if self.value is None or self.within is None:
            return None
        return self.within(confidence)


class Ratio:
    """One sum over another, each of them over clusters that have nothing to do with each other."""

    def __init__(self) -> None:
        self.clusters = 0
        self.sums = np.zeros(2)  # of what is divided by, and of what is divided
        self.products = np.zeros((2, 2))

    def see(self, weight: float, total: float) -> None:
        """Note what a cluster adds to both sums."""
        both = np.array([weight, total])
        self.clusters += 1
        self.sums += both
        self.products += np.outer(both, both)

    @property
    def value(self) -> float | None:
        """The ratio; None of nothing."""
        return float(self.sums[1] / self.sums[0]) if self.sums[0] else None

    @property
    def error(self) -> float:
        """Its standard error between clusters (Cochran 1977, 6.4)."""
        if self.clusters < 2 or not self.sums[0]:
            return 0.0
        rest = np.array([-(self.value or 0.0), 1.0])
        squares = max(0.0, float(rest @ self.products @ rest))
        return sqrt(squares * self.clusters / (self.clusters - 1)) / float(self.sums[0])

    def interval(self, confidence: float) -> Ends:
        """Where it lies, by Student's quantiles; nothing is known of one cluster alone."""
        if self.clusters < 2 or self.value is None:
            return UNBOUNDED
        reach = self.error * student(self.clusters - 1, confidence)
        return max(0.0, self.value - reach), self.value + reach

    def share(self, most: float, confidence: float) -> Ends:
        """Where it lies if it is a share, of at most so many independent observations."""
        share = self.value or 0.0
        return clustered_wilson(share, self.error, self.clusters, most, confidence)

    def measured(self, figure: Figure, games: int) -> Measured:
        """The ratio as a figure of so many games."""
        if self.value is None:
            return Measured(figure, games=games)
        deviation = self.error * sqrt(self.clusters)
        return Measured(figure, self.value, games, self.interval, deviation)


class Counter(ABC):
    """Counts the games of one figure, each as a player in a seat had it."""

    def __init__(self, figure: Figure, rules: Rules) -> None:
        self.figure, self.rules = figure, rules
        self.games = 0

    def add(self, row: Game, seat: int) -> None:
        """Count a game."""
        self.games += 1
        self._count(row, seat)

    @abstractmethod
    def _count(self, row: Game, seat: int) -> None:
        """Take from a game what the figure is about."""

    @abstractmethod
    def measured(self) -> Measured:
        """The figure of all games so far."""

    def certain(self, left: int) -> Ends:
        """Where the figure will lie whatever the games say that are left to play."""
        return UNBOUNDED


class Games(Counter):
    """How many games there are, or which share of them is no copy of another."""

    def __init__(self, figure: Figure, rules: Rules) -> None:
        super().__init__(figure, rules)
        self.different: set[int] = set()

    def _count(self, row: Game, seat: int) -> None:
        self.different.add(hash(row.moves))

    def measured(self) -> Measured:
        """These are facts: they have no interval."""
        if self.figure.measure == "games":
            return Measured(self.figure, float(self.games), self.games)
        share = len(self.different) / self.games if self.games else None
        return Measured(self.figure, share, self.games)

    def certain(self, left: int) -> Ends:
        """All games that are left will be played, and may all be copies, or none."""
        games = self.games + left
        if self.figure.measure == "games":
            return games, games
        return len(self.different) / games, (len(self.different) + left) / games


class Points(Counter):
    """Points of games: score, wins, draws and losses, as a share or as a number of games."""

    def __init__(self, figure: Figure, rules: Rules) -> None:
        super().__init__(figure, rules)
        self.openings: dict[int, list[float]] = {}
        self.copies: dict[int, list[float]] = {}

    def _count(self, row: Game, seat: int) -> None:
        points = self._points(row, seat)
        for clusters, key in (
            (self.openings, hash(row.opening)),
            (self.copies, hash((seat, row.moves))),
        ):
            sums = clusters.setdefault(key, [0.0, 0.0])
            sums[0] += 1
            sums[1] += points

    def _points(self, row: Game, seat: int) -> float:
        result = -row.result if seat else row.result
        if self.figure.measure in ("score", "elo"):
            return (result + 1) / 2
        is_so = result == RESULTS[self.figure.measure]
        return float(is_so and (not self.figure.by or ended_by(row, self.figure.by, self.rules)))

    @property
    def total(self) -> float:
        """All points."""
        return sum(points for _, points in self.copies.values())

    def ends(self, confidence: float) -> Ends:
        """The interval of points a game."""
        ratio = Ratio()
        for games, points in (self.openings if len(self.openings) > 1 else self.copies).values():
            ratio.see(games, points)
        return ratio.share(float(len(self.copies)), confidence)

    def measured(self) -> Measured:
        """Points a game, or all of them where games are counted."""
        if not self.games:
            return Measured(self.figure)
        times = self.games if self.figure.take == "count" else 1

        def within(confidence: float) -> Ends:
            low, high = self.ends(confidence)
            return (low or 0.0) * times, (1.0 if high is None else high) * times

        value = self.total if self.figure.take == "count" else self.total / self.games
        return Measured(self.figure, value, self.games, within)

    def certain(self, left: int) -> Ends:
        """None of the points that are left, or all of them."""
        if self.figure.measure == "elo":
            return UNBOUNDED
        games = 1 if self.figure.take == "count" else self.games + left
        return self.total / games, (self.total + left) / games


class Means(Counter):
    """A mean over moves or games, with what lies around it."""

    def __init__(self, figure: Figure, rules: Rules) -> None:
        super().__init__(figure, rules)
        self.ratio = Ratio()
        scale = SCALES.get(figure.measure, SCALES["depth"])
        self.sketch = Sketch(1, *scale, whole=figure.unit == "number")

    def see(self, values: Any) -> None:
        """Note the values of a game, of which those that are not known are left out."""
        known = values[(values >= 0) & (values < np.inf)].astype(np.float64)
        if known.size:
            self.ratio.see(known.size, float(known.sum()))
            self.sketch.add(np.zeros(known.size, np.int64), known)

    def measured(self) -> Measured:
        """The mean with its interval, or a percentile without one."""
        spread = self.sketch.spread(0)
        if spread is None or self.figure.take not in SPREAD[1:]:
            return self.ratio.measured(self.figure, self.ratio.clusters)
        around = {"median": spread.median, "p95": spread.p95, "max": spread.most}
        return Measured(self.figure, around[self.figure.take], self.ratio.clusters)

    def certain(self, left: int) -> Ends:
        """The most of all moves can only grow."""
        return (self.measured().value, None) if self.figure.take == "max" else UNBOUNDED


class Telemetry(Means):
    """Time, processor time, nodes and depth of moves.

    A game lost on time ends with a move that was never made: its time counts as well.
    """

    def _count(self, row: Game, seat: int) -> None:
        moves = len(row.moves) - len(row.opening) if row.has_telemetry else 0
        layout = telemetry_layout(moves)
        data = np.frombuffer(row.telemetry, layout)[0] if moves else np.zeros(1, layout)[0]
        own = {name: data[name][(seat - len(row.opening)) % 2 :: 2] for name in SCALES}
        if row.reason == "time" and row.result == (1 if seat else -1) and row.seconds > 0:
            unanswered = max(0.0, row.seconds - float(data["time"].sum()))
            own["time"] = np.append(own["time"], unanswered)
        if self.figure.measure == "nodes_per_second":
            timed = (own["nodes"] >= 0) & (own["cpu"] >= 0)
            if timed.any():
                self.ratio.see(float(own["cpu"][timed].sum()), float(own["nodes"][timed].sum()))
            return
        values = own[self.figure.measure]
        match self.figure.move:
            case "first":
                values = values[:1]
            case "last":
                values = values[-1:]
            case int(number):
                values = values[number - 1 : number]
        self.see(values)


class Lengths(Means):
    """Plies of games."""

    def _count(self, row: Game, seat: int) -> None:
        result = -row.result if seat else row.result
        if not self.figure.when or RESULTS[self.figure.when] == result:
            self.see(np.array([len(row.moves)]))


class MissedWins(Counter):
    """Wins at once that were there, and those that were not taken."""

    def __init__(self, figure: Figure, rules: Rules) -> None:
        super().__init__(figure, rules)
        self.of_chances, self.of_games = Ratio(), Ratio()
        self.moved = 0  # games in which the player moved at all

    def _count(self, row: Game, seat: int) -> None:
        chances, missed = wins_of(row, self.rules).missed_by()[seat]
        self.moved += len(row.moves) - len(row.opening) > (seat - len(row.opening)) % 2
        self.of_games.see(1, missed)
        if chances:
            self.of_chances.see(chances, missed)

    def measured(self) -> Measured:
        """How many were missed, or which share of those that were there."""
        chances = float(self.of_chances.sums[0])
        if self.figure.take == "share":

            def share(confidence: float) -> Ends:
                return self.of_chances.share(chances, confidence)

            value = self.of_chances.value
            return Measured(self.figure, value, self.games, None if value is None else share)

        def total(confidence: float) -> Ends:
            low, high = self.of_games.interval(confidence)
            if low is None or high is None:
                return UNBOUNDED
            return low * self.games, high * self.games

        missed = float(self.of_games.sums[1]) if self.moved else None
        return Measured(self.figure, missed, self.games, total)

    def certain(self, left: int) -> Ends:
        """What was missed stays so."""
        return (float(self.of_games.sums[1]), None) if self.figure.take == "count" else UNBOUNDED


COUNTERS: dict[str, type[Counter]] = {
    **dict.fromkeys(("games", "distinct"), Games),
    **dict.fromkeys(("score", "elo", "wins", "draws", "losses"), Points),
    **dict.fromkeys(("time", "cpu", "nodes", "depth", "nodes_per_second"), Telemetry),
    "length": Lengths,
    "missed_wins": MissedWins,
}  # of all measures that need no exact scores


def ended_by(row: Game, by: str, rules: Rules) -> bool:
    """Whether a game ended by this cause, or by a line in this direction."""
    if by == FAULT:
        return row.reason not in GOOD_ENDS
    if by in CAUSES:
        return row.reason == by
    if row.reason != "line":
        return False
    made = wins_of(row, rules).by_direction()
    return any(made[name].any() for name in made if name == by or (by == DIAGONAL and by in name))


def wins_of(row: Game, rules: Rules) -> Wins:
    """What one game says of wins at once and of its line; its seats are the players."""
    wins = Wins(2, rules)
    wins.add([replace(row, first=0, second=1)])
    return wins
