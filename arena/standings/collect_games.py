"""What is counted of whole games: outcomes over time, pairs, endings, openings, notable games.

Each counter is fed with batches of games in the order of their numbers and stays small: waiting
halves of pairs, openings and snapshots are bounded, and only `Distinct` grows, by 8 bytes a game.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.play.record import GOOD_ENDS, GameRow
from arena.standings.results import OTHERS, Counts, Notable

SNAPSHOTS = 40  # of the outcomes, over a whole run
SNAPSHOT_BYTES = 100_000_000  # for all of them; a long line-up gets fewer
WAITING = 50_000  # first halves of pairs that are remembered
OPENINGS = 20_000  # that are told apart
SETTLED = 1 << 20  # hashes that wait for being compared


class Outcomes:
    """Who beat whom, in all and at regular times.

    As nobody says how many games will come, snapshots are taken often, and every second one is
    dropped, and the step doubled, whenever there are too many.
    """

    def __init__(self, players: int) -> None:
        self.table: Counts = np.zeros((players, players, 3), np.int64)
        each = max(1, self.table.nbytes)
        self.kept = min(SNAPSHOTS, max(1, SNAPSHOT_BYTES // each // 2))
        self.games, self.step = 0, 1
        self.taken: list[tuple[int, Counts]] = []

    def add(self, first: Counts, second: Counts, result: Counts) -> None:
        """Count games; a snapshot is taken after each step of them."""
        place = (first * len(self.table) + second) * 3 + result + 1
        start = 0
        while start < len(place):
            end = start + self.step - self.games % self.step
            part = place[start:end]
            np.add.at(self.table.reshape(-1), part, 1)
            self.games += len(part)
            start = end
            if self.games % self.step == 0:
                self._take()

    def over_time(self) -> tuple[tuple[int, Counts], ...]:
        """Games so far and outcomes so far, at most some 40 times, the last time at the end."""
        if not self.games:
            return ()
        times = np.array([games for games, _ in self.taken[:-1]] or [0])
        wanted = np.arange(1, self.kept) * self.games / self.kept
        chosen = np.unique(np.abs(times[:, None] - wanted).argmin(axis=0))
        early = [self.taken[place] for place in chosen if self.taken[place][0] < self.games]
        return (*early, (self.games, self.table))

    def _take(self) -> None:
        self.taken.append((self.games, self.table.copy()))
        if len(self.taken) >= 2 * self.kept:
            self.step *= 2
            self.taken = [each for each in self.taken if each[0] % self.step == 0]


class Pairs:
    """Five-outcome counts: two games of a round with the same opening and seats swapped."""

    def __init__(self) -> None:
        self.counts: dict[tuple[int, int], Counts] = {}
        self.waiting: OrderedDict[tuple[int, int, int, bytes], list[int]] = OrderedDict()
        self.matched = 0

    def add(self, rows: Sequence[GameRow]) -> None:
        """Match each game with an earlier one, or let it wait for a later one."""
        waiting = self.waiting
        for row in rows:
            partner = (row.round, row.second, row.first, row.opening)
            results = waiting.get(partner) if row.first != row.second else None
            if results is None:
                key = (row.round, row.first, row.second, row.opening)
                waiting.setdefault(key, []).append(row.result)
                if len(waiting) > WAITING:
                    waiting.popitem(last=False)
            else:
                self._match(row, results.pop(0))
                if not results:
                    del waiting[partner]

    def _match(self, row: GameRow, earlier: int) -> None:
        """Count the points that the lower number of the two made of both games."""
        self.matched += 1
        low, high = sorted((row.first, row.second))
        difference = row.result - earlier
        points = 2 + (difference if row.first == low else -difference)
        counts = self.counts.get((low, high))
        if counts is None:
            counts = self.counts[low, high] = np.zeros(5, np.int64)
        counts[points] += 1


class Endings:
    """How games ended, who lost them so, and how long they were."""

    def __init__(self, players: int, cells: int) -> None:
        self.players = players
        self.games: dict[str, int] = {}
        self.lost: dict[str, Counts] = {}
        self.lengths: Counts = np.zeros(cells + 1, np.int64)

    def add(self, reasons: NDArray[np.object_], loser: Counts, plies: Counts) -> None:
        """Count games; the loser of a draw is -1."""
        longest = len(self.lengths) - 1
        self.lengths += np.bincount(np.minimum(plies, longest), minlength=longest + 1)
        for reason in dict.fromkeys(reasons.tolist()):
            here = reasons == reason
            self.games[reason] = self.games.get(reason, 0) + int(here.sum())
            losers = loser[here & (loser >= 0)]
            if len(losers):
                count = np.bincount(losers, minlength=self.players)
                self.lost[reason] = self.lost.get(reason, 0) + count


class Openings:
    """Results by opening; those that come after very many others are counted together."""

    def __init__(self) -> None:
        self.places: dict[bytes, int] = {}
        self.table: Counts = np.zeros((64, 3), np.int64)
        self.others: Counts = np.zeros(3, np.int64)

    def add(self, rows: Sequence[GameRow], result: Counts) -> None:
        """Count games by their opening."""
        place = np.array([self._place(row.opening) for row in rows])
        while len(self.table) < len(self.places):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        told = place >= 0
        np.add.at(self.table, (place[told], result[told] + 1), 1)
        np.add.at(self.others, result[~told] + 1, 1)

    def named(self, rules: Rules) -> dict[str, Counts]:
        """Results by the notation of the opening, in the order in which they came."""
        found = {write_moves(key, rules): self.table[at] for key, at in self.places.items()}
        return {**found, OTHERS: self.others} if self.others.any() else found

    def _place(self, opening: bytes) -> int:
        place = self.places.get(opening, -1)
        if place < 0 and len(self.places) < OPENINGS:
            place = self.places[opening] = len(self.places)
        return place


class Distinct:
    """How many games differ in their moves, by hashes of 8 bytes.

    Among a million games, two different ones share a hash once in thirty million runs.
    """

    def __init__(self) -> None:
        self.settled: NDArray[np.int64] = np.zeros(0, np.int64)
        self.fresh: list[NDArray[np.int64]] = []
        self.waiting = 0

    def add(self, rows: Sequence[GameRow]) -> None:
        """Remember the games."""
        self.fresh.append(np.array([hash(row.moves) for row in rows], np.int64))
        self.waiting += len(rows)
        if self.waiting >= SETTLED:
            self._settle()

    def count(self) -> int:
        """How many different ones there were."""
        self._settle()
        return len(self.settled)

    def _settle(self) -> None:
        self.settled = np.unique(np.concatenate([self.settled, *self.fresh]))
        self.fresh, self.waiting = [], 0


class Remarkable:
    """The games that a reader wants to see: the extreme ones, and the first of each bad end."""

    def __init__(self) -> None:
        self.shortest: GameRow | None = None
        self.longest: GameRow | None = None
        self.bad: dict[str, GameRow] = {}

    def add(self, rows: Sequence[GameRow], reasons: NDArray[np.object_], plies: Counts) -> None:
        """Look for better examples; the earlier of two equals stays."""
        lines = np.flatnonzero(reasons == "line")
        if len(lines):
            short = rows[lines[plies[lines].argmin()]]
            if self.shortest is None or len(short.moves) < len(self.shortest.moves):
                self.shortest = short
        whole = np.flatnonzero(np.isin(reasons, GOOD_ENDS))
        if len(whole):
            long = rows[whole[plies[whole].argmax()]]
            if self.longest is None or len(long.moves) > len(self.longest.moves):
                self.longest = long
        for reason in dict.fromkeys(reasons.tolist()):
            if reason not in GOOD_ENDS and reason not in self.bad:
                self.bad[reason] = rows[int(np.argmax(reasons == reason))]

    def notable(self) -> tuple[Notable, ...]:
        """Each with the reason why it is shown."""
        found = [("shortest win", self.shortest), ("longest game", self.longest)]
        found += [(f"first game ended by {reason}", row) for reason, row in self.bad.items()]
        return tuple(_notable(why, row) for why, row in found if row is not None)


def _notable(why: str, row: GameRow) -> Notable:
    return Notable(
        why, row.number, row.first, row.second, row.result, row.reason, row.detail, row.moves
    )
