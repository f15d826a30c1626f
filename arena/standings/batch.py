"""A few thousand finished games in arrays: what every counter of one pass over a journal reads.

A move that lost on time is a measured move, although it was never made: its time is what is left
of the game's. Of an answer that never came this is how long it was waited for, the least that it
would have taken, so that no engine is the quicker for its silence; figures say how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.rules import Rules
from arena.standings.evidence import Numbers
from arena.standings.games import Counts, Flags
from arena.standings.wins import Wins, wins_of
from arena.table.game import GOOD_ENDS, TELEMETRY, Game

SIZE = 4000  # games
FIGURES = ("time", "cpu", "nodes", "depth")
NOT_READY = "was not ready"  # in the details of a game lost on time: there was no move
NO_ANSWER = ("gave no answer", NOT_READY)


class MoveTable(NamedTuple):
    """Moves in no particular order: of which game and seat, when, and their figures.

    A figure is negative or nan where it is not known.
    """

    game: Counts  # place in the batch
    seat: Counts
    ply: Counts  # from 1, the opening included
    own: Counts  # which of the player's own moves in the game, from 1
    last: Flags  # whether it was the player's last one
    time: Numbers
    cpu: Numbers
    nodes: Numbers
    depth: Numbers

    def known(self, name: str) -> Flags:
        """Which moves have a figure."""
        values: Numbers = getattr(self, name)
        return (values >= 0) & (values < np.inf)


class Batch:
    """Some games in the order of their numbers."""

    def __init__(self, games: Sequence[Game], rules: Rules, start: int = 0) -> None:
        """`start` is how many games came before."""
        self.games, self.rules, self.start = games, rules, start
        seats = [(game.first, game.second) for game in games]
        self.seats = np.array(seats, np.int64).reshape(-1, 2)
        self.result = np.array([game.result for game in games], np.int64)
        self.reason = np.array([game.reason for game in games], dtype=object)
        self.plies = np.array([len(game.moves) for game in games], np.int64)
        self.opening_plies = np.array([len(game.opening) for game in games], np.int64)

    def __len__(self) -> int:
        return len(self.games)

    @cached_property
    def is_whole(self) -> Flags:
        """Games that no fault cut short; only these have a length."""
        return np.isin(self.reason.astype(str), GOOD_ENDS)

    @cached_property
    def wins(self) -> Wins:
        """Wins at once, taken or not, and the lines that won."""
        return wins_of(self.games, self.rules)

    @cached_property
    def moves(self) -> MoveTable:
        """All moves with telemetry, and those that lost on time."""
        parts = [self._equal(count, places) for count, places in sorted(self.by_length.items())]
        late = self._late()
        parts += [late] if len(late.game) else []
        if not parts:
            return late
        moves = MoveTable(*map(np.concatenate, zip(*parts, strict=True)))
        if len(late.game):  # the moves before are not the last ones
            is_late = np.zeros((len(self), 2), np.bool_)
            is_late[late.game, late.seat] = True
            moves.last[: -len(late.game)] &= ~is_late[moves.game, moves.seat][: -len(late.game)]
        return moves

    @cached_property
    def missing(self) -> Counts:
        """[game, seat]: answers that never came."""
        table = np.zeros((len(self), 2), np.int64)
        for place in np.flatnonzero(self.reason == "time").tolist():
            game = self.games[place]
            if any(words in game.detail for words in NO_ANSWER):
                table[place, 1 if game.result > 0 else 0] = 1
        return table

    @cached_property
    def by_length(self) -> dict[int, list[int]]:
        """Places of the games with telemetry, by how many moves were played after the opening."""
        lengths: dict[int, list[int]] = {}
        for place, game in enumerate(self.games):
            if game.has_telemetry:
                lengths.setdefault(len(game.moves) - len(game.opening), []).append(place)
        return lengths

    def telemetry(self, count: int, places: Sequence[int]) -> NDArray[np.void]:
        """The unpacked figures of games with this number of moves."""
        packed = b"".join([self.games[place].telemetry for place in places])
        return np.frombuffer(packed, telemetry_layout(count))

    def _equal(self, count: int, places: Sequence[int]) -> MoveTable:
        """The moves of games of the same length."""
        data = self.telemetry(count, places)
        before = self.opening_plies[places][:, None]
        step = np.arange(count)
        figures = (data[name].astype(np.float64).ravel() for name in FIGURES)
        return MoveTable(
            np.repeat(np.array(places), count),
            ((before + step) % 2).ravel(),
            (before + step + 1).ravel(),
            np.tile(step // 2 + 1, len(places)),
            np.tile(step >= count - 2, len(places)),
            *figures,
        )

    def _late(self) -> MoveTable:
        """The moves that came too late, of which only the time is known."""
        rows = []
        for place in np.flatnonzero(self.reason == "time").tolist():
            game, seat = self.games[place], 1 if self.result[place] > 0 else 0
            if game.seconds > 0 and NOT_READY not in game.detail:
                count = len(game.moves) - len(game.opening)
                is_known = game.has_telemetry
                spent = float(self.telemetry(count, [place])["time"].sum()) if is_known else 0.0
                own = (count + 1 - (seat - len(game.opening)) % 2) // 2 + 1
                time = max(0.0, game.seconds - spent)
                rows.append((place, seat, len(game.moves) + 1, own, True, time))
        columns = np.array(rows, np.float64).reshape(-1, 6).T
        unknown = np.full(len(rows), -1.0)
        game_, seat_, ply, own_ = columns[:4].astype(np.int64)
        return MoveTable(
            game_, seat_, ply, own_, columns[4] > 0, columns[5], unknown, unknown, unknown
        )


def batches(games: Iterable[Game], rules: Rules) -> Iterator[Batch]:
    """All games, some thousands at a time."""
    stream, start = iter(games), 0
    while some := list(islice(stream, SIZE)):
        yield Batch(some, rules, start)
        start += len(some)


@lru_cache(maxsize=256)
def telemetry_layout(count: int) -> np.dtype[np.void]:
    """The telemetry of a number of moves, as `pack_telemetry` writes it."""
    names = {"seconds": "time"}
    return np.dtype([(names.get(k, k), kind, (count,)) for k, kind in TELEMETRY.items()])
