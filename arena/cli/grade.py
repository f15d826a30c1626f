"""`arena grade`: every file of a class against the same opponents, by the same expectations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.exits import DONE
from arena.cli.options import AccuracySeconds, ClusterAddress, JUnitFile, argument, option


def grade(
    folder: Annotated[Path, argument(..., "FOLDER", "The students' files, or one of them.")],
    grading: Annotated[
        Path,
        option(
            ...,
            "--with FILE",
            "A tournament file with the engine student, or a bundled name.",
            completing.tournaments,
        ),
    ],
    files: str = option("*.py", "--files PATTERN", 'Which files: "*/bot.py" for a folder each.'),
    kind: str = option("", "--kind KIND", "What the files are, if not engines of ours: kaggle."),
    out: Path | None = option(
        None, "--out DIR", "Where to write; by default the file's output, or reports/NAME."
    ),
    workers: int | None = option(
        None, "--workers", "Tables; by default the file's, or one a core.", min=1, max=4096
    ),
    cluster: ClusterAddress = None,
    plots: bool = option(False, "--plots/--no-plots", "Draw the plots of every report."),
    accuracy: AccuracySeconds = None,
    junit: JUnitFile = None,
    as_json: bool = option(False, "--json", "Print the grades as JSON."),
) -> None:
    """Grade a class of submissions.

    The file after --with is a tournament file with `expect:` in which the engine `student` stands
    for each file in turn; `points:` beside an expectation is what it gives. Every student has a
    tournament and a report of their own, so that a broken bot costs nobody else; its mistake stands
    in the table with the lines that led to it. What is played stays: the same command goes on
    after Ctrl-C, and plays anew only for files that have changed.

    Written are grades.csv, grades.md, and a folder for each student. Students pass if every
    expectation holds, and fail if one fails; otherwise they are undecided.

    Exit codes: 0 everybody passed, 1 nobody failed but somebody is undecided, 4 somebody failed,
    3 interrupted, 2 bad input.

    Example: arena grade submissions/ --with course/grading
    """
    from arena.cli.actions.grade import grade_class

    code = grade_class(
        folder, grading, files=files, kind=kind, out=out, workers=workers, cluster=cluster,
        plots=plots, accuracy=accuracy, junit=junit, as_json=as_json,
    )  # fmt: skip
    if code != DONE:
        raise typer.Exit(code)
