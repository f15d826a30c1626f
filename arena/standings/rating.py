"""Ratings: the strengths on the Elo scale that explain all games together best, with their errors.

Everything is fitted at once, so who played whom and from which seat is accounted for. On the Elo
scale (Elo 1978) a player 400 points ahead scores ten points for each one of the other.

Errors are a sandwich (Huber 1967, Liang and Zeger 1986): between two inverses of the curvature
stands how much clusters of games pull at the strengths (see evidence.py). The prior of each player
counts as a cluster, and one cluster of independent games is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadOption, UnknownName
from arena.standings.evidence import (
    CONFIDENCE,
    Estimate,
    Numbers,
    student_cdf,
    student_quantile,
)
from arena.standings.games import DRAW, VALUES, WIN, Counts, Games
from arena.standings.rating_fit import (
    Cells,
    components,
    curvature,
    differences,
    expected,
    fit,
    information,
)
from arena.tournament.formats import Ranking

PRIOR = 0.5  # drawn games; with half a game, ratings far apart are nearly without bias
ELO = 400 / log(10)  # Elo of one natural unit
CELLS = 1 << 20  # numbers of a table of clusters that is worked on at once

Players = NDArray[np.intp]
Maybe = tuple[float | None, ...]


@dataclass(frozen=True)
class Group:
    """Players connected by games, best first, and what the first move is worth among them."""

    players: tuple[int, ...]
    games: int
    draw_rate: float
    first_advantage: float | None  # None: the games do not tell
    first_advantage_error: float | None


@dataclass(frozen=True)
class Spread:
    """How far off the strengths of a group may be, in natural units; the last row is the seat's.

    `pulls` is the sandwich of the clusters seen, `alone` the variance if games were independent,
    and `clusters` how many of them tell about each player, those with few games counting less.
    """

    players: Players
    strengths: Numbers
    pulls: Numbers
    alone: Numbers
    clusters: Numbers

    def half_widths(self, weights: Numbers) -> list[float | None]:
        """Half of the 95 % interval of each player's difference to a weighted mean, in Elo."""
        clusters, parts = self.clusters[:-1], []
        for part in (self.pulls[:-1, :-1], self.alone[:-1, :-1]):
            shift = part @ weights
            parts.append(np.diag(part) - 2 * shift + weights @ shift)
        return [*map(_half_width, _variance(parts[0], parts[1], clusters), clusters)]

    def advantage_half_width(self) -> float | None:
        """Half of the 95 % interval of what the first move is worth, in Elo."""
        variance = _variance(self.pulls[-1:, -1], self.alone[-1:, -1], self.clusters[-1:])
        return _half_width(variance[0], self.clusters[-1])

    def differences(self) -> tuple[Numbers, Numbers]:
        """[i, j]: the variance of the difference of two strengths, and its clusters."""
        parts = []
        for part in (self.pulls[:-1, :-1], self.alone[:-1, :-1]):
            own = np.diag(part)
            parts.append(own[:, None] + own[None, :] - 2 * part)
        clusters = np.minimum(self.clusters[:-1, None], self.clusters[None, :-1])
        return _variance(parts[0], parts[1], clusters), clusters

    def superiority(self) -> Numbers:
        """[i, j]: how likely i is the stronger."""
        variance, clusters = self.differences()
        apart = self.strengths[:, None] - self.strengths[None, :]
        known = np.isfinite(variance) & (variance > 0)
        t = np.divide(apart, np.sqrt(variance), out=np.zeros_like(apart), where=known)
        los = np.full_like(apart, 0.5)
        for count in np.unique(clusters[known]):
            here = known & (clusters == count)
            los[here] = student_cdf(t[here], count - 1)
        return los


def _variance(pulls: Numbers, alone: Numbers, clusters: Numbers) -> Numbers:
    """The variances of some contrasts; infinite without two clusters."""
    n = np.maximum(clusters, 1 + 1e-12)
    variance = n / (n - 1) * (np.maximum(pulls, 0) + np.maximum(alone, 0) / n)
    return np.where(clusters < 2, inf, variance)


def _half_width(variance: float, clusters: float) -> float | None:
    if not np.isfinite(variance):
        return None
    return float(ELO * student_quantile(clusters - 1, CONFIDENCE) * sqrt(variance))


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % errors, by player; None is what the games do not tell.

    Each group has its own zero: the mean of its rated players, or its anchor. Groups are sorted
    by games; a player without games is a group of its own.
    """

    names: tuple[str, ...]
    elo: Maybe
    error: Maybe  # half width of the 95 % interval, relative to the group's zero
    games: tuple[int, ...]
    points: tuple[float, ...]
    score: tuple[float, ...]  # points a game, one half without games
    opponents_elo: Maybe  # the mean over games
    group: tuple[int, ...]  # number in groups
    groups: tuple[Group, ...]
    los: Numbers  # [i, j]: how likely i is stronger than j; 1/2 where nothing is known
    draw_rate: float
    anchor: str | None
    anchor_elo: float
    prior_words: str
    order: tuple[int, ...]  # that of the ranking, or group by group, best first
    spreads: tuple[Spread, ...] = field(repr=False, default=())  # by group
    ranking: Ranking | None = None  # of the tournament's format, where one is known

    @property
    def first_advantage(self) -> float | None:
        """What the first move is worth in the group with most games, in Elo."""
        return self.groups[0].first_advantage if self.groups else None

    @property
    def first_advantage_error(self) -> float | None:
        """The half width of its 95 % interval."""
        return self.groups[0].first_advantage_error if self.groups else None

    def rating(self, player: int) -> Estimate | None:
        """The rating of a player among its group; None without games."""
        elo = self.elo[player]
        if elo is None:
            return None
        spread = self.spreads[self.group[player]]
        place = int(np.flatnonzero(spread.players == player)[0])
        clusters, error = float(spread.clusters[place]), self.error[player]
        wide = inf if error is None else error / student_quantile(clusters - 1, CONFIDENCE)
        return Estimate(elo, elo, wide, clusters, self.games[player], "rating")

    def difference(self, player: int, other: int) -> Estimate | None:
        """By how much a player is stronger, by all games; None if they cannot be compared."""
        if not self.comparable(player, other) or player == other:
            return None
        spread = self.spreads[self.group[player]]
        one, two = (int(np.flatnonzero(spread.players == each)[0]) for each in (player, other))
        variance, clusters = spread.differences()
        value = ELO * float(spread.strengths[one] - spread.strengths[two])
        error = ELO * sqrt(variance[one, two])
        games = self.games[player] + self.games[other]
        return Estimate(value, value, error, float(clusters[one, two]), games, "rating")

    def comparable(self, player: int, other: int) -> bool:
        """Whether the two have ratings that can be compared."""
        rated = self.elo[player] is not None and self.elo[other] is not None
        return rated and self.group[player] == self.group[other]


def rate(
    outcomes: Counts,
    *,
    names: Sequence[str],
    prior: float = PRIOR,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    first_advantage: bool = True,
    zero: Sequence[str] = (),
    games: Games | None = None,
) -> Ratings:
    """Rate all players from outcomes[first, second, LOSS | DRAW | WIN of the first].

    `prior` is how many drawn games are added for each player. Games of a player against itself are
    left out. The mean of those named by `zero` is 0 in their groups, or that of all where there are
    none of them. Errors are between clusters of the `games`; without them, games are independent.
    """
    if not prior > 0:
        raise BadOption(f"prior is {prior:g} games; use a number above 0")
    for name in zero if anchor is None else (anchor,):
        if name not in names:
            raise UnknownName("player", name, names)
    means = [list(names).index(name) for name in (zero if anchor is None else (anchor,))]
    counts = np.array(outcomes, dtype=np.float64).reshape(len(names), len(names), 3)
    counts[np.arange(len(names)), np.arange(len(names))] = 0
    groups = components(counts.sum(axis=2) > 0) if len(names) else []
    table = _Table(counts, prior, first_advantage, means, anchor_elo, games)
    for players in sorted(groups, key=lambda each: (-counts[np.ix_(each, each)].sum(), each[0])):
        table.add(players)
    if anchor is not None and table.elo[means[0]] is None:
        raise BadOption(f"{anchor!r} has no games; choose another --anchor")
    return table.ratings(tuple(names), anchor)


def rate_games(games: Games, until: int | None = None) -> Ratings:
    """Ratings of all players, from all games or from those up to a number.

    Which of two alone is the stronger is told by their score.
    """
    games = games if until is None else games.until(until)
    ratings = rate(games.outcomes, names=games.names, games=games)
    if len(games.names) == 2 and (score := games.score(0, 1)) is not None:
        ratings.los[0, 1], ratings.los[1, 0] = score.los, 1 - score.los
    return ratings


class _Table:
    """The ratings as they are filled in, group by group."""

    def __init__(
        self,
        counts: Numbers,
        prior: float,
        advantage: bool,
        zero: list[int],
        anchor_elo: float,
        played: Games | None,
    ) -> None:
        self.counts, self.prior, self.advantage = counts, prior, advantage
        self.zero, self.anchor_elo, self.played = zero, anchor_elo, played
        size = len(counts)
        self.elo: list[float | None] = [None] * size
        self.error: list[float | None] = [None] * size
        self.group = [0] * size
        self.groups: list[Group] = []
        self.spreads: list[Spread] = []
        self.los = np.full((size, size), 0.5)

    def add(self, players: Players) -> None:
        """Rate a group."""
        cells = self._cells(players)
        first = self._fit(players, cells) if cells.played.any() else (None, None)
        if not cells.played.any():
            nothing = np.zeros((0, 0))
            self.spreads.append(Spread(players, nothing, nothing, nothing, nothing))
        order = sorted(players.tolist(), key=lambda one: -(self.elo[one] or 0))
        for player in order:
            self.group[player] = len(self.groups)
        played, drawn = cells.played.sum(), cells.drawn.sum()
        self.groups.append(Group(tuple(order), int(played), _share(drawn, played), *first))

    def _cells(self, players: Players) -> Cells:
        cells = self.counts[np.ix_(players, players)]
        played = cells.sum(axis=2)
        points = cells[:, :, WIN] + cells[:, :, DRAW] / 2
        return Cells(played, points, cells[:, :, DRAW], self.prior, self.advantage)

    def _fit(self, players: Players, cells: Cells) -> tuple[float | None, float | None]:
        """Rate these players; what the first move is worth with its error."""
        at = fit(cells)
        spread = self._spread(players, cells, at)
        self.spreads.append(spread)
        here = np.isin(players, self.zero)
        weights = here / here.sum() if here.any() else np.full(len(players), 1 / len(players))
        above_zero = ELO * (spread.strengths - float(weights @ spread.strengths))
        base = self.anchor_elo if here.any() else 0.0
        widths = spread.half_widths(weights)
        for player, elo, error in zip(players, above_zero, widths, strict=True):
            self.elo[player], self.error[player] = base + float(elo), error
        self.los[np.ix_(players, players)] = spread.superiority()
        if not cells.advantage:
            return None, None
        return ELO * float(at[-1]), spread.advantage_half_width()

    def _spread(self, players: Players, cells: Cells, at: Numbers) -> Spread:
        """The sandwich of a fit."""
        share = expected(differences(at))
        if self.played is None:
            squares, clusters = _of_single_games(cells, share)
            copies = 1.0
        else:
            squares, clusters, copies = _of_clusters(self.played, players, share)
        squares += np.diag((self.prior * np.tanh(at / 2) / 2) ** 2)
        if not cells.advantage:
            squares[-1], squares[:, -1], clusters[-1] = 0.0, 0.0, 1.0
        inverse: Numbers = np.linalg.inv(curvature(cells, at)).astype(np.float64)
        pulls = inverse @ squares @ inverse
        return Spread(players, at[:-1], pulls, copies * inverse, clusters)

    def ratings(self, names: tuple[str, ...], anchor: str | None) -> Ratings:
        """All of it."""
        met = self.counts.sum(axis=2)
        score = self.counts @ VALUES
        points = score.sum(axis=1) + (met - score).sum(axis=0)
        met_by = met + met.T
        games = met_by.sum(axis=1)
        elo_met = met_by @ np.array([rating or 0.0 for rating in self.elo])
        opponents = zip(elo_met, games, strict=True)
        return Ratings(
            names=names,
            elo=tuple(self.elo),
            error=tuple(self.error),
            games=tuple(int(n) for n in games),
            points=tuple(float(p) for p in points),
            score=tuple(float(p / n) if n else 0.5 for p, n in zip(points, games, strict=True)),
            opponents_elo=tuple(float(total / n) if n else None for total, n in opponents),
            group=tuple(self.group),
            groups=tuple(self.groups),
            los=self.los,
            draw_rate=_share(self.counts[:, :, DRAW].sum(), met.sum()),
            anchor=anchor,
            anchor_elo=self.anchor_elo,
            prior_words=self._prior_in_words(),
            order=tuple(player for group in self.groups for player in group.players),
            spreads=tuple(self.spreads),
        )

    def _prior_in_words(self) -> str:
        """What was added to the games, as a report states it."""
        words = {0.5: "half a drawn game", 1: "one drawn game"}
        games = words.get(self.prior, f"{self.prior:g} drawn games")
        seat = ", and for the first move between two equals" if self.advantage else ""
        return f"{games} added for each player, against one virtual player of its group{seat}"


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def _of_single_games(cells: Cells, share: Numbers) -> tuple[Numbers, Numbers]:
    """The squares of pulls where every game is a cluster, and the games of each player."""
    won = cells.points - cells.drawn / 2
    lost = cells.played - cells.drawn - won
    each = won * (1 - share) ** 2 + cells.drawn * (0.5 - share) ** 2 + lost * share**2
    games = cells.played.sum(axis=0) + cells.played.sum(axis=1)
    return information(each, advantage=True), np.append(games, cells.played.sum())


def _of_clusters(played: Games, players: Players, share: Numbers) -> tuple[Numbers, Numbers, float]:
    """The sum of s s' over clusters, s being points above those expected of each player.

    And how many clusters there are for each player, and how often each game was played.
    """
    place = np.full(len(played.names), -1, np.intp)
    place[players] = np.arange(len(players))
    first, second = place[played.first], place[played.second]
    kept = np.flatnonzero((first >= 0) & (second >= 0) & (first != second))
    kept = kept[np.argsort(played.labels[kept], kind="stable")]
    copies = len(kept) / max(1, len(np.unique(played.copies[kept])))
    first, second, labels = first[kept], second[kept], played.labels[kept]
    above = VALUES[played.result[kept]] - share[first, second]
    count = len(share)
    squares = np.zeros((count + 1, count + 1))
    games, games_squared = np.zeros((2, count + 1))
    for part in _parts(labels, count + 1):
        seats = labels[part], first[part], second[part]
        table = _by_cluster(*seats, above[part], count, sign=-1.0)
        squares += table.T @ table
        met = _by_cluster(*seats, np.ones(part.stop - part.start), count, sign=1.0)
        games += met.sum(axis=0)
        games_squared += (met**2).sum(axis=0)
    clusters = np.divide(games**2, games_squared, out=np.ones(count + 1), where=games > 0)
    return squares, clusters, copies


def _parts(labels: Players, width: int) -> Iterator[slice]:
    """Slices of sorted games, each of whole clusters and not too many of them."""
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    step, begin = max(1, CELLS // width), 0
    for end in [*starts[step::step].tolist(), len(labels)]:
        if end > begin:
            yield slice(begin, end)
        begin = end


def _by_cluster(
    labels: Players, first: Players, second: Players, values: Numbers, count: int, sign: float
) -> Numbers:
    """A row for each cluster: the sum over its games, for each player, and in all."""
    rows = np.cumsum(np.diff(labels, prepend=labels[0]) != 0)
    size, width = int(rows[-1]) + 1, count + 1
    table: Numbers = np.zeros((size, width))
    for seats, weight in ((first, 1.0), (second, sign)):
        cells = np.bincount(rows * width + seats, weight * values, size * width)
        table += cells.reshape(size, width)
    table[:, -1] = np.bincount(rows, values, size)
    return table
