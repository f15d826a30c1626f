"""`arena run`: play a tournament file to its end, on all cores, and go on where it was left."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from arena.journal import Journal
    from arena.session import Outcome
    from arena.tournament.spec import Tournament

STOPPED = 3  # interrupted: the same command goes on


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tournament in YAML.")],
    new: Annotated[
        bool, typer.Option("--new", help="Set an earlier journal aside and start afresh.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show pairings, games and time; write nothing.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Tables; by default the file's, or one a core.")
    ] = None,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write the report at the end.")
    ] = True,
    html: Annotated[
        bool, typer.Option("--html", help="With the report as one page to replay games on.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the standings.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON.")] = False,
) -> None:
    """Run a tournament, or go on with it.

    Every finished game is on disk before it counts: interrupt it, kill it, switch the machine
    off, and the same command goes on from there. One Ctrl-C lets running games end, a second
    stops at once.

    Exit codes: 0 finished, 2 bad input, 3 interrupted and ready to go on, 130 broken off.

    Example: arena run tournaments/quickstart.yaml
    """
    from arena.tournament.spec import load

    tournament = load(file)
    if workers is not None:
        tournament = tournament.model_copy(update={"workers": workers})
    if dry_run:
        from arena.cli.dryrun import show_plan

        show_plan(tournament, as_json)
        return
    outcome = _run(tournament, file, new, quiet)
    written = None
    if report and outcome.ending != "interrupted":
        written = _write_report(tournament, html, quiet)
    _show_outcome(outcome, tournament, file, written, as_json)
    if outcome.ending == "interrupted":
        raise typer.Exit(STOPPED)


def _run(tournament: Tournament, file: Path, new: bool, quiet: bool) -> Outcome:
    from arena.cli.runview import RunView
    from arena.session import Session

    with _journal(tournament, new) as journal, RunView(tournament, quiet) as view:
        session = Session(tournament, journal, view)
        view.began(session)
        command = " ".join(["arena", *sys.argv[1:]]) if sys.argv else f"arena run {file}"
        try:
            return session.run(command)
        except KeyboardInterrupt:
            print(
                f"arena: stopped at once after {session.progress.done} games; "
                f"arena run {file} goes on from there",
                file=sys.stderr,
            )
            raise


def _journal(tournament: Tournament, new: bool) -> Journal:
    from arena.journal import Journal
    from arena.session import JOURNAL_NAME, header_of

    return Journal.open(tournament.output / JOURNAL_NAME, header_of(tournament), new=new)


def _write_report(tournament: Tournament, html: bool, quiet: bool) -> Path:
    """The report beside the journal; where it is."""
    from arena.cli.warming import saying
    from arena.journal import Journal
    from arena.report.write import write_report

    with Journal.read(tournament.output) as journal, saying(quiet) as say:
        written = write_report(journal, tournament.output, html=html, progress=say)
    return written.html or written.markdown


def _show_outcome(
    outcome: Outcome, tournament: Tournament, file: Path, report: Path | None, as_json: bool
) -> None:
    from arena.cli.runview import standings_data, standings_table
    from arena.cli.show import console, print_json

    progress = outcome.progress
    if as_json:
        print_json(
            {
                "name": tournament.name,
                "ending": outcome.ending,
                "why": outcome.why,
                "games": progress.done,
                "journal": str(tournament.output / "games.db"),
                "report": None if report is None else str(report),
                "standings": standings_data(progress),
            }
        )
        return
    out = console()
    out.print(standings_table(progress, tournament.name, out.width))
    print(_last_sentence(outcome, tournament, file))
    if report is not None:
        print(f"The report is {report}")


def _last_sentence(outcome: Outcome, tournament: Tournament, file: Path) -> str:
    """How it ended, and what to do next."""
    progress = outcome.progress
    where = tournament.output / "games.db"
    if outcome.ending == "finished":
        return f"Finished: {outcome.why}. The games are in {where}"
    if outcome.ending == "decided":
        return f"Stopped: {outcome.why}. The games are in {where}"
    done = f"{progress.done} of {progress.total} games"
    return f"Interrupted after {done}. Go on with: arena run {file}"
