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
from arena.standings.intervals import Numbers
from arena.standings.rating_errors import ELO, clusters_among, covariance
from arena.standings.rating_fit import (
    Games,
    advantage_is_bounded,
    bounded,
    components,
    fit,
    reachable,
)
from arena.standings.scoreboard import DRAW, VALUES, WIN, Counts, GameLog, Scoreboard
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

    def rating(self, player: int) -> tuple[float, float]:
        """The Elo of a player that has one, with its error."""
        elo, error = self.elo[player], self.error[player]
        assert elo is not None
        assert error is not None
        return elo, error

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
    for name in zero if anchor is None else (anchor,):
        if name not in names:
            raise UnknownName("player", name, names)
    means = [list(names).index(name) for name in (zero if anchor is None else (anchor,))]
    counts = np.array(outcomes, dtype=np.float64).reshape(len(names), len(names), 3)
    counts[np.arange(len(names)), np.arange(len(names))] = 0
    groups = components(counts.sum(axis=2) > 0) if len(names) else []
    table = _Table(counts, prior, first_advantage, means, anchor_elo, by_opening)
    for players in sorted(groups, key=lambda each: (-counts[np.ix_(each, each)].sum(), each[0])):
        table.add(players)
    if anchor is not None and table.elo[means[0]] is None:
        raise BadOption(f"{anchor!r} cannot be the anchor: its games give it no finite rating")
    return table.ratings(tuple(names), anchor)


def rate_scoreboard(scoreboard: Scoreboard, until: int | None = None) -> Ratings:
    """Ratings of all players, from all games or from those up to a number."""
    log = scoreboard.log if until is None else scoreboard.log.until(until)
    return rate(log.outcomes(), names=scoreboard.names, by_opening=log)


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
            took_points = (games.points > 0) | (games.points < games.played).T  # [i, j]: i off j
            reach = reachable(took_points)
            level = reach.sum(axis=1) - 1.0 * reach.sum(axis=0)
            rated = players[bounded(reach)] if len(bounded(reach)) > 1 else players[:0]
        first = self._fit(rated) if len(rated) else (None, None)
        keys = {int(player): (-level[i], i) for i, player in enumerate(players)}
        order = sorted(keys, key=lambda one: (keys[one][0], -(self.elo[one] or 0), keys[one][1]))
        for player in order:
            self.group[player] = len(self.groups)
        played, drawn = games.played.sum(), games.drawn.sum()
        self.groups.append(Group(tuple(order), int(played), _share(drawn, played), *first))

    def _games(self, players: Players) -> Games:
        cells = self.counts[np.ix_(players, players)]
        played = cells.sum(axis=2)
        points = cells[:, :, WIN] + cells[:, :, DRAW] / 2
        return Games(played, points, cells[:, :, DRAW], self.prior, self.advantage)

    def _fit(self, players: Players) -> tuple[float, float] | tuple[None, None]:
        """Rate these players; what the first move is worth with its error, if that is known."""
        games = self._games(players)
        if self.advantage and not self.prior:
            is_bounded = advantage_is_bounded(games.played, games.points)
            games = replace(games, advantage=is_bounded)
        at = fit(games)
        clusters = clusters_among(self.by_opening, players) if self.by_opening else None
        errors = covariance(games, at, clusters)
        here = np.isin(players, self.zero)
        weights = here / here.sum() if here.any() else np.full(len(players), 1 / len(players))
        strengths = at[:-1]
        above_zero = ELO * (strengths - float(weights @ strengths))
        widths = errors.half_widths(weights)
        base = self.anchor_elo if here.any() else 0.0
        for player, elo, error in zip(players, above_zero, widths, strict=True):
            self.elo[player], self.error[player] = base + float(elo), float(error)
        self.los[np.ix_(players, players)] = errors.superiority(strengths)
        if not games.advantage:
            return None, None
        return ELO * float(at[-1]), errors.half_width_of_advantage()

    def ratings(self, names: tuple[str, ...], anchor: str | None) -> Ratings:
        """All of it."""
        met = self.counts.sum(axis=2)
        score = self.counts @ VALUES
        points = score.sum(axis=1) + (met - score).sum(axis=0)
        met_by = met + met.T
        games = met_by.sum(axis=1)
        rated = np.array([rating is not None for rating in self.elo], dtype=np.float64)
        elo_met = met_by @ np.array([rating or 0.0 for rating in self.elo])
        opponents = zip(elo_met, met_by @ rated, strict=True)
        return Ratings(
            names=names,
            elo=tuple(self.elo),
            error=tuple(self.error),
            games=tuple(int(n) for n in games),
            points=tuple(float(p) for p in points),
            score=tuple(float(p / n) if n else 0.5 for p, n in zip(points, games, strict=True)),
            opponents_elo=tuple(float(total / n) if n else None for total, n in opponents),
            group=tuple(self.group),
            groups=tuple(self.groups),
            los=self.los,
            draw_rate=_share(self.counts[:, :, DRAW].sum(), met.sum()),
            anchor=anchor,
            anchor_elo=self.anchor_elo,
            prior_words=self._prior_in_words(),
            order=tuple(player for group in self.groups for player in group.players),
        )

    def _prior_in_words(self) -> str:
        """What was added to the games, as a report states it."""
        if not self.prior:
            return "no prior: who won or lost everything has no rating"
        words = {0.5: "half a drawn game", 1: "one drawn game"}
        games = words.get(self.prior, f"{self.prior:g} drawn games")
        seat = ", and for the first move between two equals" if self.advantage else ""
        return f"{games} added for each player, against one virtual player of its group{seat}"


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0
