"""`arena train`: an engine learns by playing, from a training file to weights and a report."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import TYPE_CHECKING, Any

import typer

from arena.cli.exits import HUNG_UP, RESUMABLE, TERMINATED
from arena.cli.options import AsJson, NewRun, Plain, Quiet, argument, complete_tournaments

if TYPE_CHECKING:
    from arena.learning.learner import Learner
    from arena.learning.measure import Gauge
    from arena.learning.report import TrainingReport
    from arena.learning.spec import Training
    from arena.learning.train import Outcome, TrainingRun, Watch

EXIT_CODES = {signal.SIGINT: RESUMABLE, signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}


def train(
    file: Path = argument(
        ..., "FILE", "A training in YAML, or the name of a bundled one.", complete_tournaments
    ),
    new: NewRun = False,
    plain: Plain = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Train an engine by playing, or resume a training.

    Arena saves the training as often as the file says. Press Ctrl-C once to save and stop, twice
    to stop now. The same command resumes it; with the same seed and one worker, the weights are
    the same as without the interruption. The exit code is then 3.

    The folder of the training has the weights, curve.csv, plots and report.md.

    Example: arena train training/rivest-7x6

    Example: arena train my-training.yaml --new --quiet
    """
    from arena.learning.folder import held
    from arena.learning.reading import load
    from arena.learning.report import TrainingReport
    from arena.learning.train import TrainingRun, check_folder
    from arena.show.progress import saying

    training = load(file)
    check_folder(training, new)
    learner, gauge = _prepare(training)
    with held(training.output, new), _catching_signals() as request:
        with _watching(training, plain, quiet) as watch:
            run = TrainingRun(training, learner, gauge, training.output, watch, request.is_set)
            outcome = _play(run, file)
        with saying(quiet) as say:
            say("writing the report")
            report = TrainingReport(training, learner, outcome)
            written = report.write(training.output)
    if as_json:
        _print_data(training, outcome, written)
    else:
        _print(report, file, written)
    if outcome.ending != "finished" and request.signal is not None:
        raise typer.Exit(EXIT_CODES[request.signal])


def _prepare(training: Training[Any]) -> tuple[Learner, Gauge]:
    """Build the learner and what measures it, and load their kernels; write nothing.

    Another learner plays a game first, so that no compile time is measured.
    """
    from arena.engine.warm_up import warm_up
    from arena.learning.measure import Gauge, engine_of
    from arena.learning.methods import learner_of
    from arena.show.progress import reporting

    gauge = Gauge(training)
    with reporting() as report:
        if training.opponent is not None:
            opponent = engine_of(training.opponent)
            warm_up([(training.opponent.name, opponent)], training.rules, report)
        gauge.warm_up(report)
        report("the learner", 1, 1)
        learner_of(training).play(1)
    return learner_of(training), gauge


def _play(run: TrainingRun, file: Path) -> Outcome:
    try:
        return run.run()
    except KeyboardInterrupt:
        games = f"{run.saved_games:,}"
        print(f"arena: stopped; arena train {quote(str(file))} resumes from game {games}",
              file=sys.stderr)  # fmt: skip
        raise


class StopRequest:
    """The signal that asks the training to stop, if one has come."""

    signal: signal.Signals | None = None

    def is_set(self) -> bool:
        """Check whether a signal has come."""
        return self.signal is not None


@contextmanager
def _catching_signals() -> Iterator[StopRequest]:
    """Take the first Ctrl-C, or a signal to end, as a request; a second Ctrl-C stops at once.

    A signal that is ignored, as a hangup under `nohup`, stays ignored.
    """
    request = StopRequest()

    def ask(number: int, frame: FrameType | None) -> None:
        if request.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        request.signal = signal.Signals(number)

    usual = (signal.SIG_DFL, signal.default_int_handler)
    numbers = [number for number in EXIT_CODES if signal.getsignal(number) in usual]
    try:
        before = {number: signal.signal(number, ask) for number in numbers}
    except ValueError:  # not in the main thread: the caller handles them
        yield request
        return
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _watching(training: Training[Any], plain: bool, quiet: bool) -> Iterator[Watch]:
    """Show nothing, lines, or a live view if stderr is a terminal that we may draw on."""
    from arena.cli.run import say
    from arena.learning.screen import LiveLines, PlainLines, about
    from arena.show.terminal import can_show, console, is_in_front, is_live

    if quiet:
        yield lambda progress: None
    elif plain or not (is_live(sys.stderr) and is_in_front(sys.stderr.fileno())):
        say(about(training))
        yield PlainLines(say)
    else:
        with LiveLines(training, console(stderr=True), can_show("\u28ff")) as view:
            yield view


def _print_data(training: Training[Any], outcome: Outcome, report: Path) -> None:
    from arena.show.terminal import print_json

    print_json(
        {
            "name": training.name,
            "method": training.method,
            "game": training.rules.name,
            "ending": outcome.ending,
            "games": outcome.games,
            "seconds": round(outcome.seconds, 3),
            "weights": str(outcome.weights),
            "best": None if outcome.best is None else str(outcome.best[1]),
            "report": str(report),
            "curve": [point.cells() for point in outcome.points],
        }
    )


def _print(report: TrainingReport, file: Path, written: Path) -> None:
    """The learner before and after, how the training ended, and where everything is."""
    from arena.learning.screen import lasting, point_words
    from arena.show.numbers import how_many, pace
    from arena.show.terminal import console

    outcome = report.outcome
    rate = outcome.games / outcome.seconds if outcome.seconds else 0.0
    done = f"{how_many(outcome.games, 'game')} in {lasting(outcome.seconds)} ({pace(rate)})"
    table = report.before_and_after()
    if table is not None:
        console().print(table.screen())
    elif outcome.points:
        print(point_words(outcome.points[-1]))
    if outcome.ending == "finished":
        print(f"Finished: {done}. The weights are {outcome.weights}")
    else:
        print(f"Interrupted after {done}. Resume with: arena train {quote(str(file))}")
    if outcome.best is not None:
        best, path = outcome.best
        print(f"The best weights are {path}, measured again {point_words(best)}")
    print(f"The report is {written}")
