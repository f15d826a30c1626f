"""Who stands where, in the format's own order wherever it is shown; and who differs from whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import numpy as np

from arena.journal import Journal
from arena.standings.evidence import CONFIDENCE, Estimate
from arena.standings.games import WDL, Flags, Games
from arena.standings.rating import Ratings, rate, rate_games
from arena.tournament.formats import Field, Format, Ranking, RoundRobin, Scored
from arena.tournament.games import GameResult
from arena.tournament.schedule import format_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings."""

    name: str
    score: WDL
    elo: float | None = None  # None: not comparable with the others
    error: float | None = None  # half width of the 95 % interval
    out: bool = False  # knocked out
    own: Mapping[str, float | str] = field(default_factory=dict)  # what the format ranks by


def rank(
    games: Games,
    ratings: Ratings | None,
    results: Sequence[GameResult] = (),
    format: tuple[Format, Field] | None = None,
) -> Ranking:
    """The order of the players after the games so far; by score where there is no format.

    `results` are needed, in any order, by formats that pair by them.
    """
    shares = [score.share if score.games else None for score in games.scores]
    by_rating = range(len(shares)) if ratings is None else ratings.order
    kind, size = format or (RoundRobin(), Field(max(2, len(shares)), 2))
    in_order = sorted(results, key=lambda game: game.number)
    return kind.ranking(size, in_order, Scored(shares, by_rating))


def standings(
    games: Games,
    ranking: Ranking,
    ratings: Ratings | None,
    out: Collection[int] = (),
) -> tuple[Standing, ...]:
    """A line for each player in that order.

    Ratings of groups that have not met the largest one say nothing beside it.
    """
    lines, scores = [], games.scores
    for player in ranking.order:
        rated = ratings if ratings is not None and ratings.group[player] == 0 else None
        lines.append(
            Standing(
                games.names[player],
                scores[player],
                None if rated is None else rated.elo[player],
                None if rated is None else rated.error[player],
                player in out,
                {heading: values[player] for heading, values in ranking.columns.items()},
            )
        )
    return tuple(lines)


def rank_journal(games: Games, journal: Journal) -> Ratings:
    """The ratings of a journal's players, in the order of its format's ranking.

    A journal from elsewhere, without a format, keeps the order of the ratings.
    """
    ratings = rate_games(games)
    format_ = format_of(journal.header.canonical, len(ratings.names))
    if format_ is None:
        return ratings
    results = list(journal.outcomes()) if format_[0].needs_results else []
    ranking = rank(games, ratings, results, format_)
    return replace(ratings, order=ranking.order, ranking=ranking)


def by_strength(ratings: Ratings, group: int = 0) -> list[int]:
    """The rated players of a group, the strongest first."""
    players = [player for player in ratings.groups[group].players if ratings.games[player]]
    rated = {player: elo for player in players if (elo := ratings.elo[player]) is not None}
    return sorted(rated, key=lambda player: -rated[player])


def significant(ratings: Ratings, players: Sequence[int]) -> Flags:
    """[i, j]: whether i is significantly stronger than j, among all pairs of these (Holm 1979).

    However many pairs there are, the chance that any of these claims is wrong stays below 5 %.
    """
    los = ratings.los[np.ix_(list(players), list(players))]
    count = len(los)
    ones, others = np.triu_indices(count, 1)
    doubt = 2 * np.minimum(los[ones, others], 1 - los[ones, others])
    order = np.argsort(doubt, kind="stable")
    limits = (1 - CONFIDENCE) / np.arange(len(order), 0, -1)
    fails = np.flatnonzero(doubt[order] > limits)
    proven = order[: fails[0] if len(fails) else len(order)]
    table = np.zeros((count, count), np.bool_)
    table[ones[proven], others[proven]] = True
    return (table | table.T) & (los > 0.5)


def tiers(ratings: Ratings, players: Sequence[int]) -> list[tuple[int, ...]]:
    """Players cut wherever everybody above is significantly stronger than everybody below.

    Some pairs of a tier may differ significantly, but not all.
    """
    parts: list[tuple[int, ...]] = []
    start, places = 0, list(players)
    stronger = significant(ratings, places)
    for cut in range(1, len(places)):
        if stronger[:cut, cut:].all():
            parts.append(tuple(places[start:cut]))
            start = cut
    return [*parts, tuple(places[start:])] if places else []


def significant_pairs(ratings: Ratings, players: Sequence[int]) -> tuple[int, int]:
    """How many pairs of these differ significantly, and of how many."""
    count = len(players)
    return int(significant(ratings, players).sum()), count * (count - 1) // 2


@dataclass(frozen=True)
class RatingChange:
    """A player that two tournaments share: its rating in one, in the other, and the change."""

    name: str
    before: Estimate
    after: Estimate

    @property
    def change(self) -> Estimate:
        """How much stronger it is in the second."""
        value = self.after.value - self.before.value
        error = hypot(self.before.error, self.after.error)
        clusters = min(self.before.clusters, self.after.clusters)
        games = self.before.games + self.after.games
        return Estimate(value, value, error, clusters, games, "rating")


def rating_changes(before: Games, after: Games) -> list[RatingChange]:
    """The players that two tournaments share, each rated with all games of both.

    Zero is the mean of those shared; of several groups, it is the one with most of them.
    """
    shared = [name for name in before.names if name in after.names]
    while True:
        rated = [rate(each.outcomes, names=each.names, zero=shared, games=each)
                 for each in (before, after)]  # fmt: skip
        kept = _comparable(shared, rated)
        if kept == shared or not kept:
            break
        shared = kept
    changes = []
    for name in kept:
        one, other = (ratings.rating(ratings.names.index(name)) for ratings in rated)
        if one is not None and other is not None:
            changes.append(RatingChange(name, one, other))
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
