"""Expectations with their verdicts, and published figures beside ours, in words and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table as RichTable
from rich.text import Text

from arena.report.blocks import Block, Words
from arena.report.data import ReportData
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

Verbs = Mapping[Any, tuple[str, str]]  # of a verdict: what one has, and what several have

TOO_FEW = "too few games"
NOT_MEASURED = "nothing was measured"
STYLES: dict[Ruling, str] = {"holds": "green", "fails": "red", "not decided": "yellow"}
EXPECTED: Verbs = {
    "holds": ("holds", "hold"),
    "fails": ("fails", "fail"),
    "not decided": ("is not decided", "are not decided"),
}
COMPARED: Verbs = {
    "agrees": ("agrees with these games", "agree"),
    "differs": ("differs from these games", "differ"),
    "inconclusive": ("is inconclusive", "are inconclusive"),
}


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
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


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
    """A number of a tournament file, with the digits that were written."""
    if unit == "share" and value is not None:
        return f"{100 * value:.4g} %"
    return quantity(value, unit)


def bound_words(bound: Bound, unit: Unit) -> str:
    """The bound of an expectation, without its figure."""
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
    """A measured figure, and those that it is compared with."""
    return " against ".join(map(_measured, (measured, *beside)))


def _measured(measured: Measured) -> str:
    """A figure, and how many answers never came."""
    words = quantity(measured.value, measured.figure.unit)
    missing = f" ({how_many(measured.missing, 'answer')} missing)" if measured.missing else ""
    return f"{words}{missing}"


def verdict_words(ruling: CheckedExpectation) -> str:
    """The verdict on an expectation, or why there is none."""
    if ruling.verdict != "not decided":
        return ruling.verdict
    return NOT_MEASURED if ruling.measured.value is None else TOO_FEW


def verdict_sentences(data: ReportData) -> tuple[str, ...]:
    """How expectations and published figures fare, in a sentence each."""
    expected = (grade_sentence(data.grade),) if data.grade.rulings else ()
    published = (published_sentence(data.comparisons),) if data.comparisons else ()
    time = data.results.time
    busy: tuple[str, ...] = ()
    if time.is_busy and time.ratio and "time" in data.aims.measures():
        busy = (
            f"The machine was busy: moves took {time.ratio:.1f} times their processor time. Do not "
            "rely on figures of time; figures of cpu (processor time) are not affected.",
        )
    return *expected, *published, *busy


def grade_sentence(grade: Grade) -> str:
    """All expectations in a sentence."""
    count = len(grade.rulings)
    counts = Counter(each.verdict for each in grade.rulings)
    if count == 1:
        words = f"The expectation {tally_words(counts, EXPECTED, False)}"
    elif counts["holds"] == count:
        words = f"All {count} expectations hold"
    else:
        words = f"Of {count} expectations {tally_words(counts, EXPECTED)}"
    if grade.points is not None:
        words += f": {halves(grade.points)} of {halves(grade.of)} point"
        words += "" if grade.of == 1 else "s"
    return f"{words}."


def published_sentence(comparisons: Sequence[Comparison]) -> str:
    """All published figures in a sentence."""
    counts = Counter(each.agreement for each in comparisons)
    if len(comparisons) == 1:
        return f"The published figure {tally_words(counts, COMPARED, False)}."
    return f"Of {len(comparisons)} published figures, {tally_words(counts, COMPARED)}."


def tally_words(counts: Mapping[Any, int], verbs: Verbs, with_numbers: bool = True) -> str:
    """How many have each verdict: 3 hold and 1 fails."""
    return listed(
        [
            f"{counts[verdict]} {one if counts[verdict] == 1 else several}" if with_numbers else one
            for verdict, (one, several) in verbs.items()
            if counts[verdict]
        ]
    )


def expectations_table(grade: Grade) -> Table:
    """Each expectation with what was measured and the verdict."""
    columns = [Column("expected"), Column("measured"), Column("interval"), Column("verdict")]
    rows: list[tuple[Cell, ...]] = [
        (
            expectation_words(each.expectation),
            measured_words(each.measured, each.beside),
            interval_words(each.interval, each.measured.figure.unit),
            verdict_words(each),
        )
        for each in grade.rulings
    ]
    if grade.of:
        columns += [Column("points", halves), Column("of", halves)]
        points = [each.expectation.points for each in grade.rulings]
        rows = [(*row, None if of is None else each.points, of)
                for row, each, of in zip(rows, grade.rulings, points, strict=True)]  # fmt: skip
    return Table("Expectations", tuple(columns), tuple(rows))


def expectations_screen(grade: Grade) -> RichTable:
    """The same on a screen: verdict and figure first, and in colours."""
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "expected", "measured"):
        table.add_column(name, overflow="fold")
    for each in grade.rulings:
        table.add_row(
            Text(verdict_words(each), style=STYLES[each.verdict]),
            Text(printable(expectation_words(each.expectation))),
            Text(measured_words(each.measured, each.beside)),
        )
    return table


def expectations_section(data: ReportData) -> Iterator[Block]:
    """Each expectation with its verdict, and what a verdict means."""
    if not data.grade.rulings:
        return
    yield expectations_table(data.grade)
    if data.aims.early:
        yield Words(
            "The run may end as soon as all expectations are decided. Repeated checks inflate "
            "false alarms, so the intervals are wider: the confidence holds for all checks "
            "together. The figures themselves lean towards the verdict that ended the run."
        )
    if any(each.expectation.confidence is None for each in data.grade.rulings):
        yield Words(
            "An expectation without a confidence level is about these games only. Its 95 % "
            "interval shows what other games from similar openings could give."
        )


def figures_section(data: ReportData) -> Iterator[Block]:
    """Figures without an expectation."""
    if data.figures:
        yield figures_table(data.figures)


def figures_table(measurements: Sequence[Measured]) -> Table:
    """Each figure with its measured value."""
    columns = Column("figure"), Column("measured"), Column("95 %"), Column("games", whole)
    rows = [
        (
            str(each.figure),
            measured_words(each),
            interval_words(each.interval(), each.figure.unit),
            each.games,
        )
        for each in measurements
    ]
    return Table("Figures", columns, tuple(rows))


def published_words(published: Published) -> str:
    """The value or the claim of a source."""
    figure = published.figure
    if published.bound is not None:
        return bound_words(published.bound, figure.unit)
    games = f" in {how_many(published.of_games, 'game')}" if published.of_games else ""
    return given(published.value, figure.unit) + games


def published_table(comparisons: Sequence[Comparison]) -> Table:
    """Each published figure beside ours."""
    names = ("figure", "published", "its interval", "measured", "interval", "verdict", "source")
    rows = [
        (
            str(each.measured.figure),
            published_words(each.published),
            interval_words(each.interval, each.measured.figure.unit),
            measured_words(each.measured, each.beside),
            interval_words(each.measured.interval(), each.measured.figure.unit),
            each.agreement,
            each.published.source_words,
        )
        for each in comparisons
    ]
    return Table("Published vs measured", tuple(map(Column, names)), tuple(rows))


def published_section(data: ReportData) -> Iterator[Block]:
    """Published figures beside ours, and when they agree."""
    if not data.comparisons:
        return
    yield published_table(data.comparisons)
    yield from published_notes(data)
    yield Words(
        "All intervals are 95 %. The interval of a published share follows from its number of "
        "games; for a published mean, the spread is taken from our games. Two figures agree if "
        "the interval of their difference lies within the tolerance: 15 percentage points, or a "
        "quarter of the value if it is not a share, unless the file says otherwise. They differ if "
        "it lies outside, and else the games are inconclusive."
    )


def published_notes(data: ReportData) -> list[Words]:
    """The notes on published figures, each once."""
    notes = dict.fromkeys(each.published.note for each in data.comparisons)
    return [Words(note) for note in notes if note]
