"""What a person's games add up to, board by board: a leaderboard and a head-to-head matrix.

Ratings are those of a tournament. A game in which somebody asked for a hint or an opinion, or took
a move back, is listed but not rated, and neither is one of an engine against itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.human.history import FinishedGame
from arena.standings.rating import Ratings, rate
from arena.standings.scoreboard import WDL, Scoreboard

Key = tuple[str, bool]  # a name, and whether it is a person's


@dataclass(frozen=True)
class Leaderboard:
    """The rated games on one board; players are their places in `names`."""

    game: str
    scoreboard: Scoreboard
    ratings: Ratings
    is_person: tuple[bool, ...]
    unrated: int  # games

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, each in a way of its own."""
        return self.scoreboard.names

    @property
    def scores(self) -> list[WDL]:
        """What each player has won, drawn and lost."""
        return self.scoreboard.scores

    def versus(self, player: int, other: int) -> WDL:
        """What a player has won, drawn and lost against another."""
        return self.scoreboard.versus(player, other)


def leaderboards(games: Iterable[FinishedGame]) -> list[Leaderboard]:
    """A leaderboard for each board, the one with most games first."""
    by_board: dict[str, list[FinishedGame]] = {}
    for game in games:
        by_board.setdefault(game.game, []).append(game)
    order = sorted(by_board.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_leaderboard(name, on_board) for name, on_board in order]


def is_rated(game: FinishedGame) -> bool:
    """Whether a game tells who is stronger."""
    first, second = _keys(game)
    return game.helps == 0 and first != second


def _leaderboard(name: str, games: Sequence[FinishedGame]) -> Leaderboard:
    rated = [game for game in games if is_rated(game)]
    keys = list(dict.fromkeys(key for game in rated for key in _keys(game)))
    places = {key: place for place, key in enumerate(keys)}
    scoreboard = Scoreboard(_distinct(keys))
    for game in rated:
        first, second = (places[key] for key in _keys(game))
        scoreboard.append(first, second, game.result)
    ratings = rate(scoreboard.outcomes, names=scoreboard.names)
    is_person = tuple(is_person for _, is_person in keys)
    return Leaderboard(name, scoreboard, ratings, is_person, len(games) - len(rated))


def _keys(game: FinishedGame) -> tuple[Key, Key]:
    return (game.first, game.people[0]), (game.second, game.people[1])


def _distinct(keys: Sequence[Key]) -> list[str]:
    """Names; a person who is called like an engine gets a word more."""
    engines = {name for name, is_person in keys if not is_person}
    return [f"{name} (person)" if is_person and name in engines else name
            for name, is_person in keys]  # fmt: skip
