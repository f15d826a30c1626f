"""The sequential test: is the new engine stronger, and when may we stop asking?

Outcomes are counted from the worst to the best: loss, draw, win, or, for pairs of games with the
seats swapped, pair scores 0, 1/2, 1, 3/2, 2. Both kinds go the same way: `counts` is the list of
how often each outcome was seen, its scores are evenly spaced from 0 to 1.

After Van den Bergh's notes on the generalised sequential probability ratio test and on normalised
Elo: the log-likelihood ratio of the two likeliest distributions that have exactly the strength of
one hypothesis and of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

Model = Literal["logistic", "normalized"]

UNSEEN = 1e-3  # an outcome that never occurred counts a little, so that no ratio is infinite
NELO = 800 / log(10)  # normalised Elo of one standard deviation a game
STEPS = 10


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses and the errors allowed: elo0 against elo1."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: below the lower elo0 holds, above the upper elo1 (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def state(self, counts: Sequence[int]) -> SprtState:
        """How the test stands after these outcomes."""
        ratio = llr(counts, self.elo0, self.elo1, self.model)
        lower, upper = self.bounds
        verdict: Verdict = "H1" if ratio >= upper else "H0" if ratio <= lower else None
        return SprtState(ratio, lower, upper, verdict)


Verdict = Literal["H0", "H1"] | None


@dataclass(frozen=True, slots=True)
class SprtState:
    """The log-likelihood ratio, its bounds, and the hypothesis that was accepted, if any."""

    llr: float
    lower: float
    upper: float
    verdict: Verdict


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


def scores(outcomes: int) -> list[float]:
    """The score of each outcome, from 0 to 1."""
    return [k / (outcomes - 1) for k in range(outcomes)]


def expected_score(elo: float) -> float:
    """The mean score of a player so many Elo stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _with_mean(shares: list[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean score is that of an Elo difference."""
    away = [x - expected_score(elo) for x in scores(len(shares))]
    tilt = _tilt(shares, away)
    return [p / (1 + tilt * a) for p, a in zip(shares, away, strict=True)]


def _with_deviations(shares: list[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean is so many of its own deviations above one half."""
    values = scores(len(shares))
    deviations = elo / NELO * (sqrt(2) if len(shares) == 5 else 1)
    found = [1 / len(shares)] * len(shares)
    for _ in range(STEPS):
        mean = sum(q * x for q, x in zip(found, values, strict=True))
        spread = sqrt(sum(q * (x - mean) ** 2 for q, x in zip(found, values, strict=True)))
        away = [
            x - 0.5 - deviations * spread / 2 * (1 + ((x - mean) / spread) ** 2) for x in values
        ]
        tilt = _tilt(shares, away)
        found = [p / (1 + tilt * a) for p, a in zip(shares, away, strict=True)]
    return found


def _tilt(shares: list[float], away: list[float]) -> float:
    """The t at which sum p a / (1 + t a) is 0; it falls from +inf to -inf between its poles."""
    low, high = -1 / max(away), -1 / min(away)

    def slope(t: float) -> float:
        return sum(p * a / (1 + t * a) for p, a in zip(shares, away, strict=True))

    return falling_root(slope, low, high)


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
