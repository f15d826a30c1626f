"""`arena report`: a journal as Markdown, CSV files, plots, and a page; many studies on one page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import FAILED
from arena.cli.options import (
    JOURNAL,
    AccuracySeconds,
    AsJson,
    JUnitFile,
    SectionNames,
    option,
    refuse,
)
from arena.errors import ArenaError, BadOption
from arena.files import disk_errors, write_atomic
from arena.text import printable

if TYPE_CHECKING:
    from arena.report.write import Report


def report(
    journals: Annotated[list[Path] | None, JOURNAL] = None,
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
    summary: Path | None = option(
        None, "--summary FILE", "Write one page on all studies that were run here."
    ),
    as_json: AsJson = False,
) -> None:
    """Write a report: the answer, standings, accuracy, timing, plots.

    You can write a report while the tournament still runs. report.md is short, and --html has
    everything; --sections selects sections for every format.

    On boards that the solver supports, Arena judges as many games as --accuracy allows. The
    judgements are kept beside the journal, and the next report continues from there.

    Arena checks the expectations of the tournament file again; exit code 4 means that one failed.

    Example: arena report reports/quickstart --html

    Example: arena report --summary reports/studies/README.md
    """
    if summary is not None:
        refuse("with --summary", JOURNAL=journals, out=out, html=html, latex=latex, moves=moves,
               sections=sections, junit=junit, json=as_json)  # fmt: skip
        _write_summary(summary)
        return
    if not journals:
        raise BadOption("missing argument 'JOURNAL': a journal, its folder, or a tournament file")
    if len(journals) > 1:
        raise BadOption(f"a report is of one journal, but {len(journals)} were given")
    from arena.cli.journals import journal_path, read_watched
    from arena.cli.run import write_junit
    from arena.report.canvas import can_plot
    from arena.report.data import judging_seconds
    from arena.report.programs import key_figures
    from arena.report.sections import ALL, read_sections
    from arena.report.write import FORMATS, write_report
    from arena.show.progress import Progress
    from arena.show.terminal import print_json

    path = journal_path(journals[0])
    chosen = None if sections is None else read_sections(sections)
    with Progress("reading") as progress, read_watched(path, progress) as opened:
        written = write_report(
            opened,
            out or opened.path.parent,
            html=html,
            latex=latex,
            moves=moves,
            formats=FORMATS if plots else (),
            judging=judging_seconds(opened.header.rules, accuracy),
            sections=chosen,
            progress=progress.begin,
        )
    if plots and not can_plot():
        print("arena: no plots: matplotlib is not installed", file=sys.stderr)
    if sections not in (None, ALL) and written.silent:
        print(f"arena: no data for {', '.join(written.silent)}", file=sys.stderr)
    if as_json:
        files = [str(file) for file in written.files]
        print_json({**key_figures(written.data), "report": str(written.markdown), "files": files})
    else:
        _print(written)
    if junit is not None:
        write_junit(junit, written.data)
    if written.data.grade.fails:
        raise typer.Exit(FAILED)


def _print(report: Report) -> None:
    """The standings, what to know about them, and the files."""
    from arena.cli.run import print_verdicts
    from arena.report.accuracy import judged_words
    from arena.report.cautions import cautions
    from arena.report.summary import answer, facts
    from arena.show.standings import standings_screen
    from arena.show.terminal import console

    out, data = console(), report.data
    out.print(printable(f"{data.header.name}: {facts(data)}"), style="italic")
    out.print(standings_screen("", data.results.scoreboard, data.ratings, width=out.width))
    print_verdicts(data, out)
    out.print(printable(answer(data)), markup=False, highlight=False)
    if data.accuracy is not None:
        out.print(judged_words(data.accuracy))
    for caution in cautions(data):
        out.print(f"Caution: {printable(caution.text)}", style="yellow")
    latex = report.latex[0].parent if report.latex else None
    for file in (report.markdown, report.html, latex):
        if file is not None:
            print(printable(str(file)))


def _write_summary(path: Path) -> None:
    """Write the page of all studies that were run here."""
    from arena.cli.files import studies_run_here
    from arena.report.studies import many_studies, studies_page

    studies = list(studies_run_here(path.parent))
    if not studies:
        raise ArenaError("no study has been run here; run one with: arena run studies/NAME")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, studies_page(studies).encode())
    print(f"{path} has {many_studies(len(studies))}", file=sys.stderr)
