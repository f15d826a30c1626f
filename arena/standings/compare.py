"""Is one stronger than the other? Two players by their games, or one player in two tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Literal

import numpy as np

from arena.standings.intervals import Z_95, elo, elo_with_error, moments, normal_cdf, wilson
from arena.standings.rating import Ratings, rate
from arena.standings.scoreboard import DRAW, LOSS, WDL, WIN, Counts, GameLog, Scoreboard
from arena.standings.sprt import likelihood_of_superiority
from arena.table.game import Game

Basis = Literal["pairs", "games", "ratings"]

ENOUGH = 0.9  # of the games in pairs, from where on pairs are counted and the rest is left out


@dataclass(frozen=True)
class Difference:
    """By how much one is stronger, with 95 % error, how likely that is, and from what it is."""

    elo: float
    error: float
    los: float
    basis: Basis
    least: float | None = None  # how far it is from 0 at least, where the error goes too far down

    @property
    def is_sure(self) -> bool:
        """Whether it is certain to 95 % that one of them is the stronger."""
        return not 0.025 <= self.los <= 0.975


@dataclass(frozen=True)
class Duel:
    """Two players of a scoreboard and their games with each other."""

    scoreboard: Scoreboard
    player: int
    other: int
    faults: int  # games that ended by somebody's fault
    distinct: int  # games that are not repetitions of another
    overall: Difference | None = None  # by ratings, if there are games with others

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        return self.scoreboard.names[self.player], self.scoreboard.names[self.other]

    @property
    def games(self) -> WDL:
        """Their games, counted for the first of them."""
        return self.scoreboard.versus(self.player, self.other)

    @property
    def pairs(self) -> list[int]:
        """Points 0, 1/2, 1, 3/2, 2 of the first from two games with seats swapped."""
        return self.scoreboard.pentanomial(self.player, self.other)

    @property
    def counts(self) -> list[int]:
        """The counts to judge by."""
        return usable(self.games, self.pairs)

    @property
    def difference(self) -> Difference | None:
        """What is known about the two: by their own games, else by those with others."""
        return head_to_head(self.scoreboard, self.player, self.other) or self.overall


@dataclass(frozen=True)
class Shift:
    """A player that two tournaments share: its rating in one, in the other, and the change."""

    name: str
    before: float
    before_error: float
    after: float
    after_error: float

    @property
    def change(self) -> Difference:
        """How much stronger it is in the second."""
        change, error = self.after - self.before, sqrt(self.before_error**2 + self.after_error**2)
        los = normal_cdf(change / error * Z_95) if error else 0.5
        return Difference(change, error, los, "ratings")


def match_scoreboard(games: Iterable[Game], names: Sequence[str]) -> Scoreboard:
    """The games of a match, of which two in a row have one opening."""
    scoreboard = Scoreboard(names)
    for number, game in enumerate(games):
        scoreboard.append(game.first, game.second, game.result, game.opening, number // 2)
    return scoreboard


def usable(games: WDL, pairs: Sequence[int]) -> list[int]:
    """The counts to judge by: pairs of swapped games where nearly all games are in pairs."""
    whole = 2 * sum(pairs) >= ENOUGH * games.games
    return list(pairs) if whole and any(pairs) else list(games.trinomial)


def head_to_head(scoreboard: Scoreboard, player: int = 0, other: int = 1) -> Difference | None:
    """How much stronger a player is by its games against another; None without games.

    A match too one-sided for the normal approximation is judged with the prior of ratings.
    """
    games = scoreboard.versus(player, other)
    if not any(games):
        return None
    counts = usable(games, scoreboard.pentanomial(player, other))
    total, mean, variance = moments(counts)
    reach = Z_95 * sqrt(variance / total)
    if reach == 0 or not (mean > reach and mean + reach < 1):
        return _one_sided(games)
    strength, error = elo_with_error(counts)
    basis: Basis = "pairs" if len(counts) == 5 else "games"
    return Difference(strength, error, likelihood_of_superiority(counts), basis)


def _one_sided(games: WDL) -> Difference:
    """A match of which nearly all games ended the same way.

    The likelihood of superiority is that of the decided games among equals, the least difference
    from the interval of the score (Wilson 1927).
    """
    table = np.zeros((2, 2, 3), dtype=np.int64)
    table[0, 1, [LOSS, DRAW, WIN]] = games.trinomial
    fitted = by_ratings(table, ("one", "other"), 0, 1, first_advantage=False)
    assert fitted is not None
    won, drawn, lost = games
    if not lost + won:
        return fitted
    least = elo(wilson(max(won, lost) + drawn / 2, games.games)[0])
    los = normal_cdf((won - lost) / sqrt(won + lost))
    return replace(fitted, los=los, least=max(0.0, least))


def by_ratings(
    outcomes: Counts,
    names: Sequence[str],
    player: int,
    other: int,
    first_advantage: bool = True,
    by_opening: GameLog | None = None,
) -> Difference | None:
    """How much stronger a player is by all games, also those against third ones."""
    fitted = partial(
        rate, outcomes, names=names, first_advantage=first_advantage, by_opening=by_opening
    )
    if not fitted().comparable(player, other):
        return None
    ratings = fitted(anchor=names[other])
    return Difference(*ratings.rating(player), float(ratings.los[player, other]), "ratings")


def shifts(before: Scoreboard, after: Scoreboard) -> list[Shift]:
    """The players that two tournaments share, each rated with all games of both.

    Zero is the mean of those shared; of several groups, it is the one with most of them.
    """
    shared = [name for name in before.names if name in after.names]
    while True:
        rated = [
            rate(each.outcomes, names=each.names, zero=shared, by_opening=each.log)
            for each in (before, after)
        ]
        kept = _comparable(shared, rated)
        if kept == shared or not kept:
            break
        shared = kept
    changes = []
    for name in kept:
        one, other = (ratings.rating(ratings.names.index(name)) for ratings in rated)
        changes.append(Shift(name, *one, *other))
    return changes


def _comparable(shared: Sequence[str], rated: Sequence[Ratings]) -> list[str]:
    """The largest set of players that have met, one way or another, in both tournaments."""
    places: dict[tuple[int, ...], list[str]] = {}
    for name in shared:
        numbers = [ratings.names.index(name) for ratings in rated]
        if all(r.elo[number] is not None for r, number in zip(rated, numbers, strict=True)):
            place = tuple(r.group[number] for r, number in zip(rated, numbers, strict=True))
            places.setdefault(place, []).append(name)
    return max(places.values(), key=len, default=[])
