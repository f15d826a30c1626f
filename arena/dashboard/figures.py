"""Standings, ratings and the test, worked out again when games were added, but not too often."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from arena.dashboard.snapshot import Test
from arena.standings.ranking import Standing, standings
from arena.standings.scores import elo_with_error

if TYPE_CHECKING:
    from arena.run import Progress
    from arena.standings.rating import Ratings
    from arena.standings.tally import Tally

EVERY = 1.0  # seconds between two looks at the results
SHARE = 0.01  # of one core that they may cost
CROSSED = 40  # players that any crosstable has room for


class Figures:
    """What the results say, kept until it is worth to look again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.standings: tuple[Standing, ...] = ()
        self.crosstable: tuple[tuple[float | None, ...], ...] = ()
        self.test: Test | None = None
        self.fits = 0
        self.counted = -1
        self.due = float("-inf")

    def refresh(self, progress: Progress, out: Mapping[int, int]) -> None:
        """Look again, if games were added and the last look was long enough ago."""
        now = self.clock()
        if progress.tally.counted == self.counted or now < self.due:
            return
        import arena.standings.rating  # noqa: F401  # takes a while, once

        begin = time.thread_time()
        self._look(progress, out)
        cost = time.thread_time() - begin
        self.counted = progress.tally.counted
        self.due = now + max(EVERY, cost / SHARE)

    def _look(self, progress: Progress, out: Mapping[int, int]) -> None:
        tally = progress.tally
        ratings = self._rate(progress) if tally.counted else None
        ranking = progress.ranking(ratings)
        self.standings = standings(progress.names, tally, ranking, ratings, out)
        top = ranking.order[:CROSSED]
        self.crosstable = tuple(tuple(_share(tally, a, b) for b in top) for a in top)
        self.test = _test(progress)

    def _rate(self, progress: Progress) -> Ratings:
        from arena.standings.rating import rate_tally

        self.fits += 1
        return rate_tally(progress.tally, progress.names)


def _share(tally: Tally, player: int, other: int) -> float | None:
    score = tally.head_to_head(player, other)
    return score.share if score.games else None


def _test(progress: Progress) -> Test | None:
    """The sequential test, if there is one."""
    rules, state = progress.rules, progress.sprt
    if rules.test is None or rules.pairs is None or state is None:
        return None
    counts = rules.pairs.counts
    one, other = (progress.names[player] for player in (rules.pairs.player, rules.pairs.other))
    varied = sum(count > 0 for count in counts) > 1
    elo, error = elo_with_error(counts) if varied else (None, None)
    asked = rules.test
    return Test(one, other, asked.elo0, asked.elo1, state, sum(counts), elo, error)
