"""All studies on one page: which claims of the sources hold?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.report.blocks import Block, Link, Words
from arena.report.data import ReportData
from arena.report.markdown import document
from arena.report.summary import question
from arena.report.verdicts import (
    expectation_words,
    figures_table,
    interval_words,
    measured_words,
    published_words,
    verdict_words,
)
from arena.show.numbers import how_many, listed, whole
from arena.show.table import Cell, Column, Table
from arena.standings.verdicts import Agreement, Comparison, Kind, tallies

ANSWERS: dict[Agreement, str] = {
    "agrees": "holds",
    "differs": "does not hold",
    "inconclusive": "inconclusive",
}
KINDS: dict[Kind, str] = {
    "printed": "published number",
    "worded": "worded claim",
    "neither": "repeated number or setting",
}


@dataclass(frozen=True)
class Study:
    """A study that was run: what its report says, and where that is, seen from the page."""

    data: ReportData
    report: str

    @property
    def name(self) -> str:
        """What it is called."""
        return self.data.header.name

    @property
    def tallies(self) -> dict[Kind, Counter[Agreement]]:
        """How its published figures fare, by kind."""
        return tallies(self.data.comparisons)

    def count(self, agreement: Agreement) -> int:
        """How many numbers and claims of its sources are so."""
        return self.tallies["printed"][agreement] + self.tallies["worded"][agreement]


def studies_page(studies: Sequence[Study]) -> str:
    """The page: an overview, then every claim with what was measured here."""
    counts = {kind: Counter[Agreement]() for kind in KINDS}
    for study in studies:
        for kind, fared in study.tallies.items():
            counts[kind] += fared
    told = [_sentence(kind, counts[kind]) for kind in ("printed", "worded")]
    others = counts["neither"].total()
    rest = (
        f" {how_many(others, KINDS['neither'])} {'is' if others == 1 else 'are'} not counted."
        if others
        else ""
    )
    words = (
        f"{many_studies(len(studies))} {'replays' if len(studies) == 1 else 'replay'} experiments "
        f"of the sources. {' '.join(told)}{rest} An inconclusive one had too few games, there or "
        "here. Where a source says a thing in words, the figure and the bound that stand for it "
        "are ours, some of them worded after a first run of the study. Each report says what was "
        "played, and how to play it again."
    )
    sections: dict[str, Sequence[Block]] = {"Overview": (overview(studies),)}
    for study in studies:
        sections[study.name] = tuple(_blocks(study))
    return document("Which claims of the sources hold?", [Words(words)], sections)


def _sentence(kind: Kind, counts: Counter[Agreement]) -> str:
    """How all of a kind fare."""
    parts = [f"{counts[answer]} {_of(answer, counts[answer])}" for answer in ANSWERS
             if counts[answer]]  # fmt: skip
    words = listed(parts) if parts else "none was measured"
    return f"Of {how_many(counts.total(), KINDS[kind])}, {words}."


def many_studies(count: int) -> str:
    """A number of studies with its noun."""
    return f"{count} {'study' if count == 1 else 'studies'}"


def _of(answer: Agreement, count: int) -> str:
    words = {"agrees": "hold", "differs": "do not hold", "inconclusive": "are inconclusive"}
    one = {"agrees": "holds", "differs": "does not hold", "inconclusive": "is inconclusive"}
    return one[answer] if count == 1 else words[answer]


def overview(studies: Sequence[Study]) -> Table:
    """A row for each study: its games, and how many claims hold."""
    columns = (
        Column("study"), Column("games", whole), Column("hold", whole),
        Column("do not hold", whole), Column("inconclusive", whole),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (study.name, study.data.results.games, *(study.count(each) for each in ANSWERS))
        for study in studies
    ]
    return Table("Overview", columns, tuple(rows))


def _blocks(study: Study) -> list[Block]:
    data = study.data
    blocks: list[Block] = [Words(data.aims.about)] if data.aims.about else []
    blocks += [Words(paragraph) for paragraph in question(data)]
    if data.comparisons:
        blocks.append(claims(study.name, data.comparisons))
    if data.shown:
        blocks.append(replace(figures_table(data.shown), title="Measured"))
    if data.grade.rulings:
        blocks.append(_expected(data))
    notes = dict.fromkeys(each.published.note for each in data.comparisons if each.published.note)
    blocks += [Words(note) for note in notes]
    return [*blocks, Link(study.report, "the report")]


def claims(title: str, comparisons: Sequence[Comparison]) -> Table:
    """Every claim of a study, what is published, and what was measured here."""
    names = ("claim or figure", "of", "published", "here", "95 %", "answer")
    rows = [
        (
            each.published.source_words,
            str(each.published.figure),
            published_words(each.published),
            measured_words(each.measured, each.beside),
            interval_words(each.measured.interval(), each.published.figure.unit),
            ANSWERS[each.agreement],
        )
        for each in comparisons
    ]
    return Table(title, tuple(map(Column, names)), tuple(rows))


def _expected(data: ReportData) -> Table:
    rows = [
        (expectation_words(each.expectation), measured_words(each.measured), verdict_words(each))
        for each in data.grade.rulings
    ]
    columns = tuple(map(Column, ("expected here", "measured", "verdict")))
    return Table("What was expected as well", columns, tuple(rows))
