"""When may we stop asking? Sequential tests, other reasons to stop, and what is known after that.

The test is the generalised sequential probability ratio test (GSPRT), after Van den Bergh's notes
on it and on normalised Elo: the log-likelihood ratio (LLR) of the two likeliest distributions that
have exactly the strength of one hypothesis and of the other.

Outcomes are counted from the worst to the best: loss, draw, win, or, for pairs of games with the
seats swapped, pair scores 0, 1/2, 1, 3/2, 2 (trinomial and pentanomial counts). Both kinds go the
same way: `counts` is the list of how often each outcome was seen, its scores are evenly spaced from
0 to 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, exp, expm1, log, pi, sin, sqrt
from typing import Literal

from arena.standings.intervals import (
    Z_95,
    expected_score,
    moments,
    normal_cdf,
    outcome_scores,
)
from arena.standings.rating import rate_scoreboard
from arena.standings.scoreboard import PENTANOMIAL, Scoreboard
from arena.tournament.sprt import Model, Sprt

UNSEEN = 1e-3  # an outcome that never occurred counts a little, so that no ratio is infinite
NELO = 800 / log(10)  # normalised Elo of one standard deviation a game
STEPS = 10
MOST = 1000.0  # Elo, either way
FEW_TERMS = 1e-2  # below this much diffusion the series is slow, and two images are exact enough
STEEP = 15.0  # above this much drift likewise
CUT = 1e-12
FEWEST = 20  # games of each player before an error bar is believed
GROWTH = 1.05  # how many times as many games there are when ratings are fitted again


@dataclass(frozen=True, slots=True)
class SprtState:
    """The log-likelihood ratio, its bounds, and the hypothesis that was accepted, if any."""

    llr: float
    lower: float
    upper: float
    verdict: Literal["H0", "H1"] | None


def sprt_state(test: Sprt, counts: Sequence[int]) -> SprtState:
    """How a test stands after these outcomes."""
    ratio = llr(counts, test.elo0, test.elo1, test.model)
    lower, upper = test.bounds
    accepted: Literal["H0", "H1"] | None = "H1" if ratio >= upper else None
    return SprtState(ratio, lower, upper, "H0" if ratio <= lower else accepted)


def llr(counts: Sequence[int], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """The log-likelihood ratio of elo1 against elo0; nothing is known before the first outcome."""
    if not any(counts):
        return 0.0
    seen = [count or UNSEEN for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    likeliest = _with_mean if model == "logistic" else _with_deviations
    zero, one = (likeliest(shares, elo) for elo in (elo0, elo1))
    return total * sum(p * log(b / a) for p, a, b in zip(shares, zero, one, strict=True))


def _with_mean(shares: list[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean score is that of an Elo difference."""
    away = [x - expected_score(elo) for x in outcome_scores(len(shares))]
    return _likeliest(shares, away)


def _with_deviations(shares: list[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean is so many of its own deviations above one half."""
    values = outcome_scores(len(shares))
    deviations = elo / NELO * (sqrt(2) if len(shares) == 5 else 1)
    likeliest = [1 / len(shares)] * len(shares)
    for _ in range(STEPS):
        mean = sum(q * x for q, x in zip(likeliest, values, strict=True))
        spread = sqrt(sum(q * (x - mean) ** 2 for q, x in zip(likeliest, values, strict=True)))
        away = [
            x - 0.5 - deviations * spread / 2 * (1 + ((x - mean) / spread) ** 2) for x in values
        ]
        likeliest = _likeliest(shares, away)
    return likeliest


def _likeliest(shares: list[float], away: list[float]) -> list[float]:
    """The likeliest distribution q after these shares p for which sum q a is 0.

    It is p / (1 + t a), where sum p a / (1 + t a) falls from +inf to -inf between its poles.
    """

    def slope(t: float) -> float:
        return sum(p * a / (1 + t * a) for p, a in zip(shares, away, strict=True))

    tilt = falling_root(slope, -1 / max(away), -1 / min(away))
    return [p / (1 + tilt * a) for p, a in zip(shares, away, strict=True)]


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


@dataclass
class SequentialTest:
    """A sequential test of one player against another, and the outcomes that it has seen."""

    player: int
    other: int
    sprt: Sprt
    counts: list[int]

    @property
    def state(self) -> SprtState:
        """How it stands."""
        return sprt_state(self.sprt, self.counts)

    def see(self, board: Scoreboard, first: int, second: int, result: int) -> bool:
        """Take note of a game; tell whether it has changed the counts."""
        if {first, second} != {self.player, self.other}:
            return False
        before = self.counts
        if len(before) == PENTANOMIAL:
            self.counts = board.pentanomial(self.player, self.other)
        else:
            self.counts = before[:]
            self.counts[1 + (result if first == self.player else -result)] += 1
        return self.counts != before


class StopRules:
    """Reads the scoreboard after every game; answers with a sentence when it is time to stop."""

    def __init__(
        self,
        scoreboard: Scoreboard,
        sprt: tuple[int, int, Sprt] | None = None,
        seconds: float | None = None,
        error: float | None = None,
        swapped: bool = True,
    ) -> None:
        self.scoreboard = scoreboard
        self.seconds, self.error = seconds, error
        self.clock: Callable[[], float] = time.monotonic
        self.begun: float | None = None  # when playing began
        self.played = [0] * len(scoreboard.names)  # games of each player, of those looked at
        self.rated = 0  # games when ratings were fitted last
        self.test = SequentialTest(*sprt, [0] * (PENTANOMIAL if swapped else 3)) if sprt else None
        self.verdict: str | None = None

    def begin(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Playing begins now: what was done before is on no budget of time."""
        self.clock, self.begun = clock, clock()

    def seconds_left(self) -> float | None:
        """What is left of the time budget; None if there is none."""
        if self.seconds is None:
            return None
        used = 0.0 if self.begun is None else self.clock() - self.begun
        return max(0.0, self.seconds - used)

    def check(self) -> str | None:
        """Why to stop, if that is so after the games so far. Once there is a verdict, it stays."""
        for first, second, result in self.scoreboard.settle():
            if self.verdict is not None:
                continue
            self.played[first] += 1
            self.played[second] += 1
            if self.test is not None and self.test.see(self.scoreboard, first, second, result):
                self._ask_test(self.test)
            if self.error is not None:
                self._ask_error(self.error)
        if self.verdict is None and self.seconds_left() == 0:
            return f"the time budget of {self.seconds:g} s is spent"
        return self.verdict

    def _ask_test(self, test: SequentialTest) -> None:
        state = test.state
        if state.verdict is not None:
            stronger = state.verdict == "H1"
            elo = test.sprt.elo1 if stronger else test.sprt.elo0
            self.verdict = (
                f"SPRT: {state.verdict} accepted, {self.scoreboard.names[test.player]} is "
                f"{'at least' if stronger else 'at most'} about {elo:+g} Elo "
                f"(LLR {state.llr:.2f}, bounds {state.lower:.2f} {state.upper:.2f})"
            )

    def _ask_error(self, target: float) -> None:
        """The widest error of all ratings, asked again whenever there are some games more."""
        games = self.scoreboard.settled
        if games < GROWTH * self.rated or min(self.played) < FEWEST:
            return
        self.rated = games
        ratings = rate_scoreboard(self.scoreboard, games)
        if len(ratings.groups) > 1:
            return
        widest = max(error for error in ratings.error if error is not None)
        if widest <= target:
            self.verdict = f"every error bar is at most {widest:.1f} Elo ({target:g} was asked for)"


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
        return 0.0, NELO * Z_95
    total, mean, variance = _moments(counts)
    games = 2 * total if len(counts) == 5 else total
    deviation = sqrt(variance * games / total)
    return NELO * (mean - 0.5) / deviation, NELO * Z_95 / sqrt(games)


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """How likely the player is the stronger one, after a number of games fixed beforehand."""
    if not any(counts):
        return 0.5
    total, mean, variance = _moments(counts)
    return normal_cdf((mean - 0.5) / sqrt(variance / total))


def after_stop(counts: Sequence[int], sprt: Sprt) -> Estimate:
    """The median-unbiased Elo difference after a sequential test, with its 95 % interval.

    A test stops when luck runs one way, so the plain estimate after it is too far from 0. As
    fishtest does (Van den Bergh), the ratio is taken for a Brownian motion with drift that ends at
    one of two bounds, and outcomes are ordered by where and how early it ended (Siegmund 1985): the
    estimate is the Elo at which a worse outcome than the one seen is as likely as a better one. A
    test that has not stopped yet is taken as if it stopped now.
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
        if sprt.model == "logistic":
            zero, one = expected_score(sprt.elo0), expected_score(sprt.elo1)
        else:
            deviation = sqrt(2 * self.variance if len(counts) == 5 else self.variance)
            zero, one = (0.5 + elo / NELO * deviation for elo in (sprt.elo0, sprt.elo1))
        self.middle, self.apart = (zero + one) / 2, one - zero
        drift, _ = self._motion(self.mean, self.variance)
        self.end = min(self.upper, max(self.lower, total * drift))
        self.time = self.end / drift if self.end != total * drift else total

    def _motion(self, mean: float, variance: float) -> tuple[float, float]:
        """Drift and variance of the ratio with each outcome (Van den Bergh, GSPRT note)."""
        return (mean - self.middle) * self.apart / variance, self.apart**2 / variance

    def __call__(self, elo: float) -> float:
        mean = expected_score(elo)
        drift, variance = self._motion(mean, self.variance + (mean - self.mean) ** 2)
        share = worse_end(self.lower, self.upper, drift, variance, self.time, self.end)
        return min(1.0, max(0.0, share))

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
    # how likely the lower bound is hit first, at whatever time (Wald 1945)
    if abs(pull * width) < 1e-8:
        hits = (width - start) / width
    else:
        hits = exp(-2 * pull * start) * expm1(-2 * pull * (width - start))
        hits /= expm1(-2 * pull * width)
    # less what is still on its way at that time
    total, number = 0.0, 1
    front = 2 / width * exp(pull * (end - start) - pull**2 * variance * time / 2)
    while True:
        wave = number * pi / width
        fading = exp(-(wave**2) * variance * time / 2)
        shape = (pull * sin(wave * end) - wave * cos(wave * end)) / (pull**2 + wave**2)
        total += front * fading * sin(wave * start) * shape
        if front * fading <= CUT:
            return hits + total
        number += 1


def _by_images(
    lower: float, upper: float, drift: float, variance: float, time: float, end: float
) -> float:
    """The motion without bounds and its first mirror image in each (Siegmund 1985)."""
    spread, pull = sqrt(variance * time), drift / variance
    z = (end - drift * time) / spread
    below = _tilted(2 * pull * lower, 2 * lower / spread - z)
    above = _tilted(2 * pull * upper, z - 2 * upper / spread)
    return normal_cdf(z) + below - above


def _tilted(exponent: float, z: float) -> float:
    """exp(exponent) normal_cdf(z), also where one factor is too large and the other too small."""
    if z > -10:
        return exp(min(exponent, 700.0)) * normal_cdf(z)
    tail = exponent - z * z / 2 - log(-z * sqrt(2 * pi))
    return exp(min(tail, 700.0)) * (1 - 1 / (z * z))


def _moments(counts: Sequence[int]) -> tuple[float, float, float]:
    """How many outcomes, their mean score and its variance; unseen ones count a little."""
    return moments([count or UNSEEN for count in counts])
