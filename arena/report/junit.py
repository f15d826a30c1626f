"""Expectations as JUnit XML, which every CI reads: one that is not decided is skipped."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from arena.report.verdicts import expectation_words, interval_words, measured_words, verdict_words
from arena.standings.verdicts import CheckedExpectation, Grade
from arena.text import printable


def junit(suites: Iterable[Element]) -> str:
    """A file of suites."""
    root = Element("testsuites")
    root.extend(suites)
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def suite(name: str, grade: Grade, seconds: float = 0.0) -> Element:
    """The expectations of one tournament as a suite of tests."""
    suite = Element(
        "testsuite",
        name=printable(name),
        tests=str(len(grade.rulings)),
        failures=str(grade.count("fails")),
        errors="0",
        skipped=str(grade.count("not decided")),
        time=f"{seconds:.3f}",
    )
    for ruling in grade.rulings:
        words = printable(expectation_words(ruling.expectation))
        case = SubElement(suite, "testcase", name=words, classname=printable(name))
        if ruling.verdict == "fails":
            SubElement(case, "failure", message=_message(ruling), type="expectation")
        elif ruling.verdict == "not decided":
            why = f"{verdict_words(ruling)}: {_message(ruling)}"
            SubElement(case, "skipped", message=why)
        else:
            SubElement(case, "system-out").text = _message(ruling)
    return suite


def _message(ruling: CheckedExpectation) -> str:
    """What was measured, with its interval."""
    unit = ruling.measured.figure.unit
    ends = ruling.interval
    words = f"measured {measured_words(ruling.measured, ruling.beside)}"
    return printable(words if ends is None else f"{words} ({interval_words(ends, unit)})")
