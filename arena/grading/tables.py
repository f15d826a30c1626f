"""One table of who passed what, for a screen, a spreadsheet and a page; JUnit for a CI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

from arena.files import write_atomic
from arena.grading.grade import Result, StudentGrade
from arena.report.blocks import Block, Code, Link, Words
from arena.report.csv_files import write_lines
from arena.report.markdown import document
from arena.report.verdicts import expectation_words
from arena.show.numbers import halves, how_many, percent
from arena.show.table import Cell, Column, Table
from arena.standings.verdicts import Ruling
from arena.tournament.claims import Expectation

SHORT: dict[Ruling, str] = {"holds": "yes", "fails": "no", "not decided": "?"}
RESULTS: tuple[Result, ...] = ("passed", "failed", "undecided")
UNDECIDED = "?: undecided, by too few games or without a move to measure"
MOST_MISTAKES = 3  # of a student, on the page of the class
CSV, PAGE = "grades.csv", "grades.md"


def points_of(grade: StudentGrade, expectations: Sequence[Expectation]) -> tuple[float, float]:
    """A student's points, and how many there are; where none are given, each counts one."""
    plain = not any(each.points for each in expectations)
    of = float(len(expectations)) if plain else sum(each.points or 0.0 for each in expectations)
    if plain:
        return float(grade.grade.count("holds")), of
    return grade.grade.points or 0.0, of


def class_table(grades: Sequence[StudentGrade], expectations: Sequence[Expectation]) -> Table:
    """A row for each student: points, score, and a column for each expectation by its number."""
    columns = [Column("student"), Column("result"), Column("points", halves), Column("of", halves)]
    columns += [Column("score", percent), Column("faults")]
    columns += [Column(str(number)) for number in range(1, len(expectations) + 1)]
    rows = []
    for grade, data in zip(grades, class_data(grades, expectations), strict=True):
        faults = sum(mistake.count for mistake in grade.mistakes)
        words = (grade.why and "not graded") or (f"{faults:,}" if faults else "")
        verdicts = [SHORT[ruling.verdict] for ruling in grade.grade.rulings]
        facts = [data[key] for key in ("student", "result", "points", "of", "score")]
        rows.append((*facts, words, *(verdicts or [SHORT["fails"]] * len(expectations))))
    return Table("Who passed what", tuple(columns), tuple(rows))


def legend(expectations: Sequence[Expectation]) -> Table:
    """What the numbers of the columns stand for."""
    columns = Column("column"), Column("expected"), Column("points", halves)
    rows: list[tuple[Cell, ...]] = [
        (str(number), expectation_words(each), each.points)
        for number, each in enumerate(expectations, start=1)
    ]
    return Table("What is expected", columns, tuple(rows))


def write_class(
    folder: Path,
    name: str,
    grades: Sequence[StudentGrade],
    expectations: Sequence[Expectation],
) -> tuple[Path, Path]:
    """Write the table as CSV, with all that was measured, and as a page with mistakes below it."""
    folder.mkdir(parents=True, exist_ok=True)
    sheet = write_lines(folder / CSV, _lines(grades, expectations))
    sections = {
        "Who passed what": (class_table(grades, expectations),),
        "What is expected": (legend(expectations),),
        "Mistakes": tuple(_mistakes(grades)),
        "Reports": tuple(_reports(folder, grades)),
    }
    words = [Words(f"{summary(grades)}.")]
    words += [Words(f"{UNDECIDED}.")] if has_undecided(grades) else []
    text = document(name, words, {title: each for title, each in sections.items() if each})
    return sheet, write_atomic(folder / PAGE, text.encode())


def summary(grades: Sequence[StudentGrade]) -> str:
    """How many passed, failed and are undecided."""
    counts = {result: sum(each.result == result for each in grades) for result in RESULTS}
    words = [f"{count} {result}" for result, count in counts.items() if count]
    return f"{how_many(len(grades), 'student')}: {', '.join(words) or 'none graded'}"


def has_undecided(grades: Sequence[StudentGrade]) -> bool:
    """Whether any expectation of any student is undecided."""
    return any(each.grade.count("not decided") for each in grades)


def _lines(
    grades: Sequence[StudentGrade], expectations: Sequence[Expectation]
) -> Iterator[Sequence[Any]]:
    """A line for each student, with verdict and value of every expectation."""
    words = [expectation_words(each) for each in expectations]
    facts = ["student", "file", "result", "points", "of", "games", "score"]
    yield [
        *facts,
        "first fault",
        *(each for word in words for each in (word, f"{word} (measured)")),
    ]
    for data in class_data(grades, expectations):
        rulings = data["expectations"]
        cells = [ruling[key] for ruling in rulings for key in ("verdict", "measured")]
        fault = data["why"] or next(iter(data["mistakes"]), None)
        data["file"] = Path(data["file"]).name
        yield [*(data[key] for key in facts), fault, *(cells or [None] * (2 * len(words)))]


def _mistakes(grades: Sequence[StudentGrade]) -> Iterator[Block]:
    """What went wrong with whom, with the lines of the file that led to it."""
    for grade in grades:
        name = grade.submission.name
        if grade.why:
            yield Words(f"{name}: {grade.why}")
        for mistake in grade.mistakes[:MOST_MISTAKES]:
            times = "once" if mistake.is_new else f"{mistake.count:,} times"
            yield Words(f"{name}, {times}: {mistake.detail}")
            if mistake.trace:
                yield Code(mistake.trace)


def _reports(folder: Path, grades: Sequence[StudentGrade]) -> Iterator[Block]:
    for grade in grades:
        if grade.report is not None:
            yield Link(Path(relpath(grade.report, folder)).as_posix(), grade.submission.name)


def class_data(
    grades: Sequence[StudentGrade], expectations: Sequence[Expectation]
) -> list[dict[str, Any]]:
    """The grades for programs."""
    return [_grade_data(grade, *points_of(grade, expectations)) for grade in grades]


def _grade_data(grade: StudentGrade, points: float, of: float) -> dict[str, Any]:
    return {
        "student": grade.submission.name,
        "file": str(grade.submission.file),
        "result": grade.result,
        "passed": grade.result == "passed",
        "points": points,
        "of": of,
        "games": grade.score.games,
        "score": grade.score.share if grade.score.games else None,
        "why": grade.why or None,
        "mistakes": [mistake.detail for mistake in grade.mistakes],
        "report": None if grade.report is None else str(grade.report),
        "expectations": [
            {
                "expected": expectation_words(ruling.expectation),
                "verdict": ruling.verdict,
                "measured": ruling.measured.value,
            }
            for ruling in grade.grade.rulings
        ],
    }
