"""Pairing players so that as few as possible meet again: largest matchings in any graph.

The search for an augmenting path is that of Edmonds (1965, "Paths, trees, and flowers").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

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
