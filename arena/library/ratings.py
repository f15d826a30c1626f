"""Ratings of any list of games, from Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.errors import BadOption
from arena.library.results import Results
from arena.show.standings import standings_table
from arena.show.table import Table, table_html, titled
from arena.standings.game_lists import RESULTS
from arena.standings.games import DRAW, Games
from arena.standings.rating import Ratings as Fit
from arena.standings.rating import rate as rate_players


@dataclass(frozen=True)
class Ratings:
    """Players by strength, with Elo and 95 % errors.

    `elo` and `error` are by name; None for a player whose games say nothing.
    """

    fit: Fit
    games: Games

    @property
    def elo(self) -> dict[str, float | None]:
        """The rating of each player."""
        return dict(zip(self.fit.names, self.fit.elo, strict=True))

    @property
    def error(self) -> dict[str, float | None]:
        """The 95 % error of each rating."""
        return dict(zip(self.fit.names, self.fit.error, strict=True))

    @property
    def table(self) -> Table:
        """A row for each player, the best first."""
        return standings_table(self.games, self.fit)

    def __repr__(self) -> str:
        return f"<Ratings of {len(self.fit.names)} players>"

    def __str__(self) -> str:
        """The table of the players."""
        return str(self.table)

    def _repr_html_(self) -> str:
        return titled("Ratings", table_html(self.table))


def rate(
    games: Results | Iterable[tuple[str, str, str | float]], *, anchor: str | None = None
) -> Ratings:
    """Rate the players of a list of games: (first, second, result of the first).

    A result is 1, 0.5 or 0, or words such as "1-0". `anchor` is a player whose rating is 0.

    >>> arena.rate([("a", "b", 1), ("b", "c", 0.5), ("c", "a", 0)]).elo
    """
    played = games.data.results.scoreboard if isinstance(games, Results) else _scoreboard(games)
    return Ratings(rate_players(played.outcomes, names=played.names, anchor=anchor), played)


def _scoreboard(games: Iterable[tuple[str, str, str | float]]) -> Games:
    numbers: dict[str, int] = {}
    rows = []
    for number, (first, second, result) in enumerate(games, start=1):
        word = f"{result:g}" if isinstance(result, int | float) else result.lower()
        if word not in RESULTS:
            raise BadOption(f"game {number}: unknown result {result!r}; expected 1, 0.5 or 0")
        seats = [numbers.setdefault(name, len(numbers)) for name in (first, second)]
        rows.append((*seats, RESULTS[word] - DRAW))
    scoreboard = Games(list(numbers))
    for first_seat, second_seat, outcome in rows:
        scoreboard.append(first_seat, second_seat, outcome)
    return scoreboard
