"""How sure ratings are: intervals and likelihoods from the covariance of a fit.

A variance that is estimated from few clusters of games is itself unsure; its intervals are wider,
by Student's distribution.
"""

from __future__ import annotations

from math import erf, log, sqrt

import numpy as np

from arena.standings.rating_fit import Fit
from arena.standings.results import Numbers
from arena.standings.student import normal_of_t, student_95

ELO = 400 / log(10)  # Elo of one natural unit
MANY = 1e12  # degrees of freedom that are as good as infinitely many


def half_widths(spread: Numbers, sampled: Numbers, clusters: Numbers) -> Numbers:
    """Half of the 95 % intervals, in Elo."""
    reach = student_95(_degrees(spread, sampled, clusters))
    return np.asarray(ELO * reach * np.sqrt(np.maximum(0.0, spread)))


def superiority(found: Fit) -> Numbers:
    """[i, j]: how likely i is the stronger, by the distribution of the difference."""
    spread, sampled = (_apart(part[:-1, :-1]) for part in (found.covariance, found.sampled))
    clusters = np.minimum(found.clusters[:-1, None], found.clusters[None, :-1])
    apart = found.strengths[:, None] - found.strengths[None, :]
    t = np.divide(apart, np.sqrt(spread), out=np.zeros_like(apart), where=spread > 0)
    z = normal_of_t(t, _degrees(spread, sampled, clusters)) / sqrt(2)
    return 0.5 + 0.5 * np.fromiter(map(erf, z.ravel()), np.float64, z.size).reshape(z.shape)


def _apart(covariance: Numbers) -> Numbers:
    """The variance of the difference of each two players."""
    own = np.diag(covariance)
    return np.asarray(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0))


def above(covariance: Numbers, weights: Numbers) -> Numbers:
    """The variance of each player's difference to a weighted mean of all."""
    shift = covariance @ weights
    return np.asarray(np.maximum(np.diag(covariance) - 2 * shift + weights @ shift, 0))


def _degrees(spread: Numbers, sampled: Numbers, clusters: Numbers) -> Numbers:
    """Degrees of freedom of a variance of which a part is from clusters (Satterthwaite 1946)."""
    share = np.divide(spread, sampled, out=np.full_like(spread, np.inf), where=sampled > 0)
    with np.errstate(invalid="ignore"):
        degrees = (clusters - 1) * share**2
    return np.asarray(np.where(np.isfinite(degrees), np.clip(degrees, 1, MANY), MANY))
