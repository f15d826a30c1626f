"""How games ended for each player: their lengths, and its last evaluations.

An engine that sees a win or a loss coming gives a far larger value than before, and is right. What
its evaluation knows shows before that: in the last value of a game that did not see its end yet.

How well an evaluation tells won games from lost ones is the area under its curve of hits and false
alarms (AUC): the chance that a won game was valued higher than a lost one, ties counted half, which
is the statistic of Mann and Whitney (1947) divided by the number of pairs. Copies of a game count
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from arena.standings.batch import Batch
from arena.standings.evidence import Z_95, Numbers, falling_root
from arena.standings.games import LOSS, WIN, Counts
from arena.standings.labels import Keys, mixed

MOST_VALUES = 2000  # games whose evaluations are kept, of a player's won, lost and drawn ones each
RECENT = 8  # evaluations that are kept of a game, the last ones
SEEN = 0.9  # of the largest that an engine ever gave: from there on it saw the end


def area(higher: Numbers, lower: Numbers) -> float | None:
    """The chance that one of the first is above one of the second, ties counted half."""
    if not len(higher) or not len(lower):
        return None
    ordered = np.sort(lower)
    below = np.searchsorted(ordered, higher, side="left")
    not_above = np.searchsorted(ordered, higher, side="right")
    return float((below + not_above).sum() / (2 * len(higher) * len(lower)))


def area_interval(auc: float, higher: int, lower: int) -> tuple[float, float]:
    """The 95 % interval of the area of this many values: all areas that are near enough.

    By Newcombe's method 5 (2006), the variance of Hanley and McNeil (1982) at each such area: it
    has a width even where every won game was valued higher than every lost one.
    """

    def room(area: float) -> float:
        more = (higher + lower) / 2 - 1
        spread = 1 + more * ((1 - area) / (2 - area) + area / (1 + area))
        variance = area * (1 - area) * spread / (higher * lower)
        return Z_95**2 * variance - (auc - area) ** 2

    low = auc - falling_root(lambda below: room(auc - below), 0.0, auc)
    return low, auc + falling_root(lambda above: room(auc + above), 0.0, 1 - auc)


@dataclass(frozen=True)
class Endings:
    """The ends of one player's games; outcomes are LOSS, DRAW and WIN of the player."""

    lengths: Counts  # [outcome, plies]: games that no fault ended
    values: tuple[Numbers, ...]  # by outcome: the last evaluations that did not see the end yet
    evaluated: int  # games with evaluations, by no fault of anybody's at their end

    @property
    def auc(self) -> float | None:
        """How well the evaluation separates won from lost games; None without both."""
        return area(self.values[WIN], self.values[LOSS])

    @property
    def auc_interval(self) -> tuple[float, float] | None:
        """95 % around it."""
        auc, won, lost = self.auc, len(self.values[WIN]), len(self.values[LOSS])
        return None if auc is None else area_interval(auc, won, lost)

    def plies(self, outcome: int) -> float | None:
        """The mean length of the games that ended so."""
        games = int(self.lengths[outcome].sum())
        plies = np.arange(self.lengths.shape[1])
        return float(plies @ self.lengths[outcome] / games) if games else None


class LastValues:
    """The last evaluations of each player, in samples of bounded size."""

    def __init__(self, players: int) -> None:
        self.samples = [[Reservoir() for _ in range(3)] for _ in range(players)]

    def add(self, batch: Batch) -> None:
        """Take those of some games that no fault ended."""
        for count, places in batch.by_length.items():
            if whole := [place for place in places if batch.is_whole[place]]:
                for player, outcome, keys, values in last_values(batch, count, whole):
                    self.samples[player][outcome].add(keys, values)

    def endings(self, player: int, lengths: Counts) -> Endings:
        """The ends of a player's games, with their lengths."""
        samples = self.samples[player]
        recent = [sample.values() for sample in samples]
        sizes = np.concatenate([np.abs(values[np.isfinite(values)]) for values in recent])
        limit = SEEN * float(sizes.max(initial=0.0))
        values = tuple(before_the_end(each, limit) for each in recent)
        return Endings(lengths, values, sum(sample.count for sample in samples))


def before_the_end(recent: Numbers, limit: float) -> Numbers:
    """Of each game the last evaluation below a limit; games without one are left out.

    An engine that says the same of every position says nothing of their ends.
    """
    is_open = np.isfinite(recent) & ((np.abs(recent) < limit) | (limit == 0))
    place = is_open.argmax(axis=1)
    last: Numbers = np.take_along_axis(recent, place[:, None], axis=1)[:, 0]
    return last[is_open.any(axis=1)]


class Reservoir:
    """A bounded sample of rows, each as likely as any other, and the same for the same keys.

    Those of the smallest keys are kept, and keys are hashes; of equal ones, one.
    """

    def __init__(self) -> None:
        self.count = self._waiting = 0
        self._keys: list[Keys] = []
        self._values: list[Numbers] = []

    def add(self, keys: Keys, values: Numbers) -> None:
        """Take some more into account."""
        self.count += len(values)
        self._waiting += len(values)
        self._keys.append(keys)
        self._values.append(values)
        if self._waiting > 2 * MOST_VALUES:
            self.values()

    def values(self) -> Numbers:
        """Those that are kept."""
        keys = np.concatenate([np.zeros(0, np.uint64), *self._keys])
        values = np.concatenate([np.zeros((0, RECENT)), *self._values])
        keys, kept = np.unique(keys, return_index=True)
        kept = kept[:MOST_VALUES]
        self._keys, self._values, self._waiting = [keys[:MOST_VALUES]], [values[kept]], len(kept)
        return self._values[0]


def last_values(
    batch: Batch, count: int, places: Sequence[int]
) -> Iterator[tuple[int, int, Keys, Numbers]]:
    """The last evaluations of each player in games with this number of moves after the opening.

    By player and outcome, with a key and a row for each game, the last one first; games in which it
    gave none are left out.
    """
    score = batch.telemetry(count, places)["score"]
    scores = np.where(np.isfinite(score), score, np.nan)
    seats, results = batch.seats[places], batch.result[places]
    games = [batch.games[place] for place in places]
    words = [b"%d %d " % (game.first, game.second) + game.moves for game in games]
    keys = mixed(np.array([*map(crc32, words)], np.uint64))  # equal for copies
    before = batch.opening_plies[places]
    for turn in range(min(2, count)):
        own = scores[:, turn::2][:, ::-1][:, :RECENT]
        recent = np.pad(own, ((0, 0), (0, RECENT - own.shape[1])), constant_values=np.nan)
        seat = (before + turn) % 2
        player = np.take_along_axis(seats, seat[:, None], axis=1)[:, 0]
        owner = 3 * player + 1 + np.where(seat == 0, results, -results)
        there = np.isfinite(recent).any(axis=1)
        for each in np.unique(owner[there]).tolist():
            chosen = there & (owner == each)
            yield each // 3, each % 3, keys[chosen], recent[chosen]
