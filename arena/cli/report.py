"""`arena report`: a journal as Markdown, CSV files, plots, and one page to look at."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.judging.ready import AccuracySeconds
from arena.cli.options import JournalPath

if TYPE_CHECKING:
    from arena.report.write import Report


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
    from arena.cli.journals import journal_path
    from arena.cli.judging.ready import judging
    from arena.cli.reading import read_watched
    from arena.report.write import FORMATS, write_report
    from arena.show.progress import Progress

    with Progress("reading") as progress, read_watched(journal_path(journal), progress) as opened:
        written = write_report(
            opened,
            out or opened.path.parent,
            html=html,
            latex=latex,
            moves=moves,
            formats=FORMATS if plots else (),
            judging=judging(opened.header.rules, accuracy),
            progress=progress.begin,
        )
    _tell_missing(plots)
    if as_json:
        _print_json(written)
    else:
        _print(written)


def _tell_missing(plots: bool) -> None:
    from arena.report.canvas import can_plot

    if plots and not can_plot():
        print("arena: no plots: matplotlib is not installed", file=sys.stderr)


def _print_json(written: Report) -> None:
    from arena.report.key_figures import key_figures
    from arena.show.terminal import print_json

    files = [str(file) for file in written.files]
    print_json({**key_figures(written.content), "report": str(written.markdown), "files": files})


def _print(written: Report) -> None:
    """The standings, what to know about them, and where the rest is."""
    from arena.printable import printable
    from arena.report.accuracy import judged_words
    from arena.show.terminal import console

    out, content = console(), written.content
    out.print(_standings(written))
    out.print(printable(content.answer), markup=False, highlight=False)
    if content.accuracy is not None:
        out.print(judged_words(content.accuracy))
    for warning in content.warnings:
        out.print(f"Note: {printable(warning)}", style="yellow")
    for file in (written.markdown, written.html, *written.latex[-1:]):
        if file is not None:
            print(file)


def _standings(written: Report) -> object:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from arena.printable import printable
    from arena.report.tables import standings

    content = written.content
    table = standings(content.results, content.ratings)
    title = printable(f"{content.title}: {content.summary}")
    shown = Table(title=Text(title), box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    longest = max(map(len, content.results.names), default=0)
    for column in table.columns[:-1]:  # the last is for the report: a screen has little room
        if column.show is None:
            shown.add_column(column.name, min_width=min(longest, 24))
        else:
            shown.add_column(column.name, justify="right")
    for row in table.shown():
        shown.add_row(*(Text(printable(cell)) for cell in row[:-1]))
    return shown
