"""The body of `arena report`: the report is written, its standings and its files are printed."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.cli.actions.journals import journal_path, read_watched
from arena.cli.actions.run import print_verdicts, write_junit
from arena.cli.exits import DONE, FAILED
from arena.report.accuracy import judged_words
from arena.report.canvas import can_plot
from arena.report.judging import judging_seconds
from arena.report.sections import SECTIONS, read_sections
from arena.report.write import FORMATS, Report, key_figures, write_report
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
    chosen = SECTIONS if sections is None else read_sections(sections)
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
    if sections is not None and report.content.silent:
        silent = ", ".join(report.content.silent)
        print(f"arena: these games have nothing to say in {silent}", file=sys.stderr)
    if as_json:
        files = [str(file) for file in report.files]
        figures = key_figures(report.content)
        print_json({**figures, "report": str(report.markdown), "files": files})
    else:
        _print(report)
    if junit is not None:
        write_junit(junit, report.content)
    return FAILED if report.content.grade.fails else DONE


def _print(report: Report) -> None:
    """The standings, what to know about them, and where the rest is."""
    out, content = console(), report.content
    out.print(printable(f"{content.header.name}: {content.summary}"), style="italic")
    out.print(standings_screen("", content.results.scoreboard, content.ratings, width=out.width))
    print_verdicts(content, out)
    out.print(printable(content.answer), markup=False, highlight=False)
    if content.accuracy is not None:
        out.print(judged_words(content.accuracy))
    for _, warning in content.cautions:
        out.print(f"Note: {printable(warning)}", style="yellow")
    for file in (report.markdown, report.html, *report.latex[-1:]):
        if file is not None:
            print(printable(str(file)))
