"""Do expectations hold, and do the figures that others have published agree with ours?

An expectation without confidence is about the games that were played: it holds or fails. With
confidence it is about what is behind them: it holds or fails where the whole interval says so, and
there are too few games otherwise.

Two figures agree if the interval of their difference (Newcombe 1998, from the intervals of both)
lies within a tolerance, they differ if it lies outside; else the games are inconclusive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import Literal, get_args

from arena.standings.evidence import (
    CONFIDENCE,
    UNBOUNDED,
    Interval,
    Verdict,
    elo,
    expected_score,
    lies_within,
    student_quantile,
    wilson,
)
from arena.standings.measures import Measured
from arena.tournament.claims import Aims, Bound, Expectation, Published
from arena.tournament.figures import Figure

Ruling = Literal["holds", "fails", "not decided"]  # on an expectation
Agreement = Literal["agrees", "differs", "inconclusive"]  # with a published figure
Kind = Literal["printed", "worded", "neither"]  # of a published figure
Measurements = Mapping[Figure, Measured]

RULINGS: dict[Verdict, Ruling] = {"yes": "holds", "no": "fails", "open": "not decided"}
AGREEMENTS: dict[Verdict, Agreement] = {"yes": "agrees", "no": "differs", "open": "inconclusive"}
AT_THE_END = 0.5  # of the risk, where a run may end early: the rest is for looks on the way
POINTS = 0.15  # of a share, and
PART = 0.25  # of any other value: the tolerance where a file says nothing else


@dataclass(frozen=True)
class CheckedExpectation:
    """An expectation, what was measured for it, and what follows."""

    expectation: Expectation
    measured: Measured
    beside: tuple[Measured, ...]  # the figures that it is held against
    verdict: Ruling
    confidence: float | None = None  # that was asked for now, with what looks on the way leave

    @property
    def interval(self) -> Interval | None:
        """Where the figure behind the games lies, with the confidence that was asked for."""
        return self.measured.interval(CONFIDENCE if self.confidence is None else self.confidence)

    @property
    def points(self) -> float:
        """What it gives: nothing unless it holds."""
        return (self.expectation.points or 0.0) if self.verdict == "holds" else 0.0


@dataclass(frozen=True)
class Comparison:
    """A published figure beside ours."""

    published: Published
    measured: Measured
    beside: tuple[Measured, ...]
    interval: Interval | None  # of the published value
    agreement: Agreement


@dataclass(frozen=True)
class Grade:
    """The expectations of a tournament: how many hold, and what they give."""

    rulings: tuple[CheckedExpectation, ...]

    def count(self, verdict: Ruling) -> int:
        """How many there are of this verdict."""
        return sum(each.verdict == verdict for each in self.rulings)

    @property
    def fails(self) -> bool:
        """Whether any expectation fails."""
        return self.count("fails") > 0

    @property
    def points(self) -> float | None:
        """The points of those that hold; None where none are given."""
        return sum(each.points for each in self.rulings) if self.of else None

    @property
    def of(self) -> float:
        """The points that there are."""
        return sum(each.expectation.points or 0.0 for each in self.rulings)


def rule(
    expectation: Expectation, measurements: Measurements, share: float = 1.0
) -> CheckedExpectation:
    """Whether an expectation holds; a share of its risk may be all that can be taken now."""
    measured, *beside = (
        measurements.get(figure, Measured(figure))
        for figure in (expectation.figure, *expectation.bound.figures)
    )
    confidence = expectation.confidence
    confidence = None if confidence is None else 1 - (1 - confidence) * share
    ruled = RULINGS[verdict(expectation.bound, measured, beside, confidence)]
    return CheckedExpectation(expectation, measured, tuple(beside), ruled, confidence)


def grade(aims: Aims, measurements: Measurements) -> Grade:
    """All expectations of a tournament."""
    share = AT_THE_END if aims.early else 1.0
    return Grade(tuple(rule(each, measurements, share) for each in aims.expect))


def verdict(
    bound: Bound, measured: Measured, beside: Iterable[Measured], confidence: float | None
) -> Verdict:
    """Whether a figure lies where a bound says; two figures share the risk of being wrong."""
    figures = [measured, *beside]
    if any(each.value is None for each in figures):
        return "open"
    if confidence is not None and len(figures) > 1:
        confidence = (1 + confidence) / 2
    spans = [_span(each, confidence) for each in figures]
    if len(spans) == 1:
        least = -inf if bound.at_least is None else bound.at_least
        most = inf if bound.at_most is None else bound.at_most
        return lies_within(spans[0], least, most)
    smaller, larger = spans if bound.less_than is not None else spans[::-1]
    if larger.low > smaller.high:
        return "yes"
    return "no" if larger.high < smaller.low or confidence is None else "open"


def _span(measured: Measured, confidence: float | None) -> Interval:
    """The value alone, or its interval."""
    assert measured.value is not None
    if confidence is None:
        return Interval(measured.value, measured.value)
    return measured.interval(confidence) or UNBOUNDED


def compare(published: Published, measurements: Measurements) -> Comparison:
    """A published figure beside ours: its value, or what is claimed."""
    measured, bound = measurements[published.figure], published.bound
    if bound is None:
        interval = published_interval(published, measured)
        agreement = agreement_of(published, measured, interval)
        return Comparison(published, measured, (), interval, agreement)
    beside = tuple(measurements[figure] for figure in bound.figures)
    is_fact = published.figure.take == "count" or not published.figure.has_interval
    agrees = verdict(bound, measured, beside, None if is_fact else CONFIDENCE)
    return Comparison(published, measured, beside, None, AGREEMENTS[agrees])


def tallies(comparisons: Iterable[Comparison]) -> dict[Kind, Counter[Agreement]]:
    """How printed numbers, claims in words, and what is neither fare, each published figure once.

    Neither are facts that no other games would change, such as how many were played, what is
    published once more, and what is not the claim of the source itself.
    """
    counts: dict[Kind, Counter[Agreement]] = {kind: Counter() for kind in get_args(Kind)}
    seen = set()
    for each in comparisons:
        published = each.published
        key = published.figure, published.value, published.bound
        kind: Kind = "printed" if published.value is not None else "worded"
        if published.status != "source" or key in seen or not published.figure.kind.varies:
            kind = "neither"
        seen.add(key)
        counts[kind][each.agreement] += 1
    return counts


def published_interval(published: Published, measured: Measured) -> Interval | None:
    """The interval that a published value has by its number of games; None if that is not known.

    Of a mean, how much games differ is taken from ours; one game alone says nothing.
    """
    value, games, ours = published.value, published.of_games, measured.estimate
    if value is None or not games:
        return None
    if published.figure.unit == "share":
        return wilson(value * games, games)
    if published.figure.unit == "elo":
        return Interval(*map(elo, wilson(expected_score(value) * games, games)))
    if games < 2 or ours is None or not ours.is_known:
        return UNBOUNDED
    reach = ours.error * sqrt(ours.clusters / games) * student_quantile(games - 1)
    return Interval(max(0.0, value - reach), value + reach)


def agreement_of(published: Published, measured: Measured, interval: Interval | None) -> Agreement:
    """Whether two figures agree within a tolerance, as far as both are known."""
    value, ours = published.value, measured.value
    if value is None or ours is None:
        return "inconclusive"
    low, high = interval or Interval(value, value)
    least, most = measured.interval(CONFIDENCE) or Interval(ours, ours)
    below, above = hypot(ours - least, high - value), hypot(most - ours, value - low)
    difference, within = ours - value, tolerance(published)
    ends = Interval(difference - below, difference + above)
    return AGREEMENTS[lies_within(ends, -within, within)]


def tolerance(published: Published) -> float:
    """How far apart two figures may be that agree."""
    value = abs(published.value or 0.0)
    if published.figure.unit == "share":
        return POINTS if published.within is None else published.within
    return value * (PART if published.within is None else published.within)
