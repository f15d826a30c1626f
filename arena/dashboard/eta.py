"""How long a run will still take, from how long the games of each pairing have lasted.

Players that have not played at a table yet still have to get ready there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from arena.standings.games import Games
from arena.table.game import Game
from arena.tournament.formats import StaticFormat
from arena.tournament.games import GameResult
from arena.tournament.schedule import Schedule

OVERHEAD = 0.02  # seconds; a worker that waited longer for its next game had none to play

Pair = tuple[int, int]
Running = tuple[Pair, float]  # a game, and the seconds since it began


def pair_of(first: int, second: int) -> Pair:
    """Two players, in either order of seats."""
    return (first, second) if first < second else (second, first)


class Forecast:
    """Fed with every game that ends; `left` says how many of each pairing are still to come."""

    def __init__(
        self,
        schedule: Schedule,
        tables: int,
        learners: Collection[int] = (),
        is_far: bool = False,
    ) -> None:
        self.schedule = schedule
        self.tables = tables
        self.learners = learners  # their games are played one after another
        self.is_far = is_far  # whether games come back many at a time
        self.lengths: dict[Pair | None, tuple[float, int]] = {}  # sum and count; None: of all
        self.free: dict[int, float] = {}  # when the last game at a table ended
        self.ready: set[tuple[int, int]] = set()  # a table, and a player that has played there
        self.starts, self.starting = 0, 0.0  # how many were timed, and their seconds
        self.left: Counter[Pair] = Counter()
        self.round = 0

    def begin(self, scoreboard: Games, rows: Iterable[Game] = ()) -> None:
        """Take all games from a schedule that knows them, but for those that are counted here.

        Lengths are learnt from the rows of an earlier run.
        """
        if not self.schedule.needs_results:
            self.left = planned(self.schedule)
            games = scoreboard.outcomes.sum(axis=2)
            for first, second in np.argwhere(games).tolist():
                self.left[pair_of(first, second)] -= int(games[first, second])
        for row in rows:
            if row.seconds:
                self._learn(pair_of(row.first, row.second), row.seconds)

    def open(self, round_: int, results: Sequence[GameResult]) -> None:
        """Begin, or resume, a round that the schedule has paired by these results."""
        self.round = round_
        self.left = planned(self.schedule, round_, results)
        self.left.subtract(pair_of(g.first, g.second) for g in results if g.round == round_)

    def add(self, table: int, row: Game, now: float) -> None:
        """A game has ended at a table."""
        pair = pair_of(row.first, row.second)
        self._learn_starts(table, row, now)
        self._learn(pair, self._occupied(table, row, now))
        if row.round == self.round or not self.schedule.needs_results:
            self.left[pair] -= 1

    def _learn_starts(self, table: int, row: Game, now: float) -> None:
        """Take what lies between two games at a table as the start of its new players."""
        new = {(table, row.first), (table, row.second)} - self.ready
        since = self.free.get(table)
        if new and row.seconds and since is not None:
            self.starts += len(new)
            self.starting += max(0.0, now - since - row.seconds)
        self.ready |= new

    def _starts_left(self, left: Counter[Pair]) -> float:
        """Seconds that players need to get ready at tables where they have not played."""
        if self.is_far or self.schedule.needs_results or not self.starts:
            return 0.0
        players = {player for pair in left for player in pair}
        ready = sum(player in players for _, player in self.ready)
        missing = min(self.tables * len(players) - ready, 2 * left.total())
        return max(0, missing) * self.starting / self.starts

    def _occupied(self, table: int, row: Game, now: float) -> float:
        """How long a game that ends now has kept its table busy.

        That is from the end of the game before, so that what lies between games counts too; but not
        much more than the game itself, as a table may have waited for a round to begin.
        """
        since = self.free.get(table)
        self.free[table] = now
        if since is None or self.is_far:
            return row.seconds
        learned = row.first in self.learners or row.second in self.learners
        if row.seconds == 0 or learned:  # its time, or that of the learning before it, is unknown
            return now - since
        return min(now - since, row.seconds + OVERHEAD)

    def _learn(self, pair: Pair, seconds: float) -> None:
        for games in (pair, None):
            total, count = self.lengths.get(games, (0.0, 0))
            self.lengths[games] = total + seconds, count + 1

    def mean(self, pair: Pair | None = None) -> float:
        """Seconds a game of this pairing; of all, where it has none."""
        total, count = self.lengths.get(pair) or self.lengths.get(None) or (0.0, 1)
        return total / count

    def seconds(self, games: int, running: Sequence[Running] = ()) -> float | None:
        """Seconds until this number of games is played, some of which are running."""
        if not self.lengths or games < 0:
            return None
        left = +self.left
        work = sum(count * self.mean(pair) for pair, count in left.items())
        work += max(0, games - left.total()) * self.mean() + self._starts_left(left)
        rests = [(self.mean(pair), seconds) for pair, seconds in running]
        work -= sum(min(mean, seconds) for mean, seconds in rests)
        longest = max((mean - seconds for mean, seconds in rests), default=0.0)
        for learner in self.learners:
            own = [count * self.mean(pair) for pair, count in left.items() if learner in pair]
            longest = max(longest, sum(own))
        return max(0.0, longest, work / max(1, min(self.tables, games)))


def planned(
    schedule: Schedule, round_: int = 1, results: Sequence[GameResult] = ()
) -> Counter[Pair]:
    """How many games each pairing has: in this round if the next depends on it, else in all."""
    if isinstance(schedule.format, StaticFormat):
        pairs = schedule.format.pairs_that_meet(schedule.field)
        return Counter({pair_of(*pair): schedule.field.games for pair in pairs})
    games = schedule.games(round_, results) or ()
    return Counter(pair_of(game.first, game.second) for game in games)
