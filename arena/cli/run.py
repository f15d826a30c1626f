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
    new: bool = option(False, "--new", "Set an earlier journal aside and start afresh."),
    full: bool = option(False, "--full", "The full variant, where the file has one."),
    dry_run: bool = option(False, "--dry-run", "Show pairings, games and time; write nothing."),
    workers: int | None = option(
        None, "--workers", "Tables; by default the file's, or one a core.", min=1, max=4096
    ),
    cluster: ClusterAddress = None,
    report: bool = option(True, "--report/--no-report", "Write the report at the end."),
    html: bool = option(False, "--html", "With the report as one page to replay games on."),
    sections: SectionNames = None,
    accuracy: AccuracySeconds = None,
    plain: bool = option(
        False, "--plain", "Lines instead of the dashboard, as without a terminal."
    ),
    quiet: bool = option(False, "--quiet -q", "Only the standings."),
    events: str | None = option(
        None, "--events FILE", "Add JSON lines of all that happens; - prints them."
    ),
    junit: JUnitFile = None,
    as_json: bool = option(False, "--json", "Print the standings as JSON."),
    skip_missing: SkipMissing = False,
) -> None:
    """Run or resume a tournament.

    Every finished game is on disk before it counts: interrupt it, kill it, switch the machine
    off, and the same command goes on from there. One Ctrl-C lets running games end, a second
    stops at once.

    On a terminal a dashboard shows tables, standings and how long it takes; elsewhere a line
    is printed every few seconds. Each line of --events has "event" (run began, player checked,
    game over, table lost, warning, stopping, run ended), "at" and its fields; a game has
    number, round, table, first, second, result for the first (1, 0, -1), winner, plies, reason,
    detail, opening, moves, seed, started, seconds, first_seconds and second_seconds.

    Keys on the dashboard: arrows scroll the standings and choose the boards, p pauses, ? is help.

    With --cluster the games go out to the workers of a Dask cluster, which need the same arena,
    and come back into the one journal here; workers may come, go and die. With limits by depth,
    nodes or playouts the games are the same as without.

    With `expect:` in the file the tournament can fail: `arena figures` lists what can be measured.

    Exit codes: 0 finished, 2 bad input, 3 interrupted or games left unplayed and ready to go on,
    4 an expectation failed, 129 terminal closed, 130 broken off, 143 terminated; after 3 and the
    last three the same command goes on.

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
        skip_missing=skip_missing, junit=junit, full=full, cluster=cluster,
    )  # fmt: skip
    if code != DONE:
        raise typer.Exit(code)
