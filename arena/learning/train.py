"""One run of a training, from where it stands to its last game: play, measure, save, show.

Games are played a few at a time, so that somebody can see how far it is and stop it. With one
worker neither that nor the time of saving and measuring changes what is learned.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, isfinite
from pathlib import Path
from typing import Any, Literal

from arena.errors import BadFile
from arena.learning.canonical import canonical
from arena.learning.checkpoint import (
    START_OVER,
    STATE,
    Checkpoint,
    check_checkpoint,
    load_checkpoint,
)
from arena.learning.curve import Point
from arena.learning.folder import BEST, check_place, write_best, write_curve, write_weights
from arena.learning.learner import Learner
from arena.learning.measure import Gauge
from arena.learning.parts import Every
from arena.learning.spec import Training

CHUNK = 0.3  # seconds of playing after which somebody is heard
GROWTH = 4  # a chunk has at most so many times the games of the one before
TIMES = 20  # measurements over a whole training, by default
RECENT = 10  # chunks that tell how fast it is now


@dataclass(frozen=True)
class Progress:
    """How far a training is: what is being done, the curve so far, the pace of now."""

    doing: str
    games: int
    of: int
    seconds: float  # of training, over all runs
    pace: float | None  # games a second
    left: float | None  # seconds, with measuring; None before anybody can tell
    points: tuple[Point, ...]
    step: tuple[int, int] | None = None  # of how many, while it is measured


Watch = Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    """How a run ended: with all games, or asked to stop before."""

    ending: Literal["finished", "interrupted"]
    games: int
    seconds: float
    points: tuple[Point, ...]
    weights: Path  # of the last game
    best: tuple[Point, Path] | None = None  # what was kept, with its second measurement


def restore(learner: Learner, checkpoint: Checkpoint, folder: Path) -> None:
    """Give a learner the state that it had; what it does not take is a damaged checkpoint."""
    try:
        learner.restore(checkpoint.state)
    except (KeyError, ValueError, IndexError, TypeError):
        path = folder / STATE
        raise BadFile(f"{path} does not hold the state of a learner; {START_OVER}") from None
    learner.games = checkpoint.games


def check_folder(training: Training[Any], new: bool) -> None:
    """Refuse a folder that holds something else than this training, before any work is done."""
    check_place(training.output)
    if not new:
        check_checkpoint(training.output, canonical(training))


class _Stopped(Exception):
    """Somebody asked the run to end."""


class TrainingRun:
    """A training in a folder that is ours; it goes on from the checkpoint there."""

    def __init__(
        self,
        training: Training[Any],
        learner: Learner,
        gauge: Gauge,
        folder: Path,
        watch: Watch = lambda progress: None,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.training, self.learner, self.gauge, self.folder = training, learner, gauge, folder
        self.watch, self.is_stopping = watch, is_stopping
        self.canonical = canonical(training)
        self.of: int = training.settings.games
        self.points: tuple[Point, ...] = ()
        self.best: Point | None = None
        self.seconds = 0.0
        self.chunk = 1
        self.measuring = 0.0  # seconds of the last measurement
        self.recent: deque[tuple[int, float]] = deque(maxlen=RECENT)
        self._go_on()
        self.saved_at, self.saved_games = time.monotonic(), learner.games

    def _go_on(self) -> None:
        """Take up the checkpoint, or make the first; the curve is that of its moment."""
        checkpoint = load_checkpoint(self.folder, self.canonical)
        if checkpoint is not None:
            restore(self.learner, checkpoint, self.folder)
            self.seconds, self.points = checkpoint.seconds, checkpoint.points
            self.best = checkpoint.best
            write_curve(self.folder, self.points)
        else:
            self.save()  # the first file: the folder is that of a training

    def run(self) -> Outcome:
        """Train to the last game, or until somebody asks to stop; then everything is saved."""
        ending: Literal["finished", "interrupted"] = "finished"
        try:
            self._measure_if_due()
            while self.learner.games < self.of:
                self._play()
                self._measure_if_due()
                if self._is_due(self.training.settings.save, self.saved_games, self._since_save):
                    self.save()
        except _Stopped:
            ending = "interrupted"
        self.save()
        weights = write_weights(self.folder, self.learner, self._strength)
        best = (self.best, self.folder / BEST / weights.name) if self.best is not None else None
        return Outcome(ending, self.learner.games, self.seconds, self.points, weights, best)

    def save(self) -> None:
        """Write a checkpoint of now."""
        self._tell("saving")
        games, state = self.learner.games, self.learner.state()
        Checkpoint(self.canonical, games, self.seconds, self.points, self.best, state).save(
            self.folder
        )
        self.saved_at, self.saved_games = time.monotonic(), self.learner.games

    # playing

    def _play(self) -> None:
        """A few games: as many as take a moment, but not past the next measurement or save."""
        self._listen()
        settings, games = self.training.settings, self.learner.games
        ends = (_next(every, games) for every in (self._every, settings.save))
        count = min(self.chunk, min([self.of, *filter(None, ends)]) - games)
        start = time.perf_counter()
        self.learner.play(count)
        seconds = max(time.perf_counter() - start, 1e-9)
        self.seconds += seconds
        self.recent.append((count, seconds))
        wanted = int(count * CHUNK / seconds)
        self.chunk = max(1, min(wanted, GROWTH * max(count, self.chunk)))
        self._tell("training")

    @property
    def pace(self) -> float | None:
        """Games a second of late."""
        seconds = sum(seconds for _, seconds in self.recent)
        return sum(games for games, _ in self.recent) / seconds if seconds else None

    def _listen(self) -> None:
        if self.is_stopping():
            raise _Stopped

    def _tell(self, doing: str, step: tuple[int, int] | None = None) -> None:
        games, pace, left = self.learner.games, self.pace, self._left()
        self.watch(Progress(doing, games, self.of, self.seconds, pace, left, self.points, step))

    def _left(self) -> float | None:
        """Seconds until the end, by the pace of late and the time of the last measurement."""
        games = self.of - self.learner.games
        if self.pace is None:
            return None
        seconds, every = games / self.pace, self._every
        times = seconds / every.seconds if every.seconds else games / (every.games or 1)
        return seconds + ceil(times) * self.measuring

    # measuring and saving

    @property
    def _every(self) -> Every:
        every: Every | None = self.training.settings.measure.every
        return every or Every(games=max(1, ceil(self.of / TIMES)))

    @property
    def _strength(self) -> str:
        """What was measured of the weights of now, in words; nothing, if they are newer."""
        is_last = bool(self.points) and self.points[-1].games == self.learner.games
        return str(self.points[-1].strength) if is_last else ""

    def _since_save(self) -> float:
        return time.monotonic() - self.saved_at

    def _since_measure(self) -> float:
        return self.seconds - (self.points[-1].seconds if self.points else 0.0)

    def _is_due(self, every: Every, last: int, since: Callable[[], float]) -> bool:
        if self.learner.games == last:
            return False
        if every.games is not None:
            return self.learner.games % every.games == 0
        assert every.seconds is not None
        return since() >= every.seconds

    def _measure_if_due(self) -> None:
        """Measure before the first game, after the last, and as often as the file says."""
        games = self.learner.games
        last = self.points[-1].games if self.points else -1
        is_end = games in (0, self.of) and games != last
        if is_end or self._is_due(self._every, last, self._since_measure):
            self._measure()

    def _measure(self) -> None:
        start = time.perf_counter()
        point = self._point("measuring")
        self.measuring = time.perf_counter() - start
        is_better = self.training.settings.keep == "best" and _beats(point, self.best)
        again = self._point("measuring again", series=1) if is_better else None
        self.points = (*self.points, point)
        write_curve(self.folder, self.points)
        self._tell("measured")
        if again is not None and _beats(again, self.best):
            self.best = again
            write_best(self.folder, self.learner, str(again.strength))
            self.save()

    def _point(self, doing: str, series: int = 0) -> Point:
        """The learner as it is now, by one series of games."""

        def step(what: str, number: int, of: int) -> None:
            self._listen()
            self._tell(f"{doing} {what}", (number, of))

        strength = self.gauge.measure(self.learner.player(), step, series)
        figures = {name: x for name, x in self.learner.figures().items() if isfinite(x)}
        return Point(self.learner.games, self.seconds, strength, figures)


def _beats(point: Point, best: Point | None) -> bool:
    """Whether something was measured, and more than before."""
    return point.strength.rank > (() if best is None else best.strength.rank)


def _next(every: Every, games: int) -> int | None:
    """The next number of games at which something is due; None of what is due by time."""
    return None if every.games is None else (games // every.games + 1) * every.games
