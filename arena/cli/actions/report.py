"""The body of `arena report`: the report is written, its standings and its files are printed."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.cli.actions.journals import journal_path, read_watched
from arena.cli.actions.run import print_verdicts, write_junit
from arena.cli.exits import DONE, FAILED
from arena.report.accuracy import judged_words
from arena.report.canvas import can_plot
from arena.report.cautions import cautions
from arena.report.data import judging_seconds
from arena.report.programs import key_figures
from arena.report.sections import ALL, read_sections
from arena.report.summary import answer, facts
from arena.report.write import FORMATS, Report, write_report
from arena.show.progress import Progress
from arena.show.standings import standings_screen
from arena.show.terminal import console, print_json
from arena.text import printable


def report_on(
    journal: Path,
    out: Path | None,
    *,
    html: bool,
    latex: bool,
    plots: bool,
    moves: bool | None,
    sections: str | None,
    accuracy: float | None,
    as_json: bool,
    junit: Path | None = None,
) -> int:
    """Write the report of a journal, and print its main figures; the exit code."""
    chosen = None if sections is None else read_sections(sections)
    with Progress("reading") as progress, read_watched(journal_path(journal), progress) as opened:
        report = write_report(
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
    if sections not in (None, ALL) and report.silent:
        print(f"arena: nothing to show in {', '.join(report.silent)}", file=sys.stderr)
    if as_json:
        files = [str(file) for file in report.files]
        figures = key_figures(report.data)
        print_json({**figures, "report": str(report.markdown), "files": files})
    else:
        _print(report)
    if junit is not None:
        write_junit(junit, report.data)
    return FAILED if report.data.grade.fails else DONE


def _print(report: Report) -> None:
    """The standings, what to know about them, and where the rest is."""
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
