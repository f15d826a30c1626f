"""Games of one opening belong together: what one of them says, the others say in part again.

An opening that favours a seat, or suits an engine, does so in all its games. For the errors of
ratings all games of one opening are therefore one *cluster* (Liang and Zeger 1986). Openings come
again only when all have been played; then a lap through them is independent of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.standings.results import Numbers
from arena.standings.tally import GamesByOpening

Labels = NDArray[np.intp]

CELLS = 1 << 20  # numbers of a table of clusters that is worked on at once


def clusters_among(played: GamesByOpening, players: Labels) -> Clusters:
    """The games that these players had with each other; they are numbered by their places."""
    place = np.full(played.players, -1, np.intp)
    place[players] = np.arange(len(players))
    games = np.array(played.games, np.int64)
    first, second = (place[seat] for seat in np.divmod(games // 3, played.players))
    kept = np.flatnonzero((games >= 0) & (first >= 0) & (second >= 0) & (first != second))
    openings = _numbered(np.array(played.hashes, np.int64)[kept])
    laps = _times_before(openings * played.players**2 + games[kept] // 3)
    labels = _numbered(openings * (laps.max(initial=0) + 1) + laps)
    order = np.argsort(labels, kind="stable")
    kept = kept[order]
    return Clusters(labels[order], first[kept], second[kept], games[kept] % 3 / 2)


@dataclass(frozen=True)
class Clusters:
    """Games sorted by cluster: the places of both players and the points of the first."""

    labels: Labels
    first: Labels
    second: Labels
    points: Numbers

    def sums(self, expected: Numbers) -> ClusterSums:
        """What the clusters add up to, with the expected score of each cell [first, second]."""
        count = len(expected)
        above = self.points - expected[self.first, self.second]
        squares = np.zeros((count + 1, count + 1))
        games, games_squared = np.zeros((2, count + 1))
        for part in self._parts(count + 1):
            table = self._table(part, above[part], count, signed=True)
            squares += table.T @ table
            met = self._table(part, np.ones(part.stop - part.start), count, signed=False)
            games += met.sum(axis=0)
            games_squared += (met**2).sum(axis=0)
        even = np.divide(games**2, games_squared, out=np.ones(count + 1), where=games > 0)
        return ClusterSums(squares, even)

    def _parts(self, width: int) -> Iterator[slice]:
        """Slices of the games, each of whole clusters and not too many of them."""
        if not len(self.labels):
            return
        starts = np.flatnonzero(np.diff(self.labels, prepend=-1))
        step = max(1, CELLS // width)
        ends = np.append(starts[step::step], len(self.labels))
        begin = 0
        for end in ends:
            yield slice(begin, int(end))
            begin = int(end)

    def _table(self, part: slice, values: Numbers, count: int, signed: bool) -> Numbers:
        """A row for each cluster: the sum over its games, for each player, and in all."""
        rows = np.cumsum(np.diff(self.labels[part], prepend=self.labels[part.start]) != 0)
        size, width = int(rows[-1]) + 1, count + 1
        table: Numbers = np.zeros((size, width))
        for seats, weight in ((self.first, 1.0), (self.second, -1.0 if signed else 1.0)):
            cells = np.bincount(rows * width + seats[part], weight * values, size * width)
            table += cells.reshape(size, width)
        table[:, -1] = np.bincount(rows, values, size)
        return table


@dataclass(frozen=True)
class ClusterSums:
    """Over all clusters, for each player and for the seat in the last place.

    `squares` is the sum of s s', s being the points of a cluster above those expected; `even` is
    how many clusters there are, those with few games counting less.
    """

    squares: Numbers
    even: Numbers


def _numbered(keys: NDArray[np.int64]) -> Labels:
    """The keys as numbers from 0, in the order in which they first appear."""
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    numbers = np.empty(len(first), np.intp)
    numbers[np.argsort(first)] = np.arange(len(first))
    return numbers[places.reshape(-1)]


def _times_before(keys: NDArray[np.int64]) -> Labels:
    """How often each key has been there before."""
    order = np.argsort(keys, kind="stable")
    at = np.arange(len(keys))
    begins = np.diff(keys[order], prepend=-1) != 0
    times = np.empty(len(keys), np.intp)
    times[order] = at - np.maximum.accumulate(np.where(begins, at, 0))
    return times
