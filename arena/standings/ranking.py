"""Who stands where, in the format's own order wherever it is shown; and who is told apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from statistics import NormalDist

import numpy as np

from arena.journal import Journal
from arena.standings.rating import Ratings, rate_scoreboard
from arena.standings.scoreboard import WDL, Scoreboard
from arena.tournament.formats import Field, Format, GameResult, Ranking, RoundRobin, Scored
from arena.tournament.schedule import format_of

SURE = 0.975  # how likely the stronger one is, where a difference is certain to 95 %


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
    scoreboard: Scoreboard,
    ratings: Ratings | None,
    games: Sequence[GameResult] = (),
    format: tuple[Format, Field] | None = None,
) -> Ranking:
    """The order of the players after the games that are counted; by score where nothing is said.

    `games` are needed, in any order, by formats that pair by results.
    """
    shares = [score.share if score.games else None for score in scoreboard.scores]
    by_rating = range(len(shares)) if ratings is None else ratings.order
    kind, size = format or (RoundRobin(), Field(max(2, len(shares)), 2))
    in_order = sorted(games, key=lambda game: game.number)
    return kind.ranking(size, in_order, Scored(shares, by_rating))


def standings(
    scoreboard: Scoreboard,
    ranking: Ranking,
    ratings: Ratings | None,
    out: Collection[int] = (),
) -> tuple[Standing, ...]:
    """A line for each player in that order.

    Ratings of groups that have not met the largest one say nothing beside it.
    """
    lines, scores = [], scoreboard.scores
    for player in ranking.order:
        rated = ratings if ratings is not None and ratings.group[player] == 0 else None
        lines.append(
            Standing(
                scoreboard.names[player],
                scores[player],
                None if rated is None else rated.elo[player],
                None if rated is None else rated.error[player],
                player in out,
                {heading: values[player] for heading, values in ranking.columns.items()},
            )
        )
    return tuple(lines)


def rank_journal(scoreboard: Scoreboard, journal: Journal) -> Ratings:
    """The ratings of a journal's players, in the order of its format's ranking.

    A journal from elsewhere, without a format, keeps the order of the ratings.
    """
    ratings = rate_scoreboard(scoreboard)
    format_ = format_of(journal.header.canonical, len(ratings.names))
    if format_ is None:
        return ratings
    games = list(journal.outcomes()) if format_[0].needs_results else []
    ranking = rank(scoreboard, ratings, games, format_)
    return replace(ratings, order=ranking.order, ranking=ranking)


def by_strength(ratings: Ratings, group: int = 0) -> list[int]:
    """The rated players of a group, the strongest first."""
    players = [player for player in ratings.groups[group].players if ratings.games[player]]
    rated = {player: elo for player in players if (elo := ratings.elo[player]) is not None}
    return sorted(rated, key=lambda player: -rated[player])


def tiers(ratings: Ratings, players: Sequence[int]) -> list[tuple[int, ...]]:
    """Players cut wherever everybody above is certain to be stronger than everybody below.

    Those of one tier are not all told apart: some pairs of them may be.
    """
    parts: list[tuple[int, ...]] = []
    start, places = 0, list(players)
    los = ratings.los[places][:, places]
    weakest = np.minimum.accumulate(los[:, ::-1], axis=1)[:, ::-1]  # [i, k]: over all from k on
    for cut in range(1, len(places)):
        if weakest[:cut, cut].min() >= SURE:
            parts.append(tuple(places[start:cut]))
            start = cut
    return [*parts, tuple(places[start:])] if places else []


def certain_pairs(ratings: Ratings, players: Sequence[int]) -> tuple[int, int]:
    """How many pairs of these are told apart, and of how many."""
    places = list(players)
    count = len(places)
    los = ratings.los[places][:, places]
    return int((los >= SURE).sum()), count * (count - 1) // 2


def times_more_games(los: float, sure: float = SURE) -> float:
    """How many times the games it takes to be so sure, if the difference is what it seems.

    Errors shrink with the root of the games; a likelihood is a number of them (normal).
    """
    normal = NormalDist()
    distance = normal.inv_cdf(min(max(los, 1e-9), 1 - 1e-9))
    return (normal.inv_cdf(sure) / distance) ** 2 if distance else inf
