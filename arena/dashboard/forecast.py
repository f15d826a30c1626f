"""How long a run will still take, from how long the games of each pairing have lasted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena.play.record import GameRow
from arena.standings.scoreboard import Scoreboard
from arena.tournament.formats import GameResult, StaticFormat
from arena.tournament.schedule import Schedule

Pair = tuple[int, int]

OVERHEAD = 0.02  # seconds; a table that waited longer for its next game had none to play


def pair_of(first: int, second: int) -> Pair:
    """Two players, whoever sat first."""
    return (first, second) if first < second else (second, first)


class Running(NamedTuple):
    """A game on a table, for so many seconds now."""

    pair: Pair
    seconds: float


class Lengths:
    """How long games last, by pairing; a pairing without games takes the mean of all."""

    def __init__(self) -> None:
        self.sums: dict[Pair, tuple[float, int]] = {}
        self.total, self.count = 0.0, 0

    def add(self, pair: Pair, seconds: float) -> None:
        """A game of this pairing took so long."""
        total, count = self.sums.get(pair, (0.0, 0))
        self.sums[pair] = (total + seconds, count + 1)
        self.total += seconds
        self.count += 1

    def mean(self, pair: Pair | None = None) -> float:
        """Seconds a game of this pairing, or of all."""
        total, count = self.sums.get(pair, (0.0, 0)) if pair is not None else (0.0, 0)
        if count:
            return total / count
        return self.total / self.count if self.count else 0.0


class Occupation:
    """How long each game kept its table busy, by when games end there.

    That is from the end of the game before, so that what lies between games counts too; but not
    much more than the game itself, as a table may have waited for a round to begin.
    """

    def __init__(self) -> None:
        self.free: dict[int, float] = {}

    def ended(self, table: int, row: GameRow, now: float) -> float:
        """Seconds of the game that has ended now."""
        since = self.free.get(table)
        self.free[table] = now
        if since is None:
            return row.seconds
        if row.seconds == 0:  # the table was cleared, and nobody measured the game
            return now - since
        return min(now - since, row.seconds + OVERHEAD)


class Forecast:
    """Fed with every game that ends; `left` says how many of each pairing are still to come."""

    def __init__(self, schedule: Schedule, tables: int) -> None:
        self.schedule = schedule
        self.tables = tables
        self.lengths = Lengths()
        self.occupation = Occupation()
        self.left: Counter[Pair] = Counter()
        self.round = 0

    def recall(self, rows: Iterable[GameRow]) -> None:
        """Learn from games of an earlier run."""
        for row in rows:
            if row.seconds:
                self.lengths.add(pair_of(row.first, row.second), row.seconds)

    def begin(self, scoreboard: Scoreboard) -> None:
        """Take all games from a schedule that knows them, but for those that are counted here."""
        if not self.schedule.needs_results:
            self.left = planned(self.schedule)
            games = scoreboard.outcomes.sum(axis=2)
            for first, second in np.argwhere(games).tolist():
                self.left[pair_of(first, second)] -= int(games[first, second])

    def open(self, round_: int, results: Sequence[GameResult]) -> None:
        """A round begins that the schedule has paired by these results, or has gone on with."""
        self.round = round_
        self.left = planned(self.schedule, round_, results)
        self.left.subtract(pair_of(g.first, g.second) for g in results if g.round == round_)

    def add(self, table: int, row: GameRow, now: float) -> None:
        """A game has ended at a table."""
        self.lengths.add(pair_of(row.first, row.second), self.occupation.ended(table, row, now))
        if row.round == self.round or not self.schedule.needs_results:
            self.left[pair_of(row.first, row.second)] -= 1

    def seconds(self, games: int, running: Sequence[Running] = ()) -> float | None:
        """Seconds until so many more games are played, some of which are running."""
        if not self.lengths.count or games < 0:
            return None
        left = +self.left
        known = left.total()
        work = sum(count * self.lengths.mean(pair) for pair, count in left.items())
        work += max(0, games - known) * self.lengths.mean()
        rests = [(self.lengths.mean(game.pair), game.seconds) for game in running]
        work -= sum(min(mean, seconds) for mean, seconds in rests)
        longest = max((mean - seconds for mean, seconds in rests), default=0.0)
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
