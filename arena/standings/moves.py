"""What the moves of each player took: time, nodes and depth, from the telemetry of many games.

And how time was kept: who lost on it, and whether the machine had time for all.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arena.engine.contract import Limits
from arena.standings.batch import Batch
from arena.standings.evidence import Numbers
from arena.standings.games import Counts
from arena.table.game import Game

LONG = 0.001  # seconds of processor time: below that, clocks say little about a machine
BUSY = 1.25  # wall over processor time, from which on the machine was doing something else
WHY_LONG = "the machine was busy, or an engine waits for something other than a processor"

SCALES = {"time": (-24, 20), "cpu": (-24, 20), "nodes": (0, 63), "depth": (0, 15)}  # in doublings
STEPS = 64  # bins of a doubling in a sketch
CUT = 23 - 6  # bits of a float's fraction that do not matter
BIAS = 127  # of a float's exponent


@dataclass
class Timekeeping:
    """Games lost on time by player, and the wall and processor time of all longer moves.

    Those are chosen by processor time: by wall time, a few interrupted moves of fast engines would
    speak for all.
    """

    losses: Counter[int] = field(default_factory=Counter)
    wall: float = 0.0
    cpu: float = 0.0

    def add(self, row: Game) -> None:
        """Count a game; called thousands of times a second, if need be."""
        if row.reason == "time":
            self.losses[row.second if row.result > 0 else row.first] += 1
        count = len(row.moves) - len(row.opening)
        if row.seconds < LONG or len(row.telemetry) < 8 * count:
            return
        times = array("f")
        times.frombytes(row.telemetry[: 8 * count])  # wall times of all moves, then the others
        for wall, cpu in zip(times[:count], times[count:], strict=True):
            if cpu >= LONG:
                self.add_moves(wall, cpu)

    def add_moves(self, wall: float, cpu: float) -> None:
        """Count longer moves."""
        self.wall += wall
        self.cpu += cpu

    @property
    def ratio(self) -> float | None:
        """Wall over processor time of the longer moves; None if there are none."""
        return self.wall / self.cpu if self.cpu else None

    @property
    def is_busy(self) -> bool:
        """Whether engines got noticeably less of the processor than of the clock."""
        return (self.ratio or 0.0) > BUSY

    def short(self) -> str:
        """In a few words: "3 time losses, wall/CPU 1.8"; empty if there is nothing to tell."""
        lost = self.losses.total()
        parts = [f"{lost} time loss{'' if lost == 1 else 'es'}"] if lost else []
        if self.ratio is not None:
            parts.append(f"wall/CPU {self.ratio:.1f}")
        return ", ".join(parts)

    def sentence(self, names: Sequence[str]) -> str:
        """In a sentence: how many games each player lost on time, and what the machine did."""
        lost = self.losses.total()
        games = "no game was" if not lost else "1 game was" if lost == 1 else f"{lost} games were"
        who = ", ".join(f"{names[player]} {count}" for player, count in self.losses.most_common())
        words = f"{games} lost on time" + (f" ({who})" if lost else "")
        if self.ratio is not None:
            words += f"; longer moves took {self.ratio:.2f} times their processor time"
        if self.is_busy:
            words += f": {WHY_LONG}"
        return words[0].upper() + words[1:]


@dataclass(frozen=True)
class Spread:
    """Where some numbers lie; median and 95th percentile are estimated, to 1 % of themselves."""

    mean: float
    median: float
    p95: float
    most: float
    count: int

    def take(self, name: str) -> float:
        """One of them, as files name it: median, p95, max."""
        return {"median": self.median, "p95": self.p95, "max": self.most}[name]


@dataclass(frozen=True)
class Curve:
    """A mean at each x, and how many moves it is the mean of."""

    name: str
    x: Counts
    mean: Numbers
    count: Counts


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
    missing: int = 0  # answers that never came

    def curve(self, name: str) -> Curve | None:
        """One of the curves by move number; None if nothing is known of it."""
        return next((curve for curve in self.by_move if curve.name == name), None)


class MoveStatistics:
    """All that is kept of moves, in tables whose size the number of games does not change."""

    def __init__(self, players: int, cells: int) -> None:
        self.players, self.width = players, cells + 1
        self.sketches = {
            name: Sketch(players, *scale, whole=name in ("nodes", "depth"))
            for name, scale in SCALES.items()
        }
        self.by_move = {name: Means(players, self.width) for name in SCALES}
        self.by_ply = Means(players, self.width)
        self.counting: Numbers = np.zeros((players, 2))  # nodes, and processor time spent on them
        self.time = Timekeeping()  # the longer moves; losses are counted as endings
        self.count: Counts = np.zeros(players, np.int64)
        self.games: Counts = np.zeros(players, np.int64)  # in which the player moved
        self.missing: Counts = np.zeros(players, np.int64)

    def add(self, batch: Batch) -> None:
        """Count the moves of some games."""
        moves = batch.moves
        player = batch.seats[moves.game, moves.seat]
        self.count += np.bincount(player, minlength=self.players)
        self.games += np.bincount(player[moves.last], minlength=self.players)
        for seat in (0, 1):
            seats = batch.seats[:, seat]
            self.missing += np.bincount(seats, batch.missing[:, seat], self.players).astype(
                np.int64
            )
        for name in SCALES:
            values: Numbers = getattr(moves, name)
            here = moves.known(name)
            self.sketches[name].add(player[here], values[here])
            self.by_move[name].add(player[here], moves.own[here], values[here])
        deep, timed = moves.known("depth"), moves.known("nodes") & moves.known("cpu")
        self.by_ply.add(player[deep], moves.ply[deep], moves.depth[deep])
        for place, values in enumerate((moves.nodes, moves.cpu)):
            self.counting[:, place] += np.bincount(player[timed], values[timed], self.players)
        long = moves.known("time") & moves.known("cpu") & (moves.cpu >= LONG)
        self.time.add_moves(float(moves.time[long].sum()), float(moves.cpu[long].sum()))

    def moves(self, player: int, limits: Limits) -> Moves:
        """What a player's moves add up to."""
        seconds, cpu, counts, depth = (self.sketches[name].spread(player) for name in SCALES)
        curves = [self.by_move[name].curve(name, player) for name in SCALES]
        nodes, spent = self.counting[player]
        return Moves(
            count=int(self.count[player]),
            seconds=seconds,
            cpu=cpu,
            nodes=counts,
            depth=depth,
            nodes_per_second=float(nodes / spent) if spent else None,
            used=self._used(player, limits),
            by_move=tuple(curve for curve in curves if curve is not None),
            depth_by_ply=self.by_ply.curve("depth", player),
            missing=int(self.missing[player]),
        )

    def _used(self, player: int, limits: Limits) -> float | None:
        """Time taken over time allowed: by the limit of each move, or else by the game's clock.

        By the clock of the processor where that alone is limited, or more tightly.
        """
        by_cpu = limits.cpu is not None and limits.cpu <= (limits.seconds or limits.cpu)
        time = self.sketches["cpu" if by_cpu else "time"]
        count = int(time.count[player])
        allowed = ((limits.cpu if by_cpu else limits.seconds) or 0.0) * count
        if not allowed and limits.clock is not None:
            allowed = limits.clock * int(self.games[player]) + limits.increment * count
        return float(time.sum[player] / allowed) if allowed and count else None


class Means:
    """A mean for each owner at each of some places."""

    def __init__(self, owners: int, width: int) -> None:
        self.count: Counts = np.zeros((owners, width), np.int64)
        self.sum: Numbers = np.zeros((owners, width))

    def add(self, owner: Counts, place: Counts, values: Numbers) -> None:
        """Count values at their places; those beyond the last place are counted there."""
        owners, width = self.count.shape
        flat = owner * width + np.minimum(place, width - 1)
        count = np.bincount(flat, minlength=owners * width)
        self.count += count.reshape(owners, width)
        total = np.bincount(flat, weights=values, minlength=owners * width)
        self.sum += total.reshape(owners, width)

    def curve(self, name: str, owner: int) -> Curve | None:
        """The means at the places where there are any."""
        x = np.flatnonzero(self.count[owner])
        count = self.count[owner, x]
        return Curve(name, x, self.sum[owner, x] / count, count) if len(x) else None


class Sketch:
    """Percentiles of any number of numbers: a histogram on a logarithmic scale for each owner.

    Each doubling is cut into 64 bins of equal width, found in the leading bits of a number as a
    float of 4 bytes. A number is taken to be the middle of its bin, so a percentile is off by at
    most one part in 128 (0.8 %); whole numbers below 128 have bins of their own and are exact.
    Count, mean, least and most are exact always. What is below the scale falls into the lowest bin,
    and what is above it into the highest; the least and the most bound every percentile.
    """

    def __init__(self, owners: int, lowest: int, highest: int, whole: bool = False) -> None:
        """The scale goes from 2**lowest to 2**highest; 0 has a bin of its own."""
        self.whole = whole
        self.start = (BIAS + lowest) * STEPS - 1
        self.bins = (highest - lowest) * STEPS + 1
        self.table: Counts = np.zeros((owners, self.bins), np.int64)
        self.count: Counts = np.zeros(owners, np.int64)
        self.sum: Numbers = np.zeros(owners)
        self.least: Numbers = np.full(owners, np.inf)
        self.most: Numbers = np.zeros(owners)

    def add(self, owner: NDArray[np.int64], values: Numbers) -> None:
        """Count some numbers, none of them negative, each for its owner."""
        owners = len(self.count)
        bits = values.astype(np.float32).view(np.int32) >> CUT
        place = np.clip(bits - self.start, 0, self.bins - 1)
        np.add.at(self.table.reshape(-1), owner * self.bins + place, 1)
        self.count += np.bincount(owner, minlength=owners)
        self.sum += np.bincount(owner, weights=values, minlength=owners)
        np.minimum.at(self.least, owner, values)
        np.maximum.at(self.most, owner, values)

    def spread(self, owner: int) -> Spread | None:
        """What is known of an owner's numbers; None if there are none."""
        count = int(self.count[owner])
        if not count:
            return None
        return Spread(
            mean=float(self.sum[owner] / count),
            median=self._quantile(owner, 0.5),
            p95=self._quantile(owner, 0.95),
            most=float(self.most[owner]),
            count=count,
        )

    def _quantile(self, owner: int, share: float) -> float:
        """Between the two nearest numbers in order of size, in proportion."""
        place = share * (int(self.count[owner]) - 1)
        below = int(place)
        upto = np.cumsum(self.table[owner])
        low, high = np.searchsorted(upto, [below, below + 1], side="right")
        first, second = self._middle(int(low)), self._middle(min(int(high), self.bins - 1))
        value = first + (place - below) * (second - first)
        return float(min(max(value, self.least[owner]), self.most[owner]))

    def _middle(self, place: int) -> float:
        """The number that stands for a bin."""
        if place == 0:
            return 0.0
        edges = np.array([place, place + 1], np.int32) + self.start
        low, high = (edges << CUT).view(np.float32).astype(float)
        return float((low + high) // 2 if self.whole else (low + high) / 2)
