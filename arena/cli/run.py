"""`arena run`: play a tournament file to its end, on all cores, and go on where it was left."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli import completing
from arena.cli.exits import DONE
from arena.cli.options import (
    AccuracySeconds,
    ClusterAddress,
    JUnitFile,
    LogFile,
    SectionNames,
    SkipMissing,
    argument,
    option,
)
from arena.errors import BadOption


def run(
    file: Path = argument(
        ..., "FILE", "A tournament in YAML, or the name of a bundled one.", completing.tournaments
    ),
    new: bool = option(False, "--new", "Start over; keep the earlier journal under another name."),
    full: bool = option(False, "--full", "Run the full variant, if the file has one."),
    dry_run: bool = option(
        False, "--dry-run", "Show the pairings and estimated time; write nothing."
    ),
    workers: int | None = option(
        None,
        "--workers",
        "Games played in parallel; by default as in the file, or one per core.",
        min=1,
        max=4096,
    ),
    cluster: ClusterAddress = None,
    report: bool = option(True, "--report/--no-report", "Write the report at the end."),
    html: bool = option(
        False, "--html", "Also write the report as a web page with a replay board."
    ),
    sections: SectionNames = None,
    accuracy: AccuracySeconds = None,
    plain: bool = option(False, "--plain", "Print lines instead of the dashboard."),
    quiet: bool = option(False, "--quiet -q", "Print only the standings."),
    events: str | None = option(
        None, "--events FILE", "Append one JSON line per event; - prints them."
    ),
    junit: JUnitFile = None,
    log: LogFile = None,
    as_json: bool = option(False, "--json", "Print the standings as JSON."),
    skip_missing: SkipMissing = False,
) -> None:
    """Run or resume a tournament.

    Arena saves every game when it ends. Press Ctrl-C once to finish the games in progress, twice
    to stop now. The same command resumes a run that was interrupted or killed.

    On a terminal, a dashboard shows the workers, the standings and the remaining time: arrow keys
    scroll, p pauses, ? lists the keys. Elsewhere, Arena prints a line every few seconds.

    Each line of --events has "event" (run began, player checked, game over, table lost, warning,
    stopping, run ended), "at" and its fields. A game has number, round, table, first, second,
    result for the first (1, 0, -1), winner, plies, reason, detail, opening, moves, seed, started,
    seconds, first_seconds and second_seconds.

    With --cluster, the workers of a Dask cluster play the games, and the journal stays here. All
    workers need the same version of Arena. They may join, leave or crash. With depth, node or
    playout limits, the games are the same as on one machine.

    If the file has `expect:`, the tournament can fail. `arena figures` lists what can be measured.

    Exit codes: 0 finished, 2 bad input, 3 interrupted or some games unplayed, 4 an expectation
    failed, 129 terminal closed, 130 interrupted twice, 143 terminated. After 3 and the last three,
    the same command resumes the run.

    Example: arena run quickstart
    """
    if events == "-" and as_json:
        raise BadOption("--events - and --json both want stdout; write the events to a file")
    if dry_run:
        from arena.cli.actions.dry_run import show_plan

        show_plan(file, workers, as_json, skip_missing, full, cluster)
        return
    from arena.cli.actions.run import run_tournament

    code = run_tournament(
        file, new=new, workers=workers, report=report, html=html, sections=sections,
        accuracy=accuracy, plain=plain, quiet=quiet, events=events, as_json=as_json,
        skip_missing=skip_missing, junit=junit, full=full, cluster=cluster, log=log,
    )  # fmt: skip
    if code != DONE:
        raise typer.Exit(code)
