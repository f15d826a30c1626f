"""`arena run`: play a tournament file to its end, on all cores, and go on where it was left."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.exits import RESUMABLE
from arena.cli.options import AccuracySeconds
from arena.errors import BadOption


def run(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A tournament in YAML.", autocompletion=completing.tournaments
        ),
    ],
    new: Annotated[
        bool, typer.Option("--new", help="Set an earlier journal aside and start afresh.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show pairings, games and time; write nothing.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=4096, help="Tables; by default the file's, or one a core."),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write the report at the end.")
    ] = True,
    html: Annotated[
        bool, typer.Option("--html", help="With the report as one page to replay games on.")
    ] = False,
    accuracy: AccuracySeconds = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines instead of the dashboard, as without a terminal.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the standings.")] = False,
    events: Annotated[
        str | None,
        typer.Option(
            "--events", metavar="FILE", help="Add JSON lines of all that happens; - prints them."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON.")] = False,
) -> None:
    """Run a tournament, or go on with it.

    Every finished game is on disk before it counts: interrupt it, kill it, switch the machine
    off, and the same command goes on from there. One Ctrl-C lets running games end, a second
    stops at once.

    On a terminal a dashboard shows tables, standings and how long it takes; elsewhere a line
    is printed every few seconds. Each line of --events has "event" (run began, player checked,
    game over, table lost, warning, stopping, run ended), "at" and its fields; a game has
    number, round, table, first, second, result for the first (1, 0, -1), winner, plies, reason,
    detail, opening, moves, seed, started, seconds, first_seconds and second_seconds.

    Keys on the dashboard: arrows scroll the standings and choose the boards, p pauses, ? is help.

    Exit codes: 0 finished, 2 bad input, 3 interrupted or games left unplayed and ready to go on,
    129 terminal closed, 130 broken off, 143 terminated; after each but 2 the same command goes on.

    Example: arena run tournaments/quickstart.yaml
    """
    if events == "-" and as_json:
        raise BadOption("--events - and --json both want stdout; write the events to a file")
    if dry_run:
        from arena.cli.actions.dry_run import show_plan

        show_plan(file, workers, as_json)
        return
    from arena.cli.actions.run import run_tournament

    is_over = run_tournament(
        file, new=new, workers=workers, report=report, html=html, accuracy=accuracy, plain=plain,
        quiet=quiet, events=events, as_json=as_json,
    )  # fmt: skip
    if not is_over:
        raise typer.Exit(RESUMABLE)
