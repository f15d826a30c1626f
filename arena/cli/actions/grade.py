"""The body of `arena grade`: one student after the other, a line each, and the table of all."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.cli.actions.run import leaving_by_signal
from arena.cli.exits import DONE, FAILED, FOUND, RESUMABLE
from arena.errors import ArenaError, ClusterFailure
from arena.files import disk_errors, write_atomic
from arena.grading.grade import Grading, StudentGrade, not_graded
from arena.grading.submissions import (
    Submission,
    grading_plan,
    grading_tournament,
    submissions,
)
from arena.grading.tables import (
    UNDECIDED,
    class_data,
    class_table,
    has_undecided,
    legend,
    points_of,
    summary,
    write_class,
)
from arena.report.data import judging_seconds
from arena.report.programs import junit as junit_text
from arena.report.programs import suite
from arena.report.write import FORMATS
from arena.session import cluster_of
from arena.show.numbers import halves, how_many
from arena.show.progress import Progress
from arena.show.terminal import console, print_json
from arena.text import printable
from arena.tournament.claims import Expectation
from arena.tournament.parts import runner_of
from arena.tournament.spec import Tournament
from arena.tournament.yaml import Document, read


def grade_class(
    folder: Path,
    grading: Path,
    *,
    files: str,
    kind: str,
    out: Path | None,
    workers: int | None,
    cluster: str | None,
    plots: bool,
    accuracy: float | None,
    junit: Path | None,
    as_json: bool,
) -> int:
    """Grade every file; the exit code."""
    document = read(grading)
    plan = grading_plan(document, kind)
    output = out or plan.output
    if cluster is not None:
        plan = plan.model_copy(update={"runner": runner_of(cluster)})
    expectations = plan.aims.expect
    if not expectations:
        raise ArenaError(f"{grading} expects nothing; add expect: and figures (arena figures)")
    each = submissions(folder, files)
    judged = any(figure.is_judged for figure in plan.aims.figures())
    with (
        Progress("grading", len(each), at_once=True) as progress,
        leaving_by_signal(),
        cluster_of(plan) as place,
    ):
        work = Grading(
            shlex.join(["arena", *sys.argv[1:]]),
            FORMATS if plots else (),
            judging_seconds(plan.rules, accuracy) if judged else None,
            lambda words: progress.at(progress.done, words),
            place,
        )
        grades = list(_graded(each, document, output, kind, workers, work, progress))
    with disk_errors(output):
        sheet, page = write_class(output, output.name, grades, expectations)
    if junit is not None:
        suites = [suite(grade.submission.name, grade.grade) for grade in grades]
        with disk_errors(junit):
            write_atomic(junit, junit_text(suites).encode())
    if as_json:
        print_json({"grades": class_data(grades, expectations), "csv": str(sheet)})
    else:
        _print(grades, expectations, sheet, page)
    if len(grades) < len(each):
        print(f"arena: interrupted after {len(grades)} of {how_many(len(each), 'student')}; "
              "run the same command to resume", file=sys.stderr)  # fmt: skip
        return RESUMABLE
    results = {grade.result for grade in grades}
    return FAILED if "failed" in results else FOUND if "undecided" in results else DONE


def _graded(
    each: Sequence[Submission],
    document: Document,
    output: Path,
    kind: str,
    workers: int | None,
    work: Grading,
    progress: Progress,
) -> Iterator[StudentGrade]:
    """The grades, one after the other, until somebody interrupts."""
    for number, submission in enumerate(each):
        progress.show(number, submission.name)
        try:
            tournament: Tournament = grading_tournament(document, submission, output, kind)
            if workers is not None:
                tournament = tournament.model_copy(update={"workers": workers})
            grade = work.grade(submission, tournament)
        except ClusterFailure:
            raise
        except ArenaError as error:
            grade = not_graded(submission, error)
        if grade is None:
            return
        yield grade


def _print(
    grades: Sequence[StudentGrade],
    expectations: Sequence[Expectation],
    sheet: Path,
    page: Path,
) -> None:
    """The table, what its columns stand for, what went wrong, and where it is written."""
    out = console()
    out.print(class_table(grades, expectations).screen())
    out.print(legend(expectations).screen())
    for grade in grades:
        wrong = grade.why or (grade.mistakes[0].detail if grade.mistakes else "")
        if wrong:
            out.print(printable(f"{grade.submission.name}: {wrong}"), style="red")
    best = max((points_of(grade, expectations)[0] for grade in grades), default=0.0)
    if has_undecided(grades):
        print(UNDECIDED)
    print(f"{summary(grades)}; the most points are {halves(best)}")
    print(printable(f"The grades are in {sheet} and {page}"))
