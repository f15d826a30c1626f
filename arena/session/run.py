"""One run of a tournament: from its file to its journal.

    spec -> schedule -> agenda -> workers -> journal -> scoreboard

A `Watcher` shows the run to the user, and may read its `RunProgress` at any time. A finished game
is written first and counted afterwards, so whatever happens, the next run resumes from there.
"""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from types import FrameType
from typing import TYPE_CHECKING

from arena.engine.errors import FaultReason
from arena.errors import EngineFailure
from arena.journal import Journal
from arena.log import log
from arena.machine import environment, usable_cores
from arena.session.prepare import (
    CROWDED,
    compare_sources,
    crowded,
    early_verdicts_of,
    measure_speed,
    seating_of,
    solve_openings,
    stop_rules_of,
)
from arena.session.watcher import Outcome, RunProgress, Watcher
from arena.standings.games import Games
from arena.standings.timekeeping import PLAYED_AT, played_at
from arena.table.cluster import Cluster
from arena.table.game import Game
from arena.table.local import LocalRunner
from arena.table.runner import Event, GameOver, TableLost, TableView
from arena.timing import PAUSES
from arena.tournament.agenda import Agenda
from arena.tournament.games import GameResult
from arena.tournament.openings import Balanced
from arena.tournament.spec import Tournament

if TYPE_CHECKING:
    from arena.table.dask import DaskRunner  # loads slowly

MAX_NAMED = 8  # games that are named one by one
NOT_STARTED = "the tournament does not start"


class Run:
    """A tournament being run against its journal, here or on the workers of a cluster."""

    def __init__(
        self,
        tournament: Tournament,
        journal: Journal,
        watcher: Watcher,
        cluster: Cluster | None = None,
    ) -> None:
        self.tournament = tournament
        self.cluster = cluster
        self.journal = journal
        self.watcher = watcher
        self.schedule = tournament.schedule()
        if isinstance(self.schedule.openings, Balanced):  # those of earlier runs need no solver
            self.schedule.openings.recall(journal.solved_openings())
            self.schedule.openings.note = journal.add
        journal.on_wait = watcher.warned
        scoreboard = Games([player.name for player in tournament.players])
        self.rules = stop_rules_of(tournament, scoreboard)
        timed = any(player.limits.timed for player in tournament.players)
        self.progress = RunProgress(scoreboard, self.rules, self.schedule, timed)
        self.early = early_verdicts_of(tournament)
        self.seating = seating_of(tournament)
        self.speed: float | None = None  # of this machine, where its games depend on it
        self.lessons: list[Game] = []  # of earlier runs, for engines that learn
        self._count_earlier_games(telemetry=timed or self.early is not None)
        learners = self.seating.learners
        self.agenda = Agenda(self.schedule, journal.finished, self.results, learners)
        self.progress.total = self.agenda.total
        self.workers = self._count_workers()
        self.interrupted = self.interrupt_reported = False
        self.unplayed: list[str] = []  # why games were given up

    def _count_earlier_games(self, telemetry: bool) -> None:
        """Read the journal, once."""
        learners = self.seating.learners
        for game in self.journal.rows(telemetry=telemetry):
            self._count(game)
            if not learners.isdisjoint((game.first, game.second)):
                self.lessons.append(replace(game, telemetry=b""))

    def _count_workers(self) -> int:
        """How many games are played at the same time at first."""
        wanted = self.tournament.workers
        if self.cluster is None:
            return wanted or usable_cores()
        present = sum(self.cluster.first_workers().values())
        return min(present, wanted or present)

    def run(self, command: str) -> Outcome:
        """Check the players, play the missing games, and return how the run ended."""
        outcome = Outcome("interrupted", "the run was stopped", self.progress)
        done = f"{self.progress.done} of {self.progress.total} games are in {self.journal.path}"
        log(f"{command}: {done}; {self.workers} workers; {environment()}")
        self.watcher.began(self)
        try:
            outcome = self._run(command)
            return outcome
        finally:
            log(f"{outcome.ending} after {self.progress.done} games: {outcome.why}")
            self.watcher.ended(outcome)

    def _run(self, command: str) -> Outcome:
        if self.agenda.is_over:
            return Outcome("finished", "all games are played already", self.progress)
        if verdict := self.rules.verdict or (self.early and self.early.verdict):
            return Outcome("decided", verdict, self.progress)
        for warning in compare_sources(self.journal, self.tournament):
            self.watcher.warned(warning)
        self._scale_limits()
        runner = self._runner()
        self.journal.begin_session(command, self.workers)
        outcome = Outcome("interrupted", "the run was stopped", self.progress)
        try:
            limits = [player.limits for player in self.tournament.players]
            is_here = self.cluster is None or self.cluster.is_local
            if is_here and (words := crowded(limits, self.workers)) is not None:
                self._warn(CROWDED, words)
            solve_openings(self.schedule, self._report_opening, lambda: self._tick(()))
            self._check(runner)
            with self._gentle_interrupt(runner):
                outcome = self._play(runner)
            self.journal.verify()
            return outcome
        finally:
            runner.close()
            self.journal.end_session(outcome.why)

    def _scale_limits(self) -> None:
        """Scale limits in seconds of the reference machine to this machine.

        The workers of a cluster do so by themselves.
        """
        if self.cluster is None and self.seating.is_on_reference:
            self.watcher.checking("the speed of this machine", 1, 1)
            self.speed = measure_speed(lambda: self._tick(()))
            self.seating = self.seating.at_speed(self.speed)

    def _runner(self) -> LocalRunner | DaskRunner:
        if self.cluster is None:
            return LocalRunner(self.seating, self.workers, self._tick, self.lessons)
        from arena.table.dask import DaskRunner

        wanted = self.tournament.workers
        return DaskRunner(self.cluster, self.seating, wanted, self._tick, self._warn)

    def _warn(self, kind: str, words: str) -> None:
        """Tell the user, and note it for the report."""
        self.journal.write_event(kind, words)
        self.watcher.warned(words)

    def _report_opening(self, number: int, count: int) -> None:
        self.watcher.checking("the value of openings", number, count)

    def _check(self, runner: LocalRunner | DaskRunner) -> None:
        """Every engine must load and answer before game 1."""
        names = self.progress.names
        forfeit = self.tournament.broken == "forfeit"
        if self.cluster is not None:
            self.watcher.checking(f"the workers of {self.cluster.address}", 1, 1)
        for checked in runner.check(forfeit):
            name = names[checked.player]
            if checked.begun:
                self.watcher.checking(name, checked.player + 1, len(names))
                continue
            if checked.unchecked is not None:
                self.journal.write_event("player not checked", f"{name}: {checked.unchecked}")
            wrong, _, trace = (checked.wrong or "").partition("\n")
            self.watcher.checked(name, wrong or None, checked.compiled)
            if wrong and forfeit:
                self.journal.write_event("player broken", wrong)
                self.watcher.warned(f"{wrong}; it loses its games")
            elif wrong:
                raise EngineFailure(f"{wrong}; {does_not_start(checked.reason)}", trace)

    def _play(self, runner: LocalRunner | DaskRunner) -> Outcome:
        self.progress.began = time.monotonic()
        self.rules.begin(PAUSES.time_awake)
        decided: str | None = None
        for events in runner.play(self.agenda):
            for event in events:
                self._note(event)
            verdict = self._record([event for event in events if isinstance(event, GameOver)])
            if verdict is not None and decided is None:
                decided = verdict
                runner.stop()
                self.watcher.stopping(verdict)
        self._report_interrupt()
        if self.agenda.is_over:
            return Outcome("finished", "all games are played", self.progress)
        if decided is not None:
            return Outcome("decided", decided, self.progress)
        if not self.interrupted and (self.agenda.unplayed or runner.hopeless):
            return Outcome("incomplete", self._why_incomplete(runner.hopeless), self.progress)
        return Outcome("interrupted", "interrupted", self.progress)

    def _why_incomplete(self, hopeless: str | None) -> str:
        """Why not all games could be played; no engine is to blame."""
        missing = self.progress.total - self.progress.done
        if hopeless is not None:
            return f"{missing} games could not be played: {hopeless}"
        numbers = self.agenda.unplayed
        games = "games " if len(numbers) > 1 else "game "
        games += ", ".join(map(str, sorted(numbers)[:MAX_NAMED]))
        games += " ..." if numbers[MAX_NAMED:] else ""
        why = "; ".join(dict.fromkeys(self.unplayed[:MAX_NAMED]))
        waiting = missing - len(numbers)
        later = f"; {waiting} more wait for the result" if waiting > 0 else ""
        return f"{games} could not be played: {why}{later}"

    def _note(self, event: Event) -> None:
        """Record an event that is not a game."""
        if isinstance(event, TableLost):
            self.journal.write_event("table lost", f"table {event.table}: {event.why}")
            if event.unplayed is not None:
                self.unplayed.append(event.why)
                self.journal.write_event("game unplayed", f"game {event.unplayed}: {event.why}")
            self.watcher.table_lost(event, self.progress)

    def _record(self, over: Sequence[GameOver]) -> str | None:
        """Write games by one commit, then count them; the reason to stop, if there is one now."""
        if not over:
            return None
        for (host, speed), some in groupby(over, lambda event: (event.host, event.speed)):
            if (speed := speed or self.speed) is not None:
                numbers = [event.game.number for event in some]
                words = played_at(host or socket.gethostname(), speed, numbers)
                self.journal.write_event(PLAYED_AT, words)
        self.journal.write(*[event.game for event in over])
        self.agenda.done(*[event.game.number for event in over])
        self.progress.total = self.agenda.total
        verdict: str | None = None
        for event in over:
            self.progress.played += 1
            now = self._count(event.game)
            verdict = verdict or now
            self.watcher.game_over(event, self.progress)
        return verdict

    def _count(self, game: Game) -> str | None:
        """Count a game that is in the journal; the reason to stop, if there is one now."""
        self.progress.time.add(game)
        verdict = self.progress.count(game.outcome)
        early = None if self.early is None else self.early.add(game)
        return verdict or early

    def results(self) -> list[GameResult]:
        """The games so far in the order of their numbers, where the format asks for them."""
        return sorted(self.progress.results, key=lambda game: game.number)

    def _tick(self, tables: Sequence[TableView]) -> None:
        self._report_interrupt()
        self.watcher.tick(tables)

    def _report_interrupt(self) -> None:
        """Called from the loop, as a signal may arrive while something is written."""
        if self.interrupted and not self.interrupt_reported:
            self.interrupt_reported = True
            self.watcher.stopping("interrupted, Ctrl-C again stops at once")

    @contextmanager
    def _gentle_interrupt(self, runner: LocalRunner | DaskRunner) -> Iterator[None]:
        """The first Ctrl-C lets the current games end, the second stops at once."""

        def interrupt(number: int, frame: FrameType | None) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True
            runner.stop()

        try:
            before = signal.signal(signal.SIGINT, interrupt)
        except ValueError:  # only the main thread may handle signals
            yield
            return
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def does_not_start(reason: FaultReason) -> str:
    """What to do about an engine that fails before game 1."""
    time = ", give it more time with a larger start:" if reason == "time" else ""
    return f"{NOT_STARTED}: fix the engine{time}, or let it lose its games with broken: forfeit"
