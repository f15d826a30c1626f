"""Figures of a tournament, measured: their value, how many games it is from, and an interval.

Ratios and comparisons of two figures take both intervals at their worst ends, with half of the risk
each, as both may come from the same games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from arena.game.rules import Rules
from arena.judge.sampling import JudgedGame
from arena.standings.accuracy import Accuracy, PlayerAccuracy
from arena.standings.compare import head_to_head
from arena.standings.counters import COUNTERS, UNBOUNDED, Ends, Measured, Points, Ratio
from arena.standings.intervals import Z_95, elo, quantile
from arena.standings.rating import Ratings
from arena.standings.scoreboard import Scoreboard
from arena.table.game import Game
from arena.tournament.figures import Figure

Pairs = Mapping[tuple[int, int], int]  # games by who moves first and who second


class Meeting(NamedTuple):
    """Two players by number, one of them first."""

    first: int
    second: int


class FigureCounter:
    """Counts the games of a tournament for some figures, in one pass."""

    def __init__(self, figures: Iterable[Figure], names: Sequence[str], rules: Rules) -> None:
        self.names, self.rules = tuple(names), rules
        self.figures = tuple(dict.fromkeys(figures))
        parts = dict.fromkeys(part for figure in self.figures for part in _parts(figure))
        self.counters = {
            part: (COUNTERS[part.measure](part, rules), *self._selection(part))
            for part in parts
            if not part.kind.judged
        }

    def _selection(self, figure: Figure) -> tuple[int | None, frozenset[int], int | None]:
        """The player, opponents and seat of a figure by number."""
        player = self.names.index(figure.of) if figure.of else None
        against = frozenset(map(self.names.index, figure.against))
        return player, against, {"first": 0, "second": 1}.get(figure.seat)

    def add(self, row: Game) -> None:
        """Count a game for all figures that it belongs to."""
        for counter, player, against, seat in self.counters.values():
            for place in _seats(row, player, against, seat):
                counter.add(row, place)

    def certain(self, pairs: Pairs) -> dict[Figure, Measured]:
        """What will be so of each figure whatever comes, of games between (first, second).

        An interval is where it will lie for certain then.
        """
        known = {}
        for figure in self.figures:
            ends = UNBOUNDED
            if figure in self.counters:
                counter, player, against, seat = self.counters[figure]
                games = sum(
                    count * len([*_seats(Meeting(*pair), player, against, seat)])
                    for pair, count in pairs.items()
                )
                ends = counter.certain(max(0, games - counter.games))
            known[figure] = Measured(figure, 0.0, within=partial(_always, ends))
        return known

    def measured(
        self, scoreboard: Scoreboard, ratings: Ratings | None, accuracy: Accuracy | None = None
    ) -> dict[Figure, Measured]:
        """What the games so far say of each figure."""
        parts = {part: counter.measured() for part, (counter, *_) in self.counters.items()}
        for figure in self.figures:
            for part in _parts(figure):
                player, against, seat = self._selection(part)
                if part.kind.judged:
                    parts[part] = of_accuracy(part, accuracy, player, against, seat)
                elif part.measure == "elo":
                    points = self.counters[part][0]
                    assert isinstance(points, Points)
                    parts[part] = of_elo(part, points, scoreboard, ratings, self.names)
        return {figure: _together(figure, parts) for figure in self.figures}


def _always(ends: Ends, confidence: float) -> Ends:
    """An interval that is certain."""
    return ends


def measure(
    figures: Iterable[Figure],
    rows: Iterable[Game],
    scoreboard: Scoreboard,
    ratings: Ratings | None,
    rules: Rules,
    accuracy: Accuracy | None = None,
) -> dict[Figure, Measured]:
    """Measure figures by the games of a journal."""
    counter = FigureCounter(figures, scoreboard.names, rules)
    for row in rows:
        counter.add(row)
    return counter.measured(scoreboard, ratings, accuracy)


def _parts(figure: Figure) -> tuple[Figure, ...]:
    """A figure, and those that it is divided by, each for itself."""
    alone = replace(figure, over=None)
    return (alone,) if figure.over is None else (alone, *_parts(figure.over))


def _together(figure: Figure, parts: dict[Figure, Measured]) -> Measured:
    """A figure by itself, or over another one."""
    alone = parts[replace(figure, over=None)]
    if figure.over is None:
        return alone
    below = _together(figure.over, parts)
    games = min(alone.games, below.games)
    if alone.value is None or not below.value:
        return Measured(figure, games=games)

    def within(confidence: float) -> Ends:
        ends = [each.interval((1 + confidence) / 2) or UNBOUNDED for each in (alone, below)]
        (low, high), (least, most) = ends
        return (
            low / most if low is not None and most else None,
            high / least if high is not None and least else None,
        )

    has_interval = alone.within is not None and below.within is not None
    return Measured(figure, alone.value / below.value, games, within if has_interval else None)


def of_elo(
    figure: Figure,
    points: Points,
    scoreboard: Scoreboard,
    ratings: Ratings | None,
    names: Sequence[str],
) -> Measured:
    """The Elo difference by the games with one opponent, or the rating among all."""
    player = names.index(figure.of)
    if not figure.against:
        if ratings is None or ratings.elo[player] is None or not points.games:
            return Measured(figure)
        rating, error = ratings.rating(player)

        def around(confidence: float) -> Ends:
            reach = error * quantile(confidence) / Z_95
            return rating - reach, rating + reach

        return Measured(figure, rating, points.games, around)
    difference = head_to_head(scoreboard, player, names.index(figure.against[0]))
    if difference is None:
        return Measured(figure)

    def within(confidence: float) -> Ends:
        low, high = points.ends(confidence)
        return elo(low) if low else None, elo(high) if high is not None and high < 1 else None

    return Measured(figure, difference.elo, points.games, within)


def of_accuracy(
    figure: Figure,
    accuracy: Accuracy | None,
    player: int | None,
    against: frozenset[int],
    seat: int | None,
) -> Measured:
    """The share of moves that keep what they should, or blunders a game, of judged games."""
    if accuracy is None:
        return Measured(figure)
    copies: dict[tuple[int, bytes, int], list[JudgedGame]] = {}  # which add no evidence
    for game, _ in accuracy.games:
        for place in _seats(game, player, against, seat):
            key = place, game.judged.moves, game.judged.opening
            copies.setdefault(key, []).append(game)
    games = sum(map(len, copies.values()))
    chosen, blunders = PlayerAccuracy(), Ratio()
    for (place, *_), same in copies.items():
        chosen.add_game(same[0].judged, place, accuracy.rules, len(same))
        own = sum(each.player == player for each in same[0].blunders(accuracy.rules))
        blunders.see(len(same), len(same) * own)
    if figure.measure == "blunders":
        return blunders.measured(figure, games)
    group = chosen.groups["critical" if figure.take == "critical" else "all"]
    kept = group.kept_score if figure.take == "exact" else group.kept_value

    def within(confidence: float) -> Ends:
        return _for_confidence(kept.share or 0.0, kept.interval, confidence)

    return Measured(figure, kept.share, games, within)


def _for_confidence(share: float, ends: Ends, confidence: float) -> Ends:
    """A 95 % interval of a share for another confidence, by the normal quantiles of both."""
    times = quantile(confidence) / Z_95
    low, high = ends
    if low is None or high is None:
        return UNBOUNDED
    return max(0.0, share - (share - low) * times), min(1.0, share + (high - share) * times)


def _seats(
    game: Game | JudgedGame | Meeting,
    player: int | None,
    against: frozenset[int],
    seat: int | None,
) -> Iterator[int]:
    """The seat in which a game belongs to a figure; any stands for all games."""
    for place, (own, other) in enumerate(((game.first, game.second), (game.second, game.first))):
        fits = own == player if player is not None else place == 0
        if fits and (not against or other in against) and seat in (None, place):
            yield place
