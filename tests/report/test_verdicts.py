"""Expectations and published figures: in words, in the report, as data and as JUnit."""

from __future__ import annotations

import json
from math import inf
from xml.etree import ElementTree

import pytest

from arena.journal import Journal
from arena.report.programs import junit, key_figures, suite
from arena.report.sections import SECTIONS
from arena.report.verdicts import (
    bound_words,
    grade_sentence,
    interval_words,
    published_sentence,
    quantity,
)
from arena.report.write import Report, write_report
from arena.standings.evidence import Interval
from arena.standings.measures import Measured
from arena.standings.verdicts import Agreement, CheckedExpectation, Comparison, Grade, Ruling
from arena.tournament.claims import Aims, Bound
from arena.tournament.figures import Unit
from tests.journal.examples import fill, make_header
from tests.support.figures import expectation_of, figure_of, published_of

SCORE = figure_of("score", "alpha", ("beta",))
AIMS = Aims(
    about="What <b>alpha</b> can do.",
    expect=(
        expectation_of(SCORE, Bound(at_least=0.0), points=2),
        expectation_of(SCORE, Bound(at_most=0.01), points=1, name="is <i>bad</i>"),
        expectation_of(SCORE, Bound(at_least=0.5), confidence=0.9999),
    ),
    published=(
        published_of(SCORE, "table 1", 0.5, 100),
        published_of(SCORE, "prose", bound=Bound(at_least=0.0), note="Another machine."),
    ),
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("aims")
    fill(folder / "games.db", 30)
    Journal.open(folder, make_header(aims=AIMS.plain())).close()
    with Journal.read(folder) as journal:
        return write_report(journal, folder, html=True, formats=(), sections=SECTIONS)


def test_the_report_begins_with_the_question_and_the_verdicts(report: Report) -> None:
    text = report.markdown.read_text(encoding="utf-8")
    paragraphs = text.split("\n\n")
    assert paragraphs[2] == "What &lt;b&gt;alpha&lt;/b&gt; can do."
    verdicts = next(each for each in paragraphs if each.startswith("Of 3 expectations "))
    assert verdicts.startswith(
        "Of 3 expectations 1 holds, 1 fails and 1 is not decided: 2 of 3 points. Of 2 published"
    )
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles[:3] == ["## Standings", "## Expectations", "## Published vs measured"]
    assert report.html is not None
    for page in (text, report.html.read_text(encoding="utf-8")):
        assert "is &lt;i&gt;bad&lt;/i&gt;" in page
        assert "too few games" in page
        assert "Another machine." in page


def test_programs_get_them_as_data(report: Report) -> None:
    figures = json.loads(json.dumps(key_figures(report.data)))
    assert figures["expectations"]["fails"] == 1
    assert (figures["expectations"]["points"], figures["expectations"]["of"]) == (2, 3)
    verdicts = [each["verdict"] for each in figures["expectations"]["each"]]
    assert verdicts == ["holds", "fails", "not decided"]
    assert [each["source"] for each in figures["published"]] == ["table 1", "prose"]
    assert figures["published"][0]["games"] > 0


def test_junit_tells_failures_from_what_is_not_decided(report: Report) -> None:
    root = ElementTree.fromstring(junit([suite("cup", report.data.grade, 1.5)]))
    (only,) = root
    assert (only.get("tests"), only.get("failures"), only.get("skipped")) == ("3", "1", "1")
    cases = {case.get("name"): [child.tag for child in case] for case in only}
    assert list(cases.values()) == [["system-out"], ["failure"], ["skipped"]]
    assert "is <i>bad</i>" in cases


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.9, "share", "90.0 %"), (0.0123, "seconds", "12.3 ms"), (-12.4, "elo", "-12"),
        (12, "games", "12"), (12.5, "games", "12.5"), (3.14159, "number", "3.14"),
        (123456.7, "number", "123,457"), (None, "number", "—"),
    ],
)  # fmt: skip
def test_figures_are_written_as_people_read_them(
    value: float | None, unit: Unit, words: str
) -> None:
    assert quantity(value, unit) == words


def test_intervals_may_be_open() -> None:
    assert interval_words(Interval(0.1, inf), "share") == "at least 10.0 %"
    assert interval_words(Interval(-inf, 20), "elo") == "at most +20"
    assert interval_words(None, "share") == interval_words(Interval(-inf, inf), "share") == "—"
    assert bound_words(Bound(0.4, 0.65), "share") == "between 40 % and 65 %"


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        (("holds",), "The expectation holds."),
        (("not decided",), "The expectation is not decided."),
        (("holds", "holds"), "All 2 expectations hold."),
        (("holds", "fails", "fails"), "Of 3 expectations 1 holds and 2 fail."),
    ],
)
def test_all_expectations_in_a_sentence(verdicts: tuple[Ruling, ...], words: str) -> None:
    expectation = expectation_of(SCORE, Bound(at_least=0))
    rulings = tuple(
        CheckedExpectation(expectation, Measured(SCORE, 0.5), (), each) for each in verdicts
    )
    assert grade_sentence(Grade(rulings)) == words


@pytest.mark.parametrize(
    ("agreements", "words"),
    [
        (("differs",), "The published figure differs from these games."),
        (("agrees", "agrees", "inconclusive"),
         "Of 3 published figures, 2 agree and 1 is inconclusive."),
    ],
)  # fmt: skip
def test_all_published_figures_in_a_sentence(agreements: tuple[Agreement, ...], words: str) -> None:
    published = published_of(SCORE, "table 1", 0.5, 100)
    comparisons = [
        Comparison(published, Measured(SCORE, 0.5), (), None, each) for each in agreements
    ]
    assert published_sentence(comparisons) == words
