"""What is counted of whole games beside their outcomes: endings, openings, notable games.

Each counter is fed with batches of games in the order of their numbers and stays small: openings
are bounded, and only `Distinct` grows, by 8 bytes a game.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.play.record import GOOD_ENDS, GameRow
from arena.standings.game_log import Counts
from arena.standings.results import OTHERS, Notable

OPENINGS = 20_000  # that are told apart
SETTLED = 1 << 20  # hashes that wait for being compared


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
