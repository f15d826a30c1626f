"""`arena run`: play a tournament file to its end, on all cores, and go on where it was left."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from arena.cli import completing
from arena.cli.exits import HUNG_UP, RESUMABLE, TERMINATED
from arena.cli.options import AccuracySeconds
from arena.errors import BadOption

if TYPE_CHECKING:
    from arena.journal import Journal
    from arena.run import Outcome, Watcher
    from arena.tournament.spec import Tournament

STDOUT = "-"
ENDING = {"SIGTERM": TERMINATED, "SIGHUP": HUNG_UP}


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
    from arena.cli.views.run import watching
    from arena.tournament.spec import load

    if events == STDOUT and as_json:
        raise BadOption("--events - and --json both want stdout; write the events to a file")
    tournament = load(file)
    if workers is not None:
        tournament = tournament.model_copy(update={"workers": workers})
    if dry_run:
        from arena.cli.views.plan import show_plan

        show_plan(tournament, as_json)
        return
    with watching(plain, quiet, events) as watcher:
        outcome = _run(tournament, file, new, watcher)
    written = None
    if report and outcome.ending != "interrupted" and outcome.progress.done:
        written = _write_report(tournament, html, accuracy, quiet)
    out = sys.stderr if events == STDOUT else sys.stdout
    _show_outcome(outcome, tournament, file, written, as_json, out)
    if outcome.ending in ("incomplete", "interrupted"):
        raise typer.Exit(RESUMABLE)


def _run(tournament: Tournament, file: Path, new: bool, watcher: Watcher) -> Outcome:
    from arena.run import Session
    from arena.streams import reader_left

    with leaving_by_signal(), _journal(tournament, new) as journal:
        session = Session(tournament, journal, watcher)
        command = shlex.join(["arena", *(sys.argv[1:] or ["run", str(file)])])
        try:
            return session.run(command)
        except (KeyboardInterrupt, SystemExit):
            with suppress(OSError):  # the terminal may be what is gone
                print(
                    f"arena: stopped at once after {session.progress.done} games; "
                    f"arena run {shlex.quote(str(file))} goes on from there",
                    file=sys.stderr,
                )
            raise
        except BrokenPipeError:  # whoever read our lines has seen enough: as good as Ctrl-C
            if not reader_left():
                raise
            raise SystemExit(RESUMABLE) from None


@contextmanager
def leaving_by_signal() -> Iterator[None]:
    """A signal that ends the process ends it in order: tables cleared, the terminal as before.

    What is ignored, as a hangup is under `nohup`, stays so.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(ENDING[signal.Signals(number).name])

    signals = [signal.Signals[name] for name in ENDING]
    signals = [number for number in signals if signal.getsignal(number) == signal.SIG_DFL]
    try:
        before = {number: signal.signal(number, leave) for number in signals}
    except ValueError:  # not in the main thread: somebody else handles them
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _journal(tournament: Tournament, new: bool) -> Journal:
    from arena.journal import Journal
    from arena.run import JOURNAL_NAME, header_of

    return Journal.open(tournament.output / JOURNAL_NAME, header_of(tournament), new=new)


def _write_report(tournament: Tournament, html: bool, accuracy: float | None, quiet: bool) -> Path:
    """The report beside the journal; where it is."""
    from arena.cli.actions.judging import judging
    from arena.journal import Journal
    from arena.report.write import write_report
    from arena.show.progress import saying

    with Journal.read(tournament.output) as journal, saying(quiet) as say:
        wish = judging(journal.header.rules, accuracy, quiet)
        written = write_report(journal, tournament.output, html=html, judging=wish, progress=say)
    return written.html or written.markdown


def _show_outcome(
    outcome: Outcome,
    tournament: Tournament,
    file: Path,
    report: Path | None,
    as_json: bool,
    out: TextIO,
) -> None:
    from arena.cli.views.run import standings_table
    from arena.dashboard.stream import standings_data, time_data
    from arena.show.terminal import console, print_json

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
                **standings_data(progress),
                **time_data(progress),
            }
        )
        return
    shown = console(stderr=out is sys.stderr)
    shown.print(standings_table(progress, tournament.name, shown.width))
    if progress.done and (progress.timed or progress.time.losses):
        print(f"{progress.time.sentence(progress.names)}.", file=out)
    champion = progress.ranking(None).champion
    if champion is not None:
        print(f"Champion: {progress.names[champion]}", file=out)
    print(_last_sentence(outcome, tournament, file), file=out)
    if report is not None:
        place = shlex.quote(str(report.parent))
        page = "" if report.suffix == ".html" else f"; arena report {place} --html: a page"
        print(f"The report is {report}{page}", file=out)


def _last_sentence(outcome: Outcome, tournament: Tournament, file: Path) -> str:
    """How it ended, and what to do next."""
    progress = outcome.progress
    where = tournament.output / "games.db"
    if outcome.ending == "finished":
        return f"Finished: {outcome.why}. The games are in {where}"
    if outcome.ending == "decided":
        return f"Stopped: {outcome.why}. The games are in {where}"
    done = f"{progress.done} of {progress.total} games"
    again = f"arena run {shlex.quote(str(file))}"
    if outcome.ending == "incomplete":
        return f"Ended after {done}: {outcome.why}. Try again with: {again}"
    return f"Interrupted after {done}. Go on with: {again}"
