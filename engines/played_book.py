"""The played book: positions of finished games, and what they are worth by minimax (Buro 1999).

A position in which a game ended has its result. In every other one, each move is worth what the
book says of the position behind it, or, as long as nobody has played it, what a search says; so the
best move that was not played hangs there as an alternative. Minimax asks only which of two numbers
is larger. So the search needs no scale: a lost game is below all it can say, a won one above, and
a drawn one is 0, as a position that it holds to be even.

Positions that are images of one another, or were reached in another order, are one: what a position
is worth does not depend on how it came about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush

from arena import Position

WON, DRAWN, LOST = float("inf"), 0.0, float("-inf")

Key = tuple[int, int]
Study = Callable[[Position], Mapping[int, float]]  # what a search says of each column


class PlayedBook:
    """What games have taught; all worths are those to the player to move.

    `trusts` is a player whose opponents are trusted to play nothing that they have not played yet;
    None: what the search says of their other moves counts as well.
    """

    def __init__(self, trusts: int | None = None) -> None:
        self.trusts = trusts
        self.worths: dict[Key, float] = {}
        self.moves: dict[Key, dict[Key, float]] = {}  # where each leads to, and what a search says
        self.parents: defaultdict[Key, set[Key]] = defaultdict(set)

    def __contains__(self, position: Position) -> bool:
        """Whether a game has gone on from here."""
        return position.symmetry_key in self.moves

    def best(self, position: Position) -> tuple[int, float]:
        """The best column and its worth; of equal ones one that was played, the most central."""
        moves = self.moves[position.symmetry_key]
        behind = {
            column: position.play(column).symmetry_key
            for column in position.rules.centre_order
            if column in position.legal
        }
        worths = {column: self._worth_of(moves, key) for column, key in behind.items()}
        column = max(worths, key=lambda column: (worths[column], behind[column] in self.worths))
        return column, worths[column]

    def add(self, game: Iterable[Position], result: float | None, study: Study) -> None:
        """Take in the positions of a game; the result is to the player to move in the last.

        Without a result, which may be somebody's fault, a search has to say what the last is worth.
        """
        *way, last = game
        if result is None and not last.is_over:
            way.append(last)
        elif last.symmetry_key not in self.worths:
            self.worths[last.symmetry_key] = result_in(last) if last.is_over else result or DRAWN
        for position in way:
            if position not in self:
                self._open(position, study(position))
        self._settle(position.symmetry_key for position in [*way, last])

    def _open(self, position: Position, opinions: Mapping[int, float]) -> None:
        """Write down the moves of a position; one that ends the game has its result at once."""
        key = position.symmetry_key
        moves = self.moves[key] = {}
        for column in position.legal:
            after = position.play(column)
            behind, opinion = after.symmetry_key, opinions.get(column, DRAWN)
            moves[behind] = max(opinion, moves.get(behind, opinion))  # two may be images
            self.parents[behind].add(key)
            if after.is_over:
                self.worths[behind] = result_in(after)

    def _settle(self, keys: Iterable[Key]) -> None:
        """Find the worth of these positions, and of all before them that it changes."""
        waiting = [(-discs(key), key) for key in set(keys)]
        heapify(waiting)
        while waiting:  # the fullest boards first, as the others depend on them
            _, key = heappop(waiting)
            before = self.worths.get(key)
            if key in self.moves:
                self.worths[key] = self._minimax(key)
            if self.worths[key] != before:
                for parent in self.parents[key]:
                    heappush(waiting, (-discs(parent), parent))

    def _minimax(self, key: Key) -> float:
        moves = self.moves[key]
        is_trusted = self.trusts is not None and discs(key) % 2 != self.trusts
        in_book = [move for move in moves if move in self.worths]
        return max(
            self._worth_of(moves, move) for move in (in_book if is_trusted and in_book else moves)
        )

    def _worth_of(self, moves: Mapping[Key, float], move: Key) -> float:
        """What a move is worth: by the book if it knows what is behind it, else by the search."""
        return 0.0 - self.worths[move] if move in self.worths else moves[move]


def discs(key: Key) -> int:
    """How many discs lie on the board."""
    return (key[0] | key[1]).bit_count()


def result_in(position: Position) -> float:
    """The result of a game that is over, to the player who would be next: a win is the other's."""
    return DRAWN if position.winner is None else LOST
