"""Expectations with their verdicts, published figures beside ours, and both for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.table import Table as RichTable
from rich.text import Text

from arena.report.blocks import Block, Words
from arena.report.data import ReportData
from arena.report.question import question_figures
from arena.show.numbers import (
    UNKNOWN,
    duration,
    elo,
    halves,
    how_many,
    listed,
    percent,
    percent_range,
    whole,
)
from arena.show.table import Cell, Column, Table
from arena.standings.evidence import Interval, ends_of
from arena.standings.measures import Measured
from arena.standings.verdicts import CheckedExpectation, Comparison, Grade, Ruling
from arena.text import printable
from arena.tournament.claims import Bound, Expectation, Published
from arena.tournament.figures import Unit

EXPECTATIONS, PUBLISHED, FIGURES = "Expectations", "Published vs measured", "Figures"
TOO_FEW = "too few games"
NOT_MEASURED = "nothing was measured"
MOST_DIGITS = 3
STYLES: dict[Ruling, str] = {"holds": "green", "fails": "red", "not decided": "yellow"}
VERDICTS: dict[str, Ruling] = {
    "hold": "holds", "fail": "fails", "are not decided": "not decided",
}  # as several have them  # fmt: skip


def quantity(value: float | None, unit: Unit) -> str:
    """A figure as people read it."""
    if value is None:
        return UNKNOWN
    match unit:
        case "share":
            return percent(value)
        case "seconds":
            return duration(value)
        case "elo":
            return elo(value, 0)
        case "games" | "moves":
            return f"{value:,.1f}".removesuffix(".0")
    return f"{value:,.0f}" if abs(value) >= 10**MOST_DIGITS else f"{value:.{MOST_DIGITS}g}"


def interval_words(ends: Interval | None, unit: Unit) -> str:
    """An interval as people read it; one side may be open."""
    match ends_of(ends):
        case (None, None):
            return UNKNOWN
        case (None, high):
            return f"at most {quantity(high, unit)}"
        case (low, None):
            return f"at least {quantity(low, unit)}"
        case (float(low), float(high)) if unit == "share":
            return f"{percent_range(low, high, 1)} %"
        case (low, high):
            return f"{quantity(low, unit)} to {quantity(high, unit)}"
    raise AssertionError("an interval has two ends")


def given(value: float | None, unit: Unit) -> str:
    """A number of a tournament file as people read it: no digits that were not written."""
    return (
        f"{100 * value:.4g} %" if unit == "share" and value is not None else quantity(value, unit)
    )


def bound_words(bound: Bound, unit: Unit) -> str:
    """What is expected, without of what."""
    if bound.more_than is not None:
        return f"more than the {bound.more_than}"
    if bound.less_than is not None:
        return f"less than the {bound.less_than}"
    if bound.at_least is not None and bound.at_most is not None:
        return f"between {given(bound.at_least, unit)} and {given(bound.at_most, unit)}"
    least = bound.at_least is not None
    value = bound.at_least if least else bound.at_most
    return f"at {'least' if least else 'most'} {given(value, unit)}"


def expectation_words(expectation: Expectation) -> str:
    """An expectation in its own name, or in a sentence."""
    if expectation.name:
        return expectation.name
    figure = expectation.figure
    words = f"{figure}: {bound_words(expectation.bound, figure.unit)}"
    sure = expectation.confidence
    return words if sure is None else f"{words}, with {percent(sure, 0)} confidence"


def measured_words(measured: Measured, beside: tuple[Measured, ...] = ()) -> str:
    """What was measured, and what it is held against."""
    figures = (measured, *beside)
    return " against ".join(_measured(each) for each in figures)


def _measured(measured: Measured) -> str:
    """A figure, and how many answers never came, so that they could not be measured."""
    words = quantity(measured.value, measured.figure.unit)
    return (
        f"{words} ({how_many(measured.missing, 'answer')} missing)" if measured.missing else words
    )


def verdict_words(ruling: CheckedExpectation) -> str:
    """What the games say of an expectation."""
    if ruling.verdict != "not decided":
        return ruling.verdict
    return NOT_MEASURED if ruling.measured.value is None else TOO_FEW


# ---- for people


def grade_sentence(grade: Grade) -> str:
    """All expectations in a sentence."""
    count = len(grade.rulings)
    counts = {words: grade.count(verdict) for words, verdict in VERDICTS.items()}
    parts = [f"{number} {_agreeing(words, number)}" for words, number in counts.items() if number]
    if count == 1:
        words = f"The expectation {_agreeing(next(words for words in counts if counts[words]), 1)}"
    elif grade.count("holds") == count:
        words = f"All {count} expectations hold"
    else:
        words = f"Of {count} expectations {listed(parts)}"
    if grade.points is not None:
        words += f": {halves(grade.points)} of {how_points(grade.of)}"
    return f"{words}."


def _agreeing(words: str, number: int) -> str:
    """A verb of several for one of them."""
    return words if number > 1 else {"are not decided": "is not decided"}.get(words, f"{words}s")


def how_points(points: float) -> str:
    """A number of points with its noun."""
    return f"{halves(points)} point{'' if points == 1 else 's'}"


def expectations_table(grade: Grade) -> Table:
    """Each expectation with what was measured and the verdict."""
    has_points = bool(grade.of)
    columns = [Column("expected"), Column("measured"), Column("interval"), Column("verdict")]
    columns += [Column("points", halves), Column("of", halves)] if has_points else []
    rows = []
    for ruling in grade.rulings:
        expectation, measured = ruling.expectation, ruling.measured
        row: list[Cell] = [
            expectation_words(expectation),
            measured_words(measured, ruling.beside),
            interval_words(ruling.interval, measured.figure.unit),
            verdict_words(ruling),
        ]
        gives = None if expectation.points is None else ruling.points
        row += [gives, expectation.points] if has_points else []
        rows.append(tuple(row))
    return Table(EXPECTATIONS, tuple(columns), tuple(rows))


def expectations_screen(grade: Grade) -> RichTable:
    """The same on a screen: verdict and figure first, and in colours."""
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "expected", "measured"):
        table.add_column(name, overflow="fold")
    for ruling in grade.rulings:
        words = verdict_words(ruling)
        table.add_row(
            Text(printable(words), style=STYLES[ruling.verdict]),
            Text(printable(expectation_words(ruling.expectation))),
            Text(measured_words(ruling.measured, ruling.beside)),
        )
    return table


def expectations_section(data: ReportData) -> Iterator[Block]:
    """Each expectation with its verdict, and what a verdict means."""
    grade = data.grade
    if not grade.rulings:
        return
    yield expectations_table(grade)
    if data.aims.early:
        yield Words(
            "The run may end as soon as all expectations are decided. Repeated checks inflate "
            "false alarms, so the intervals are wider: the confidence holds for all checks "
            "together. The figures themselves lean towards the verdict that ended the run."
        )
    if any(each.expectation.confidence is None for each in grade.rulings):
        yield Words(
            "An expectation without a confidence level is about these games only. Its 95 % "
            "interval shows what other games from similar openings could give."
        )


def figures_section(data: ReportData) -> Iterator[Block]:
    """Figures without an expectation."""
    if data.shown:
        yield figures_table(data.shown)


def figures_table(measurements: Sequence[Measured]) -> Table:
    """What was measured of each figure."""
    rows = [
        (
            str(each.figure),
            measured_words(each),
            interval_words(each.interval(), each.figure.unit),
            each.games,
        )
        for each in measurements
    ]
    columns = Column("figure"), Column("measured"), Column("95 %"), Column("games", whole)
    return Table(FIGURES, columns, tuple(rows))


def published_sentence(comparisons: tuple[Comparison, ...]) -> str:
    """All published figures in a sentence."""
    words = {"agrees": "agree", "differs": "differ", "inconclusive": "are inconclusive"}
    counts = {word: sum(each.agreement == word for each in comparisons) for word in words}
    parts = [f"{count} {words[word]}" for word, count in counts.items() if count]
    if len(comparisons) == 1:
        verb = {
            "agrees": "agrees with these games",
            "differs": "differs from these games",
            "inconclusive": "is inconclusive",
        }
        return f"The published figure {verb[comparisons[0].agreement]}."
    return f"Of {len(comparisons)} published figures, {listed(parts)}."


def published_words(published: Published) -> str:
    """What a source says: its value, or its claim."""
    figure = published.figure
    if published.bound is not None:
        return bound_words(published.bound, figure.unit)
    games = f" in {how_many(published.of_games, 'game')}" if published.of_games else ""
    return given(published.value, figure.unit) + games


def published_table(comparisons: tuple[Comparison, ...]) -> Table:
    """Each published figure beside ours."""
    names = ("figure", "published", "its interval", "measured", "interval", "verdict", "source")
    rows = []
    for each in comparisons:
        unit = each.published.figure.unit
        rows.append(
            (
                str(each.published.figure),
                published_words(each.published),
                interval_words(each.interval, unit),
                measured_words(each.measured, each.beside),
                interval_words(each.measured.interval(), unit),
                each.agreement,
                each.published.source_words,
            )
        )
    return Table(PUBLISHED, tuple(map(Column, names)), tuple(rows))


def published_section(data: ReportData) -> Iterator[Block]:
    """Published figures beside ours, and when they agree."""
    comparisons = data.comparisons
    if not comparisons:
        return
    yield published_table(comparisons)
    for note in dict.fromkeys(each.published.note for each in comparisons if each.published.note):
        yield Words(note)
    yield Words(
        "All intervals are 95 %. The interval of a published share follows from its number of "
        "games; for a published mean, the spread is taken from our games. Two figures agree if "
        "the interval of their difference lies within the tolerance: 15 percentage points, or a "
        "quarter of the value if it is not a share, unless the file says otherwise. They differ if "
        "it lies outside, and else the games are inconclusive."
    )


# ---- for programs


def busy_sentence(ratio: float) -> str:
    """What a busy machine means for figures of time."""
    return (
        f"The machine was busy: moves took {ratio:.1f} times their processor time. Do not rely on "
        "figures of time; figures of cpu (processor time) are not affected."
    )


def verdict_data(data: ReportData) -> dict[str, Any]:
    """The answer, figures and verdicts under their keys; nothing where nothing was asked for."""
    figures, grade = question_figures(data), data.grade
    if data.shown:
        figures["figures"] = [_measured_data(each, each.interval()) for each in data.shown]
    if grade.rulings:
        figures["expectations"] = {
            "holds": grade.count("holds"),
            "fails": grade.count("fails"),
            "not_decided": grade.count("not decided"),
            "points": grade.points,
            "of": grade.of or None,
            "each": [_ruling_data(each) for each in grade.rulings],
        }
    if data.comparisons:
        figures["published"] = [_comparison_data(each) for each in data.comparisons]
    return figures


def _ruling_data(ruling: CheckedExpectation) -> dict[str, Any]:
    expectation = ruling.expectation
    return {
        "expected": expectation_words(expectation),
        "verdict": ruling.verdict,
        "confidence": expectation.confidence,
        **_measured_data(ruling.measured, ruling.interval),
        "beside": [each.value for each in ruling.beside],
        "points": ruling.points,
        "of": expectation.points,
    }


def _comparison_data(each: Comparison) -> dict[str, Any]:
    published = each.published
    return {
        "published": published.value,
        "claim": None if published.bound is None else published_words(published),
        "published_interval": None if each.interval is None else ends_of(each.interval),
        "published_games": published.of_games,
        "source": published.source,
        "status": published.status,
        "note": published.note,
        "verdict": each.agreement,
        **_measured_data(each.measured, each.measured.interval()),
        "beside": [other.value for other in each.beside],
    }


def _measured_data(measured: Measured, interval: Interval | None) -> dict[str, Any]:
    return {
        "figure": str(measured.figure),
        "unit": measured.figure.unit,
        "value": measured.value,
        "interval": None if interval is None else ends_of(interval),
        "games": measured.games,
        "missing": measured.missing,
    }
