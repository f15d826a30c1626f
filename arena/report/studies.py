"""All studies on one page: which claims of the sources hold?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena.report.blocks import Block, Link, Words
from arena.report.data import ReportData
from arena.report.markdown import document
from arena.report.summary import question
from arena.report.verdicts import (
    Verbs,
    expectations_table,
    figures_table,
    published_notes,
    published_table,
    tally_words,
)
from arena.show.numbers import how_many, whole
from arena.show.table import Cell, Column, Table
from arena.standings.verdicts import Agreement, Kind, tallies

ANSWERS: dict[Agreement, str] = {
    "agrees": "holds",
    "differs": "does not hold",
    "inconclusive": "inconclusive",
}
HOLDING: Verbs = {
    "agrees": ("holds", "hold"),
    "differs": ("does not hold", "do not hold"),
    "inconclusive": ("is inconclusive", "are inconclusive"),
}
COUNTED: dict[Kind, str] = {"printed": "published number", "worded": "worded claim"}


@dataclass(frozen=True)
class Study:
    """A study that was run, and where its report is, seen from the page."""

    data: ReportData
    report: str

    @property
    def name(self) -> str:
        """The name of its tournament."""
        return self.data.header.name

    @property
    def tallies(self) -> dict[Kind, Counter[Agreement]]:
        """How its published figures fare, by kind."""
        return tallies(self.data.comparisons)

    def count(self, agreement: Agreement) -> int:
        """How many numbers and claims of its sources have this verdict."""
        return sum(self.tallies[kind][agreement] for kind in COUNTED)


def studies_page(studies: Sequence[Study]) -> str:
    """The page: an overview, then every claim with what was measured here."""
    words = (
        f"{many_studies(len(studies))} {'replays' if len(studies) == 1 else 'replay'} experiments "
        f"of the sources. {' '.join(_tally(studies))} An inconclusive one had too few games, there "
        "or here. Where a source says a thing in words, the figure and the bound that stand for it "
        "are ours, some of them worded after a first run of the study. Each report says what was "
        "played, and how to play it again."
    )
    sections: dict[str, Sequence[Block]] = {"Overview": (overview(studies),)}
    for study in studies:
        sections[study.name] = tuple(_blocks(study))
    return document("Which claims of the sources hold?", [Words(words)], sections)


def _tally(studies: Sequence[Study]) -> Iterator[str]:
    """How printed numbers and worded claims fare, and how many figures are not counted."""
    for kind, noun in COUNTED.items():
        counts = sum((study.tallies[kind] for study in studies), Counter[Agreement]())
        fared = tally_words(counts, HOLDING) if counts else "none was measured"
        yield f"Of {how_many(counts.total(), noun)}, {fared}."
    if others := sum(study.tallies["neither"].total() for study in studies):
        is_or_are = "is" if others == 1 else "are"
        yield f"{how_many(others, 'repeated number or setting')} {is_or_are} not counted."


def many_studies(count: int) -> str:
    """A number of studies with its noun."""
    return f"{count} {'study' if count == 1 else 'studies'}"


def overview(studies: Sequence[Study]) -> Table:
    """A row for each study: its games, and how many claims hold."""
    names = ("games", *(several.removeprefix("are ") for _, several in HOLDING.values()))
    columns = Column("study"), *(Column(name, whole) for name in names)
    rows: list[tuple[Cell, ...]] = [
        (study.name, study.data.results.games, *map(study.count, ANSWERS)) for study in studies
    ]
    return Table("Overview", columns, tuple(rows))


def _blocks(study: Study) -> Iterator[Block]:
    data = study.data
    if data.aims.about:
        yield Words(data.aims.about)
    yield from map(Words, question(data))
    if data.comparisons:
        yield claims(study)
    if data.figures:
        yield replace(figures_table(data.figures), title="Measured")
    if data.grade.rulings:
        names = ("expected", "measured", "verdict")
        yield expectations_table(data.grade).only("What was expected as well", names)
    yield from published_notes(data)
    yield Link(study.report, "the report")


def claims(study: Study) -> Table:
    """Every claim of a study, what is published, and what was measured here."""
    names = ("source", "figure", "published", "measured", "interval", "verdict")
    table = published_table(study.data.comparisons).only(study.name, names)
    heads = ("claim or figure", "of", "published", "here", "95 %", "answer")
    answers = [ANSWERS[each.agreement] for each in study.data.comparisons]
    rows = tuple((*row[:-1], answer) for row, answer in zip(table.rows, answers, strict=True))
    return replace(table, columns=tuple(map(Column, heads)), rows=rows)
