"""The games of a line-up in columns: who met whom, in which opening, and how it ended.

A game takes some 30 bytes. Everything else is counted from the columns on demand: results,
pairs of games with seats swapped, causes of losses, lengths, copies, and the *clusters* of games
that are independent evidence (see evidence.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.standings.evidence import Estimate, Interval, Labels, Numbers, estimate, of_outcomes
from arena.standings.labels import Keys, mixed, numbered, times_before
from arena.standings.sprt import PENTANOMIAL, DecidedTest, after_stop
from arena.table.game import GOOD_ENDS, Game
from arena.tournament.games import GameResult

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]

LOSS, DRAW, WIN = 0, 1, 2
VALUES = np.array([0.0, 0.5, 1.0])  # points of each
ENOUGH_PAIRS = 0.9  # of the games in pairs, from where on pairs are counted and the rest left out
MAX_OPENINGS = 20_000  # that are kept by their moves
ROW = np.dtype([
    ("cell", "i4"), ("round", "i4"), ("opening", "i8"), ("moves", "i8"), ("plies", "i2"),
    ("reason", "i2"),
])  # fmt: skip


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

    def plus(self, result: int) -> WDL:
        """With a game more: 1 won, 0 drawn, -1 lost."""
        return WDL(self.won + (result > 0), self.drawn + (result == 0), self.lost + (result < 0))

    @property
    def trinomial(self) -> tuple[int, int, int]:
        """From the worst outcome to the best, as tests want them."""
        return self.lost, self.drawn, self.won

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @property
    def points(self) -> float:
        """A win counts one, a draw one half."""
        return self.won + self.drawn / 2

    @property
    def share(self) -> float:
        """Points a game; one half before the first."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the share, if the games are independent."""
        score = of_outcomes(self.trinomial)
        return Interval(0.0, 1.0) if score is None else score.interval()


class Settled(NamedTuple):
    """A game in the order of the numbers; opening and moves are hashes."""

    first: int
    second: int
    result: int  # 1, 0, -1 for the first player
    round: int
    opening: int
    moves: int


class Games:
    """The games of a line-up; players are their places in it.

    Games end in any order. Whatever they decide, such as when a test stops, must not depend on it,
    so `settle` walks in the order of their numbers, up to the first game that is missing.
    """

    def __init__(
        self,
        names: Sequence[str],
        games: Sequence[Game] = (),
        ended_by: DecidedTest | None = None,
    ) -> None:
        self.names = tuple(names)
        self.ended_by = ended_by  # a test that has stopped the games, which scores allow for
        self.games = 0
        self.settled = 0  # games up to this number were walked through
        self.reasons: list[str] = []
        self.openings: dict[int, bytes] = {}  # by hash, as far as there is room
        self._table = np.zeros(64, ROW)
        self._table["cell"] = -1  # no game
        self._size = 0
        self.extend(games)

    # -- filling --------------------------------------------------------------------------------

    def append(
        self, first: int, second: int, result: int, opening: bytes = b"", round_: int = 0,
        moves: bytes | None = None,
    ) -> None:  # fmt: skip
        """Add the next game; without moves it counts as a copy of none."""
        game = GameResult(self._size + 1, round_, first, second, result, opening, moves)
        self.add(game)

    def add(self, game: GameResult) -> None:
        """Add a game at the place of its number; games may come in any order."""
        self._grow(game.number)
        cell = self._cell(game.first, game.second, game.result)
        moves = hash(game.moves) if game.moves is not None else ~game.number
        self._table[game.number - 1] = cell, game.round, self._opening(game.opening), moves, 0, -1
        self._count(1)

    def extend(self, games: Sequence[Game]) -> None:
        """Add finished games in order, with how and when they ended."""
        start, size = self._size, self._size + len(games)
        self._grow(size)
        part = self._table[start:size]
        part["cell"] = [self._cell(game.first, game.second, game.result) for game in games]
        part["round"] = [game.round for game in games]
        part["opening"] = [self._opening(game.opening) for game in games]
        part["moves"] = [hash(game.moves) for game in games]
        part["plies"] = [len(game.moves) for game in games]
        part["reason"] = [self._reason(game.reason) for game in games]
        self._count(len(games))

    def settle(self) -> Iterator[Settled]:
        """Walk on in the order of the numbers, as far as games have come."""
        while self.settled < self._size and self._table["cell"][self.settled] >= 0:
            cell, round_, opening, moves, *_ = self._table[self.settled].tolist()
            self.settled += 1
            pair, outcome = divmod(cell, 3)
            first, second = divmod(pair, len(self.names))
            yield Settled(first, second, outcome - DRAW, round_, opening, moves)

    def until(self, number: int) -> Games:
        """The games up to a number."""
        games = Games(self.names, ended_by=self.ended_by)
        games._table, games._size = self._table[:number], number
        games.games = int((games._table["cell"] >= 0).sum())
        games.reasons, games.openings = self.reasons, self.openings
        return games

    def _count(self, games: int) -> None:
        """Count new games, and forget what was counted without them."""
        self.games += games
        for name in CACHED:
            self.__dict__.pop(name, None)

    def _cell(self, first: int, second: int, result: int) -> int:
        return (first * len(self.names) + second) * 3 + result + 1

    def _opening(self, opening: bytes) -> int:
        key = hash(opening)
        if key not in self.openings and len(self.openings) < MAX_OPENINGS:
            self.openings[key] = opening
        return key

    def _reason(self, reason: str) -> int:
        if reason not in self.reasons:
            self.reasons.append(reason)
        return self.reasons.index(reason)

    def _grow(self, size: int) -> None:
        while len(self._table) < size:
            more = np.zeros(len(self._table), ROW)
            more["cell"] = -1
            self._table = np.concatenate([self._table, more])
        self._size = max(self._size, size)

    # -- counting -------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> NDArray[np.void]:
        """The games in order, gaps left out."""
        return self._table[self._table["cell"] >= 0]

    @cached_property
    def first(self) -> Counts:
        """Who moved first, by game."""
        return np.asarray(self.rows["cell"] // (3 * max(1, len(self.names))), np.int64)

    @cached_property
    def second(self) -> Counts:
        """Who moved second."""
        return np.asarray(self.rows["cell"] // 3 % max(1, len(self.names)), np.int64)

    @cached_property
    def result(self) -> Counts:
        """LOSS, DRAW or WIN of the player who moved first."""
        return np.asarray(self.rows["cell"] % 3, np.int64)

    @cached_property
    def outcomes(self) -> Counts:
        """[first, second, LOSS | DRAW | WIN of the first player]."""
        count = len(self.names)
        return np.bincount(self.rows["cell"], minlength=3 * count**2).reshape(count, count, 3)

    @property
    def by_seat(self) -> Counts:
        """[player, seat, LOSS | DRAW | WIN of that player]."""
        first = self.outcomes.sum(axis=1)
        second = self.outcomes.sum(axis=0)[:, ::-1]
        return np.stack([first, second], axis=1)

    @cached_property
    def scores(self) -> list[WDL]:
        """The games of each player, in both seats."""
        return [WDL.of(counts) for counts in self.by_seat.sum(axis=1)]

    def versus(self, player: int, other: int) -> WDL:
        """A player's games against another, in both seats."""
        return WDL.of(self.outcomes[player, other] + self.outcomes[other, player][::-1])

    @property
    def first_share(self) -> float:
        """The mean score of the first player; one half without games."""
        total = self.outcomes.sum(axis=(0, 1))
        return float(total @ VALUES / total.sum()) if total.sum() else 0.5

    @property
    def lengths(self) -> Counts:
        """Games by plies, without those that a fault ended."""
        return np.asarray(self.lengths_by_player.sum(axis=(0, 1)) // 2)

    @cached_property
    def lengths_by_player(self) -> Counts:
        """[player, LOSS | DRAW | WIN of that player, plies]."""
        good = [at for at, reason in enumerate(self.reasons) if reason in GOOD_ENDS]
        whole, plies = np.isin(self.rows["reason"], good), self.rows["plies"].astype(np.int64)
        shape = len(self.names), 3, int(plies.max(initial=0)) + 1
        table: Counts = np.zeros(shape, np.int64)
        for player, outcome in ((self.first, self.result), (self.second, WIN - self.result)):
            cells = (3 * player + outcome) * shape[2] + plies
            table += np.bincount(cells[whole], minlength=table.size).reshape(shape)
        return table

    @property
    def causes(self) -> dict[str, Counts]:
        """Reason -> [player]: games lost by it; a line included."""
        loser = np.where(self.result == WIN, self.second, self.first)
        lost, reasons = self.result != DRAW, self.rows["reason"]
        count = len(self.names)
        by_reason = {
            reason: np.bincount(loser[lost & (reasons == at)], minlength=count)
            for at, reason in enumerate(self.reasons)
        }
        return {reason: counts for reason, counts in by_reason.items() if counts.any()}

    def by_opening(self) -> tuple[dict[bytes, Counts], Counts]:
        """LOSS, DRAW, WIN of the first player by opening, in the order of their first games.

        Those beyond very many openings are counted together.
        """
        keys, starts, places = np.unique(
            self.rows["opening"], return_index=True, return_inverse=True
        )
        table = np.bincount(3 * places.reshape(-1) + self.result, minlength=3 * len(keys))
        table = table.reshape(-1, 3)
        others, named = np.zeros(3, np.int64), {}
        for at in np.argsort(starts):
            opening = self.openings.get(int(keys[at]))
            if opening is None:
                others += table[at]
            else:
                named[opening] = table[at]
        return named, others

    def points_of(self, player: int) -> Numbers:
        """The points of a player in each of its games, in order."""
        points, own = self._points(player)
        return points[own]

    # -- evidence -------------------------------------------------------------------------------

    @cached_property
    def copies(self) -> Labels:
        """Equal numbers for copies of a game: same players, seats, opening and moves."""
        return numbered(mixed(self._seats() + self._keys("moves")))

    @property
    def different(self) -> int:
        """The number of games that are no copies of an earlier one."""
        return int(self.copies.max(initial=-1)) + 1

    def different_between(self, player: int, other: int) -> int:
        """The same of the games of two players."""
        return len(np.unique(self.copies[self._points(player, other)[1]]))

    @cached_property
    def labels(self) -> Labels:
        """The cluster of each game: (opening, k), this being its pairing's k-th different one.

        The two orders of seats count for themselves, so that a pair of games is one cluster; a copy
        gets the label of the first such game.
        """
        is_first = np.diff(np.maximum.accumulate(self.copies), prepend=-1) > 0
        times = times_before(self._seats()[is_first]).astype(np.uint64)
        return numbered(mixed(mixed(self._keys("opening")[is_first]) + times))[self.copies]

    def _keys(self, column: str) -> Keys:
        return self.rows[column].astype(np.uint64)

    def _seats(self) -> Keys:
        """Hashes of opening, first and second player."""
        return mixed(mixed(self._keys("opening")) + self._keys("cell") // np.uint64(3))

    def _points(self, player: int, other: int | None = None) -> tuple[Numbers, Flags]:
        """A player's points by game, and which games are its own, against an opponent if named."""
        as_first, as_second = self.first == player, self.second == player
        if other is not None:
            as_first = as_first & (self.second == other)
            as_second = as_second & (self.first == other)
        points = np.where(as_first, VALUES[self.result], VALUES[WIN - self.result])
        return points, as_first | as_second

    def score(self, player: int, other: int | None = None) -> Estimate | None:
        """A player's points a game, against an opponent if one is named; None without games.

        Of two whose sequential test has ended the games, interval and difference allow for that.
        """
        if player == other:
            return None
        points, own = self._points(player, other)
        score = estimate(self.labels[own], np.ones(own.sum()), points[own], "share")
        test = self.ended_by
        if score is None or test is None or {player, other} != {test.player, test.other}:
            return score
        stopped = after_stop(self.evidence(test.player, test.other), test.sprt, is_over=True)
        assert stopped is not None, "there are games"
        seen = stopped if player == test.player else stopped.reversed()
        return replace(seen, scale="share", value=score.value, games=score.games)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], list[int]]:
        """(low, high) -> how often the lower number made 0, 1/2, 1, 3/2, 2 points of a pair.

        A pair is two games of a round with the same opening and the seats swapped.
        """
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        key = mixed(self._keys("opening")) + self._keys("round")
        key = mixed(mixed(key) + (low * len(self.names) + high).astype(np.uint64))
        is_low = self.first < self.second
        key = mixed(key + times_before(mixed(key + is_low.astype(np.uint64))).astype(np.uint64))
        ones, others = np.flatnonzero(is_low), np.flatnonzero(self.first > self.second)
        _, one, other = np.intersect1d(key[ones], key[others], return_indices=True)
        one, other = ones[one], others[other]
        points = self.result[one] + WIN - self.result[other]
        count = len(self.names)
        cells = self.first[one] * count + self.second[one]
        pairs: dict[tuple[int, int], list[int]] = {}
        for cell in np.unique(cells).tolist():
            counts = np.bincount(points[cells == cell], minlength=PENTANOMIAL)
            pairs[divmod(cell, count)] = counts.tolist()
        return pairs

    def pentanomial(self, player: int, other: int) -> list[int]:
        """How often a player made 0, 1/2, 1, 3/2, 2 points of a pair of games against another."""
        low, high = sorted((player, other))
        counts = self.pairs.get((low, high), [0] * PENTANOMIAL)
        return counts[:] if player == low else counts[::-1]

    def usable(self, player: int, other: int) -> list[int]:
        """The outcomes to test by: pairs where nearly all games are in pairs, else single games."""
        games, pairs = self.versus(player, other), self.pentanomial(player, other)
        whole = 2 * sum(pairs) >= ENOUGH_PAIRS * games.games
        return pairs if whole and any(pairs) else list(games.trinomial)

    def evidence(self, player: int, other: int) -> list[float]:
        """The same, scaled down to as many outcomes as there are different clusters.

        Dropping copies outright would bias a test, because short wins repeat most.
        """
        counts = self.usable(player, other)
        _, own = self._points(player, other)
        different, total = len(np.unique(self.labels[own])), sum(counts)
        return [count * min(1.0, different / total) for count in counts] if total else [*counts]


CACHED = [name for name, value in vars(Games).items() if isinstance(value, cached_property)]
