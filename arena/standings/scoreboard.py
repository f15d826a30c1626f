"""The scoreboard: every game counted once, for standings, stop rules, ratings and reports.

Games end in any order. What is decided by them, such as when a test may stop, must not depend on
that: pairs of games are counted in the order of the numbers, up to the first game that is missing.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.standings.intervals import wilson
from arena.tournament.formats import GameResult

Counts = NDArray[np.int64]

LOSS, DRAW, WIN = 0, 1, 2
VALUES = np.array([0.0, 0.5, 1.0])  # points of each
PENTANOMIAL = 5  # outcomes of a pair: 0, 1/2, 1, 3/2 or 2 points
WAITING = 50_000  # first halves of pairs that are remembered
SNAPSHOTS = 40  # of the outcomes, over a whole run


class WDL(NamedTuple):
    """Games of one player: won, drawn, lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, counts: Sequence[int] | Counts) -> WDL:
        """From counts of LOSS, DRAW, WIN."""
        lost, drawn, won = map(int, counts)
        return cls(won, drawn, lost)

    @property
    def trinomial(self) -> tuple[int, int, int]:
        """From the worst outcome to the best, as tests and intervals want them."""
        return self.lost, self.drawn, self.won

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

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson 1927)."""
        return wilson(self.points, self.games)


class GameLog:
    """The games by number, from 1, each in 12 bytes: seats, result and a hash of the opening.

    Outcomes are counted from here whenever somebody asks for them; and which games have one opening
    is what the errors of ratings need.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.hashes = array("q")
        self.cells = array("i")  # first, second and result in one number; -1 where no game is

    def append(self, first: int, second: int, result: int, opening: bytes) -> None:
        """The next game, with its result for the first player."""
        self.hashes.append(hash(opening))
        self.cells.append((first * self.players + second) * 3 + result + 1)

    def put(self, number: int, first: int, second: int, result: int, opening: bytes) -> None:
        """The game of a number; games may come in any order, but leave no gaps."""
        if number > len(self.cells):
            missing = number - len(self.cells) - 1
            self.hashes.extend([0] * missing)
            self.cells.extend([-1] * missing)
            self.append(first, second, result, opening)
        else:
            self.hashes[number - 1] = hash(opening)
            self.cells[number - 1] = (first * self.players + second) * 3 + result + 1

    def until(self, number: int) -> GameLog:
        """The games up to a number."""
        log = GameLog(self.players)
        log.hashes, log.cells = self.hashes[:number], self.cells[:number]
        return log

    def outcomes(self) -> Counts:
        """How often each came: [first, second, LOSS | DRAW | WIN of the first player]."""
        return self._table(np.array(self.cells, np.int64))

    def points_of(self, player: int) -> NDArray[np.float64]:
        """The points of a player in each of its games, in the order of their numbers."""
        cells = np.array(self.cells, np.int64)
        pairs, outcomes = np.divmod(cells[cells >= 0], 3)
        first, second = np.divmod(pairs, self.players)
        points = np.where(first == player, VALUES[outcomes], VALUES[WIN - outcomes])
        own: NDArray[np.float64] = points[(first == player) | (second == player)]
        return own

    def over_time(self) -> Iterator[tuple[int, Counts]]:
        """Games so far and outcomes so far, at most some 40 times, the last time at the end."""
        cells = np.array(self.cells, np.int64)
        cells = cells[cells >= 0]
        so_far, start = self._table(cells[:0]), 0
        for step in range(1, SNAPSHOTS + 1):
            end = round(step * len(cells) / SNAPSHOTS)
            if end > start:
                so_far = so_far + self._table(cells[start:end])
                yield end, so_far
                start = end

    def _table(self, cells: Counts) -> Counts:
        counts = np.bincount(cells[cells >= 0], minlength=3 * self.players**2)
        return counts.reshape(self.players, self.players, 3)


class Scoreboard:
    """The games of a line-up; players are their places in it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.log = GameLog(len(self.names))
        self.games = 0
        self.pairs: dict[tuple[int, int], list[int]] = {}  # (low, high): pentanomial of the low
        self.settled = 0  # the games up to this number are counted in order
        self._early: dict[int, GameResult] = {}  # not settled yet
        self._halves: OrderedDict[tuple[int, int, int, bytes], list[int]] = OrderedDict()
        self._counted = -1  # games when outcomes and scores were counted
        self._outcomes = self.log.outcomes()
        self._scores: list[WDL] = []

    def add(self, game: GameResult) -> None:
        """Count a game with its result for the first player; `settle` counts its pair."""
        self.games += 1
        self.log.put(game.number, game.first, game.second, game.result, game.opening)
        self._early[game.number] = game

    def settle(self) -> Iterator[tuple[int, int, int]]:
        """Go on in the order of the numbers as far as games have come: first, second, result."""
        while (game := self._early.pop(self.settled + 1, None)) is not None:
            self.settled += 1
            self._pair(game.round, game.first, game.second, game.result, game.opening)
            yield game.first, game.second, game.result

    def append(
        self, first: int, second: int, result: int, opening: bytes = b"", round_: int = 0
    ) -> None:
        """Count the next game, of games that come in order."""
        self.games += 1
        self.log.append(first, second, result, opening)
        self._pair(round_, first, second, result, opening)

    def _pair(self, round_: int, first: int, second: int, result: int, opening: bytes) -> None:
        """Match a game with an earlier one of the round, opening and seats swapped; or remember it.

        A pair is counted by the points that the lower number of the two made of both games.
        """
        halves, partner = self._halves, (round_, second, first, opening)
        earlier = halves.get(partner) if first != second else None
        if earlier is None:
            halves.setdefault((round_, first, second, opening), []).append(result)
            if len(halves) > WAITING:
                halves.popitem(last=False)
            return
        difference = result - earlier.pop(0)
        if not earlier:
            del halves[partner]
        pair = (first, second) if first < second else (second, first)
        counts = self.pairs.setdefault(pair, [0] * PENTANOMIAL)
        counts[2 + (difference if first < second else -difference)] += 1

    def _count(self) -> None:
        """Count again, if there are more games than last time."""
        if self._counted != self.games:
            self._counted = self.games
            self._outcomes = self.log.outcomes()
            self._scores = [WDL.of(counts) for counts in self.by_seat.sum(axis=1)]

    @property
    def outcomes(self) -> Counts:
        """[first, second, LOSS | DRAW | WIN of the first player]."""
        self._count()
        return self._outcomes

    @property
    def by_seat(self) -> Counts:
        """[player, seat, LOSS | DRAW | WIN of that player]."""
        first = self.outcomes.sum(axis=1)
        second = self.outcomes.sum(axis=0)[:, ::-1]
        return np.stack([first, second], axis=1)

    @property
    def scores(self) -> list[WDL]:
        """What each player has made of its games, in both seats."""
        self._count()
        return self._scores

    def versus(self, player: int, other: int) -> WDL:
        """A player's games against another, in both seats."""
        return WDL.of(self.outcomes[player, other] + self.outcomes[other, player][::-1])

    def pentanomial(self, player: int, other: int) -> list[int]:
        """How often a player made 0, 1/2, 1, 3/2, 2 points of a pair of games against another."""
        low, high = sorted((player, other))
        counts = self.pairs.get((low, high), [0] * PENTANOMIAL)
        return counts[:] if player == low else counts[::-1]

    @property
    def first_share(self) -> float:
        """The mean score of whoever moved first; one half without games."""
        total = self.outcomes.sum(axis=(0, 1))
        return float(total @ VALUES / total.sum()) if total.sum() else 0.5
