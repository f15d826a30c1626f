"""The sequential test: is one engine better than another, and by how much after it has stopped?

The test is the generalised sequential probability ratio test (GSPRT), after Van den Bergh's notes
on it and on normalised Elo: the log-likelihood ratio (LLR) of the two likeliest distributions that
have exactly the strength of one hypothesis and of the other.

Outcomes are counted from the worst to the best: loss, draw, win, or, for pairs of games with the
seats swapped, pair scores 0, 1/2, 1, 3/2, 2 (trinomial and pentanomial counts). Both kinds go the
same way: `counts` is the list of how often each outcome was seen, its scores are evenly spaced from
0 to 1. Copies of games are no evidence, so counts are scaled down to the number of different
clusters (see evidence.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from arena.standings.evidence import (
    CONFIDENCE,
    Z_95,
    Estimate,
    Interval,
    elo,
    expected_score,
    falling_root,
    normal_cdf,
    of_outcomes,
)
from arena.tournament.sprt import Model, Sprt

if TYPE_CHECKING:
    from arena.standings.games import Settled

PENTANOMIAL = 5  # outcomes of a pair: 0, 1/2, 1, 3/2 or 2 points
UNSEEN = 1e-3  # an outcome that never occurred counts a little, so that no ratio is infinite
NELO = 800 / log(10)  # normalised Elo of one standard deviation a game
STEPS = 10
MAX_ELO = 2400.0  # of an estimate after a stop; every outcome is certain there
UNSEEN_PAIRS = 1 / 3  # pairs all lost, and as many all won, that may have been unseen
STEEPEST = 0.9  # where a bound is so steep, the test is as good as one of fixed length
IDLE_PAIRS = 20  # pairs in a row that repeat earlier games, before a test gives up
DECIDED = "SPRT: H"  # how a verdict of a test begins that has accepted a hypothesis


@dataclass(frozen=True, slots=True)
class SprtState:
    """The log-likelihood ratio, its bounds, and the hypothesis that was accepted, if any."""

    llr: float
    lower: float
    upper: float
    verdict: Literal["H0", "H1"] | None


def sprt_state(test: Sprt, counts: Sequence[float]) -> SprtState:
    """How a test stands after these outcomes."""
    ratio = llr(counts, test.elo0, test.elo1, test.model)
    lower, upper = test.bounds
    accepted: Literal["H0", "H1"] | None = "H1" if ratio >= upper else None
    return SprtState(ratio, lower, upper, "H0" if ratio <= lower else accepted)


def llr(counts: Sequence[float], elo0: float, elo1: float, model: Model = "logistic") -> float:
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
    """The likeliest distribution whose mean is this far above one half in its own deviations."""
    values = outcome_scores(len(shares))
    deviations = elo / NELO * (sqrt(2) if len(shares) == PENTANOMIAL else 1)
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


def outcome_scores(outcomes: int) -> list[float]:
    """The score of each outcome from the worst to the best, evenly spaced from 0 to 1."""
    return [k / (outcomes - 1) for k in range(outcomes)]


@dataclass
class SequentialTest:
    """A sequential test of one player against another, fed with games in order."""

    player: int
    other: int
    sprt: Sprt
    swapped: bool = True  # whether pairs of games with swapped seats are counted

    def __post_init__(self) -> None:
        self.outcomes = [0] * (PENTANOMIAL if self.swapped else 3)
        self.idle = 0  # outcomes in a row that were copies
        self._halves: dict[tuple[int, int, int], list[tuple[int, int]]] = {}  # results, clusters
        self._games: dict[tuple[int, int, int], int] = {}  # -> which different one of its opening
        self._times: Counter[tuple[int, int]] = Counter()
        self._clusters: set[tuple[int, int]] = set()  # of the outcomes that are counted

    @property
    def counts(self) -> list[float]:
        """The outcomes, scaled down to as many as there are different clusters."""
        total = sum(self.outcomes)
        share = min(1.0, len(self._clusters) / total) if total else 1.0
        return [count * share for count in self.outcomes]

    @property
    def state(self) -> SprtState:
        """How it stands."""
        return sprt_state(self.sprt, self.counts)

    @property
    def difference(self) -> Estimate | None:
        """The Elo difference so far, or after the test has stopped."""
        score = of_outcomes(self.counts)
        return after_stop(self.counts, self.sprt) or (None if score is None else score.as_elo())

    @property
    def is_stuck(self) -> bool:
        """Whether games only repeat each other, so that more of them decide nothing."""
        return self.idle >= max(IDLE_PAIRS, len(self._clusters))

    def add(self, game: Settled) -> bool:
        """Count a game; tell whether it has changed the counts."""
        if {game.first, game.second} != {self.player, self.other}:
            return False
        result = game.result if game.first == self.player else -game.result
        place = self._place(game)
        if not self.swapped:
            self._count(1 + result, {(game.opening, place)})
            return True
        seat, partner = game.first, game.second
        waiting = self._halves.get((game.round, game.opening, partner))
        if not waiting:
            half = result, place
            self._halves.setdefault((game.round, game.opening, seat), []).append(half)
            return False
        other_result, other_place = waiting.pop(0)
        clusters = {(game.opening, place), (game.opening, other_place)}
        self._count(2 + result + other_result, clusters)
        return True

    def _place(self, game: Settled) -> int:
        """Which different game of its opening and seats this is; a copy is the first such one."""
        key = game.opening, game.first, game.moves
        if key not in self._games:
            self._times[game.opening, game.first] += 1
            self._games[key] = self._times[game.opening, game.first]
        return self._games[key]

    def _count(self, outcome: int, clusters: set[tuple[int, int]]) -> None:
        self.outcomes[outcome] += 1
        self.idle = self.idle + 1 if clusters <= self._clusters else 0
        self._clusters |= clusters


def nelo_with_error(counts: Sequence[float]) -> tuple[float, float]:
    """Normalised Elo and half width of its 95 % interval (Van den Bergh).

    It is the mean score above one half in standard deviations of a game, so that it says how many
    games it takes to see it.
    """
    if not any(counts):
        return 0.0, NELO * Z_95
    seen, scores = np.array([count or UNSEEN for count in counts]), outcome_scores(len(counts))
    total = float(seen.sum())
    mean = float(seen @ scores) / total
    variance = float(seen @ (np.array(scores) - mean) ** 2) / total
    games = 2 * total if len(counts) == PENTANOMIAL else total
    deviation = sqrt(variance * games / total)
    return NELO * (mean - 0.5) / deviation, NELO * Z_95 / sqrt(games)


class DecidedTest(NamedTuple):
    """A sequential test of a player against another that has ended a tournament."""

    player: int
    other: int
    sprt: Sprt


@dataclass(frozen=True, kw_only=True)
class StoppedScore(Estimate):
    """A score after a test has stopped at one of its bounds, with a median-unbiased difference.

    A test stops when luck runs one way, so the plain estimate after it is too far from 0. The sum
    of scores is taken for a Brownian motion, its outcomes ordered by bound and time (Armitage 1958,
    Siegmund 1985): the estimate is the Elo at which a worse outcome than the one seen is as likely
    as a better one. The bound is the tangent of the GSPRT's at the end that was seen, which bends
    towards a fixed length for large differences. The variance has some unseen pairs added and
    shrinks with that of the assumed score (Wedderburn 1974), so that every end is finite.
    """

    counts: Sequence[float]
    sprt: Sprt
    passed: bool

    def as_elo(self) -> StoppedScore:
        """The Elo difference; the score itself stays that of the games."""
        return replace(self, value=self._elo_at(0.5), scale="elo")

    def reversed(self) -> Estimate:
        """The same score, or difference, of the other player."""
        test = self.sprt
        mirrored = Sprt(elo0=-test.elo1, elo1=-test.elo0, alpha=test.beta, beta=test.alpha,
                        model=test.model)  # fmt: skip
        plain = super().reversed()
        return replace(self, value=plain.value, center=plain.center, counts=self.counts[::-1],
                       sprt=mirrored, passed=not self.passed)  # fmt: skip

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The interval of the difference, or of the score."""
        low, high = (self._elo_at((1 + sign * confidence) / 2) for sign in (1, -1))
        if self.scale == "elo":
            return Interval(low, high)
        return Interval(expected_score(low), expected_score(high))

    def chance_above(self, x: float) -> float:
        """How likely the difference, or the score, is above x."""
        return self.worse(x if self.scale == "elo" else elo(x))

    def _elo_at(self, share: float) -> float:
        """The difference at which a worse outcome is this likely."""
        return falling_root(lambda elo: self.worse(elo) - share, -MAX_ELO, MAX_ELO)

    def worse(self, difference: float) -> float:
        """How likely a worse outcome is if this is the Elo difference; it falls with it."""
        counts, scores = np.array(self.counts, float), np.array(outcome_scores(len(self.counts)))
        time, mean = float(counts.sum()), float(counts @ scores / counts.sum())
        counts[[0, -1]] += UNSEEN_PAIRS
        least = UNSEEN_PAIRS / float(counts.sum())
        mean, center = min(max(mean, least), 1 - least), float(counts @ scores / counts.sum())
        variance = float(counts @ (scores - center) ** 2 / max(counts.sum() - 1, UNSEEN_PAIRS))
        zero, one = self._hypotheses(variance)
        middle, score = (zero + one) / 2, expected_score(difference)
        lower, upper = self.sprt.bounds
        sign = 1 if self.passed else -1
        ahead = max(sign * (mean - middle), 1e-9)
        bend = min(ahead**2 / variance, STEEPEST)
        drift = sign * (score - middle) + 2 * ahead * bend / (1 - bend)
        level = time * ahead * (1 + bend) / (1 - bend)
        far = (-lower if self.passed else upper) * variance / (one - zero)
        variance *= score * (1 - score) / (center * (1 - center))
        hit = reaches(level, far, drift, max(variance, 1e-12), time)
        return 1 - hit if self.passed else hit

    def _hypotheses(self, variance: float) -> tuple[float, float]:
        """The scores of both hypotheses."""
        elo = self.sprt.elo0, self.sprt.elo1
        if self.sprt.model == "logistic":
            return expected_score(elo[0]), expected_score(elo[1])
        deviation = sqrt(2 * variance if len(self.counts) == PENTANOMIAL else variance)
        return 0.5 + elo[0] / NELO * deviation, 0.5 + elo[1] / NELO * deviation


def after_stop(
    counts: Sequence[float], sprt: Sprt, *, is_over: bool = False
) -> StoppedScore | None:
    """The difference after a test that these outcomes have stopped; None if they have not.

    If the test is known to be over, some games may have ended after it.
    """
    state, plain = sprt_state(sprt, counts), of_outcomes(counts)
    if plain is None or (state.verdict is None and not is_over):
        return None
    score = StoppedScore(**vars(plain), counts=counts, sprt=sprt, passed=state.llr > 0)
    return score.as_elo()


def reaches(level: float, far: float, drift: float, variance: float, time: float) -> float:
    """How likely a Brownian motion gets to a level by a time, and not to -far before.

    The sum over mirror images of the level in both bounds, each passed as if it were the only one.
    """
    spread, width, total = sqrt(variance * time), level + far, 0.0
    for number in range(2 + int(8 * spread / width)):
        images = (1, level + 2 * number * width), (-1, 2 * (number + 1) * width - level)
        for sign, image in images:
            tilt = drift * (level - image) / variance
            total += sign * exp(min(0.0, tilt + _log_cdf((drift * time - image) / spread)))
            tilt += 2 * drift * image / variance
            total += sign * exp(min(0.0, tilt + _log_cdf((-drift * time - image) / spread)))
    return min(1.0, max(0.0, total))


def _log_cdf(z: float) -> float:
    """The logarithm of the normal distribution, also far out."""
    return log(normal_cdf(z)) if z > -30 else -z * z / 2 - log(-z * sqrt(2 * pi))
