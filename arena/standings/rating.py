"""Ratings: the strengths on the Elo scale that explain all games together best.

Everything is fitted at once, so who played whom and from which seat is accounted for. On the Elo
scale (Elo 1978) a player 400 points ahead scores ten points for each one of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadOption, UnknownName
from arena.standings.game_log import DRAW, WIN, Counts, GameLog, Numbers
from arena.standings.rating_errors import (
    ELO,
    Covariance,
    above,
    clusters_among,
    covariance,
    half_widths,
    superiority,
)
from arena.standings.rating_fit import (
    Games,
    advantage_is_bounded,
    bounded,
    components,
    fit,
    reachable,
)
from arena.tournament.formats import Ranking

PRIOR = 0.5  # drawn games; with half a game, ratings far apart are nearly without bias
LEAST_PRIOR = 0.01  # less would hold nothing, but for none at all

Players = NDArray[np.intp]
Maybe = tuple[float | None, ...]


@dataclass(frozen=True)
class Group:
    """Players connected by games, best first, and what the first move is worth among them."""

    players: tuple[int, ...]
    games: int
    draw_rate: float
    first_advantage: float | None  # None: the games do not tell
    first_advantage_error: float | None


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % errors, by player; None is what the games do not tell.

    Each group has its own zero: the mean of its rated players, or its anchor. Groups are sorted
    by games; a player without games is a group of its own.
    """

    names: tuple[str, ...]
    elo: Maybe
    error: Maybe  # half width of the 95 % interval, relative to the group's zero
    games: tuple[int, ...]
    points: tuple[float, ...]
    score: tuple[float, ...]  # points a game, one half without games
    opponents_elo: Maybe  # the mean over games
    group: tuple[int, ...]  # number in groups
    groups: tuple[Group, ...]
    los: Numbers  # [i, j]: how likely i is stronger than j; 1/2 where nothing is known
    draw_rate: float
    anchor: str | None
    anchor_elo: float
    prior_words: str
    order: tuple[int, ...]  # that of the ranking, or group by group, best first
    ranking: Ranking | None = None  # of the tournament's format, where one is known

    @property
    def first_advantage(self) -> float | None:
        """What the first move is worth in the group with most games, in Elo."""
        return self.groups[0].first_advantage if self.groups else None

    @property
    def first_advantage_error(self) -> float | None:
        """The half width of its 95 % interval."""
        return self.groups[0].first_advantage_error if self.groups else None

    def comparable(self, player: int, other: int) -> bool:
        """Whether the two have ratings that can be compared."""
        rated = self.elo[player] is not None and self.elo[other] is not None
        return rated and self.group[player] == self.group[other]


def rate(
    outcomes: Counts,
    *,
    names: Sequence[str],
    prior: float = PRIOR,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    first_advantage: bool = True,
    zero: Sequence[str] = (),
    by_opening: GameLog | None = None,
) -> Ratings:
    """Rate all players from outcomes[first, second, LOSS | DRAW | WIN of the first].

    `prior` is how many drawn games are added for each player; with 0, whoever has no bound above
    or below has no rating. Games of a player against itself are left out. The mean of those named
    by `zero` is 0 in their groups, or that of all where there are none of them. The errors take
    games of one opening to go together as far as they do, if `by_opening` has the same games.
    """
    if prior and not LEAST_PRIOR <= prior < np.inf:
        raise BadOption(f"prior is {prior:g} games; expected 0, or {LEAST_PRIOR} or more")
    anchored = None if anchor is None else _number(anchor, names)
    counts = np.array(outcomes, dtype=np.float64).reshape(len(names), len(names), 3)
    counts[np.arange(len(names)), np.arange(len(names))] = 0
    means = [anchored] if anchored is not None else [_number(name, names) for name in zero]
    table = _Table(counts, prior, first_advantage, means, anchor_elo, by_opening)
    for players in _by_games(counts):
        table.add(players)
    if anchor is not None and anchored is not None and table.elo[anchored] is None:
        raise BadOption(f"{anchor!r} cannot be the anchor: its games give it no finite rating")
    return table.ratings(tuple(names), anchor, prior_in_words(prior, first_advantage))


def prior_in_words(prior: float, first_advantage: bool = True) -> str:
    """What was added to the games, as a report states it."""
    if not prior:
        return "no prior: who won or lost everything has no rating"
    games = {0.5: "half a drawn game", 1: "one drawn game"}.get(prior, f"{prior:g} drawn games")
    seat = ", and for the first move between two equals" if first_advantage else ""
    return f"{games} added for each player, against one virtual player of its group{seat}"


def _number(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise UnknownName("player", name, names)
    return list(names).index(name)


def _by_games(counts: Numbers) -> list[Players]:
    """The groups, those with most games first, and players without games last."""
    met = counts.sum(axis=2) > 0
    groups = components(met) if len(met) else []
    return sorted(groups, key=lambda group: (-counts[np.ix_(group, group)].sum(), group[0]))


class _Table:
    """The ratings as they are filled in, group by group."""

    def __init__(
        self,
        counts: Numbers,
        prior: float,
        advantage: bool,
        zero: list[int],
        anchor_elo: float,
        by_opening: GameLog | None,
    ) -> None:
        self.counts, self.prior, self.advantage = counts, prior, advantage
        self.zero, self.anchor_elo, self.by_opening = zero, anchor_elo, by_opening
        size = len(counts)
        self.elo: list[float | None] = [None] * size
        self.error: list[float | None] = [None] * size
        self.group = [0] * size
        self.groups: list[Group] = []
        self.los = np.full((size, size), 0.5)

    def add(self, players: Players) -> None:
        """Rate a group."""
        games = self._games(players)
        level = np.zeros(len(players))
        rated = players if games.played.any() else players[:0]
        if len(rated) and not self.prior:
            reach = reachable(_took_points(games))
            level = reach.sum(axis=1) - 1.0 * reach.sum(axis=0)
            rated = players[bounded(reach)] if len(bounded(reach)) > 1 else players[:0]
        first = self._fit(rated) if len(rated) else None
        keys = {int(player): (-level[i], i) for i, player in enumerate(players)}
        order = sorted(keys, key=lambda one: (keys[one][0], -(self.elo[one] or 0), keys[one][1]))
        for player in order:
            self.group[player] = len(self.groups)
        self.groups.append(_group(order, games, *(first or (None, None))))

    def _games(self, players: Players) -> Games:
        cells = self.counts[np.ix_(players, players)]
        played = cells.sum(axis=2)
        points = cells[:, :, WIN] + cells[:, :, DRAW] / 2
        return Games(played, points, cells[:, :, DRAW], self.prior, self.advantage)

    def _fit(self, players: Players) -> tuple[float, float] | None:
        """Rate these players; what the first move is worth with its error, if that is known."""
        games = self._games(players)
        if self.advantage and not self.prior:
            is_bounded = advantage_is_bounded(games.played, games.points)
            games = replace(games, advantage=is_bounded)
        at = fit(games)
        clusters = clusters_among(self.by_opening, players) if self.by_opening else None
        errors = covariance(games, at, clusters)
        self._write(players, at[:-1], errors)
        if not games.advantage:
            return None
        last = errors.whole[-1, -1], errors.sampled[-1, -1], errors.clusters[-1]
        return ELO * float(at[-1]), float(half_widths(*map(np.asarray, last)))

    def _write(self, players: Players, strengths: Numbers, errors: Covariance) -> None:
        here = np.isin(players, self.zero)
        base = self.anchor_elo if here.any() else 0.0
        weights = here / here.sum() if here.any() else np.full(len(players), 1 / len(players))
        zero = float(weights @ strengths)
        spread, sampled = (
            above(each[:-1, :-1], weights) for each in (errors.whole, errors.sampled)
        )
        widths = half_widths(spread, sampled, errors.clusters[:-1])
        for i, player in enumerate(players):
            self.elo[player] = base + ELO * float(strengths[i] - zero)
            self.error[player] = float(widths[i])
        self.los[np.ix_(players, players)] = superiority(strengths, errors)

    def ratings(self, names: tuple[str, ...], anchor: str | None, words: str) -> Ratings:
        """All of it."""
        met = self.counts.sum(axis=2)
        score = self.counts @ np.array([0.0, 0.5, 1.0])
        points = score.sum(axis=1) + (met - score).sum(axis=0)
        games = (met + met.T).sum(axis=1)
        return Ratings(
            names=names,
            elo=tuple(self.elo),
            error=tuple(self.error),
            games=tuple(int(n) for n in games),
            points=tuple(float(p) for p in points),
            score=tuple(float(p / n) if n else 0.5 for p, n in zip(points, games, strict=True)),
            opponents_elo=_opponents(met + met.T, self.elo),
            group=tuple(self.group),
            groups=tuple(self.groups),
            los=self.los,
            draw_rate=_share(self.counts[:, :, DRAW].sum(), met.sum()),
            anchor=anchor,
            anchor_elo=self.anchor_elo,
            prior_words=words,
            order=tuple(player for group in self.groups for player in group.players),
        )


def _group(order: list[int], games: Games, advantage: float | None, error: float | None) -> Group:
    played = games.played.sum()
    return Group(tuple(order), int(played), _share(games.drawn.sum(), played), advantage, error)


def _took_points(games: Games) -> NDArray[np.bool_]:
    """[i, j]: whether i got anything in a game against j."""
    return np.asarray((games.points > 0) | (games.points < games.played).T)


def _opponents(met: Numbers, elo: Sequence[float | None]) -> Maybe:
    """The mean rating of each player's opponents that have one, over its games."""
    rated = np.array([rating is not None for rating in elo], dtype=np.float64)
    values = np.array([rating or 0.0 for rating in elo])
    sums, games = met @ values, met @ rated
    return tuple(float(s / n) if n else None for s, n in zip(sums, games, strict=True))


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0
