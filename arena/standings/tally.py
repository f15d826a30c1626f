"""The running tally of a tournament: every game counted once, in the order of their numbers.

Games end in any order. What is decided by them, such as when a test may stop, must not depend on
that: a game is counted for it only when all those before it are.
"""

from __future__ import annotations

from array import array

from arena.standings.scores import Score

PAIR_OUTCOMES = 5


class Tally:
    """Scores of all players and of all pairs, fed with results in any order."""

    def __init__(self, players: int) -> None:
        self.scores = [Score() for _ in range(players)]
        self.against: dict[tuple[int, int], Score] = {}
        self.by_opening = GamesByOpening(players)
        self.counted = 0

    def add(
        self, first: int, second: int, result: int, opening: bytes = b"", number: int | None = None
    ) -> None:
        """Count a game with its result for the first player; without a number it is the next."""
        self.counted += 1
        self.by_opening.put(number or self.counted, first, second, result, opening)
        self.scores[first].add(result)
        self.scores[second].add(-result)
        self.against.setdefault((first, second), Score()).add(result)

    def head_to_head(self, player: int, other: int) -> Score:
        """One player's games against another, in both seats."""
        there = self.against.get((player, other), Score())
        back = self.against.get((other, player), Score())
        return Score(there.won + back.lost, there.drawn + back.drawn, there.lost + back.won)


class GamesByOpening:
    """Every game with a hash of its opening, in 12 bytes."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.hashes = array("q")
        self.games = array("i")  # first, second and result in one number; -1 where none is known

    def add(self, first: int, second: int, result: int, opening: bytes) -> None:
        """The next game, with its result for the first player."""
        self.hashes.append(hash(opening))
        self.games.append((first * self.players + second) * 3 + result + 1)

    def put(self, number: int, first: int, second: int, result: int, opening: bytes) -> None:
        """The game of a number, from 1; games may come in any order, but leave no gaps."""
        if number > len(self.games):
            missing = number - len(self.games) - 1
            self.hashes.extend([0] * missing)
            self.games.extend([-1] * missing)
            self.add(first, second, result, opening)
        else:
            self.hashes[number - 1] = hash(opening)
            self.games[number - 1] = (first * self.players + second) * 3 + result + 1


class InOrder:
    """Holds results back until all with smaller numbers have come."""

    def __init__(self) -> None:
        self.waiting: dict[int, tuple[int, int, int, int, bytes]] = {}
        self.next = 1

    def add(
        self, number: int, game: tuple[int, int, int, int, bytes]
    ) -> list[tuple[int, int, int, int, bytes]]:
        """Those that are due now, this one perhaps among them."""
        self.waiting[number] = game
        due = []
        while self.next in self.waiting:
            due.append(self.waiting.pop(self.next))
            self.next += 1
        return due


class PairOutcomes:
    """Five-outcome counts between two players: the points of one from each pair of games."""

    def __init__(self, player: int, other: int, swapped: bool) -> None:
        self.player, self.other = player, other
        self.counts = [0] * (PAIR_OUTCOMES if swapped else 3)
        self.half: dict[tuple[int, bytes], int] = {}

    def add(self, round_: int, first: int, second: int, result: int, opening: bytes) -> bool:
        """Count a game; tell whether that changed the counts."""
        if {first, second} != {self.player, self.other}:
            return False
        points = 1 + (result if first == self.player else -result)  # in half points
        if len(self.counts) == 3:
            self.counts[points] += 1
            return True
        key = (round_, opening)
        if key not in self.half:
            self.half[key] = points
            return False
        self.counts[self.half.pop(key) + points] += 1
        return True
