"""What the moves of each player took: time, nodes and depth, from the telemetry of many games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.engine.contract import Limits
from arena.standings.batch import Batch
from arena.standings.evidence import Numbers
from arena.standings.games import Counts
from arena.standings.measures import Totals
from arena.standings.sketch import SCALES, Sketch, Spread
from arena.standings.timekeeping import LONG, Timekeeping
from arena.tournament.figures import EVERYBODY, Figure


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
        self.players, width = players, cells + 1
        self.sketches = {name: Sketch(players, name) for name in SCALES}
        self.by_move = {name: Means(players, width) for name in SCALES}
        self.by_ply = Means(players, width)
        self.speed = Totals(Figure(nodes_per_second=EVERYBODY), players)
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
        np.add.at(self.missing, batch.seats, batch.missing)
        for name in SCALES:
            values: Numbers = getattr(moves, name)
            here = moves.known(name)
            self.sketches[name].add(player[here], values[here])
            self.by_move[name].add(player[here], moves.own[here], values[here])
        deep = moves.known("depth")
        self.by_ply.add(player[deep], moves.ply[deep], moves.depth[deep])
        self.speed.add(batch)
        long = moves.known("time") & moves.known("cpu") & (moves.cpu >= LONG)
        self.time.add_moves(float(moves.time[long].sum()), float(moves.cpu[long].sum()))

    def moves(self, player: int, limits: Limits) -> Moves:
        """What a player's moves add up to."""
        seconds, cpu, nodes, depth = (self.sketches[name].spread(player) for name in SCALES)
        curves = [self.by_move[name].curve(name, player) for name in SCALES]
        return Moves(
            count=int(self.count[player]),
            seconds=seconds,
            cpu=cpu,
            nodes=nodes,
            depth=depth,
            nodes_per_second=self.speed.ratio(player),
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
