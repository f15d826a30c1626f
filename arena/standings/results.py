"""What a tournament's games add up to: plain numbers, from which ratings and reports are made.

Everything is filled in one pass over the journal. Games are read a few thousand at a time and
counted as arrays. Nothing is kept of a game but 20 bytes: hashes of its moves and of its opening,
by which repeated games and those of one opening are found, and its result. Everything else is in
tables whose size depends on the line-up and the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from arena.engine.contract import Limits
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.journal import Journal
from arena.standings.endings import EndCounter, Endings
from arena.standings.hosts import PLAYED_AT, usual_speed
from arena.standings.moves import Moves, MoveStatistics, Timekeeping
from arena.standings.scoreboard import Counts, Scoreboard
from arena.standings.wins import Missed, Wins
from arena.table.game import GOOD_ENDS, Game

OTHERS = "others"  # stands for the openings beyond the first many
SHORTEST, LONGEST = "shortest win", "longest game"  # that are worth showing
BATCH = 4000  # games
OPENINGS = 20_000  # that are told apart
SETTLED = 1 << 20  # hashes that wait for being compared


@dataclass(frozen=True)
class Results:
    """All that the games of a tournament say, except for ratings.

    Players are their numbers in the line-up; first index is always the one who moved first, or
    whose row it is.
    """

    scoreboard: Scoreboard  # who beat whom
    causes: dict[str, Counts]  # reason -> [player]: games lost by it; "line" included
    distinct: float  # share of games whose moves are not those of an earlier game
    lengths: Counts  # games by plies
    moves: tuple[Moves, ...]  # by player
    openings: dict[str, Counts]  # notation (or OTHERS) -> LOSS, DRAW, WIN of the first player
    notable: dict[str, Game]  # games worth showing, by why
    time: Timekeeping  # of moves of 1 ms of the processor or more
    seconds: float  # of all games together
    missed: tuple[Missed, ...] = ()  # by player: wins that were one move away
    lines: dict[str, Counts] = field(default_factory=dict)  # direction -> [player]: games won by it
    endings: tuple[Endings, ...] = ()  # by player: how games ended for it

    @property
    def names(self) -> tuple[str, ...]:
        """The line-up."""
        return self.scoreboard.names

    @property
    def games(self) -> int:
        """How many there are."""
        return self.scoreboard.games


def collect_journal(journal: Journal) -> Results:
    """What a journal's games add up to so far."""
    header = journal.header
    speed = usual_speed(event.text for event in journal.events() if event.kind == PLAYED_AT)
    limits = [read_limits(player.limits).at_speed(speed) for player in header.players]
    return collect(journal.rows(), header.names, limits, header.rules)


def read_limits(text: str) -> Limits:
    """Limits as a journal words them."""
    return Limits() if text == str(Limits()) else Limits.parse(text)


def collect(
    rows: Iterable[Game], names: Sequence[str], limits: Sequence[Limits], rules: Rules
) -> Results:
    """What the games, in the order of their numbers, add up to for a line-up."""
    collector = Collector(names, rules)
    stream = iter(rows)
    while batch := list(islice(stream, BATCH)):
        collector.add(batch)
    return collector.results(limits)


class Collector:
    """All counters; fed with batches of games, asked for the results at the end."""

    def __init__(self, names: Sequence[str], rules: Rules) -> None:
        self.rules = rules
        self.scoreboard = Scoreboard(names)
        self.causes: dict[str, Counts] = {}
        self.lengths: Counts = np.zeros(rules.max_moves + 1, np.int64)
        self.openings = OpeningTable()
        self.distinct = Distinct()
        self.notable: dict[str, Game] = {}
        self.moves = MoveStatistics(len(names), rules.max_moves)
        self.wins = Wins(len(names), rules)
        self.ends = EndCounter(len(names), rules.max_moves)
        self.seconds = 0.0

    def add(self, rows: Sequence[Game]) -> None:
        """Count some games."""
        for row in rows:
            self.scoreboard.append(row.first, row.second, row.result, row.opening, row.round)
        self._count_ends(rows)
        self.openings.add(rows)
        self.distinct.add(rows)
        self.moves.add(rows)
        self.wins.add(rows)
        self.ends.add(rows)
        self.seconds += sum(row.seconds for row in rows if isfinite(row.seconds))

    def _count_ends(self, rows: Sequence[Game]) -> None:
        """Who lost games by which end, how long they were, and which are worth showing."""
        plies = np.array([len(row.moves) for row in rows])
        reasons = np.array([row.reason for row in rows], dtype=object)
        loser = np.array([(row.first, -1, row.second)[row.result + 1] for row in rows])
        longest = len(self.lengths) - 1
        self.lengths += np.bincount(np.minimum(plies, longest), minlength=longest + 1)
        for reason in dict.fromkeys(reasons.tolist()):
            here = reasons == reason
            losers = loser[here & (loser >= 0)]
            if len(losers):
                count = np.bincount(losers, minlength=len(self.scoreboard.names))
                self.causes[reason] = self.causes.get(reason, 0) + count
            if reason not in GOOD_ENDS:
                self.notable.setdefault(f"first game ended by {reason}", rows[int(here.argmax())])
        for why, ends, sign in ((SHORTEST, ("line",), 1), (LONGEST, GOOD_ENDS, -1)):
            there = np.flatnonzero(np.isin(reasons, ends))
            if len(there):
                row = rows[there[(sign * plies[there]).argmin()]]
                best = self.notable.get(why)
                if best is None or sign * len(row.moves) < sign * len(best.moves):
                    self.notable[why] = row

    def results(self, limits: Sequence[Limits]) -> Results:
        """Everything that was counted."""
        games = self.scoreboard.games
        extreme = {why: self.notable[why] for why in (SHORTEST, LONGEST) if why in self.notable}
        return Results(
            scoreboard=self.scoreboard,
            causes=self.causes,
            distinct=self.distinct.count() / games if games else 1.0,
            lengths=self.lengths,
            moves=tuple(self.moves.moves(player, each) for player, each in enumerate(limits)),
            openings=self.openings.named(self.rules),
            notable={**extreme, **self.notable},
            time=self.moves.time,
            seconds=self.seconds,
            missed=self.wins.missed_by(),
            lines=self.wins.by_direction(),
            endings=tuple(self.ends.endings(player) for player in range(len(limits))),
        )


class OpeningTable:
    """Results by opening; those that come after very many others are counted together."""

    def __init__(self) -> None:
        self.places: dict[bytes, int] = {}
        self.table: Counts = np.zeros((64, 3), np.int64)
        self.others: Counts = np.zeros(3, np.int64)

    def add(self, rows: Sequence[Game]) -> None:
        """Count games by their opening."""
        result = np.array([row.result for row in rows])
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

    def add(self, rows: Sequence[Game]) -> None:
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
