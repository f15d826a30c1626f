"""Everybody plays every round, against somebody with about as many points.

As few as possible meet again: the largest matching of those who have met least is found by
augmenting paths (Edmonds 1965, "Paths, trees, and flowers").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Annotated, Literal

from pydantic import Field as Key

from arena.tournament.formats.format import Field, Format, Pairing, Ranking, Scored, meet
from arena.tournament.games import GameResult
from arena.tournament.values import Whole


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


Graph = Mapping[int, Sequence[int]]
Mates = dict[int, int]


def least_met(players: Sequence[int], met: Callable[[int, int], int]) -> Graph:
    """For each player those that are new to him: pairs that have met as seldom as any has."""
    times = {(a, b): met(a, b) for a in players for b in players if a != b}
    fewest = min(times.values())
    return {a: [b for b in players if a != b and times[a, b] == fewest] for a in players}


def pair_up(
    ranking: Sequence[int], new: Graph, met: Callable[[int, int], int], bye: int | None = None
) -> list[tuple[int, int]]:
    """Pair players from the top down, each with the best one left who is new to him.

    A player is passed over only where the rest could not be paired with as few rematches, and
    rematches are with those met least.
    """
    gone = set() if bye is None else {bye}
    mates = without(new, largest_matching(new), gone)
    pairs = []
    for top in ranking:
        if top in gone:
            continue
        gone.add(top)
        left = [player for player in ranking if player not in gone]
        for partner in sorted(left, key=lambda other: 0 if other in new[top] else met(top, other)):
            rest = without(new, mates, gone | {partner})
            if len(rest) + 2 * (partner in new[top]) == len(mates):
                break
        gone.add(partner)
        mates = rest
        pairs.append((top, partner))
    return pairs


def sit_out(candidates: Sequence[int], new: Graph) -> int:
    """The first of these players without whom the others have the fewest rematches."""
    mates = largest_matching(new)
    return max(candidates, key=lambda player: len(without(new, mates, {player})))


def largest_matching(graph: Graph) -> Mates:
    """As many pairs of neighbours as there can be, no player in two of them."""
    mates: Mates = {}
    for player in graph:
        if player not in mates:
            augment(graph, mates, player, frozenset())
    return mates


def without(graph: Graph, mates: Mates, gone: Set[int]) -> Mates:
    """A largest matching of those who stay, from one of all before these had gone."""
    rest = {one: other for one, other in mates.items() if one not in gone and other not in gone}
    for player in mates:
        if player not in gone and player not in rest:
            augment(graph, rest, player, gone)
    return rest


def augment(graph: Graph, mates: Mates, root: int, gone: Set[int]) -> None:
    """Give a free player a mate if that is possible, by a path on which all change mates."""
    search = _Search(graph, mates, root, gone)
    end = search.free_end()
    while end is not None:
        before = search.parent[end]
        following = mates.get(before)
        mates[end], mates[before] = before, end
        end = following


class _Search:
    """A tree of paths from a free player, on which every second step goes to a mate.

    Odd circles ("blossoms") are taken as one player, their `base`.
    """

    def __init__(self, graph: Graph, mates: Mates, root: int, gone: Set[int]) -> None:
        self.graph, self.mates, self.root, self.gone = graph, mates, root, gone
        self.parent: dict[int, int] = {}
        self.base = {player: player for player in graph}
        self.queue = [root]
        self.queued = {root}

    def free_end(self) -> int | None:
        """The end of a path to another free player, None if there is no such path."""
        for player in self.queue:  # grows while it is read
            for other in self.graph[player]:
                if other in self.gone or self.base[player] == self.base[other]:
                    continue
                if other == self.root or self.mates.get(other) in self.parent:
                    self._shrink(player, other)
                elif other not in self.parent:
                    self.parent[other] = player
                    if other not in self.mates:
                        return other
                    self._enqueue(self.mates[other])
        return None

    def _enqueue(self, player: int) -> None:
        if player not in self.queued:
            self.queued.add(player)
            self.queue.append(player)

    def _shrink(self, one: int, other: int) -> None:
        """Two players of the tree are neighbours: the circle that closes becomes one player."""
        up = set(self._bases_up(one))
        base = next(player for player in self._bases_up(other) if player in up)
        blossom = self._hang(one, other, base) | self._hang(other, one, base)
        for player in self.base:
            if self.base[player] in blossom:
                self.base[player] = base
                self._enqueue(player)

    def _bases_up(self, player: int) -> Iterator[int]:
        """The bases on the way from a player to the root."""
        while (base := self.base[player]) != self.base[self.root]:
            yield base
            player = self.parent[self.mates[base]]
        yield base

    def _hang(self, player: int, child: int, base: int) -> set[int]:
        """Make one side of a circle passable the other way round; the bases that lie on it."""
        blossom = set()
        while self.base[player] != base:
            mate = self.mates[player]
            blossom |= {self.base[player], self.base[mate]}
            self.parent[player] = child
            player, child = self.parent[mate], mate
        return blossom
