"""`arena report`: a journal as Markdown, CSV files, plots, and one page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import AccuracySeconds, JournalPath


def report(
    journal: JournalPath,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where to write; beside the journal if not."),
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="Also one page with everything and a board to replay on.")
    ] = False,
    latex: Annotated[
        bool, typer.Option("--latex", help="Also each table as a .tex file, in latex/.")
    ] = False,
    plots: Annotated[bool, typer.Option("--plots/--no-plots", help="Draw the plots.")] = True,
    moves: Annotated[
        bool | None,
        typer.Option("--moves/--no-moves", help="Write every move to moves.csv; large."),
    ] = None,
    accuracy: AccuracySeconds = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the main figures as JSON.")
    ] = False,
) -> None:
    """Write a report: standings, ratings, timing, plots, games.

    It may be written while the tournament still runs. On boards that the exact solver takes, as
    many games as --accuracy allows are judged move by move: how often each engine keeps the
    value of the game, its worst blunders, where games were decided. What is judged stays beside
    the journal, and the next report goes on from there.

    With --latex each table is a file of its own, for a paper; latex/tables.tex shows them all.

    Example: arena report reports/quickstart --html --latex
    """
    from arena.cli.actions.report import report_on

    report_on(
        journal, out, html=html, latex=latex, plots=plots, moves=moves, accuracy=accuracy,
        as_json=as_json,
    )  # fmt: skip
