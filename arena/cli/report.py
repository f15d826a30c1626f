"""`arena report`: a journal as Markdown, CSV files, plots, and one page to look at."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli.exits import DONE
from arena.cli.options import AccuracySeconds, JournalPath, JUnitFile, SectionNames, option


def report(
    journal: JournalPath,
    out: Path | None = option(None, "--out DIR", "Where to write; beside the journal if not."),
    html: bool = option(False, "--html", "Also one page with everything and a board to replay on."),
    latex: bool = option(False, "--latex", "Also each table as a .tex file, in latex/."),
    plots: bool = option(True, "--plots/--no-plots", "Draw the plots."),
    moves: bool | None = option(
        None, "--moves/--no-moves", "Write every move to moves.csv; large."
    ),
    sections: SectionNames = None,
    accuracy: AccuracySeconds = None,
    junit: JUnitFile = None,
    as_json: bool = option(False, "--json", "Print the main figures as JSON."),
) -> None:
    """Write a report: standings, ratings, timing, plots.

    It may be written while the tournament still runs. On boards that the exact solver takes, as
    many games as --accuracy allows are judged move by move: how often each engine keeps the
    value of the game, its worst blunders, where games were decided. What is judged stays beside
    the journal, and the next report goes on from there.

    Expectations of the tournament file are judged anew, also those added after the games: change
    the file, and `arena run` writes the report again. Exit code 4: one of them failed.

    With --sections only those that are named are written, as Markdown, as a page and for LaTeX;
    a name that is none is answered by the list of all.

    With --latex each table is a file of its own, for a paper; latex/tables.tex shows them all.

    Example: arena report reports/quickstart --html --latex
    """
    from arena.cli.actions.report import report_on

    code = report_on(
        journal, out, html=html, latex=latex, plots=plots, moves=moves, sections=sections,
        accuracy=accuracy, as_json=as_json, junit=junit,
    )  # fmt: skip
    if code != DONE:
        raise typer.Exit(code)
