"""What a person's games add up to, board by board: a leaderboard and a head-to-head matrix.

Ratings are those of a tournament. A game in which somebody asked for a hint or an opinion, or took
a move back, is listed but not rated, and neither is one of an engine against itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.human.history import FinishedGame
from arena.standings.rating import Ratings, rate
from arena.standings.results import Counts

Key = tuple[str, bool]  # a name, and whether it is a person's


@dataclass(frozen=True)
class Leaderboard:
    """The rated games on one board; players are numbers in `keys`."""

    game: str
    keys: tuple[Key, ...]
    outcomes: Counts  # [first, second, LOSS | DRAW | WIN of the first player]
    ratings: Ratings
    unrated: int

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, each in a way of its own."""
        return self.ratings.names

    def score(self, player: int) -> tuple[int, int, int]:
        """What a player has lost, drawn and won."""
        total = self.outcomes[player].sum(axis=0) + self.outcomes[:, player].sum(axis=0)[::-1]
        return _three(total)

    def versus(self, player: int, other: int) -> tuple[int, int, int]:
        """What a player has lost, drawn and won against another."""
        return _three(self.outcomes[player, other] + self.outcomes[other, player][::-1])


def leaderboards(games: Iterable[FinishedGame]) -> list[Leaderboard]:
    """A leaderboard for each board, the one with most games first."""
    by_game: dict[str, list[FinishedGame]] = {}
    for game in games:
        by_game.setdefault(game.game, []).append(game)
    order = sorted(by_game.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_leaderboard(name, games) for name, games in order]


def is_rated(game: FinishedGame) -> bool:
    """Whether a game tells who is stronger."""
    first, second = _keys(game)
    return game.helps == 0 and first != second


def _leaderboard(name: str, games: Sequence[FinishedGame]) -> Leaderboard:
    rated = [game for game in games if is_rated(game)]
    numbers: dict[Key, int] = {}
    for game in rated:
        for key in _keys(game):
            numbers.setdefault(key, len(numbers))
    outcomes = np.zeros((len(numbers), len(numbers), 3), dtype=np.int64)
    for game in rated:
        first, second = (numbers[key] for key in _keys(game))
        outcomes[first, second, game.result + 1] += 1
    keys = tuple(numbers)
    ratings = rate(outcomes, names=_distinct(keys))
    return Leaderboard(name, keys, outcomes, ratings, len(games) - len(rated))


def _keys(game: FinishedGame) -> tuple[Key, Key]:
    return (game.first, game.people[0]), (game.second, game.people[1])


def _distinct(keys: Sequence[Key]) -> list[str]:
    """Names; a person who is called like an engine gets a word more."""
    engines = {name for name, is_person in keys if not is_person}
    return [f"{name} (person)" if is_person and name in engines else name
            for name, is_person in keys]  # fmt: skip


def _three(counts: Counts) -> tuple[int, int, int]:
    lost, drawn, won = (int(count) for count in counts)
    return lost, drawn, won
