"""`arena grade`: every file of a class against the same opponents, by the same expectations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.exits import DONE
from arena.cli.options import AccuracySeconds, ClusterAddress, JUnitFile, argument, option


def grade(
    folder: Annotated[Path, argument(..., "FOLDER", "The folder of submissions, or one file.")],
    grading: Annotated[
        Path,
        option(
            ...,
            "--with FILE",
            "A tournament file with the engine student, or a bundled name.",
            completing.tournaments,
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
    workers: int | None = option(
        None,
        "--workers",
        "Games played in parallel; by default as in the file, or one per core.",
        min=1,
        max=4096,
    ),
    cluster: ClusterAddress = None,
    plots: bool = option(False, "--plots/--no-plots", "Draw the plots of every report."),
    accuracy: AccuracySeconds = None,
    junit: JUnitFile = None,
    as_json: bool = option(False, "--json", "Print the grades as JSON."),
) -> None:
    """Grade a class of submissions.

    The file after --with is a tournament file with `expect:`, in which the engine `student` stands
    for each submission in turn. `points:` beside an expectation are the points for passing it.
    Every student has a tournament and a report, so a broken bot costs only its author; the table
    shows its mistake with the lines that raised it. After Ctrl-C, the same command resumes. Run
    again, it replays only the games of files that have changed.

    It writes grades.csv, grades.md, and a folder for each student. Students pass if every
    expectation holds, and fail if one fails; otherwise they are undecided.

    Exit codes: 0 everybody passed, 1 nobody failed but somebody is undecided, 2 bad input,
    3 interrupted, 4 somebody failed.

    Example: arena grade submissions/ --with course/grading
    """
    from arena.cli.actions.grade import grade_class

    code = grade_class(
        folder, grading, files=files, kind=kind, out=out, workers=workers, cluster=cluster,
        plots=plots, accuracy=accuracy, junit=junit, as_json=as_json,
    )  # fmt: skip
    if code != DONE:
        raise typer.Exit(code)
