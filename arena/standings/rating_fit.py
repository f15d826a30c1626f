"""The likeliest strengths behind the games of one group, and how sure they are.

The model is that of Bradley and Terry (1952) with an advantage of the first move (Davidson and
Beaver 1977): the expected score of player i, moving first against j, is 1 / (1 + exp(-x)) with
x = strength i - strength j + advantage. A draw is half a win and half a loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.standings.clusters import Clusters
from arena.standings.results import Numbers

MOST_STEPS = 200
SMALL = 1e-12  # a difference of this size is none
NEAR, FAR = 3.0, 5.0  # the most a first guess is away from 0, and a step from the last
LAST = 1e-7  # after a step of this size the next one, about its square, is none
SMOOTHING = 10  # games of the whole group that each pair's rate of draws is mixed with
DOUBT = 1  # clusters of independent games that those seen are mixed with
UNSEEN = 3  # decided games that may be missing where all were drawn (Hanley, Lippman-Hand 1983)


@dataclass(frozen=True)
class Games:
    """The games of one group: tables [first, second], and the drawn games added to them."""

    played: Numbers
    points: Numbers  # of the first player
    drawn: Numbers
    prior: float  # draws of each player against one of strength 0, and one of equals for the seat
    advantage: bool  # whether the first move may be worth something


@dataclass(frozen=True)
class Fit:
    """Strengths in natural units, the advantage of the first move, and their covariance.

    The covariance has a row for each player and a last one for the advantage. Only differences of
    strengths mean something. `sampled` is the part of it that is estimated from clusters of games,
    and `clusters` how many of them tell about each player and the advantage.
    """

    strengths: Numbers
    advantage: float
    covariance: Numbers
    sampled: Numbers
    clusters: Numbers


def fit(games: Games, clusters: Clusters | None = None) -> Fit:
    """The maximum of the likelihood by Newton's method, halving a step that goes too far.

    Without clusters, all games are taken to be independent of each other.
    """
    at = _beginning(games)
    height = _likelihood(games, at)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(_curvature(games, at), _slope(games, at))
        step *= min(1.0, FAR / np.abs(step).max(initial=SMALL))
        while (higher := _likelihood(games, at + step)) < height - SMALL * (1 + abs(height)):
            step /= 2
        at, height = at + step, higher
        if np.abs(step).max() < LAST:
            break
    return Fit(at[:-1], float(at[-1]), *_covariance(games, at, clusters))


def _beginning(games: Games) -> Numbers:
    """Where to start: as if everybody had played against the same opponents."""
    played = games.played.sum(axis=1) + games.played.sum(axis=0)
    points = games.points.sum(axis=1) + (games.played - games.points).sum(axis=0)
    strengths = np.log((points + 0.5) / (played - points + 0.5))
    return np.append(np.clip(strengths - strengths.mean(), -NEAR, NEAR), 0.0)


def _differences(at: Numbers) -> Numbers:
    """By how much the first player is ahead, in each cell."""
    return np.asarray(at[:-1, None] - at[None, :-1] + at[-1])


def _expected(x: Numbers) -> Numbers:
    """The expected score of somebody so much ahead."""
    return np.asarray(1 / (1 + np.exp(np.minimum(-x, 700))))


def _variance(x: Numbers) -> Numbers:
    """The variance of a game without draws between two who are so far apart."""
    return np.asarray(0.25 / np.cosh(np.minimum(np.abs(x), 700) / 2) ** 2)


def _likelihood(games: Games, at: Numbers) -> float:
    """The logarithm of how likely the results are, summed so that nothing cancels out."""
    x = _differences(at)
    lost = games.played - games.points
    real = games.played * _doubt(x) + np.where(x > 0, lost, games.points) * np.abs(x)
    return float(-real.sum() - games.prior * (_doubt(at) + np.abs(at) / 2).sum())


def _doubt(x: Numbers) -> Numbers:
    """Minus the logarithm of the expected score of the stronger one."""
    return np.asarray(np.log1p(np.exp(-np.abs(x))))


def _slope(games: Games, at: Numbers) -> Numbers:
    """How the likelihood changes with each strength: points made above those expected."""
    x = _differences(at)
    above = games.points * _expected(-x) - (games.played - games.points) * _expected(x)
    slope = -games.prior * np.tanh(at / 2) / 2
    slope[:-1] += above.sum(axis=1) - above.sum(axis=0)
    slope[-1] = slope[-1] + above.sum() if games.advantage else 0.0
    return slope


def _curvature(games: Games, at: Numbers) -> Numbers:
    """How sharply the likelihood is bent (Fisher's information), made invertible.

    Without a prior, adding the same to all strengths changes nothing; their sum is held at 0.
    """
    bent = _information(games.played * _variance(_differences(at)), games.advantage)
    bent += np.diag(games.prior * _variance(at))
    if not games.prior:
        bent[:-1, :-1] += 1 / (len(at) - 1)
    if not games.advantage:
        bent[-1, -1] = 1.0
    return bent


def _information(weights: Numbers, advantage: bool) -> Numbers:
    """The sum over all cells of the weight times d d', d being +1, -1 for the two and 1 last."""
    count = len(weights)
    table = np.zeros((count + 1, count + 1))
    table[:-1, :-1] = np.diag(weights.sum(axis=1) + weights.sum(axis=0)) - weights - weights.T
    if advantage:
        table[-1, :-1] = table[:-1, -1] = weights.sum(axis=1) - weights.sum(axis=0)
        table[-1, -1] = weights.sum()
    return table


def _covariance(
    games: Games, at: Numbers, clusters: Clusters | None
) -> tuple[Numbers, Numbers, Numbers]:
    """How far off the fit may be (Huber 1967, White 1982); see `Fit` for the three parts.

    Between two inverses of the curvature stands the variance of the slope. A game with expected
    score p that is drawn with probability d adds p (1 - p) - d / 4 to it, while the curvature takes
    that to be p (1 - p).
    """
    bent = _curvature(games, at)
    inverse = np.linalg.inv(bent)
    x = _differences(at)
    saved = games.played * _variance(x) * _saved_by_draws(games, x)
    spread = bent - _information(saved, games.advantage)
    sampled, even = np.zeros_like(spread), np.ones(len(at))
    if clusters is not None:
        spread, sampled, even = _clustered(games, x, spread, clusters)
    return inverse @ spread @ inverse, inverse @ sampled @ inverse, even


def _clustered(
    games: Games, x: Numbers, alone: Numbers, clusters: Clusters
) -> tuple[Numbers, Numbers, Numbers]:
    """The variance of the slope where games of one opening go together (Liang and Zeger 1986).

    To that of independent games comes what the games of a cluster have in common: the square of
    their sum less the sum of their squares. Fitted to the same games, it is too small by the share
    of one cluster, which is added. With few clusters it says little and counts little; it never
    makes anybody surer than a few clusters of independent games would.
    """
    sums = clusters.sums(_expected(x))
    if not games.advantage:
        sums.squares[-1], sums.squares[:, -1], sums.even[-1] = 0.0, 0.0, 1.0
    worth = np.sqrt((sums.even - 1) / (sums.even - 1 + DOUBT))
    trust = np.outer(worth, worth)
    own = 1 / np.sqrt(sums.even)
    squares = sums.squares + np.outer(own, own) * alone
    common = trust * (squares - _information(_squared_errors(games, x), games.advantage))
    root = np.linalg.cholesky(alone)
    half = np.linalg.solve(root, common)
    values, vectors = np.linalg.eigh(np.linalg.solve(root, half.T))
    least = DOUBT / (sums.even.max() - 1 + DOUBT)
    turned = root @ vectors
    return turned * np.maximum(1 + values, least) @ turned.T, trust * squares, sums.even


def _squared_errors(games: Games, x: Numbers) -> Numbers:
    """The sum over the games of each cell of how far each was from its expected score, squared."""
    expected = _expected(x)
    won = games.points - games.drawn / 2
    lost = games.played - games.drawn - won
    return np.asarray(
        won * (1 - expected) ** 2 + games.drawn * (0.5 - expected) ** 2 + lost * expected**2
    )


def _saved_by_draws(games: Games, x: Numbers) -> Numbers:
    """The share of each cell's variance that draws take away, from the draws seen.

    A pair has its own share, mixed with the group's where its games are few. Each is taken as if
    three more games had been decided: of something that happens in 3 of n games, n may show none.
    """
    most = games.played * _variance(x)
    drawn = games.drawn.sum()
    group = min(1.0, drawn / (4 * most.sum() + UNSEEN))
    pairs, counts = most + most.T, games.played + games.played.T
    own = (games.drawn + games.drawn.T) / (4 * pairs + UNSEEN)
    mixed = (counts * np.minimum(own, 1) + SMOOTHING * group) / (counts + SMOOTHING)
    most_drawn = 0.5 / _expected(np.abs(x))  # d is at most 2 p and 2 (1 - p)
    return np.asarray(np.minimum(mixed, most_drawn))
