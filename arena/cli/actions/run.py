"""The body of `arena run`: play a tournament, print the standings, write the report."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from arena.cli.exits import DONE, FAILED, HUNG_UP, RESUMABLE, TERMINATED
from arena.dashboard.events import STDOUT, EventStream, results_data
from arena.dashboard.plain import PlainLines
from arena.dashboard.state import RunState
from arena.files import disk_errors, write_atomic
from arena.journal import GAMES, Journal
from arena.log import log_to
from arena.session import Outcome, Run, Watcher, Watchers, cluster_of, header_of
from arena.show.progress import saying
from arena.show.standings import standings_screen
from arena.show.terminal import console, is_in_front, is_live, print_json
from arena.standings.rating import rate_games
from arena.streams import output_closed
from arena.text import printable
from arena.tournament.load import load
from arena.tournament.parts import runner_of
from arena.tournament.spec import Tournament

if TYPE_CHECKING:
    from rich.console import Console

    from arena.report.data import ReportData  # these need the compiler
    from arena.report.sections import Section
    from arena.report.write import Report

RECALLED = 5  # grave events that are told again when the dashboard is gone
ENDING = {"SIGTERM": TERMINATED, "SIGHUP": HUNG_UP}


def run_tournament(
    file: Path,
    *,
    new: bool,
    workers: int | None,
    report: bool,
    html: bool,
    sections: str | None,
    accuracy: float | None,
    plain: bool,
    quiet: bool,
    events: str | None,
    as_json: bool,
    skip_missing: bool,
    junit: Path | None = None,
    full: bool = False,
    cluster: str | None = None,
    log: Path | None = None,
) -> int:
    """Play a tournament file; the exit code."""
    chosen = None if sections is None else _sections(sections)
    tournament = load(file, skip_missing, full)
    if workers is not None:
        tournament = tournament.model_copy(update={"workers": workers})
    if cluster is not None:
        tournament = tournament.model_copy(update={"runner": runner_of(cluster)})
    options = [*(["--full"] if full else []), *(["--cluster", cluster] if cluster else [])]
    again = shlex.join(["arena", "run", str(file), *options])
    with log_to(log, tournament.name), watching(plain, quiet, events) as watcher:
        outcome = _run(tournament, again, new, watcher)
    out = sys.stderr if events == STDOUT else sys.stdout
    if not as_json:
        _print_standings(outcome, tournament, again, out)
    written, data = None, None
    if outcome.ending != "interrupted" and outcome.progress.done:
        if report:
            written = _write_report(tournament, html, chosen, accuracy, quiet)
            data = written.data
        elif tournament.aims.expect:
            data = _read_data(tournament, accuracy, quiet)
    if junit is not None and data is not None:
        write_junit(junit, data)
    if as_json:
        _print_data(outcome, tournament, written, data)
    else:
        _print_report(written, data, out)
    if outcome.ending in ("incomplete", "interrupted"):
        return RESUMABLE
    return FAILED if data is not None and data.grade.fails else DONE


def _sections(names: str) -> tuple[Section, ...]:
    """The sections of the report; a wrong name is told before the first game."""
    from arena.report.sections import read_sections

    return read_sections(names)


@contextmanager
def watching(plain: bool, quiet: bool, events: str | None) -> Iterator[Watcher]:
    """Whoever watches a run: nobody, lines or the dashboard on stderr, and a stream of events."""
    with ExitStack() as stack:
        watchers: list[Watcher] = []
        if events is not None:
            watchers.append(stack.enter_context(EventStream(events)))
        if not quiet:
            watchers += _views(stack, plain)
        yield Watchers(*watchers)


def _views(stack: ExitStack, plain: bool) -> list[Watcher]:
    """Lines; or the dashboard, if stderr is a terminal to draw on, and ours to draw on now."""
    state = RunState()
    lines = PlainLines(state, _say)
    if plain or not (is_live(sys.stderr) and is_in_front(sys.stderr.fileno())):
        stack.callback(_sum_up, state)
        return [state, lines]
    from arena.dashboard.live import LiveView  # many modules that lines do without

    stack.callback(_recall, state)
    return [state, lines, stack.enter_context(LiveView(state, console(stderr=True), lines))]


def _say(sentence: str) -> None:
    """A line on stderr."""
    print(printable(sentence), file=sys.stderr, flush=True)


def _recall(state: RunState) -> None:
    """What went wrong, for those who only see the end: the dashboard has left no trace."""
    grave = [notice for notice in state.notices if notice.is_grave]
    for notice in grave[-RECALLED:]:
        _say(f"{notice.when} {notice.text}")
    faults = sum(mistake.count for mistake in state.mistakes)
    if faults > RECALLED:
        _say(f"{faults} games were lost by a fault; arena games --bad lists them")
    _sum_up(state)


def _sum_up(state: RunState) -> None:
    """Mistakes that were made several times, each with how often that was."""
    for line in islice(state.mistakes.repeated(), RECALLED):
        _say(line)


def _run(tournament: Tournament, again: str, new: bool, watcher: Watcher) -> Outcome:
    path = tournament.output / GAMES
    with (
        leaving_by_signal(),
        cluster_of(tournament) as cluster,
        Journal.open(path, header_of(tournament), new=new) as journal,
    ):
        played = Run(tournament, journal, watcher, cluster)
        command = shlex.join(["arena", *sys.argv[1:]]) if sys.argv[1:] else again
        try:
            return played.run(command)
        except (KeyboardInterrupt, SystemExit):
            with suppress(OSError):  # the terminal may be what is gone
                print(
                    f"arena: stopped after {played.progress.done} games; resume with: {again}",
                    file=sys.stderr,
                )
            raise
        except BrokenPipeError:  # whoever read our lines has seen enough: as good as Ctrl-C
            if not output_closed():
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


def _write_report(
    tournament: Tournament,
    html: bool,
    sections: tuple[Section, ...] | None,
    accuracy: float | None,
    quiet: bool,
) -> Report:
    """The report beside the journal.

    The judge and the plots are loaded now, for they need the compiler: no game waits for that.
    """
    from arena.report.data import judging_seconds
    from arena.report.write import write_report

    with Journal.read(tournament.output) as journal, saying(quiet) as say:
        return write_report(
            journal,
            tournament.output,
            html=html,
            judging=judging_seconds(journal.header.rules, accuracy),
            sections=sections,
            progress=say,
            quiet=quiet,
            on_interrupt=partial(_say_judging_stopped, tournament.output),
        )


def _read_data(tournament: Tournament, accuracy: float | None, quiet: bool) -> ReportData:
    """What a report would say, where none is written but something is expected."""
    from arena.report.data import judging_seconds, read_data

    judged = any(figure.is_judged for figure in tournament.aims.figures())
    with Journal.read(tournament.output) as journal, saying(quiet) as say:
        seconds = judging_seconds(journal.header.rules, accuracy) if judged else None
        stopped = partial(_say_judging_stopped, tournament.output)
        return read_data(journal, seconds, say, quiet=quiet, on_interrupt=stopped)


def _say_judging_stopped(folder: Path) -> None:
    again = shlex.join(["arena", "report", str(folder)])
    newline = "\n" if is_live(sys.stderr) else ""  # after the line that shows the progress
    print(
        f"{newline}arena: judging stopped; what is judged so far is kept. Continue with: {again}",
        file=sys.stderr,
        flush=True,
    )


def write_junit(path: Path, data: ReportData) -> None:
    """The expectations for a CI, as JUnit XML."""
    from arena.report.programs import junit, suite

    text = junit([suite(data.header.name, data.grade, data.results.seconds)])
    with disk_errors(path):
        write_atomic(path, text.encode())


def _print_data(
    outcome: Outcome, tournament: Tournament, report: Report | None, data: ReportData | None
) -> None:
    from arena.report.programs import verdict_data

    progress = outcome.progress
    print_json(
        {
            "name": tournament.name,
            "ending": outcome.ending,
            "why": outcome.why,
            "games": progress.done,
            "journal": str(tournament.output / GAMES),
            "report": None if report is None else str(report.page),
            **({} if data is None else verdict_data(data)),
            **results_data(progress),
        }
    )


def _print_standings(outcome: Outcome, tournament: Tournament, again: str, out: TextIO) -> None:
    """The standings as soon as the last game is over, and how the run ended."""
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
    print(_last_sentence(outcome, tournament, again), file=out, flush=True)


def _print_report(report: Report | None, data: ReportData | None, out: TextIO) -> None:
    """What was asked and expected, and where the report is."""
    if data is not None:
        print_verdicts(data, console(stderr=out is sys.stderr))
    if report is not None:
        place = shlex.quote(str(report.folder))
        page = "" if report.html else f"; arena report {place} --html: a page"
        print(f"The report is {report.page}{page}", file=out)


def print_verdicts(data: ReportData, screen: Console) -> None:
    """What was asked and expected, with the answers, each where there is one."""
    from arena.report.summary import question
    from arena.report.verdicts import expectations_screen, verdict_sentences

    for paragraph in question(data):
        print(printable(paragraph), file=screen.file)
    if data.grade.rulings:
        screen.print(expectations_screen(data.grade))
    for sentence in verdict_sentences(data):
        print(printable(sentence), file=screen.file)


def _last_sentence(outcome: Outcome, tournament: Tournament, again: str) -> str:
    """How it ended, and what to do next."""
    progress = outcome.progress
    where = tournament.output / GAMES
    if outcome.ending == "finished":
        return f"Finished: {outcome.why}. The games are in {where}"
    if outcome.ending == "decided":
        return f"Stopped: {outcome.why}. The games are in {where}"
    done = f"{progress.done} of {progress.total} games"
    if outcome.ending == "incomplete":
        return f"Ended after {done}: {outcome.why}. Try again with: {again}"
    return f"Interrupted after {done}. Resume with: {again}"
