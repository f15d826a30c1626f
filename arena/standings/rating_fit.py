"""The likeliest strengths behind the games of one group.

The model is that of Bradley and Terry (1952) with an advantage of the first move (Davidson and
Beaver 1977): the expected score of player i, moving first against j, is 1 / (1 + exp(-x)) with
x = strength i - strength j + advantage. A draw is half a win and half a loss.

Tables of who met or beat whom are square and boolean; [i, j] is about player i against player j.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.standings.evidence import Numbers

Flags = NDArray[np.bool_]

MOST_STEPS = 200
SMALL = 1e-12  # a difference of this size is none
NEAR, FAR = 3.0, 5.0  # the most a first guess is away from 0, and a step from the last
LAST = 1e-7  # after a step of this size the next one, about its square, is none


@dataclass(frozen=True)
class Cells:
    """The games of one group: tables [first, second], and the drawn games added to them."""

    played: Numbers
    points: Numbers  # of the first player
    drawn: Numbers
    prior: float  # draws of each player against one of strength 0, and one of equals for the seat
    advantage: bool  # whether the first move may be worth something


def fit(games: Cells) -> Numbers:
    """Strengths in natural units and, last, the advantage: the maximum of the likelihood.

    Found by Newton's method, halving a step that goes too far. Only differences of strengths mean
    something.
    """
    at = _initial_guess(games)
    height = _likelihood(games, at)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(curvature(games, at), _gradient(games, at))
        step *= min(1.0, FAR / np.abs(step).max(initial=SMALL))
        while (higher := _likelihood(games, at + step)) < height - SMALL * (1 + abs(height)):
            step /= 2
        at, height = at + step, higher
        if np.abs(step).max() < LAST:
            break
    return at


def _initial_guess(games: Cells) -> Numbers:
    """Strengths as if everybody had played against the same opponents."""
    played = games.played.sum(axis=1) + games.played.sum(axis=0)
    points = games.points.sum(axis=1) + (games.played - games.points).sum(axis=0)
    strengths = np.log((points + 0.5) / (played - points + 0.5))
    return np.append(np.clip(strengths - strengths.mean(), -NEAR, NEAR), 0.0)


def differences(at: Numbers) -> Numbers:
    """By how much the first player is ahead, in each cell."""
    return np.asarray(at[:-1, None] - at[None, :-1] + at[-1])


def expected(x: Numbers) -> Numbers:
    """The expected score of a player who is ahead by x."""
    return np.asarray(1 / (1 + np.exp(np.minimum(-x, 700))))


def variance(x: Numbers) -> Numbers:
    """The variance of a game without draws between two who are so far apart."""
    return np.asarray(0.25 / np.cosh(np.minimum(np.abs(x), 700) / 2) ** 2)


def _likelihood(games: Cells, at: Numbers) -> float:
    """The logarithm of how likely the results are, summed so that nothing cancels out."""
    x = differences(at)
    lost = games.played - games.points
    real = games.played * _softplus(x) + np.where(x > 0, lost, games.points) * np.abs(x)
    return float(-real.sum() - games.prior * (_softplus(at) + np.abs(at) / 2).sum())


def _softplus(x: Numbers) -> Numbers:
    """Minus the logarithm of the expected score of the stronger one."""
    return np.asarray(np.log1p(np.exp(-np.abs(x))))


def _gradient(games: Cells, at: Numbers) -> Numbers:
    """How the likelihood changes with each strength: points made above those expected."""
    x = differences(at)
    above = games.points * expected(-x) - (games.played - games.points) * expected(x)
    slope = -games.prior * np.tanh(at / 2) / 2
    slope[:-1] += above.sum(axis=1) - above.sum(axis=0)
    slope[-1] = slope[-1] + above.sum() if games.advantage else 0.0
    return slope


def curvature(games: Cells, at: Numbers) -> Numbers:
    """Minus the second derivative of the likelihood (Fisher's information), made invertible."""
    hessian = information(games.played * variance(differences(at)), games.advantage)
    hessian += np.diag(games.prior * variance(at))
    if not games.advantage:
        hessian[-1, -1] = 1.0
    return hessian


def information(weights: Numbers, advantage: bool) -> Numbers:
    """The sum over all cells of the weight times d d', d being +1, -1 for the two and 1 last."""
    count = len(weights)
    table = np.zeros((count + 1, count + 1))
    table[:-1, :-1] = np.diag(weights.sum(axis=1) + weights.sum(axis=0)) - weights - weights.T
    if advantage:
        table[-1, :-1] = table[:-1, -1] = weights.sum(axis=1) - weights.sum(axis=0)
        table[-1, -1] = weights.sum()
    return table


def reachable(edges: Flags) -> Flags:
    """Whom one gets to from whom, oneself included, over any number of steps."""
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    steps = 1
    while steps < len(edges):
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if np.array_equal(further, reach):
            break
        reach, steps = further, 2 * steps
    return reach


def components(met: Flags) -> list[NDArray[np.intp]]:
    """The players in groups that are connected by games, each sorted by number."""
    reach = reachable(met | met.T)
    first = reach.argmax(axis=1)  # the smallest number of one's group
    return [np.flatnonzero(first == leader) for leader in np.unique(first)]
