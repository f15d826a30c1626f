"""One pass over the games of a tournament, from which every number of a report comes.

Games are read a few thousand at a time and counted as arrays. Nothing is kept of a game but 20
bytes: hashes of its moves and of its opening, by which repeated games and those of one opening are
found, and its result. Everything else is in tables whose size depends on the line-up and the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from arena.engine.contract import Limits
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.journal import Journal
from arena.play.record import GOOD_ENDS, GameRow
from arena.standings.collect_moves import MoveStatistics
from arena.standings.results import OTHERS, Notable, Results
from arena.standings.scoreboard import Counts, Scoreboard

BATCH = 4000  # games
OPENINGS = 20_000  # that are told apart
SETTLED = 1 << 20  # hashes that wait for being compared


def collect(
    rows: Iterable[GameRow], names: Sequence[str], limits: Sequence[Limits], rules: Rules
) -> Results:
    """What the games, in the order of their numbers, add up to for a line-up."""
    collector = Collector(names, rules)
    stream = iter(rows)
    while batch := list(islice(stream, BATCH)):
        collector.add(batch)
    return collector.results(limits)


def collect_journal(journal: Journal) -> Results:
    """What a journal's games add up to so far."""
    header = journal.header
    limits = [read_limits(player.limits) for player in header.players]
    return collect(journal.rows(), header.names, limits, header.rules)


def read_limits(text: str) -> Limits:
    """Limits as a journal words them."""
    return Limits() if text == str(Limits()) else Limits.parse(text)


class Collector:
    """All counters; fed with batches of games, asked for the results at the end."""

    def __init__(self, names: Sequence[str], rules: Rules) -> None:
        players = len(names)
        self.rules = rules
        self.scoreboard = Scoreboard(names)
        self.endings = Endings(players, rules.cells)
        self.openings = Openings()
        self.distinct = Distinct()
        self.remarkable = Remarkable()
        self.moves = MoveStatistics(players, rules.cells)
        self.seconds = 0.0

    def add(self, rows: Sequence[GameRow]) -> None:
        """Count some games."""
        first = np.array([row.first for row in rows])
        second = np.array([row.second for row in rows])
        result = np.array([row.result for row in rows])
        plies = np.array([len(row.moves) for row in rows])
        reasons = np.array([row.reason for row in rows], dtype=object)
        loser = np.where(result == 0, -1, np.where(result > 0, second, first))
        self.endings.add(reasons, loser, plies)
        self.remarkable.add(rows, reasons, plies)
        self.openings.add(rows, result)
        for row in rows:
            self.scoreboard.append(row.first, row.second, row.result, row.opening, row.round)
        self.distinct.add(rows)
        self.moves.add(rows)
        self.seconds += sum(row.seconds for row in rows if isfinite(row.seconds))

    def results(self, limits: Sequence[Limits]) -> Results:
        """Everything that was counted."""
        games = self.scoreboard.games
        return Results(
            scoreboard=self.scoreboard,
            causes=self.endings.lost,
            distinct=self.distinct.count() / games if games else 1.0,
            lengths=self.endings.lengths,
            moves=tuple(self.moves.moves(player, each) for player, each in enumerate(limits)),
            openings=self.openings.named(self.rules),
            notable=self.remarkable.notable(),
            time=self.moves.time,
            seconds=self.seconds,
            endings=self.endings.games,
        )


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
        kept = place >= 0
        np.add.at(self.table, (place[kept], result[kept] + 1), 1)
        np.add.at(self.others, result[~kept] + 1, 1)

    def named(self, rules: Rules) -> dict[str, Counts]:
        """Results by the notation of the opening, in the order in which they came."""
        named = {write_moves(key, rules): self.table[at] for key, at in self.places.items()}
        return {**named, OTHERS: self.others} if self.others.any() else named

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
        games = [("shortest win", self.shortest), ("longest game", self.longest)]
        games += [(f"first game ended by {reason}", row) for reason, row in self.bad.items()]
        return tuple(_notable(why, row) for why, row in games if row is not None)


def _notable(why: str, row: GameRow) -> Notable:
    return Notable(
        why, row.number, row.first, row.second, row.result, row.reason, row.detail, row.moves
    )
