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

from arena.engine.contract import Limits
from arena.game.rules import Rules
from arena.journal import Journal
from arena.play.record import GameRow
from arena.standings.collect_games import (
    Distinct,
    Endings,
    Openings,
    Remarkable,
)
from arena.standings.collect_moves import MoveStatistics
from arena.standings.results import Results
from arena.standings.scoreboard import Scoreboard

BATCH = 4000  # games


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
            busy=self.moves.busy,
            seconds=self.seconds,
            endings=self.endings.games,
            extra={
                "without_telemetry": float(self.moves.untold),
                "long_moves": float(self.moves.long[2]),
                "unpaired": float(games - self.scoreboard.paired),
            },
        )
