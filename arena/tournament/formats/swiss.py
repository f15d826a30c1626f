"""Everybody plays every round, against somebody with about as many points.

As few as possible meet again: those who have met least are paired, as many as can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from itertools import combinations, groupby
from random import Random
from typing import Annotated, Literal

import numpy as np
from pydantic import Field as Key

from arena.tournament.formats.format import Field, Format, Pairing, Ranking, Scored, meet
from arena.tournament.games import GameResult
from arena.tournament.values import Whole

PRIME = 2**31 - 1


class SwissTable:
    """What the rounds so far say about each player: points, seats, byes and meetings."""

    def __init__(self, field: Field, results: Sequence[GameResult]) -> None:
        self.points: Counter[int] = Counter()  # in halves: 2 for a won game
        self.starts: Counter[int] = Counter()  # games as the first minus games as the second
        self.byes: Counter[int] = Counter()
        self.rounds: Counter[tuple[int, int]] = Counter()  # how often two players were paired
        for _, games in groupby(results, key=lambda game: game.round):
            pairs = set()
            for game in games:
                self.score(game)
                self.starts[game.first] += 1
                self.starts[game.second] -= 1
                pairs.add((min(game.first, game.second), max(game.first, game.second)))
            self.rounds.update(pairs)
            byes = set(range(field.players)).difference(*pairs)
            self.byes.update(byes)
            self.points.update(dict.fromkeys(byes, 2 * field.games))

    def score(self, game: GameResult) -> None:
        """Give the points of a game to its players."""
        self.points[game.first] += 1 + game.result
        self.points[game.second] += 1 - game.result

    def order(self, players: int) -> list[int]:
        """The players as they are paired: by points, then by the line-up."""
        return sorted(range(players), key=lambda player: (-self.points[player], player))

    def met(self, one: int, other: int) -> int:
        """In how many rounds two players were paired."""
        return self.rounds[min(one, other), max(one, other)]

    def seated(self, pair: tuple[int, int]) -> tuple[int, int]:
        """Who did so less often moves first, else who comes first in the line-up."""
        first, second = sorted(pair, key=lambda player: (self.starts[player], player))
        return first, second


class Swiss(Format):
    """Engines of equal scores meet, round after round.

    They are paired from the top of the table down, without rematches while that is possible. The
    table is sorted by points, then by the line-up. If the number of players is odd, the lowest one
    of those with the fewest byes sits out (or the next one up, if that saves a rematch) and gets a
    point for each of the `games` that the others play in this round, as if all were won.
    """

    kind: Literal["swiss"] = "swiss"
    rounds: Annotated[int, Whole(1, 1000)] = Key(
        description="Number of rounds.",
        examples=[5],
    )

    def expected(self, field: Field, results: Sequence[GameResult] = ()) -> int:
        """All pairs of all rounds."""
        return self.rounds * (field.players // 2) * field.meetings

    def openings(self, field: Field) -> int:
        """New ones for every round."""
        return self.rounds * field.meetings

    def pairings(
        self, field: Field, round: int, results: Sequence[GameResult]
    ) -> Sequence[Pairing] | None:
        """One meeting of every pair after the other, each with a new opening."""
        if not 1 <= round <= self.rounds:
            return None
        table = SwissTable(field, results)
        order = table.order(field.players)
        new = least_met(order, table.met)
        bye = None
        if field.players % 2:
            fewest = min(table.byes[player] for player in order)
            lowest = [player for player in reversed(order) if table.byes[player] == fewest]
            bye = sit_out(lowest, new)
        pairs = [table.seated(pair) for pair in pair_up(order, new, table.met, bye)]
        return meet(round, pairs, range((round - 1) * field.meetings, round * field.meetings))

    def ranking(self, field: Field, results: Sequence[GameResult], scored: Scored) -> Ranking:
        """By points, byes included, then by the points of the opponents (Buchholz), then by rating.

        A bye is no opponent: of two with as many points, who has played for them stands above. A
        round that is open has neither byes nor opponents yet, but its games count.
        """
        done = self._complete(field, results)
        table, players = SwissTable(field, done), range(field.players)
        buchholz = [
            sum(table.met(player, other) * table.points[other] for other in players) / 2
            for player in players
        ]
        for game in results[len(done) :]:
            table.score(game)
        points = [table.points[player] / 2 for player in players]
        order = scored.by(points.__getitem__, buchholz.__getitem__)
        columns = {"with byes": points} if field.players % 2 else {}
        return Ranking(order, {**columns, "Buchholz": buchholz})

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        """The round, of so many."""
        return f"round {round} of {self.rounds}"

    def _complete(self, field: Field, results: Sequence[GameResult]) -> Sequence[GameResult]:
        """The results of the rounds of which all games are there."""
        games = field.players // 2 * field.games
        played = Counter(game.round for game in results)
        open_ = next((r for r in range(1, self.rounds + 1) if played[r] < games), self.rounds + 1)
        return [game for game in results if game.round < open_]


New = Mapping[int, Set[int]]  # for each player those that are new to him


def least_met(players: Sequence[int], met: Callable[[int, int], int]) -> New:
    """Who is new to whom: pairs that have met as seldom as any has."""
    times = {(a, b): met(a, b) for a in players for b in players if a != b}
    fewest = min(times.values())
    return {a: {b for b in players if a != b and times[a, b] == fewest} for a in players}


def pair_up(
    ranking: Sequence[int], new: New, met: Callable[[int, int], int], bye: int | None = None
) -> list[tuple[int, int]]:
    """Pair players from the top down, each with the best one left who is new to him.

    A player is passed over only where the rest could not be paired with as few rematches, and
    rematches are with those met least.
    """
    left = [player for player in ranking if player != bye]
    size = matching_size(left, new)
    pairs = []
    while left:
        top, *others = left
        for partner in sorted(
            others, key=lambda other: 0 if other in new[top] else met(top, other)
        ):
            rest = [player for player in others if player != partner]
            is_new = partner in new[top]
            if matching_size(rest, new) + is_new == size:
                break
        pairs.append((top, partner))
        left, size = rest, size - is_new
    return pairs


def sit_out(candidates: Sequence[int], new: New) -> int:
    """The first of these players without whom the others have the fewest rematches."""
    return max(candidates, key=lambda player: matching_size([*(new.keys() - {player})], new))


def matching_size(players: Sequence[int], new: New) -> int:
    """How many pairs of players who are new to each other there can be at once.

    That is half the rank of a skew matrix with a random number for each such pair (Lovasz 1979);
    too low with a chance of one in millions. Where each is new to half of the others, all can be
    paired (Dirac 1952).
    """
    count = len(players)
    here = set(players)
    if all(2 * len(new[player] & here) >= count for player in players):
        return count // 2
    random = Random(count)
    matrix = np.zeros((count, count), np.int64)
    for i, j in combinations(range(count), 2):
        if players[j] in new[players[i]]:
            matrix[i, j] = random.randrange(1, PRIME)
            matrix[j, i] = PRIME - matrix[i, j]
    rank = 0
    for column in range(count):
        rows = np.flatnonzero(matrix[rank:, column])
        if not len(rows):
            continue
        pivot = rank + rows[0]
        matrix[[rank, pivot]] = matrix[[pivot, rank]]
        inverse = pow(int(matrix[rank, column]), -1, PRIME)
        row = matrix[rank] * inverse % PRIME
        below = matrix[rank + 1 :]
        below -= below[:, column, None] * row % PRIME
        below %= PRIME
        rank += 1
    return rank // 2
