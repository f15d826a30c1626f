"""Measures of games: one definition of each metric, for figures of a file and tables of a report.

A measure gives for each game of a batch, as one seat had it, a weight and a total: games and
points, moves and seconds. Estimates are made of these between clusters (see evidence.py). Ratios
and comparisons of two figures take both intervals at their worst ends, with half of the risk each,
as both may come from the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.game.rules import Rules
from arena.standings.accuracy import Accuracy, Tally
from arena.standings.batch import Batch
from arena.standings.evidence import (
    DOUBT,
    DOUBT_OF_MOVES,
    UNBOUNDED,
    Estimate,
    Interval,
    Labels,
    Numbers,
    Scale,
    estimate,
)
from arena.standings.games import Counts, Flags, Games
from arena.standings.rating import Ratings
from arena.standings.sketch import SCALES, Sketch
from arena.tournament.figures import CAUSES, DIAGONAL, FAULT, SPREAD, Figure

RESULTS = {"wins": 1, "draws": 0, "losses": -1, "won": 1, "drawn": 0, "lost": -1}
SEATS = {"first": 0, "second": 1}

Both = tuple[Numbers, Numbers]  # weights and totals by game


@dataclass(frozen=True)
class Measured:
    """What the games say of a figure; no value where they say nothing."""

    figure: Figure
    value: float | None = None
    games: int = 0
    estimate: Estimate | None = None  # None: it has no interval
    missing: int = 0  # answers that never came; their time is at least what is measured
    ratio: tuple[Measured, Measured] | None = None  # the two that it is a ratio of

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """The interval of the figure behind the games; None if it has none."""
        if self.value is None:
            return None
        if self.ratio is None:
            return None if self.estimate is None else self.estimate.interval(confidence)
        above, below = (each.interval((1 + confidence) / 2) for each in self.ratio)
        if above is None or below is None:
            return None
        (low, high), (least, most) = above, below
        if low <= UNBOUNDED.low or least <= 0:
            return UNBOUNDED
        return Interval(low / most, high / least)


def points(batch: Batch, figure: Figure, seat: int) -> Both:
    """Points of games."""
    return np.ones(len(batch)), (_result(batch, seat) + 1) / 2


def outcomes(batch: Batch, figure: Figure, seat: int) -> Both:
    """Games won, drawn or lost, by a cause if one is named."""
    is_so = _result(batch, seat) == RESULTS[figure.measure]
    if figure.by:
        is_so &= ended_by(batch, figure.by, seat if figure.measure == "wins" else 1 - seat)
    return np.ones(len(batch)), is_so.astype(np.float64)


def ended_by(batch: Batch, by: str, winner: int) -> Flags:
    """Which games ended by a cause, or by the winner's line in a direction."""
    if by == FAULT:
        return ~batch.is_whole
    if by in CAUSES:
        return np.asarray(batch.reason == by, np.bool_)
    made = batch.wins.won_by(batch.rules, by, DIAGONAL)
    return np.asarray(made[:, winner] & (batch.reason == "line"), np.bool_)


def length(batch: Batch, figure: Figure, seat: int) -> Both:
    """Plies of games that no fault ended."""
    counted = batch.is_whole
    if figure.when:
        counted = counted & (_result(batch, seat) == RESULTS[figure.when])
    return counted.astype(np.float64), np.where(counted, batch.plies, 0).astype(np.float64)


def moves(batch: Batch, figure: Figure, seat: int) -> Both:
    """Moves, and their time, processor time, nodes or depth."""
    chosen = _chosen(batch, figure, seat)
    game, values = batch.moves.game[chosen], getattr(batch.moves, figure.measure)[chosen]
    size = len(batch)
    return _sums(game, np.ones(len(game)), size), _sums(game, values, size)


def nodes_per_second(batch: Batch, figure: Figure, seat: int) -> Both:
    """Processor time, and nodes, of the moves that tell both."""
    own = batch.moves
    timed = (own.seat == seat) & own.known("nodes") & own.known("cpu")
    game, size = own.game[timed], len(batch)
    return _sums(game, own.cpu[timed], size), _sums(game, own.nodes[timed], size)


def missed_wins(batch: Batch, figure: Figure, seat: int) -> Both:
    """Wins at once, or games, and the wins that were missed."""
    missed = batch.wins.missed[:, seat].astype(np.float64)
    if figure.take == "share":
        return batch.wins.chances[:, seat].astype(np.float64), missed
    return np.ones(len(batch)), missed


MEASURE: dict[str, Callable[[Batch, Figure, int], Both]] = {
    **dict.fromkeys(("score", "elo", "games", "distinct"), points),
    **dict.fromkeys(("wins", "draws", "losses"), outcomes),
    **dict.fromkeys(SCALES, moves),
    "length": length,
    "nodes_per_second": nodes_per_second,
    "missed_wins": missed_wins,
}  # those of exact scores come from the judged games


def _sums(game: Counts, values: Numbers, size: int) -> Numbers:
    """The sum of values by game."""
    return np.bincount(game, values, size).astype(np.float64)


def _result(batch: Batch, seat: int) -> Counts:
    return -batch.result if seat else batch.result


def _chosen(batch: Batch, figure: Figure, seat: int) -> Flags:
    """The moves of a seat that have the figure, and are those that it asks for."""
    own = batch.moves
    chosen: Flags = (own.seat == seat) & own.known(figure.measure)
    match figure.move:
        case "first":
            chosen &= own.own == 1
        case "last":
            chosen &= own.last
        case int(number):
            chosen &= own.own == number
    return chosen


class Totals:
    """The weights and totals of a measure, added up for each player."""

    def __init__(self, figure: Figure, players: int) -> None:
        self.figure = figure
        self.weights: Numbers = np.zeros(players)
        self.totals: Numbers = np.zeros(players)

    def add(self, batch: Batch) -> None:
        """Count some games in both seats."""
        for seat in (0, 1):
            weight, total = MEASURE[self.figure.measure](batch, self.figure, seat)
            self.weights += np.bincount(batch.seats[:, seat], weight, len(self.weights))
            self.totals += np.bincount(batch.seats[:, seat], total, len(self.totals))

    def ratio(self, player: int) -> float | None:
        """Total over weight; None without any."""
        weight = self.weights[player]
        return float(self.totals[player] / weight) if weight else None


class Sample:
    """What a figure is made from: of each game its place, weight and total, and percentiles."""

    def __init__(self, figure: Figure, names: Sequence[str]) -> None:
        self.figure = figure
        self.player = names.index(figure.of) if figure.of else None
        self.against = [*map(names.index, figure.against)]
        self.seat = SEATS.get(figure.seat or "")
        self.places: list[Labels] = []
        self.weights: list[Numbers] = []
        self.totals: list[Numbers] = []
        self.missing = 0
        self.has_moves = False
        self.sketch = Sketch(1, figure.measure) if figure.take in SPREAD[1:] else None

    def add(self, batch: Batch) -> None:
        """Count the games of a batch that belong to the figure."""
        for seat in (0, 1):
            here = np.flatnonzero(self.belongs(batch.seats, seat))
            if not len(here):
                continue
            weight, total = MEASURE[self.figure.measure](batch, self.figure, seat)
            self.places.append(here + batch.start)
            self.weights.append(weight[here])
            self.totals.append(total[here])
            self.has_moves |= bool((batch.plies > batch.opening_plies)[here].any())
            if self.figure.measure in SCALES and self.figure.move in (None, "last"):
                self.missing += int(batch.missing[here, seat].sum())
            if self.sketch is not None:
                values = self._values(batch, seat, here)
                self.sketch.add(np.zeros(len(values), np.int64), values)

    def _values(self, batch: Batch, seat: int, here: Labels) -> Numbers:
        """The single values of some games: lengths, or figures of moves."""
        if self.figure.measure == "length":
            weight, total = length(batch, self.figure, seat)
            return total[here][weight[here] > 0]
        chosen = _chosen(batch, self.figure, seat) & np.isin(batch.moves.game, here)
        values: Numbers = getattr(batch.moves, self.figure.measure)[chosen]
        return values

    def belongs(self, seats: Counts, seat: int) -> Flags:
        """Games in which the player in this seat is one that the figure is about."""
        own, other = seats[:, seat], seats[:, 1 - seat]
        fits = own == self.player if self.player is not None else np.full(len(seats), seat == 0)
        if self.against:
            fits = fits & np.isin(other, self.against)
        return fits if self.seat in (None, seat) else np.zeros(len(seats), np.bool_)

    def measured(self, games: Games) -> Measured:
        """The figure of all games so far."""
        figure = self.figure
        places = np.concatenate([np.zeros(0, np.intp), *self.places])
        count = len(places)
        if figure.measure == "games":
            return Measured(figure, float(count), count)
        if figure.measure == "distinct":
            different = len(np.unique(games.copies[places]))
            return Measured(figure, different / count if count else None, count)
        weight, total = (
            np.concatenate([np.zeros(0), *each]) for each in (self.weights, self.totals)
        )
        if self.sketch is not None:
            spread = self.sketch.spread(0)
            value = None if spread is None else spread.take(figure.take or "")
            return Measured(figure, value, int(np.count_nonzero(weight)), missing=self.missing)
        estimate = self._estimate(games, places, weight, total)
        if estimate is None or (figure.measure == "missed_wins" and not self.has_moves):
            return Measured(figure, games=count, missing=self.missing)
        if figure.take == "count":
            estimate = estimate.multiplied(count)
        used = count if figure.measure == "missed_wins" else estimate.games
        return Measured(figure, estimate.value, used, estimate, self.missing)

    def _estimate(
        self, games: Games, places: Labels, weight: Numbers, total: Numbers
    ) -> Estimate | None:
        """Two engines are compared by their head-to-head score, here as everywhere."""
        figure = self.figure
        if figure.measure in ("score", "elo") and len(self.against) == 1 and self.seat is None:
            assert self.player is not None, "a score needs a player"
            score = games.score(self.player, self.against[0])
            return score if score is None or figure.measure == "score" else score.as_elo()
        is_share = figure.measure in SHARES or figure.take == "share"
        doubt = DOUBT_OF_MOVES if figure.measure == "missed_wins" else DOUBT
        scale: Scale = "share" if is_share else "mean"
        return estimate(games.labels[places], weight, total, scale, doubt)


SHARES = ("score", "wins", "draws", "losses")


class Figures:
    """Counts the games of a tournament for some figures, in one pass."""

    def __init__(self, figures: Iterable[Figure], names: Sequence[str], rules: Rules) -> None:
        self.names, self.rules = tuple(names), rules
        self.figures = tuple(dict.fromkeys(figures))
        parts = dict.fromkeys(part for figure in self.figures for part in _parts(figure))
        self.samples = {part: Sample(part, self.names) for part in parts if not part.kind.judged}

    def add(self, batch: Batch) -> None:
        """Count some games for all figures that they belong to."""
        for sample in self.samples.values():
            sample.add(batch)

    def measured(
        self, games: Games, ratings: Ratings | None = None, accuracy: Accuracy | None = None
    ) -> dict[Figure, Measured]:
        """What the games so far say of each figure."""

        def measure(part: Figure) -> Measured:
            if part.kind.judged:
                return of_accuracy(part, accuracy, self.names)
            if part.measure == "elo" and not part.against:
                return self._rating(part, ratings)
            return self.samples[part].measured(games)

        return {figure: _ratio(figure, [*map(measure, _parts(figure))]) for figure in self.figures}

    def _rating(self, figure: Figure, ratings: Ratings | None) -> Measured:
        """The rating of a player among all."""
        rating = None if ratings is None else ratings.rating(self.names.index(figure.of))
        if rating is None:
            return Measured(figure)
        return Measured(figure, rating.value, rating.games, rating)


def _parts(figure: Figure) -> tuple[Figure, ...]:
    """A figure, and those that it is divided by, each for itself."""
    alone = figure.model_copy(update={"over": None})
    return (alone,) if figure.over is None else (alone, *_parts(figure.over))


def _ratio(figure: Figure, parts: Sequence[Measured]) -> Measured:
    """The first part over the ratio of the others."""
    above, *others = parts
    if figure.over is None:
        return above
    below = _ratio(figure.over, others)
    games, missing = min(above.games, below.games), above.missing + below.missing
    if above.value is None or not below.value:
        return Measured(figure, games=games, missing=missing)
    return Measured(figure, above.value / below.value, games, None, missing, (above, below))


def of_accuracy(figure: Figure, accuracy: Accuracy | None, names: Sequence[str]) -> Measured:
    """The share of moves that keep what they should, or blunders a game, of judged games."""
    if accuracy is None:
        return Measured(figure)
    sample, moves = Sample(figure, names), Tally()
    for game in accuracy.counted:
        if sample.belongs(np.array([game.seats]), game.seat)[0]:
            moves.add_game(
                game.label, game.rows["critical" if figure.take == "critical" else "all"]
            )
    if figure.measure == "blunders":
        estimate = moves.blunders
    else:
        estimate = moves.kept_score if figure.take == "exact" else moves.kept_value
    return Measured(figure, None if estimate is None else estimate.value, moves.games, estimate)
