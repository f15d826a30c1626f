"""`arena run`: play a tournament, print the standings, write the report."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

import typer

from arena.cli.exits import DONE, FAILED, HUNG_UP, RESUMABLE, TERMINATED
from arena.cli.options import (
    AccuracySeconds,
    AsJson,
    ClusterAddress,
    JUnitFile,
    LogFile,
    NewRun,
    Plain,
    Quiet,
    SectionNames,
    SkipMissing,
    Workers,
    argument,
    complete_tournaments,
    option,
    refuse,
)
from arena.errors import BadOption

if TYPE_CHECKING:
    from rich.console import Console

    from arena.dashboard.state import RunState
    from arena.report.data import ReportData
    from arena.session import Outcome, Watcher
    from arena.tournament.spec import Tournament

MAX_RECALLED = 5  # serious events that are repeated after the dashboard has gone
EXIT_CODES = {signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}


def run(
    file: Path | None = argument(
        None, "FILE", "A tournament in YAML, or the name of a bundled one.", complete_tournaments
    ),
    new: NewRun = False,
    full: bool = option(False, "--full", "Use the file's `full:` settings."),
    dry_run: bool = option(False, "--dry-run", "Show the games and the time; write nothing."),
    list_: bool = option(False, "--list", "List the bundled files and the results of studies."),
    workers: Workers = None,
    cluster: ClusterAddress = None,
    report: bool = option(True, "--report/--no-report", "Write the report at the end."),
    html: bool = option(False, "--html", "Also write the report as a page with a replay board."),
    sections: SectionNames = None,
    accuracy: AccuracySeconds = None,
    plain: Plain = False,
    quiet: Quiet = False,
    events: str | None = option(
        None, "--events FILE", "Append one JSON line per event; - prints them."
    ),
    junit: JUnitFile = None,
    log: LogFile = None,
    as_json: AsJson = False,
    skip_missing: SkipMissing = False,
) -> None:
    """Run or resume a tournament.

    Every game is saved when it ends. Press Ctrl-C once to finish the games in progress, twice to
    stop now. The same command resumes a run that was interrupted or killed.

    On a terminal, a dashboard shows the run: arrow keys scroll, p pauses, ? lists the keys.
    Elsewhere, Arena prints a line every few seconds. --events adds a JSON line per event for
    other programs; `arena help results` lists their fields.

    With --cluster, the workers of a Dask cluster play the games. With depth, node or playout
    limits, the games are the same as on one machine.

    The exit code is 3 if the run was interrupted or left games unplayed, and 4 if an expectation
    of the file failed; `arena help exit-codes` lists all.

    Example: arena run quickstart

    Example: arena run cup.yaml --workers 2 --html
    """
    if list_:
        refuse("with --list", new=new, full=full, dry_run=dry_run, workers=workers, cluster=cluster,
               html=html, events=events, junit=junit, FILE=file)  # fmt: skip
        from arena.cli.files import list_files

        list_files(as_json)
        return
    if file is None:
        raise BadOption("name a tournament file; arena run --list lists the bundled ones")
    from arena.tournament.load import load
    from arena.tournament.parts import runner_of

    if events == "-" and as_json:
        raise BadOption("--events - and --json both use stdout; write the events to a file")
    chosen = _read_sections(sections)
    tournament = load(file, skip_missing, full)
    changes: dict[str, Any] = {} if workers is None else {"workers": workers}
    changes |= {} if cluster is None else {"runner": runner_of(cluster)}
    tournament = tournament.model_copy(update=changes)
    if dry_run:
        refuse("with --dry-run", new=new, html=html, sections=sections, events=events,
               junit=junit, log=log, plain=plain, quiet=quiet)  # fmt: skip
        from arena.cli.plan import show_plan

        show_plan(tournament, as_json)
        return
    options = [*(["--full"] if full else []), *(["--cluster", cluster] if cluster else [])]
    command = shlex.join(["arena", "run", str(file), *options])
    out = sys.stderr if events == "-" else sys.stdout

    from arena.log import log_to

    with log_to(log, tournament.name), watching(plain, quiet, events) as watcher:
        outcome = _play(tournament, command, new, watcher)
    if not as_json:
        _print_standings(outcome, tournament, command, out)
    data, page = None, None
    if outcome.ending != "interrupted" and outcome.progress.done:
        data, page = _write_report(tournament, report, html, chosen, accuracy, quiet, as_json, out)
    if junit is not None and data is not None:
        write_junit(junit, data)
    if as_json:
        _print_data(outcome, tournament, page, data)
    code = FAILED if data is not None and data.grade.fails else DONE
    if outcome.ending in ("incomplete", "interrupted"):
        code = RESUMABLE
    if code != DONE:
        raise typer.Exit(code)


def _read_sections(names: str | None) -> Any:
    """The sections of the report; a wrong name is an error before the first game."""
    if names is None:
        return None
    from arena.report.sections import read_sections

    return read_sections(names)


# ---- playing


@contextmanager
def watching(plain: bool, quiet: bool, events: str | None) -> Iterator[Watcher]:
    """The watchers of a run: nothing, lines or the dashboard on stderr, and a stream of events."""
    from arena.dashboard.events import EventStream
    from arena.session import Watchers

    with ExitStack() as stack:
        watchers: list[Watcher] = []
        if events is not None:
            watchers.append(stack.enter_context(EventStream(events)))
        if not quiet:
            watchers += _views(stack, plain)
        yield Watchers(*watchers)


def _views(stack: ExitStack, plain: bool) -> list[Watcher]:
    """Lines, or the dashboard if stderr is a terminal that this process may draw on."""
    from arena.dashboard.plain import PlainLines
    from arena.dashboard.state import RunState
    from arena.show.terminal import console, is_in_front, is_live

    state = RunState()
    lines = PlainLines(state, say)
    if plain or not (is_live(sys.stderr) and is_in_front(sys.stderr.fileno())):
        stack.callback(_print_repeated_mistakes, state)
        return [state, lines]
    from arena.dashboard.live import LiveView

    stack.callback(_recall, state)
    return [state, lines, stack.enter_context(LiveView(state, console(stderr=True), lines))]


def say(sentence: str) -> None:
    """Print a line on stderr."""
    from arena.text import printable

    print(printable(sentence), file=sys.stderr, flush=True)


def _recall(state: RunState) -> None:
    """Repeat the serious events of a run whose dashboard has left the screen."""
    serious = [notice for notice in state.notices if notice.is_grave]
    for notice in serious[-MAX_RECALLED:]:
        say(f"{notice.when} {notice.text}")
    faults = sum(mistake.count for mistake in state.mistakes)
    if faults > MAX_RECALLED:
        say(f"{faults} games were lost by a fault; arena games --bad lists them")
    _print_repeated_mistakes(state)


def _print_repeated_mistakes(state: RunState) -> None:
    for line in list(state.mistakes.repeated())[:MAX_RECALLED]:
        say(line)


def _play(tournament: Tournament, again: str, new: bool, watcher: Watcher) -> Outcome:
    from arena.journal import GAMES, Journal
    from arena.session import Run, cluster_of, header_of
    from arena.streams import output_closed

    with (
        exiting_on_signals(),
        cluster_of(tournament) as cluster,
        Journal.open(tournament.output / GAMES, header_of(tournament), new=new) as journal,
    ):
        session = Run(tournament, journal, watcher, cluster)
        command = shlex.join(["arena", *sys.argv[1:]]) if sys.argv[1:] else again
        try:
            return session.run(command)
        except (KeyboardInterrupt, SystemExit):
            with suppress(OSError):  # the terminal may have gone
                done = session.progress.done
                print(f"arena: stopped after {done} games; resume with: {again}", file=sys.stderr)
            raise
        except BrokenPipeError:  # the reader of our lines has seen enough, as with Ctrl-C
            if not output_closed():
                raise
            raise SystemExit(RESUMABLE) from None


@contextmanager
def exiting_on_signals() -> Iterator[None]:
    """Exit in order on a signal: workers end, the terminal is restored.

    A signal that is ignored, as a hangup under `nohup`, stays ignored.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(EXIT_CODES[signal.Signals(number)])

    numbers = [number for number in EXIT_CODES if signal.getsignal(number) == signal.SIG_DFL]
    try:
        before = {number: signal.signal(number, leave) for number in numbers}
    except ValueError:  # not in the main thread: the caller handles them
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ---- what is printed and written


def _print_standings(outcome: Outcome, tournament: Tournament, again: str, out: TextIO) -> None:
    """The standings as soon as the last game is over, and how the run ended."""
    from arena.show.standings import standings_screen
    from arena.show.terminal import console
    from arena.standings.rating import rate_games

    progress, screen = outcome.progress, console(stderr=out is sys.stderr)
    ratings = rate_games(progress.scoreboard) if progress.done else None
    ranking = progress.ranking(ratings)
    screen.print(
        standings_screen(tournament.name, progress.scoreboard, ratings, ranking, screen.width)
    )
    if progress.done and (progress.timed or progress.time.losses):
        print(f"{progress.time.sentence(progress.names)}.", file=out)
    if ranking.champion is not None:
        print(f"Champion: {progress.names[ranking.champion]}", file=out)
    print(_ending(outcome, tournament, again), file=out, flush=True)


def _ending(outcome: Outcome, tournament: Tournament, again: str) -> str:
    """How the run ended, and what to do next."""
    from arena.journal import GAMES

    progress, where = outcome.progress, tournament.output / GAMES
    done = f"{progress.done} of {progress.total} games"
    return {
        "finished": f"Finished: {outcome.why}. The games are in {where}",
        "decided": f"Stopped: {outcome.why}. The games are in {where}",
        "incomplete": f"Ended after {done}: {outcome.why}. Try again with: {again}",
        "interrupted": f"Interrupted after {done}. Resume with: {again}",
    }[outcome.ending]


def _write_report(
    tournament: Tournament, report: bool, html: bool, sections: Any, accuracy: float | None,
    quiet: bool, as_json: bool, out: TextIO,
) -> tuple[ReportData | None, Path | None]:  # fmt: skip
    """Write and announce the report; what it says is read without it if something is expected.

    The judge and the plots, which need the compiler, are imported here: no game waits for them.
    """
    from arena.journal import Journal
    from arena.report.data import judging_seconds, read_data
    from arena.report.write import write_report
    from arena.show.progress import saying
    from arena.show.terminal import console

    folder = tournament.output
    stopped = partial(_say_judging_stopped, folder)
    data, page = None, None
    with Journal.read(folder) as journal, saying(quiet) as status:
        seconds = judging_seconds(journal.header.rules, accuracy)
        if report:
            written = write_report(journal, folder, html=html, judging=seconds, sections=sections,
                                   progress=status, quiet=quiet, on_interrupt=stopped)  # fmt: skip
            data, page = written.data, written.page
        elif tournament.aims.expect:
            is_judged = any(figure.is_judged for figure in tournament.aims.figures())
            data = read_data(journal, seconds if is_judged else None, status, quiet=quiet,
                             on_interrupt=stopped)  # fmt: skip
    if data is not None and not as_json:
        print_verdicts(data, console(stderr=out is sys.stderr))
    if page is not None and not as_json:
        hint = "" if html else f"; arena report {shlex.quote(str(folder))} --html: a page"
        print(f"The report is {page}{hint}", file=out)
    return data, page


def _say_judging_stopped(folder: Path) -> None:
    from arena.show.terminal import is_live

    again = shlex.join(["arena", "report", str(folder)])
    newline = "\n" if is_live(sys.stderr) else ""  # after the line that shows the progress
    print(
        f"{newline}arena: judging stopped; the judgements so far are kept. Continue with: {again}",
        file=sys.stderr,
        flush=True,
    )


def print_verdicts(data: ReportData, screen: Console) -> None:
    """The answers to the file's question, expectations and published figures."""
    from arena.report.summary import question
    from arena.report.verdicts import expectations_screen, verdict_sentences
    from arena.text import printable

    for paragraph in question(data):
        print(printable(paragraph), file=screen.file)
    if data.grade.rulings:
        screen.print(expectations_screen(data.grade))
    for sentence in verdict_sentences(data):
        print(printable(sentence), file=screen.file)


def write_junit(path: Path, data: ReportData) -> None:
    """Write the expectations as JUnit XML, for a CI."""
    from arena.files import disk_errors, write_atomic
    from arena.report.programs import junit, suite

    text = junit([suite(data.header.name, data.grade, data.results.seconds)])
    with disk_errors(path):
        write_atomic(path, text.encode())


def _print_data(
    outcome: Outcome, tournament: Tournament, page: Path | None, data: ReportData | None
) -> None:
    from arena.dashboard.events import results_data
    from arena.journal import GAMES
    from arena.report.programs import verdict_data
    from arena.show.terminal import print_json

    print_json(
        {
            "name": tournament.name,
            "ending": outcome.ending,
            "why": outcome.why,
            "games": outcome.progress.done,
            "journal": str(tournament.output / GAMES),
            "report": None if page is None else str(page),
            **({} if data is None else verdict_data(data)),
            **results_data(outcome.progress),
        }
    )
