"""How sure a number is: normal and Student's quantiles, Wilson's interval, Elo with its error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erfc, log10, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

Z_95 = NormalDist().inv_cdf(0.975)  # a normal value is within so many deviations 19 times in 20
SURE = 1e-9  # a score is never taken to be nearer to 0 or 1 than this
FEW = (1.0, 1.25, 1.5, 2.0, 3.0)  # degrees of freedom for which the series is not good enough
MANY_DEGREES, ANGLES = 10_000, 20_001  # of freedom; and of the circle, for an integral
OF_FEW = (12.706205, 8.027951, 6.016663, 4.302653, 3.182446)


def normal_cdf(z: float) -> float:
    """The share of a normal distribution below z, exact in both tails."""
    return erfc(-z / sqrt(2)) / 2


def wilson(points: float, games: float, z: float = Z_95) -> tuple[float, float]:
    """The 95 % interval of a score as a share of all points (E. B. Wilson, 1927).

    It stays within 0 and 1 and has a width even when every game was won. Another normal quantile
    z gives another confidence.
    """
    if games == 0:
        return 0.0, 1.0
    share = points / games
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def clustered_wilson(
    share: float, error: float, clusters: int, most: float, confidence: float = 0.95
) -> tuple[float, float]:
    """Wilson's interval of a share whose standard error comes from how much clusters differ.

    It is taken with as many independent observations as would have that error, at most so many,
    and Student's quantile for few clusters (after Korn and Graubard 1998). Where no two clusters
    differ they may be copies of each other: each is one observation then.
    """
    z = quantile(confidence)
    if clusters < 2:  # nobody knows how much they would differ
        return wilson(share, 1, z)
    if not error:
        return wilson(share * clusters, clusters, z)
    independent = min(share * (1 - share) / error**2, most)
    effective = independent * (z / student(clusters - 1, confidence)) ** 2
    return wilson(share * effective, effective, z)


def elo(share: float) -> float:
    """The Elo difference that a mean score stands for; certainty is cut off, never infinite."""
    share = min(1 - SURE, max(SURE, share))
    return -400 * log10(1 / share - 1)


def expected_score(elo: float) -> float:
    """The mean score of a player so many Elo stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def outcome_scores(outcomes: int) -> list[float]:
    """The score of each outcome from the worst to the best, evenly spaced from 0 to 1."""
    return [k / (outcomes - 1) for k in range(outcomes)]


def moments(counts: Sequence[float]) -> tuple[float, float, float]:
    """How many outcomes there are, counted from the worst to the best, their mean and variance."""
    values, total = outcome_scores(len(counts)), sum(counts)
    mean = sum(count * x for count, x in zip(counts, values, strict=True)) / total
    variance = sum(count * (x - mean) ** 2 for count, x in zip(counts, values, strict=True)) / total
    return total, mean, variance


def elo_with_error(counts: Sequence[int]) -> tuple[float, float]:
    """Elo difference and half width of its 95 % interval, from outcomes counted low to high."""
    if not any(counts):
        return 0.0, elo(1.0)
    total, mean, variance = moments(counts)
    reach = Z_95 * sqrt(variance / total)
    return elo(mean), (elo(mean + reach) - elo(mean - reach)) / 2


def quantile(confidence: float) -> float:
    """A normal value is within so many deviations with this probability."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=1024)
def student(degrees: float, confidence: float = 0.95) -> float:
    """How many standard errors an interval reaches if these are estimates themselves (1908).

    With t = sqrt(n) tan(a), the density of Student's distribution is the power n - 1 of cos(a).
    """
    if degrees > MANY_DEGREES:
        return quantile(confidence)
    angles = np.linspace(0.0, np.pi / 2, ANGLES)
    density = np.cos(angles) ** (degrees - 1)
    steps = (density[1:] + density[:-1]) / 2
    below = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    return float(sqrt(degrees) * np.tan(np.interp(confidence, below, angles)))


def student_95(degrees: Numbers | float) -> Numbers:
    """Student's 97.5 % quantiles, for one degree of freedom or more (Abramowitz, Stegun 26.7.5).

    They say how much wider an interval is whose variance is itself an estimate.
    """
    n, z = np.maximum(degrees, 1.0), Z_95
    series = z + (
        (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
    between = np.exp(np.interp(np.log(n), np.log(FEW), np.log(OF_FEW)))
    return np.asarray(np.where(n < FEW[-1], between, series))


def normal_of_t(t: Numbers, degrees: Numbers) -> Numbers:
    """The normal deviate as likely as one of Student's distribution, nearly (Wallace 1959)."""
    shrunk = (8 * degrees + 1) / (8 * degrees + 3)
    return np.asarray(np.sign(t) * shrunk * np.sqrt(degrees * np.log1p(t**2 / degrees)))
