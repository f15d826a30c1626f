"""The figures of a report for programs: JSON, and expectations as JUnit XML for a CI."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from arena.report.accuracy import accuracy_figures
from arena.report.cautions import cautions
from arena.report.conditions import with_limits
from arena.report.data import ReportData
from arena.report.endings import ends_table, lines_made
from arena.report.summary import answer, answer_sentence, pairs_table, share_interval
from arena.report.verdicts import (
    expectation_words,
    interval_words,
    measured_words,
    published_words,
    verdict_words,
)
from arena.show.standings import standings_table
from arena.show.strength import difference_data
from arena.standings.evidence import Interval, ends_of, value_of
from arena.standings.measures import Measured
from arena.standings.verdicts import CheckedExpectation, Comparison, Grade
from arena.text import printable


def key_figures(data: ReportData) -> dict[str, object]:
    """The main numbers for programs."""
    results, ratings = data.results, data.ratings
    table = with_limits(standings_table(results.scoreboard, ratings), data.header.players)
    return {
        "name": data.header.name,
        "games": results.games,
        "answer": answer(data),
        **verdict_data(data),
        "warnings": [caution.text for caution in cautions(data)],
        "distinct": results.distinct,
        "first_player_score": results.scoreboard.first_share,
        "first_move_elo": ratings.first_advantage,
        "first_move_elo_error": ratings.first_advantage_error,
        "draw_rate": ratings.draw_rate,
        "wall_over_cpu": results.time.ratio,
        "seconds": results.seconds,
        "immediate_wins": [
            {"engine": name, **each._asdict()}
            for name, each in zip(results.names, results.missed, strict=False)
        ],
        "wins_by_direction": lines_made(results, range(len(results.names))).records(),
        "ends": ends_table(results, range(len(results.endings))).records(),
        "mistakes": [asdict(mistake) for mistake in results.mistakes],
        "standings": table.records(),
        **({} if data.accuracy is None else {"accuracy": accuracy_figures(data.accuracy)}),
    }


def verdict_data(data: ReportData) -> dict[str, Any]:
    """The answer, figures and verdicts under their keys; nothing where nothing was asked for."""
    figures, grade = question_figures(data), data.grade
    if data.figures:
        figures["figures"] = [_measured_data(each, each.interval()) for each in data.figures]
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


def question_figures(data: ReportData) -> dict[str, Any]:
    """The answer for programs, under its key; nothing where nothing was asked."""
    answer = data.answer
    if answer is None:
        return {}
    names, best = data.names, answer.best
    figures = {
        "ask": answer.question.ask,
        "verdict": answer.verdict,
        "answer": answer_sentence(data, answer),
        "better": names[best.player],
        "than": names[best.other],
        "games": best.games.games,
        "score": value_of(best.score),
        "score_interval": None if best.score is None else share_interval(best),
        "difference": difference_data(best.difference),
        "confidence": answer.confidence,
        "pairs": pairs_table(data, answer).records(),
    }
    if best.kept is not None:
        shares = [{"share": kept.value, "interval": kept.interval()} for kept in best.kept]
        figures["critical_value_kept"] = dict(zip(("better", "than"), shares, strict=True))
    return {"question": figures}


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
    """The measured figure with its interval."""
    unit = ruling.measured.figure.unit
    ends = ruling.interval
    words = f"measured {measured_words(ruling.measured, ruling.beside)}"
    return printable(words if ends is None else f"{words} ({interval_words(ends, unit)})")
