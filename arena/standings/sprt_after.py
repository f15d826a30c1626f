"""What a match says about strength, also after a test that stopped it.

A test stops when luck runs one way, so the plain estimate after it is too far from 0. As fishtest
does (Van den Bergh), the ratio is taken for a Brownian motion with drift that ends at one of two
bounds, and outcomes are ordered by where and how early it ended (Siegmund 1985): the estimate is
the Elo at which a worse outcome than the one seen is as likely as a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, erfc, exp, expm1, log, pi, sin, sqrt

from arena.standings.scores import NORMAL_95
from arena.standings.sprt import NELO, UNSEEN, Sprt, expected_score, falling_root, scores

MOST = 1000.0  # Elo, either way
FEW_TERMS = 1e-2  # below this much diffusion the series is slow, and two images are exact enough
STEEP = 15.0  # above this much drift likewise
CUT = 1e-12


@dataclass(frozen=True, slots=True)
class Estimate:
    """Elo difference, its 95 % interval, and how likely it is above 0."""

    elo: float
    low: float
    high: float
    los: float


def nelo_with_error(counts: Sequence[int]) -> tuple[float, float]:
    """Normalised Elo and half width of its 95 % interval (Van den Bergh).

    It is the mean score above one half in standard deviations of a game, so that it says how many
    games it takes to see it.
    """
    if not any(counts):
        return 0.0, NELO * NORMAL_95
    total, mean, variance = _moments(counts)
    games = 2 * total if len(counts) == 5 else total
    deviation = sqrt(variance * games / total)
    return NELO * (mean - 0.5) / deviation, NELO * NORMAL_95 / sqrt(games)


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """How likely the player is the stronger one, after a number of games fixed beforehand."""
    if not any(counts):
        return 0.5
    total, mean, variance = _moments(counts)
    return phi((mean - 0.5) / sqrt(variance / total))


def after_stop(counts: Sequence[int], sprt: Sprt) -> Estimate:
    """The median-unbiased Elo difference after a sequential test, with its 95 % interval.

    A test that has not stopped yet is taken as if it stopped now.
    """
    if not any(counts):
        return Estimate(0.0, -MOST, MOST, 0.5)
    worse = _Worse(counts, sprt)
    return Estimate(worse.elo_at(0.5), worse.elo_at(0.975), worse.elo_at(0.025), worse(0.0))


class _Worse:
    """How likely a worse outcome of the test is, by the true Elo difference: it falls with it."""

    def __init__(self, counts: Sequence[int], sprt: Sprt) -> None:
        total, self.mean, self.variance = _moments(counts)
        self.lower, self.upper = sprt.bounds
        zero, one = self._hypotheses(sprt, len(counts))
        self.middle, self.apart = (zero + one) / 2, one - zero
        drift, _ = self._motion(self.mean, self.variance)
        self.end = min(self.upper, max(self.lower, total * drift))
        self.time = self.end / drift if self.end != total * drift else total

    def _hypotheses(self, sprt: Sprt, outcomes: int) -> tuple[float, float]:
        """The mean scores that the test tells apart."""
        if sprt.model == "logistic":
            return expected_score(sprt.elo0), expected_score(sprt.elo1)
        deviation = sqrt(2 * self.variance if outcomes == 5 else self.variance)
        return 0.5 + sprt.elo0 / NELO * deviation, 0.5 + sprt.elo1 / NELO * deviation

    def _motion(self, mean: float, variance: float) -> tuple[float, float]:
        """Drift and variance of the ratio with each outcome (Van den Bergh, GSPRT note)."""
        return (mean - self.middle) * self.apart / variance, self.apart**2 / variance

    def __call__(self, elo: float) -> float:
        mean = expected_score(elo)
        drift, variance = self._motion(mean, self.variance + (mean - self.mean) ** 2)
        found = worse_end(self.lower, self.upper, drift, variance, self.time, self.end)
        return min(1.0, max(0.0, found))

    def elo_at(self, share: float) -> float:
        """The Elo difference at which a worse outcome is this likely."""
        return falling_root(lambda elo: self(elo) - share, -MOST, MOST)


def worse_end(
    lower: float, upper: float, drift: float, variance: float, time: float, end: float
) -> float:
    """How likely a Brownian motion from 0 hits the lower bound by a time, or is then below `end`.

    For `end` at the lower bound that is failing as early, for the upper one passing no earlier.
    """
    width = upper - lower
    pull = drift / variance
    if variance * time / width**2 < FEW_TERMS or abs(pull * width) > STEEP:
        return _by_images(lower, upper, drift, variance, time, end)
    return _by_waves(width, -lower, pull, variance, time, end - lower)


def _by_waves(
    width: float, start: float, pull: float, variance: float, time: float, end: float
) -> float:
    """The sum over standing waves between the bounds at 0 and `width`; quick for a long time."""
    total, number = 0.0, 1
    front = 2 / width * exp(pull * (end - start) - pull**2 * variance * time / 2)
    while True:
        wave = number * pi / width
        fading = exp(-(wave**2) * variance * time / 2)
        shape = (pull * sin(wave * end) - wave * cos(wave * end)) / (pull**2 + wave**2)
        total += front * fading * sin(wave * start) * shape
        if front * fading <= CUT:
            return _hits_zero(width, start, pull) + total
        number += 1


def _hits_zero(width: float, start: float, pull: float) -> float:
    """How likely the lower bound is hit first, at whatever time (Wald 1945)."""
    if abs(pull * width) < 1e-8:
        return (width - start) / width
    return exp(-2 * pull * start) * expm1(-2 * pull * (width - start)) / expm1(-2 * pull * width)


def _by_images(
    lower: float, upper: float, drift: float, variance: float, time: float, end: float
) -> float:
    """The motion without bounds and its first mirror image in each (Siegmund 1985)."""
    spread, pull = sqrt(variance * time), drift / variance
    z = (end - drift * time) / spread
    below = _tilted(2 * pull * lower, 2 * lower / spread - z)
    above = _tilted(2 * pull * upper, z - 2 * upper / spread)
    return phi(z) + below - above


def _tilted(exponent: float, z: float) -> float:
    """exp(exponent) phi(z), also where one factor is too large and the other too small."""
    if z > -10:
        return exp(min(exponent, 700.0)) * phi(z)
    tail = exponent - z * z / 2 - log(-z * sqrt(2 * pi))
    return exp(min(tail, 700.0)) * (1 - 1 / (z * z))


def phi(z: float) -> float:
    """The share of a normal distribution below z."""
    return erfc(-z / sqrt(2)) / 2


def _moments(counts: Sequence[int]) -> tuple[float, float, float]:
    """How many outcomes, their mean score and its variance; unseen ones count a little."""
    seen = [count or UNSEEN for count in counts]
    values, total = scores(len(seen)), sum(seen)
    mean = sum(count * x for count, x in zip(seen, values, strict=True)) / total
    variance = sum(count * (x - mean) ** 2 for count, x in zip(seen, values, strict=True)) / total
    return total, mean, variance
