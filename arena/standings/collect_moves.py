"""The moves of many games at once: telemetry as arrays, and what each player's adds up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena.engine.contract import Limits
from arena.play.record import MOVE_BYTES, TELEMETRY, GameRow
from arena.standings.intervals import Numbers
from arena.standings.results import Curve, Moves, Spread
from arena.standings.scoreboard import Counts
from arena.standings.timekeeping import LONG, Timekeeping

FIGURES = ("time", "cpu", "nodes", "depth")
SCALES = {"time": (-24, 20), "cpu": (-24, 20), "nodes": (0, 63), "depth": (0, 15)}

STEPS = 64  # bins of a doubling in a sketch
CUT = 23 - 6  # bits of a float's fraction that do not matter
BIAS = 127  # of a float's exponent

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Batch:
    """Moves in no particular order: who made them, when in its game, and their figures."""

    player: Counts
    ply: Counts  # from 1, the opening included
    own: Counts  # which of the player's own moves in the game, from 1
    last: Flags  # whether it was the player's last one
    figures: dict[str, Numbers]  # negative or nan where not known


class MoveStatistics:
    """All that is kept of moves, in tables whose size the number of games does not change."""

    def __init__(self, players: int, cells: int) -> None:
        self.players, self.width = players, cells + 1
        self.sketches = {
            name: Sketch(players, *scale, whole=name in ("nodes", "depth"))
            for name, scale in SCALES.items()
        }
        self.by_move = {name: Means(players, self.width) for name in FIGURES}
        self.by_ply = Means(players, self.width)
        self.counting: Numbers = np.zeros((players, 2))  # nodes, and processor time spent on them
        self.ends = Means(players, 2)  # times of first and last moves
        self.time = Timekeeping()  # the longer moves; losses are counted as endings
        self.count: Counts = np.zeros(players, np.int64)
        self.games: Counts = np.zeros(players, np.int64)  # in which the player moved

    def add(self, rows: Sequence[GameRow]) -> None:
        """Count the moves of some games."""
        by_length = with_telemetry(rows)
        if not by_length:
            return
        batch = read_batch(by_length)
        self.count += np.bincount(batch.player, minlength=self.players)
        self.games += np.bincount(batch.player[batch.last], minlength=self.players)
        valid = {name: _valid(values) for name, values in batch.figures.items()}
        for name, values in batch.figures.items():
            here = valid[name]
            self.sketches[name].add(batch.player[here], values[here])
            self.by_move[name].add(batch.player[here], batch.own[here], values[here])
        self._add_pairs(batch, valid)

    def _add_pairs(self, batch: Batch, valid: dict[str, Flags]) -> None:
        """Count what takes two figures of a move, or one at a certain time."""
        player, time, cpu = batch.player, batch.figures["time"], batch.figures["cpu"]
        deep = valid["depth"]
        self.by_ply.add(player[deep], batch.ply[deep], batch.figures["depth"][deep])
        for end, there in enumerate((batch.own == 1, batch.last)):
            there = there & valid["time"]
            self.ends.add(player[there], np.full(there.sum(), end), time[there])
        timed = valid["nodes"] & valid["cpu"]
        for place, values in enumerate((batch.figures["nodes"], cpu)):
            self.counting[:, place] += np.bincount(
                player[timed], weights=values[timed], minlength=self.players
            )
        long = valid["time"] & valid["cpu"] & (cpu >= LONG)
        self.time.add_moves(float(time[long].sum()), float(cpu[long].sum()), int(long.sum()))

    def moves(self, player: int, limits: Limits) -> Moves:
        """What a player's moves add up to."""
        spreads = {name: self.sketches[name].spread(player) for name in FIGURES}
        curves = [self.by_move[name].curve(name, player) for name in FIGURES]
        nodes, spent = self.counting[player]
        first, last = self.ends.means(player)
        return Moves(
            count=int(self.count[player]),
            seconds=spreads["time"],
            cpu=spreads["cpu"],
            nodes=spreads["nodes"],
            depth=spreads["depth"],
            nodes_per_second=float(nodes / spent) if spent else None,
            used=self._used(player, limits),
            by_move=tuple(curve for curve in curves if curve is not None),
            depth_by_ply=self.by_ply.curve("depth", player),
            first_seconds=first,
            last_seconds=last,
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

    def means(self, owner: int) -> list[float | None]:
        """The mean at each place; None where there is nothing."""
        both = zip(self.sum[owner], self.count[owner], strict=True)
        return [float(total / count) if count else None for total, count in both]

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
            least=float(self.least[owner]),
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


def with_telemetry(rows: Sequence[GameRow]) -> dict[int, list[GameRow]]:
    """The games with telemetry by the number of moves after their opening."""
    by_length: dict[int, list[GameRow]] = {}
    for row in rows:
        moves = len(row.moves) - len(row.opening)
        if moves > 0 and len(row.telemetry) == moves * MOVE_BYTES:  # row.has_telemetry, faster
            if moves in by_length:
                by_length[moves].append(row)
            else:
                by_length[moves] = [row]
    return by_length


def read_batch(by_length: dict[int, list[GameRow]]) -> Batch:
    """The moves of games with telemetry; games of the same length are read at one go."""
    parts = [_read_equal(count, rows) for count, rows in sorted(by_length.items())]
    return Batch(
        player=np.concatenate([part.player for part in parts]),
        ply=np.concatenate([part.ply for part in parts]),
        own=np.concatenate([part.own for part in parts]),
        last=np.concatenate([part.last for part in parts]),
        figures={name: np.concatenate([part.figures[name] for part in parts]) for name in FIGURES},
    )


def _read_equal(count: int, rows: Sequence[GameRow]) -> Batch:
    """The moves of games in which equally many were played after the opening."""
    data = np.frombuffer(b"".join([row.telemetry for row in rows]), telemetry_layout(count))
    before = np.array([len(row.opening) for row in rows])[:, None]
    seats = np.array([(row.first, row.second) for row in rows])
    step = np.arange(count)
    seat = (before + step) % 2
    return Batch(
        player=np.take_along_axis(seats, seat, axis=1).ravel(),
        ply=(before + step + 1).ravel(),
        own=np.tile(step // 2 + 1, len(rows)),
        last=np.tile(step >= count - 2, len(rows)),
        figures={name: data[name].astype(np.float64).ravel() for name in FIGURES},
    )


@lru_cache(maxsize=256)
def telemetry_layout(count: int) -> np.dtype[np.void]:
    """The telemetry of so many moves, as `pack_telemetry` writes it."""
    names = {"seconds": "time"}
    return np.dtype([(names.get(k, k), kind, (count,)) for k, kind in TELEMETRY.items()])


def _valid(values: Numbers) -> Flags:
    return (values >= 0) & (values < np.inf)
