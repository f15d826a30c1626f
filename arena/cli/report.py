"""`arena report`: a journal as Markdown, CSV files, plots, and one page to look at."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli.exits import DONE
from arena.cli.options import AccuracySeconds, JournalPath, JUnitFile, SectionNames, option


def report(
    journal: JournalPath,
    out: Path | None = option(None, "--out DIR", "Where to write; by default beside the journal."),
    html: bool = option(False, "--html", "Also write one page with everything and a replay board."),
    latex: bool = option(False, "--latex", "Also write each table as a .tex file, in latex/."),
    plots: bool = option(True, "--plots/--no-plots", "Draw the plots."),
    moves: bool | None = option(
        None, "--moves/--no-moves", "Write every move to moves.csv, a large file."
    ),
    sections: SectionNames = None,
    accuracy: AccuracySeconds = None,
    junit: JUnitFile = None,
    as_json: bool = option(False, "--json", "Print the main figures as JSON."),
) -> None:
    """Write a report: the answer, standings, accuracy, timing, plots.

    You can write a report while the tournament still runs. On boards that the solver supports,
    Arena judges as many games as --accuracy allows, move by move: how often each engine keeps the
    value of the game, its worst blunders, and where games were decided. The judgements are kept
    beside the journal, and the next report continues from there.

    Arena checks the expectations of the tournament file again, also those added after the games.
    Exit code 4 means that one of them failed.

    report.md is short, and --html has everything. --sections writes only the sections you name, in
    every format; --sections all writes all of them. An unknown name lists them.

    --latex writes a file for each table, for a paper.

    Example: arena report reports/quickstart --html --latex
    """
    from arena.cli.actions.report import report_on

    code = report_on(
        journal, out, html=html, latex=latex, plots=plots, moves=moves, sections=sections,
        accuracy=accuracy, as_json=as_json, junit=junit,
    )  # fmt: skip
    if code != DONE:
        raise typer.Exit(code)
