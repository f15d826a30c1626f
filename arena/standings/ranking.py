"""Who stands where: the order is the format's own, wherever standings are shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from arena.standings.scoreboard import Scoreboard
from arena.tournament.formats import Field, Format, GameResult, Ranking, RoundRobin, Scored
from arena.tournament.schedule import format_of

if TYPE_CHECKING:
    from arena.journal import Journal
    from arena.standings.rating import Ratings


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings."""

    name: str
    points: float
    games: int
    won: int
    drawn: int
    lost: int
    share: float
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
        score, name = scores[player], scoreboard.names[player]
        rated = ratings if ratings is not None and ratings.group[player] == 0 else None
        lines.append(
            Standing(
                name, score.points, score.games, score.won, score.drawn, score.lost,
                score.share,
                None if rated is None else rated.elo[player],
                None if rated is None else rated.error[player],
                player in out,
                {heading: values[player] for heading, values in ranking.columns.items()},
            )
        )  # fmt: skip
    return tuple(lines)


def rank_journal(ratings: Ratings, journal: Journal) -> Ratings:
    """The ratings of a journal's players with its format's ranking as their order.

    A journal from elsewhere, without a format, keeps the order of the ratings.
    """
    canonical: dict[str, Any] = journal.header.canonical
    known = format_of(canonical, len(ratings.names))
    if known is None:
        return ratings
    games = [GameResult(*game) for game in journal.results()] if known[0].needs_results else []
    shares = [
        score if count else None for score, count in zip(ratings.score, ratings.games, strict=True)
    ]
    ranking = known[0].ranking(known[1], games, Scored(shares, ratings.order))
    return replace(ratings, order=ranking.order, ranking=ranking)
