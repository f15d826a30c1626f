"""The grades of a class as a table on a screen, a spreadsheet, a page, and data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from os.path import relpath
from pathlib import Path
from typing import Any

from arena.files import write_atomic
from arena.grading.grade import Result, StudentGrade
from arena.report.blocks import Block, Code, Link, Words
from arena.report.csv_files import write_lines
from arena.report.markdown import document
from arena.report.verdicts import expectation_words
from arena.show.numbers import halves, how_many, listed, percent
from arena.show.table import Cell, Column, Table
from arena.standings.verdicts import Ruling
from arena.tournament.claims import Expectation

SHORT: dict[Ruling, str] = {"holds": "yes", "fails": "no", "not decided": "?"}
RESULTS: tuple[Result, ...] = ("passed", "failed", "undecided")
UNDECIDED = "?: undecided, by too few games or without a move to measure"
MAX_MISTAKES = 3  # of a student, on the page of the class
CSV, PAGE = "grades.csv", "grades.md"


def points_of(grade: StudentGrade, expectations: Sequence[Expectation]) -> tuple[float, float]:
    """A student's points and the most there are; each expectation counts one by default."""
    plain = not any(each.points for each in expectations)
    of = float(len(expectations)) if plain else sum(each.points or 0.0 for each in expectations)
    if plain:
        return float(grade.grade.count("holds")), of
    return grade.grade.points or 0.0, of


def class_table(
    grades: Sequence[StudentGrade],
    expectations: Sequence[Expectation],
    are_numbered: bool = True,
) -> Table:
    """A row for each student, with a column for each expectation, under its number or in words."""
    columns = [Column("student"), Column("result"), Column("points", halves), Column("of", halves)]
    columns += [Column("score", percent), Column("faults")]
    columns += [
        Column(str(number) if are_numbered else expectation_words(each))
        for number, each in enumerate(expectations, start=1)
    ]
    rows = []
    for grade, data in zip(grades, class_data(grades, expectations), strict=True):
        faults = sum(mistake.count for mistake in grade.mistakes)
        words = (grade.why and "not graded") or (f"{faults:,}" if faults else "")
        verdicts = [SHORT[ruling.verdict] for ruling in grade.grade.rulings]
        facts = [data[key] for key in ("student", "result", "points", "of", "score")]
        rows.append((*facts, words, *(verdicts or [SHORT["fails"]] * len(expectations))))
    return Table("Who passed what", tuple(columns), tuple(rows))


def legend(expectations: Sequence[Expectation]) -> Table:
    """The expectations by number, with their points."""
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
    """Write the table as CSV with all measured values, and as a page with mistakes below it."""
    folder.mkdir(parents=True, exist_ok=True)
    sheet = write_lines(folder / CSV, _lines(grades, expectations))
    sections = {
        "Who passed what": (class_table(grades, expectations, are_numbered=False),),
        "What is expected": (legend(expectations).without("column"),),
        "Mistakes": tuple(_mistakes(grades)),
        "Reports": tuple(_reports(folder, grades)),
    }
    words = [Words(f"{summary(grades)}.")]
    words += [Words(f"{UNDECIDED}.")] if has_undecided(grades) else []
    text = document(name, words, {title: each for title, each in sections.items() if each})
    return sheet, write_atomic(folder / PAGE, text.encode())


def summary(grades: Sequence[StudentGrade]) -> str:
    """How many students passed, failed and are undecided, and who handed in the same file."""
    counts = {result: sum(each.result == result for each in grades) for result in RESULTS}
    words = [f"{count} {result}" for result, count in counts.items() if count]
    copies = [f"{listed(names)} are identical" for names in identical(grades)]
    total = f"{how_many(len(grades), 'student')}: {', '.join(words) or 'none graded'}"
    return "; ".join([total, *copies])


def identical(grades: Sequence[StudentGrade]) -> list[list[str]]:
    """The students whose files differ in nothing but white space, a list for each such file."""
    students: dict[bytes, list[str]] = {}
    for grade in grades:
        with suppress(OSError):  # a file that cannot be read is like no other
            text = b" ".join(grade.submission.file.read_bytes().split())
            students.setdefault(sha256(text).digest(), []).append(grade.submission.name)
    return [names for names in students.values() if len(names) > 1]


def has_undecided(grades: Sequence[StudentGrade]) -> bool:
    """Whether any expectation of any student is undecided."""
    return any(each.grade.count("not decided") for each in grades)


def _lines(
    grades: Sequence[StudentGrade], expectations: Sequence[Expectation]
) -> Iterator[Sequence[Any]]:
    """A line for each student, with the verdict and the value of every expectation."""
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
    """The mistakes of each student, with the lines of the file that led to them."""
    for grade in grades:
        name = grade.submission.name
        if grade.why:
            yield Words(f"{name}: {grade.why}")
        for mistake in grade.mistakes[:MAX_MISTAKES]:
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
    copies = {name: names for names in identical(grades) for name in names}
    return [
        _grade_data(grade, *points_of(grade, expectations), copies.get(grade.submission.name, []))
        for grade in grades
    ]


def _grade_data(
    grade: StudentGrade, points: float, of: float, copies: Sequence[str]
) -> dict[str, Any]:
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
        "identical_to": [name for name in copies if name != grade.submission.name],
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
