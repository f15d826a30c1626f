"""A run in plain lines: one every few seconds, and one for each event."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from arena.dashboard.state import RunState, Snapshot, game_of
from arena.session import Run, RunProgress, Watcher
from arena.show.numbers import how_many, pace, span
from arena.table.runner import GameOver, TableLost, TableView

LINE_EVERY = 3.0  # seconds, if games have ended
LINE_ANYWAY = 30.0  # seconds, if none has
PATIENCE = 1.0  # seconds of checking that need no word


class PlainLines(Watcher):
    """Prints a sentence for each event, unless it is silent beside a dashboard.

    The state of the run hears of each event first, and counts mistakes.
    """

    def __init__(
        self,
        state: RunState,
        write: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.state, self.write, self.clock = state, write, clock
        self.is_silent = False
        self.line_at = clock()  # when the last line about the games was written
        self.line_games = 0  # how many there were
        self.check_began: float | None = None
        self.check_words = ""  # until they are written

    def say(self, sentence: str) -> None:
        """Write a line."""
        if not self.is_silent:
            self.write(sentence)

    def began(self, run: Run) -> None:
        """Announce the run."""
        progress = run.progress
        about = "about " if run.agenda.is_estimate else ""
        played = f", {progress.done:,} of them played already" if progress.done else ""
        players, workers = len(progress.names), how_many(run.workers, "worker")
        games = f"{about}{how_many(progress.total, 'game')}"
        self.say(f"{run.tournament.name}: {players} engines, {games}{played}, {workers}")
        self.line_at, self.line_games = self.clock(), progress.done

    def checking(self, name: str, number: int, count: int) -> None:
        """Note which player is checked; say so if that takes a while."""
        if self.check_began is None:
            self.check_began = self.clock()
        self.check_words = f"checking {name} {number}/{count}"
        self._say_check()

    def checked(self, name: str, wrong: str | None, compiled: float = 0.0) -> None:
        """Forget the check; report long compiling."""
        self.check_words = ""
        if compiled >= PATIENCE:
            self.say(f"{name} compiled its kernels in {compiled:.0f} s, not charged to its time")

    def _say_check(self) -> None:
        if self.check_began is not None and self.clock() - self.check_began >= PATIENCE:
            self.say(self.check_words)
            self.check_words = ""

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """Report games that ended by a fault."""
        row, mistake = event.game, self.state.mistake
        if mistake is not None and mistake.should_report:
            self.say(f"{game_of(event)}: {row.reason}: {mistake.again or row.detail}")

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """Report a lost worker, unless a game was lost by it, which is reported as a game."""
        if event.unplayed is not None:
            self.say(f"game {event.unplayed} stays unplayed: {event.why}")
        elif event.host is not None:
            self.say(f"{event.why}: its games are played elsewhere")
        elif event.game is None:
            number, why = event.table + 1, event.why
            self.say(f"worker {number} is replaced and its game repeated: {why}")

    def warned(self, words: str) -> None:
        """Print a warning."""
        self.say(f"warning: {words}")

    def stopping(self, why: str) -> None:
        """Say why no further game begins."""
        self.say(f"stopping; the games in progress are finished: {why}")

    def tick(self, tables: Sequence[TableView]) -> None:
        """Print a line, if it is time to."""
        if self.is_silent:
            return
        if self.check_words:
            self._say_check()
        silence, done = self.clock() - self.line_at, self.state.progress.done
        if silence >= (LINE_EVERY if done > self.line_games else LINE_ANYWAY):
            self.line_at, self.line_games = self.clock(), done
            self.say(line_of(self.state.snapshot(tables)))


def line_of(snapshot: Snapshot) -> str:
    """The state of a run in one line."""
    about = "about " if snapshot.is_estimate else ""
    parts = [f"{snapshot.done:,}/{about}{snapshot.total:,} games", pace(snapshot.rate)]
    if snapshot.eta is not None:
        parts.append(f"ETA {'at most ' if snapshot.may_end_early else ''}{span(snapshot.eta)}")
    parts += filter(None, (snapshot.round, snapshot.time))
    if snapshot.hosts:
        tables = sum(host.tables for host in snapshot.hosts)
        hosts = sum(host.tables > 0 for host in snapshot.hosts)
        parts.append(f"{how_many(tables, 'table')} on {how_many(hosts, 'host')}")
    if snapshot.test is not None:
        parts.append(f"LLR {snapshot.test.state.llr:.2f}")
    best = snapshot.standings[0] if snapshot.standings else None
    if best is not None and best.score.games:
        rated = best.elo is not None and best.error is not None
        rating = f" ({best.elo:+z.0f} +- {best.error:.0f} Elo)" if rated else ""
        parts.append(f"{best.name} leads with {best.score.share:.1%}{rating}")
    return ", ".join(parts)
