"""Scores: what each player has made of its games, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10, sqrt

from arena.standings.sprt import scores

NORMAL_95 = 1.959964
SURE = 1e-9  # a score is never taken to be nearer to 0 or 1 than this


@dataclass(slots=True)
class Score:
    """The games of one player, as they are counted."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many there are."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A win counts one, a draw one half."""
        return self.won + self.drawn / 2

    @property
    def share(self) -> float:
        """Points a game; one half before the first."""
        return self.points / self.games if self.games else 0.5

    def add(self, result: int) -> None:
        """Count a game: 1 won, 0 drawn, -1 lost."""
        if result > 0:
            self.won += 1
        elif result < 0:
            self.lost += 1
        else:
            self.drawn += 1


def elo(share: float) -> float:
    """The Elo difference that a mean score stands for; certainty is cut off, never infinite."""
    share = min(1 - SURE, max(SURE, share))
    return -400 * log10(1 / share - 1)


def elo_with_error(counts: Sequence[int]) -> tuple[float, float]:
    """Elo difference and half width of its 95 % interval, from outcomes counted low to high."""
    total = sum(counts)
    if not total:
        return 0.0, elo(1.0)
    values = scores(len(counts))
    mean = sum(count * x for count, x in zip(counts, values, strict=True)) / total
    spread = sum(count * (x - mean) ** 2 for count, x in zip(counts, values, strict=True)) / total
    reach = NORMAL_95 * sqrt(spread / total)
    return elo(mean), (elo(mean + reach) - elo(mean - reach)) / 2
