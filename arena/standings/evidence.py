"""How sure is a number? One kind of estimate, and one notion of independent evidence.

A *cluster* is what an opening shows once: the k-th different game of each pairing in it, in both
seats. Clusters are independent draws from the tournament's own way of choosing openings and playing
them, and an interval is about the expected value over such draws: a file of 3 openings is those 3,
random openings are all that may be drawn. A copy of a game adds weight, but no cluster; so does a
game that repeats although engines use chance, which errs on the safe side.

An interval is Student's (1908), over clusters. To a share, one cluster that is all lost and one
that is all won are added first (Agresti and Coull 1998): nothing is certain because it has never
varied. `python -m tests.benchmarks.coverage` shows how often intervals hold the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import erfc, exp, inf, isfinite, log, log10, pi, sqrt, tan
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.intp]
Scale = Literal["share", "elo", "mean", "rating"]
Verdict = Literal["yes", "no", "open"]

CONFIDENCE = 0.95
Z_95 = NormalDist().inv_cdf(0.975)
DOUBT = 1.0  # clusters all lost, and as many all won, that are added to a share of points
DOUBT_OF_MOVES = 0.25  # the same for a share of moves: no game consists of blunders only
NORMAL_DEGREES = 1e6  # of freedom, from where on Student's distribution is the normal one
ANGLES, REACH = 4001, 12.0  # points of an integral, and its end in standard errors


class Interval(NamedTuple):
    """The ends of an interval; -inf and inf where it is unbounded."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


UNBOUNDED = Interval(-inf, inf)


def elo(share: float) -> float:
    """The Elo difference of a mean score; infinite at 0 and 1."""
    return inf if share >= 1 else -inf if share <= 0 else -400 * log10(1 / share - 1)


def expected_score(difference: float) -> float:
    """The mean score of a player who is stronger by this Elo difference."""
    return 1 / (1 + 10 ** min(-difference / 400, 300.0))


def normal_cdf(z: float) -> float:
    """The share of a normal distribution below z, exact in both tails."""
    return erfc(-z / sqrt(2)) / 2


def falling_root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function crosses 0, by halving: slow, but it cannot miss."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def wilson(points: float, games: float, z: float = Z_95) -> Interval:
    """The interval of a share of independent observations (Wilson 1927)."""
    if games == 0:
        return Interval(0.0, 1.0)
    share = points / games
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return Interval(max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole))


def _student(degrees: float) -> tuple[float, Numbers, Numbers]:
    """Degrees, angles a and the chance of |t| < sqrt(degrees) tan(a).

    The density of the angle is a power of its cosine. Degrees are rounded: many figures share a
    table.
    """
    return _student_table(float(f"{min(degrees, NORMAL_DEGREES):.4g}"))


@lru_cache(maxsize=64)
def _student_table(degrees: float) -> tuple[float, Numbers, Numbers]:
    angles = np.linspace(0.0, min(pi / 2, REACH * max(1.0, 8 / degrees) / sqrt(degrees)), ANGLES)
    density = np.cos(angles) ** (degrees - 1)
    steps = (density[1:] + density[:-1]) / 2
    return degrees, angles, np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()


@lru_cache(maxsize=1024)
def student_quantile(degrees: float, confidence: float = CONFIDENCE) -> float:
    """The number of standard errors to either side that hold the truth this often."""
    if degrees > NORMAL_DEGREES:
        return NormalDist().inv_cdf((1 + confidence) / 2)
    degrees, angles, below = _student(degrees)
    return sqrt(degrees) * tan(float(np.interp(confidence, below, angles)))


def student_cdf(t: Numbers, degrees: float) -> Numbers:
    """The chance that a value of Student's distribution is below each t."""
    degrees, angles, below = _student(degrees)
    within = np.interp(np.arctan(np.abs(t) / sqrt(degrees)), angles, below)
    return np.asarray((1 + np.sign(t) * within) / 2)


@dataclass(frozen=True)
class Estimate:
    """A value, and how sure it is.

    Scale "share" lies between 0 and 1; "elo" is a share shown as an Elo difference; a "mean" is of
    what is never negative; a "rating" is any real number.
    """

    value: float
    center: float  # the middle of the interval; of a share, with the clusters of doubt added
    error: float  # the standard error of the center; that of "elo" is of its share
    clusters: float  # independent ones; those of more games than others count for less than one
    games: int
    scale: Scale
    upper: Estimate | None = None  # with everything unjudged counted the other way
    times: float = 1.0  # what value and interval are multiplied by, as of a number of games

    def as_elo(self) -> Estimate:
        """The Elo difference of a score."""
        return replace(self, value=elo(self.value), scale="elo")

    def multiplied(self, times: float) -> Estimate:
        """The same as a count: a number of wins from a share."""
        return replace(self, value=self.value * times, times=self.times * times)

    def reversed(self) -> Estimate:
        """A score or a difference of two players, seen from the other one."""
        value = 1 - self.value if self.scale == "share" else -self.value
        center = -self.center if self.scale == "rating" else 1 - self.center
        return replace(self, value=value, center=center)

    @property
    def is_known(self) -> bool:
        """Whether there are enough clusters, and they differ."""
        return self.clusters >= 2 and 0 < self.error < inf

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The interval of the expected value; fewer than two clusters say nothing."""
        low, high = self._ends(confidence)
        if self.upper is not None:
            high = self.upper._ends(confidence).high
        return Interval(low * self.times, high * self.times)

    def _ends(self, confidence: float) -> Interval:
        if self.scale == "mean" and self.center == 0 and self.clusters >= 2:
            return Interval(0.0, -log(1 - confidence) / self.clusters)  # the rule of three
        if not self.is_known:
            return Interval(0.0, 1.0) if self.scale == "share" else UNBOUNDED
        reach = self.reach(confidence)
        low, high = self.center - reach, self.center + reach
        if self.scale == "mean":  # skewed: its upper end is taken on its logarithm
            return Interval(max(0.0, low), self.center * exp(min(reach / self.center, 700.0)))
        if self.scale == "rating":
            return Interval(low, high)
        low, high = max(0.0, low), min(1.0, high)
        return Interval(elo(low), elo(high)) if self.scale == "elo" else Interval(low, high)

    def reach(self, confidence: float = CONFIDENCE) -> float:
        """How far the interval of the center goes to each side."""
        return student_quantile(self.clusters - 1, confidence) * self.error

    def chance_above(self, x: float) -> float:
        """How likely the expected value is above x: 0.975 where the 95 % interval begins at x."""
        if not self.is_known:
            return 0.5
        x = expected_score(x) if self.scale == "elo" else x / self.times
        distance = self.center - x
        if self.scale == "mean" and distance < 0:
            distance = -self.center * log(x / self.center)
        return float(student_cdf(np.array(distance / self.error), self.clusters - 1))

    @property
    def los(self) -> float:
        """The likelihood of superiority, of a score or a difference of strengths."""
        return self.chance_above(0.5 if self.scale == "share" else 0.0)

    def more_games(self, confidence: float = CONFIDENCE) -> float:
        """How many times the games would show the difference, if it is what it seems.

        Of fewer clusters than five nothing can be said: their t is far from that of more games.
        """
        distance = abs({
            "share": self.value - 0.5, "elo": expected_score(self.value) - 0.5,
        }.get(self.scale, self.value))  # fmt: skip
        if not distance or not self.is_known or self.clusters < 5:
            return inf
        return (self.reach(confidence) / distance) ** 2

    @property
    def is_significant(self) -> bool:
        """Whether the 95 % interval leaves out equality."""
        return not 0.025 <= self.los <= 0.975


def estimate(
    labels: Labels, weight: Numbers, total: Numbers, scale: Scale, doubt: float = DOUBT
) -> Estimate | None:
    """Total over weight of some games, with the error between their clusters; None of nothing.

    Weights are games, moves or seconds, totals points, plies or nodes.
    """
    counted = weight != 0
    _, labels = np.unique(labels[counted], return_inverse=True)
    weights: Numbers = np.bincount(labels.reshape(-1), weight[counted]).astype(np.float64)
    totals: Numbers = np.bincount(labels.reshape(-1), total[counted]).astype(np.float64)
    ratio = _between(weights, totals, np.ones(len(weights)), scale, doubt)
    return None if ratio is None else replace(ratio, games=int(counted.sum()))


def of_outcomes(counts: Sequence[float]) -> Estimate | None:
    """The score behind outcomes counted from the worst to the best, each of them a cluster."""
    size = len(counts)
    return _between(np.ones(size), np.linspace(0, 1, size), np.asarray(counts, float), "share")


def _between(
    weights: Numbers, totals: Numbers, times: Numbers, scale: Scale, doubt: float = DOUBT
) -> Estimate | None:
    """The ratio of totals to weights of clusters, each counted this often (Cochran 1977, 6.4)."""
    whole = float(times @ weights)
    if not whole:
        return None
    value = float(times @ totals) / whole
    clusters = whole**2 / float(times @ weights**2)  # Kish 1965
    rest = float(times @ (totals - value * weights) ** 2) * (clusters / whole) ** 2
    size, center = clusters, value
    if scale == "share":
        size = clusters + 2 * doubt
        center = (clusters * value + doubt) / size
        rest += clusters * (value - center) ** 2 + doubt * (center**2 + (1 - center) ** 2)
    error = sqrt(rest / (size * (size - 1))) if clusters > 1 else 0.0
    return Estimate(value, center, error, clusters, round(float(times.sum())), scale)


def lies_within(ends: Interval, low: float, high: float) -> Verdict:
    """Whether a value lies between two bounds, as far as its interval tells."""
    if low <= ends.low and ends.high <= high:
        return "yes"
    return "no" if ends.high < low or ends.low > high else "open"


def judge(estimate: Estimate, low: float, high: float, confidence: float = CONFIDENCE) -> Verdict:
    """The same of the expected value behind an estimate."""
    return lies_within(estimate.interval(confidence), low, high)


def value_of(estimate: Estimate | None) -> float | None:
    """The value for a table; None where it is unknown or infinite."""
    return None if estimate is None or not isfinite(estimate.value) else estimate.value


def ends_of(estimate: Estimate | Interval | None) -> tuple[float | None, float | None]:
    """Low and high for a table or for JSON; None where an end is unbounded."""
    if estimate is None:
        return None, None
    low, high = estimate if isinstance(estimate, Interval) else estimate.interval()
    return (low if isfinite(low) else None), (high if isfinite(high) else None)
