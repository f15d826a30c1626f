"""`arena grade`: every submission of a class against the same opponents and expectations."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import DONE, FAILED, PROBLEM, RESUMABLE
from arena.cli.options import (
    AccuracySeconds,
    AsJson,
    ClusterAddress,
    JUnitFile,
    Workers,
    argument,
    complete_tournaments,
    option,
)
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.grading.grade import Grading, StudentGrade
    from arena.grading.submissions import Submission
    from arena.show.progress import Progress
    from arena.tournament.claims import Expectation
    from arena.tournament.yaml import Document


def grade(
    folder: Annotated[Path, argument(..., "FOLDER", "The folder of submissions, or one file.")],
    grading: Annotated[
        Path,
        option(
            ...,
            "--with FILE",
            "A tournament file with the engine student, or a bundled name.",
            complete_tournaments,
        ),
    ],
    files: str = option(
        "*.py", "--files PATTERN", 'Which files to grade: "*/bot.py" if each student has a folder.'
    ),
    kind: str = option(
        "", "--kind KIND", "Kind of bot, if the files are not Arena engines: kaggle."
    ),
    out: Path | None = option(
        None, "--out DIR", "Where to write; by default the file's output, or reports/NAME."
    ),
    workers: Workers = None,
    cluster: ClusterAddress = None,
    plots: bool = option(False, "--plots/--no-plots", "Draw the plots of every report."),
    accuracy: AccuracySeconds = None,
    junit: JUnitFile = None,
    as_json: AsJson = False,
) -> None:
    """Grade a class of submissions.

    The file after --with is a tournament file with `expect:`, in which the engine `student` stands
    for each submission in turn. `points:` beside an expectation are the points for passing it.
    Every student has a tournament and a report, so a broken bot costs only its author. Students
    pass if every expectation holds, and fail if one fails; otherwise they are undecided.

    It writes grades.csv, grades.md, and a folder for each student. After Ctrl-C, the same command
    resumes. Run again, it replays only the games of files that have changed.

    Exit codes: 0 everybody passed, 1 nobody failed but somebody is undecided, 3 interrupted,
    4 somebody failed.

    Example: arena grade submissions/ --with course/grading

    Example: arena grade hand-in/ --with course/grading --files "*/bot.py" --plots
    """
    from arena.cli.run import exiting_on_signals
    from arena.files import disk_errors, write_atomic
    from arena.grading.grade import Grading
    from arena.grading.submissions import grading_plan, submissions
    from arena.grading.tables import class_data, write_class
    from arena.report.data import judging_seconds
    from arena.report.programs import junit as junit_text
    from arena.report.programs import suite
    from arena.report.write import FORMATS
    from arena.session import cluster_of
    from arena.show.numbers import how_many
    from arena.show.progress import Progress
    from arena.show.terminal import print_json
    from arena.tournament.parts import runner_of
    from arena.tournament.yaml import read

    document = read(grading)
    plan = grading_plan(document, kind)
    output = out or plan.output
    if cluster is not None:
        plan = plan.model_copy(update={"runner": runner_of(cluster)})
    expectations = plan.aims.expect
    if not expectations:
        raise ArenaError(f"{grading} expects nothing; add expect: and figures (arena help figures)")
    students = submissions(folder, files)
    is_judged = any(figure.is_judged for figure in plan.aims.figures())
    with (
        Progress("grading", len(students), at_once=True) as progress,
        exiting_on_signals(),
        cluster_of(plan) as on_cluster,
    ):
        work = Grading(
            shlex.join(["arena", *sys.argv[1:]]),
            FORMATS if plots else (),
            judging_seconds(plan.rules, accuracy) if is_judged else None,
            lambda words: progress.at(progress.done, words),
            on_cluster,
        )
        grades = list(_grades(students, document, output, kind, workers, work, progress))
    with disk_errors(output):
        sheet, page = write_class(output, output.name, grades, expectations)
    if junit is not None:
        suites = [suite(each.submission.name, each.grade) for each in grades]
        with disk_errors(junit):
            write_atomic(junit, junit_text(suites).encode())
    if as_json:
        print_json({"grades": class_data(grades, expectations), "csv": str(sheet)})
    else:
        _print(grades, expectations, sheet, page)
    if len(grades) < len(students):
        of = how_many(len(students), "student")
        print(f"arena: interrupted after {len(grades)} of {of}; run the same command to resume",
              file=sys.stderr)  # fmt: skip
        raise typer.Exit(RESUMABLE)
    results = {each.result for each in grades}
    code = FAILED if "failed" in results else PROBLEM if "undecided" in results else DONE
    if code != DONE:
        raise typer.Exit(code)


def _grades(
    students: Sequence[Submission], document: Document, output: Path, kind: str,
    workers: int | None, work: Grading, progress: Progress,
) -> Iterator[StudentGrade]:  # fmt: skip
    """Yield one grade after the other until the user interrupts."""
    from arena.errors import ClusterFailure
    from arena.grading.grade import not_graded
    from arena.grading.submissions import grading_tournament

    for number, submission in enumerate(students):
        progress.show(number, submission.name)
        try:
            tournament = grading_tournament(document, submission, output, kind)
            if workers is not None:
                tournament = tournament.model_copy(update={"workers": workers})
            result = work.grade(submission, tournament)
        except ClusterFailure:
            raise
        except ArenaError as error:
            result = not_graded(submission, error)
        if result is None:
            return
        yield result


def _print(
    grades: Sequence[StudentGrade], expectations: Sequence[Expectation], sheet: Path, page: Path
) -> None:
    """The table, what its columns mean, what went wrong, and where it is written."""
    from arena.grading.tables import (
        UNDECIDED,
        class_table,
        has_undecided,
        legend,
        points_of,
        summary,
    )
    from arena.show.numbers import halves
    from arena.show.terminal import console
    from arena.text import printable

    out = console()
    out.print(class_table(grades, expectations).screen())
    out.print(legend(expectations).screen())
    for each in grades:
        wrong = each.why or (each.mistakes[0].detail if each.mistakes else "")
        if wrong:
            out.print(printable(f"{each.submission.name}: {wrong}"), style="red")
    best = max((points_of(each, expectations)[0] for each in grades), default=0.0)
    if has_undecided(grades):
        print(UNDECIDED)
    print(f"{summary(grades)}; best score {halves(best)}")
    print(printable(f"The grades are in {sheet} and {page}"))
