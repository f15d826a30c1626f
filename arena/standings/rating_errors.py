"""How sure ratings are: the covariance of a fit, and intervals and likelihoods from it.

An opening that favours a seat, or suits an engine, does so in all its games: what one of them says,
the others say in part again. For the errors of ratings all games of one opening are therefore one
*cluster* (Liang and Zeger 1986). Openings come again only when all have been played; then a lap
through them is independent of the one before. A variance that is estimated from few clusters is
itself unsure; its intervals are wider, by Student's distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import erf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.standings.intervals import Numbers, normal_of_t, student_95
from arena.standings.rating_fit import (
    Games,
    curvature,
    differences,
    expected,
    information,
    variance,
)
from arena.standings.scoreboard import GameLog

Labels = NDArray[np.intp]

ELO = 400 / log(10)  # Elo of one natural unit
MANY = 1e12  # degrees of freedom that are as good as infinitely many
CELLS = 1 << 20  # numbers of a table of clusters that is worked on at once
SMOOTHING = 10  # games of the whole group that each pair's rate of draws is mixed with
DOUBT = 1  # clusters of independent games that those seen are mixed with
UNSEEN = 3  # decided games that may be missing where all were drawn (Hanley, Lippman-Hand 1983)


@dataclass(frozen=True)
class Covariance:
    """How far off strengths may be: a row for each player and a last one for the advantage.

    `sampled` is the part of it that is estimated from clusters of games, and `clusters` how many of
    them tell about each player and the advantage.
    """

    whole: Numbers
    sampled: Numbers
    clusters: Numbers

    def half_widths(self, weights: Numbers) -> Numbers:
        """Half of the 95 % interval of each player's difference to a weighted mean, in Elo."""
        variances = []
        for part in (self.whole[:-1, :-1], self.sampled[:-1, :-1]):
            shift = part @ weights
            variances.append(np.maximum(np.diag(part) - 2 * shift + weights @ shift, 0))
        return _half_widths(variances[0], variances[1], self.clusters[:-1])

    def half_width_of_advantage(self) -> float:
        """Half of the 95 % interval of what the first move is worth, in Elo."""
        last = self.whole[-1, -1], self.sampled[-1, -1], self.clusters[-1]
        return float(_half_widths(*map(np.asarray, last)))

    def superiority(self, strengths: Numbers) -> Numbers:
        """[i, j]: how likely i is the stronger, by the distribution of the difference."""
        variances = []
        for part in (self.whole[:-1, :-1], self.sampled[:-1, :-1]):
            own = np.diag(part)
            variances.append(np.maximum(own[:, None] + own[None, :] - 2 * part, 0))
        spread, sampled = variances
        clusters = np.minimum(self.clusters[:-1, None], self.clusters[None, :-1])
        apart = strengths[:, None] - strengths[None, :]
        t = np.divide(apart, np.sqrt(spread), out=np.zeros_like(apart), where=spread > 0)
        z = normal_of_t(t, _degrees(spread, sampled, clusters)) / sqrt(2)
        return 0.5 + 0.5 * np.fromiter(map(erf, z.ravel()), np.float64, z.size).reshape(z.shape)


def _half_widths(spread: Numbers, sampled: Numbers, clusters: Numbers) -> Numbers:
    """Half of the 95 % intervals of normal values with these variances, in Elo."""
    reach = student_95(_degrees(spread, sampled, clusters))
    return np.asarray(ELO * reach * np.sqrt(np.maximum(0.0, spread)))


def covariance(games: Games, at: Numbers, clusters: Clusters | None = None) -> Covariance:
    """How far off a fit may be (Huber 1967, White 1982); without clusters, games are independent.

    Between two inverses of the curvature stands the variance of the slope. A game with expected
    score p that is drawn with probability d adds p (1 - p) - d / 4 to it, while the curvature takes
    that to be p (1 - p).
    """
    bent = curvature(games, at)
    inverse = np.linalg.inv(bent)
    x = differences(at)
    saved = games.played * variance(x) * _saved_by_draws(games, x)
    spread = bent - information(saved, games.advantage)
    sampled, even = np.zeros_like(spread), np.ones(len(at))
    if clusters is not None:
        spread, sampled, even = _clustered(games, x, spread, clusters)
    return Covariance(inverse @ spread @ inverse, inverse @ sampled @ inverse, even)


def _clustered(
    games: Games, x: Numbers, alone: Numbers, clusters: Clusters
) -> tuple[Numbers, Numbers, Numbers]:
    """The variance of the slope where games of one opening go together (Liang and Zeger 1986).

    To that of independent games comes what the games of a cluster have in common: the square of
    their sum less the sum of their squares. Fitted to the same games, it is too small by the share
    of one cluster, which is added. With few clusters it says little and counts little; it never
    makes anybody surer than a few clusters of independent games would.
    """
    share = expected(x)
    squares, even = clusters.sums(share)
    if not games.advantage:
        squares[-1], squares[:, -1], even[-1] = 0.0, 0.0, 1.0
    worth = np.sqrt((even - 1) / (even - 1 + DOUBT))
    trust = np.outer(worth, worth)
    own = 1 / np.sqrt(even)
    squares = squares + np.outer(own, own) * alone
    # how far the games of each cell were from their expected score, squared
    won = games.points - games.drawn / 2
    lost = games.played - games.drawn - won
    each = won * (1 - share) ** 2 + games.drawn * (0.5 - share) ** 2 + lost * share**2
    common = trust * (squares - information(each, games.advantage))
    # what is common, measured by the variance of independent games, and bounded below
    root = np.linalg.cholesky(alone)
    half = np.linalg.solve(root, common)
    values, vectors = np.linalg.eigh(np.linalg.solve(root, half.T))
    least = DOUBT / (even.max() - 1 + DOUBT)
    turned = root @ vectors
    return turned * np.maximum(1 + values, least) @ turned.T, trust * squares, even


def _saved_by_draws(games: Games, x: Numbers) -> Numbers:
    """The share of each cell's variance that draws take away, from the draws seen.

    A pair has its own share, mixed with the group's where its games are few. Each is taken as if
    three more games had been decided: of something that happens in 3 of n games, n may show none.
    """
    most = games.played * variance(x)
    drawn = games.drawn.sum()
    group = min(1.0, drawn / (4 * most.sum() + UNSEEN))
    pairs, counts = most + most.T, games.played + games.played.T
    own = (games.drawn + games.drawn.T) / (4 * pairs + UNSEEN)
    mixed = (counts * np.minimum(own, 1) + SMOOTHING * group) / (counts + SMOOTHING)
    most_drawn = 0.5 / expected(np.abs(x))  # d is at most 2 p and 2 (1 - p)
    return np.asarray(np.minimum(mixed, most_drawn))


def _degrees(spread: Numbers, sampled: Numbers, clusters: Numbers) -> Numbers:
    """Degrees of freedom of a variance of which a part is from clusters (Satterthwaite 1946)."""
    share = np.divide(spread, sampled, out=np.full_like(spread, np.inf), where=sampled > 0)
    with np.errstate(invalid="ignore"):
        degrees = (clusters - 1) * share**2
    return np.asarray(np.where(np.isfinite(degrees), np.clip(degrees, 1, MANY), MANY))


def clusters_among(played: GameLog, players: Labels) -> Clusters:
    """The games that these players had with each other; they are numbered by their places."""
    place = np.full(played.players, -1, np.intp)
    place[players] = np.arange(len(players))
    games = np.array(played.cells, np.int64)
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

    def sums(self, expected: Numbers) -> tuple[Numbers, Numbers]:
        """Over all clusters, for each player and for the seat in the last place, two things.

        The sum of s s', s being the points of a cluster above those expected of each cell [first,
        second]; and how many clusters there are, those with few games counting less.
        """
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
        return squares, even

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
