"""Standings, ratings and the test, worked out again when games were added, but not too often."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from arena.dashboard.snapshot import Test
from arena.standings.intervals import elo_with_error
from arena.standings.ranking import Standing, standings
from arena.standings.rating import rate_scoreboard

if TYPE_CHECKING:
    from arena.run import RunProgress
    from arena.standings.rating import Ratings
    from arena.standings.scoreboard import Scoreboard

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

    def refresh(self, progress: RunProgress, out: Mapping[int, int]) -> None:
        """Look again, if games were added and the last look was long enough ago."""
        now = self.clock()
        if progress.done == self.counted or now < self.due:
            return
        begin = time.thread_time()
        self._look(progress, out)
        cost = time.thread_time() - begin
        self.counted = progress.done
        self.due = now + max(EVERY, cost / SHARE)

    def _look(self, progress: RunProgress, out: Mapping[int, int]) -> None:
        board = progress.scoreboard
        ratings = self._rate(board) if board.games else None
        ranking = progress.ranking(ratings)
        self.standings = standings(board, ranking, ratings, out)
        top = ranking.order[:CROSSED]
        self.crosstable = tuple(tuple(_share(board, a, b) for b in top) for a in top)
        self.test = _test(progress)

    def _rate(self, board: Scoreboard) -> Ratings:
        self.fits += 1
        return rate_scoreboard(board)


def _share(board: Scoreboard, player: int, other: int) -> float | None:
    score = board.versus(player, other)
    return score.share if score.games else None


def _test(progress: RunProgress) -> Test | None:
    """The sequential test, if there is one."""
    test = progress.rules.test
    if test is None:
        return None
    one, other = (progress.names[player] for player in (test.player, test.other))
    varied = sum(count > 0 for count in test.counts) > 1
    elo, error = elo_with_error(test.counts) if varied else (None, None)
    sprt, outcomes = test.sprt, sum(test.counts)
    return Test(one, other, sprt.elo0, sprt.elo1, test.state, outcomes, elo, error)
