"""The body of `arena train`: run a training and write its report."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import Any

from rich.padding import Padding

from arena.cli.actions.bundled import first_sentence, folder_of
from arena.cli.exits import DONE, HUNG_UP, RESUMABLE, TERMINATED
from arena.engine.warm_up import warm_up
from arena.learning.folder import held
from arena.learning.learner import Learner
from arena.learning.measure import Gauge, engine_of
from arena.learning.methods import learner_of
from arena.learning.reading import is_training, load, understand
from arena.learning.report import TrainingReport
from arena.learning.screen import LiveLines, PlainLines, about, lasting, point_words
from arena.learning.spec import Training
from arena.learning.train import Outcome, TrainingRun, Watch, check_folder
from arena.show.numbers import how_many, pace
from arena.show.progress import reporting, saying
from arena.show.terminal import can_show, console, is_in_front, is_live, print_json
from arena.text import printable
from arena.tournament.bundled import name_of
from arena.tournament.yaml import read

TRAININGS = "training"  # the folder of bundled trainings
CODES = {signal.SIGINT: RESUMABLE, signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}


def train_file(file: Path, *, new: bool, plain: bool, quiet: bool, as_json: bool) -> int:
    """Train as a file says; the exit code."""
    training = load(file)
    check_folder(training, new)
    learner, gauge = prepare(training)
    with held(training.output, new), listening() as stop:
        with watching(training, plain, quiet) as watch:
            run = TrainingRun(training, learner, gauge, training.output, watch, stop.is_asked)
            outcome = _run(run, file)
        with saying(quiet) as say:
            say("writing the report")
            report = TrainingReport(training, learner, outcome)
            written = report.write(training.output)
    if as_json:
        _print_data(training, outcome, written)
    else:
        _print(report, file, written)
    if outcome.ending == "finished" or stop.number is None:
        return DONE
    return CODES[stop.number]


def prepare(training: Training[Any]) -> tuple[Learner, Gauge]:
    """Build all that learns and measures, and load its kernels; nothing is written yet.

    A learner that is thrown away plays a game first, so that no time of compiling counts.
    """
    gauge = Gauge(training)
    with reporting() as report:
        if training.opponent is not None:
            opponent = engine_of(training.opponent)
            warm_up([(training.opponent.name, opponent)], training.rules, report)
        gauge.warm_up(report)
        report("the learner", 1, 1)
        learner_of(training).play(1)
    return learner_of(training), gauge


def _run(run: TrainingRun, file: Path) -> Outcome:
    try:
        return run.run()
    except KeyboardInterrupt:
        print(
            f"arena: stopped; arena train {quote(str(file))} resumes from game {run.saved_games:,}",
            file=sys.stderr,
        )
        raise


class StopRequest:
    """Whether a signal has asked for the end, and which one."""

    number: signal.Signals | None = None

    def is_asked(self) -> bool:
        """Whether it has."""
        return self.number is not None


@contextmanager
def listening() -> Iterator[StopRequest]:
    """A first Ctrl-C, or a signal to end, is a request; a second Ctrl-C ends at once.

    What is ignored, as a hangup is under `nohup`, stays so.
    """
    request = StopRequest()

    def ask(number: int, frame: FrameType | None) -> None:
        if request.is_asked() and number == signal.SIGINT:
            raise KeyboardInterrupt
        request.number = signal.Signals(number)

    usual = (signal.SIG_DFL, signal.default_int_handler)
    numbers = [number for number in CODES if signal.getsignal(number) in usual]
    try:
        before = {number: signal.signal(number, ask) for number in numbers}
    except ValueError:  # not in the main thread: somebody else handles them
        yield request
        return
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def watching(training: Training[Any], plain: bool, quiet: bool) -> Iterator[Watch]:
    """Whoever watches: nobody, lines, or a live view if stderr is a terminal to draw on."""
    if quiet:
        yield lambda progress: None
    elif plain or not (is_live(sys.stderr) and is_in_front(sys.stderr.fileno())):
        _say(about(training))
        yield PlainLines(_say)
    else:
        with LiveLines(training, console(stderr=True), can_show("\u28ff")) as view:
            yield view


def _say(sentence: str) -> None:
    """A line on stderr."""
    print(printable(sentence), file=sys.stderr, flush=True)


def _print_data(training: Training[Any], outcome: Outcome, report: Path) -> None:
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
    """What became of the learner, how it ended, and where everything is."""
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


def list_ready(as_json: bool) -> None:
    """The bundled training files: what each trains, and a sentence on it."""
    files = {path: read(path) for path in sorted(folder_of(TRAININGS).glob("*.yaml"))}
    ready = [(path, understand(file)) for path, file in files.items() if is_training(file)]
    if as_json:
        print_json([_as_data(path, training) for path, training in ready])
        return
    out = console()
    for path, training in ready:
        out.print(name_of(path), style="bold", soft_wrap=True)
        out.print(Padding(about(training), (0, 0, 0, 2)), style="dim")
        out.print(Padding(first_sentence(training.text), (0, 0, 1, 2)))
    out.print("Train one with arena train NAME.", style="dim")


def _as_data(path: Path, training: Training[Any]) -> dict[str, Any]:
    return {
        "file": name_of(path),
        "name": training.name,
        "method": training.method,
        "game": training.rules.name,
        "games": training.settings.games,
        "about": first_sentence(training.text),
    }
