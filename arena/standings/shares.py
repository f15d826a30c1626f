"""Shares of judged moves with honest intervals: moves of a game are no independent draws.

A game of an engine is a cluster: the variance of a share comes from how much games differ (ratio
estimator, Cochran 1977, 6.4). Wilson's interval is then taken with as many independent moves as
would have that variance, and Student's quantile in place of the normal one for few games (after
Korn and Graubard 1998). Moves that are unjudged count both ways: as given away for the lower end of
an interval, as kept for the upper.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.judge.judge import Verdict
from arena.standings.intervals import Z_95, student_95, wilson

# What is summed up of the moves of a game, in this order.
MOVES, VALUE, SCORE, LOSS, UNJUDGED, MOST_LOSS = range(6)
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with its 95 % interval; None of nothing."""

    kept: int
    moves: int
    interval: tuple[float | None, float | None]

    @property
    def share(self) -> float | None:
        """The share itself, of the moves that are judged."""
        return self.kept / self.moves if self.moves else None


class Cluster:
    """What the moves of one engine in one game come to."""

    def __init__(self) -> None:
        self.sums = [0] * 6

    def add(self, verdict: Verdict) -> None:
        """Count a judged move."""
        sums = self.sums
        sums[MOVES] += 1
        sums[VALUE] += verdict.keeps_value
        sums[SCORE] += verdict.keeps_score
        sums[LOSS] += verdict.loss

    def add_unjudged(self, most_loss: int) -> None:
        """Count an unjudged move, which lost no more than this."""
        self.sums[UNJUDGED] += 1
        self.sums[MOST_LOSS] += most_loss


class Count:
    """Moves of one kind as they are counted, game by game.

    The sums of products of what games come to are enough for every variance.
    """

    def __init__(self) -> None:
        self.games = 0
        self.sums: Vector = np.zeros(6)
        self.products: Vector = np.zeros((6, 6))

    def add_game(self, game: Cluster, copies: int = 1) -> None:
        """Count the moves of a game; so many copies of it are one observation."""
        if game.sums[MOVES] or game.sums[UNJUDGED]:
            sums = copies * np.array(game.sums, np.float64)
            self.games += 1
            self.sums += sums
            self.products += np.outer(sums, sums)

    def add(self, verdict: Verdict) -> None:
        """Count a move that has nothing to do with any other."""
        alone = Cluster()
        alone.add(verdict)
        self.add_game(alone)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Count)
            and self.games == other.games
            and np.array_equal(self.sums, other.sums)
            and np.array_equal(self.products, other.products)
        )

    @property
    def moves(self) -> int:
        """Those that are judged."""
        return int(self.sums[MOVES])

    @property
    def unjudged(self) -> int:
        """Those that may belong here, and are not proven."""
        return int(self.sums[UNJUDGED])

    @property
    def kept_value(self) -> Share:
        """The share of moves that kept the value."""
        return self._share(VALUE)

    @property
    def kept_score(self) -> Share:
        """The share of moves that kept the exact score."""
        return self._share(SCORE)

    @property
    def mean_loss(self) -> float | None:
        """How much of the score a judged move gave away."""
        return float(self.sums[LOSS]) / self.moves if self.moves else None

    @property
    def loss_interval(self) -> tuple[float | None, float | None]:
        """The 95 % interval of the mean loss, by how much games differ; None of one game alone."""
        if self.games < 2 or not self.moves:
            return None, None
        low, low_error = self._ratio(_of(LOSS))
        high, high_error = self._ratio(_of(LOSS, MOST_LOSS))
        times = float(student_95(self.games - 1))
        return max(0.0, low - times * low_error), high + times * high_error

    @property
    def loss_error(self) -> float | None:
        """How far that interval reaches from the mean, at most."""
        (low, high), mean = self.loss_interval, self.mean_loss
        if low is None or high is None or mean is None:
            return None
        return max(mean - low, high - mean)

    def _share(self, kept: int) -> Share:
        if not self.moves:
            return Share(0, 0, (None, None))
        low, _ = self._wilson(_of(kept))
        _, high = self._wilson(_of(kept, UNJUDGED))
        return Share(int(self.sums[kept]), self.moves, (low, high))

    def _wilson(self, part: Vector) -> tuple[float, float]:
        share, error = self._ratio(part)
        total = self.moves + self.unjudged
        if self.games == total:  # a move each: nothing hangs together
            return wilson(share * total, total)
        if self.games < 2:  # nobody knows how much games differ: it counts as a single move
            return wilson(share, 1)
        independent = share * (1 - share) / error**2 if error else float(total)
        times = Z_95 / float(student_95(self.games - 1))
        effective = min(independent, total) * times**2
        return wilson(share * effective, effective)

    def _ratio(self, part: Vector) -> tuple[float, float]:
        """A part of all moves, judged or not, and its standard error between games."""
        whole = _of(MOVES, UNJUDGED)
        total = float(whole @ self.sums)
        ratio = float(part @ self.sums) / total
        if self.games < 2:
            return ratio, 0.0
        rest = part - ratio * whole
        squares = max(0.0, float(rest @ self.products @ rest))
        return ratio, sqrt(squares * self.games / (self.games - 1)) / total


def _of(*places: int) -> Vector:
    """The sum of these."""
    vector = np.zeros(6)
    vector[list(places)] = 1
    return vector
