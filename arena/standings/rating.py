"""Ratings: the strengths on the Elo scale that explain all games together best, with their errors.

Everything is fitted at once, so who played whom and from which seat is accounted for. On the Elo
scale (Elo 1978) a player 400 points ahead scores ten points for each one of the other.

Errors are a sandwich (Huber 1967, Liang and Zeger 1986): between two inverses of the curvature
stands how much clusters of games pull at the strengths (see evidence.py). The prior of each player
counts as a cluster, and one cluster of independent games is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isfinite, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadOption, UnknownName
from arena.standings.evidence import Estimate, Numbers, student_cdf
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
class Spread:
    """Strengths of a group in natural units, and how far off they may be.

    `pulls` is the sandwich of the clusters seen, `alone` the variance if games were independent,
    and `clusters` how many of them tell about each player, those with few games counting less. The
    last of each is that of the first move.
    """

    players: Players
    strengths: Numbers
    pulls: Numbers
    alone: Numbers
    clusters: Numbers
    games: Numbers

    def estimate(self, weights: Numbers, place: int) -> Estimate:
        """A weighted sum of strengths in Elo, as sure as the games of one player make it."""
        value, clusters = ELO * float(weights @ self.strengths), float(self.clusters[place])
        pulls, alone = (weights @ part @ weights for part in (self.pulls, self.alone))
        error = ELO * sqrt(_variance(pulls, alone, clusters))
        return Estimate(value, value, error, clusters, int(self.games[place]), "rating")

    def difference(self, player: int, other: int) -> Estimate:
        """By how much a player is stronger, as sure as the games of the one with fewer clusters."""
        one, two = (int(np.flatnonzero(self.players == each)[0]) for each in (player, other))
        weights = np.zeros(len(self.strengths))
        weights[[one, two]] = 1.0, -1.0
        estimate = self.estimate(weights, min(one, two, key=lambda place: self.clusters[place]))
        return replace(estimate, games=int(self.games[[one, two]].sum()))

    def superiority(self) -> Numbers:
        """[i, j]: how likely i is the stronger."""
        strengths, own = self.strengths[:-1], self.clusters[:-1]
        clusters = np.minimum(own[:, None], own[None, :])
        pulls, alone = (
            np.diag(part)[:, None] + np.diag(part)[None, :] - 2 * part
            for part in (self.pulls[:-1, :-1], self.alone[:-1, :-1])
        )
        variance, apart = _variance(pulls, alone, clusters), strengths[:, None] - strengths[None, :]
        known = np.isfinite(variance) & (variance > 0)
        t = np.divide(apart, np.sqrt(variance), out=np.zeros_like(apart), where=known)
        los = np.full_like(apart, 0.5)
        for count in np.unique(clusters[known]):
            here = known & (clusters == count)
            los[here] = student_cdf(t[here], count - 1)
        return los


def _variance(pulls: Any, alone: Any, clusters: Any) -> Any:
    """The variances of some sums of strengths; infinite without two clusters."""
    n = np.maximum(clusters, 1 + 1e-12)
    variance = n / (n - 1) * (np.maximum(pulls, 0) + np.maximum(alone, 0) / n)
    return np.where(clusters < 2, inf, variance)


def _half_width(estimate: Estimate) -> float | None:
    """Half of the 95 % interval; 0 for an anchor, None where nothing is known."""
    return estimate.reach() if isfinite(estimate.error) else None


@dataclass(frozen=True)
class Group:
    """Players connected by games, best first, and what the first move is worth among them."""

    players: tuple[int, ...]
    games: int
    draw_rate: float
    first_advantage: float | None = None  # None: the games do not tell
    first_advantage_error: float | None = None
    spread: Spread | None = field(default=None, repr=False)  # of its strengths; None without games


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % errors, by player; None is what the games do not tell.

    Each group has its own zero: the mean of its rated players, or its anchor. Groups are sorted
    by games; a player without games is a group of its own.
    """

    names: tuple[str, ...]
    estimates: tuple[Estimate | None, ...]  # relative to the group's zero
    group: tuple[int, ...]  # number in groups
    groups: tuple[Group, ...]
    los: Numbers  # [i, j]: how likely i is stronger than j; 1/2 where nothing is known
    anchor: str | None
    anchor_elo: float
    order: tuple[int, ...]  # that of the ranking, or group by group, best first
    outcomes: Numbers = field(repr=False)  # that were rated
    prior: float
    has_advantage: bool  # whether the first move may be worth something
    ranking: Ranking | None = None  # of the tournament's format, where one is known

    @cached_property
    def elo(self) -> Maybe:
        """The rating of each player."""
        return tuple(None if each is None else each.value for each in self.estimates)

    @cached_property
    def error(self) -> Maybe:
        """Half of the 95 % interval of each rating."""
        return tuple(None if each is None else _half_width(each) for each in self.estimates)

    @cached_property
    def _met(self) -> Numbers:
        met = self.outcomes.sum(axis=2)
        return np.asarray(met + met.T)

    @cached_property
    def games(self) -> tuple[int, ...]:
        """The games of each player."""
        return tuple(map(int, self._met.sum(axis=1)))

    @cached_property
    def points(self) -> tuple[float, ...]:
        """The points of each player."""
        as_first, as_second = self.outcomes @ VALUES, self.outcomes @ VALUES[::-1]
        return tuple((as_first.sum(axis=1) + as_second.sum(axis=0)).tolist())

    @property
    def score(self) -> tuple[float, ...]:
        """Points a game; one half without games."""
        pairs = zip(self.points, self.games, strict=True)
        return tuple(points / games if games else 0.5 for points, games in pairs)

    @property
    def opponents_elo(self) -> Maybe:
        """The mean rating of each player's opponents, over its games."""
        total = self._met @ np.array([rating or 0.0 for rating in self.elo])
        pairs = zip(total.tolist(), self.games, strict=True)
        return tuple(elo / games if games else None for elo, games in pairs)

    @property
    def draw_rate(self) -> float:
        """The share of games drawn."""
        return _share(self.outcomes[:, :, DRAW].sum(), self.outcomes.sum())

    @property
    def prior_words(self) -> str:
        """What was added to the games, as a report states it."""
        words = {0.5: "half a drawn game", 1: "one drawn game"}
        games = words.get(self.prior, f"{self.prior:g} drawn games")
        seat = ", and for the first move between two equals" if self.has_advantage else ""
        return f"{games} added for each player, against one virtual player of its group{seat}"

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
        return self.estimates[player]

    def difference(self, player: int, other: int) -> Estimate | None:
        """By how much a player is stronger, by all games; None if they cannot be compared."""
        spread = self.groups[self.group[player]].spread
        if not self.comparable(player, other) or player == other or spread is None:
            return None
        return spread.difference(player, other)

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
    group_of = np.zeros(len(names), np.intp)
    estimates: list[Estimate | None] = [None] * len(names)
    found: list[Group] = []
    los = np.full((len(names), len(names)), 0.5)
    for players in sorted(groups, key=lambda each: (-counts[np.ix_(each, each)].sum(), each[0])):
        cells = _cells(counts[np.ix_(players, players)], prior, first_advantage)
        played, drawn = cells.played.sum(), cells.drawn.sum()
        group = Group((*players.tolist(),), int(played), _share(drawn, played))
        if played:
            spread = _spread(players, cells, games)
            here = np.isin(players, means)
            weights = here / here.sum() if here.any() else np.full(len(players), 1 / len(players))
            zero_elo = anchor_elo if here.any() else 0.0
            above_zero = np.eye(len(players) + 1)
            above_zero[:-1, :-1] -= weights
            rated = [spread.estimate(each, place) for place, each in enumerate(above_zero)]
            for player, each in zip(group.players, rated, strict=False):
                elo = each.value + zero_elo
                estimates[player] = replace(each, value=elo, center=elo)
            los[np.ix_(players, players)] = spread.superiority()
            best_first = np.argsort([-each.value for each in rated[:-1]], kind="stable")
            group = replace(group, players=tuple(players[best_first].tolist()), spread=spread)
            if first_advantage:
                width = _half_width(rated[-1])
                group = replace(group, first_advantage=rated[-1].value, first_advantage_error=width)
        group_of[players] = len(found)
        found.append(group)
    if anchor is not None and estimates[means[0]] is None:
        raise BadOption(f"{anchor!r} has no games; choose another --anchor")
    return Ratings(
        names=tuple(names),
        estimates=tuple(estimates),
        group=(*group_of.tolist(),),
        groups=tuple(found),
        los=los,
        anchor=anchor,
        anchor_elo=anchor_elo,
        order=tuple(player for group in found for player in group.players),
        outcomes=counts,
        prior=prior,
        has_advantage=first_advantage,
    )


def rate_games(games: Games, until: int | None = None) -> Ratings:
    """Ratings of all players, from all games or from those up to a number.

    If there are two players only, their score decides which is stronger.
    """
    games = games if until is None else games.until(until)
    ratings = rate(games.outcomes, names=games.names, games=games)
    if len(games.names) == 2 and (score := games.score(0, 1)) is not None:
        ratings.los[0, 1], ratings.los[1, 0] = score.los, 1 - score.los
    return ratings


def _cells(outcomes: Numbers, prior: float, advantage: bool) -> Cells:
    points = outcomes[:, :, WIN] + outcomes[:, :, DRAW] / 2
    return Cells(outcomes.sum(axis=2), points, outcomes[:, :, DRAW], prior, advantage)


def _spread(players: Players, cells: Cells, games: Games | None) -> Spread:
    """The strengths of a group of players, and the sandwich of their fit."""
    at = fit(cells)
    share = expected(differences(at))
    if games is None:
        squares, clusters = _of_single_games(cells, share)
        copies = 1.0
    else:
        squares, clusters, copies = _of_clusters(games, players, share)
    squares += np.diag((cells.prior * np.tanh(at / 2) / 2) ** 2)
    if not cells.advantage:
        squares[-1], squares[:, -1], clusters[-1] = 0.0, 0.0, 1.0
    inverse: Numbers = np.linalg.inv(curvature(cells, at)).astype(np.float64)
    pulls = inverse @ squares @ inverse
    games_of = np.append(cells.played.sum(axis=0) + cells.played.sum(axis=1), cells.played.sum())
    return Spread(players, at, pulls, copies * inverse, clusters, games_of)


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
