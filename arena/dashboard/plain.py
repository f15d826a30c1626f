"""A run in plain lines: one every few seconds, and one for everything out of the ordinary."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.dashboard.endings import at_fault
from arena.engine.errors import Mistakes
from arena.run import Watcher
from arena.show.numbers import how_many, pace, span

if TYPE_CHECKING:
    from arena.dashboard.scene import Scene
    from arena.dashboard.snapshot import Snapshot
    from arena.play.table import Table
    from arena.run import Run, RunProgress
    from arena.runners.local import GameOver, TableLost

LINE_EVERY = 3.0  # seconds, if games have ended
LINE_ANYWAY = 30.0  # seconds, if none has
PATIENCE = 1.0  # seconds of checking that need no word


class PlainView(Watcher):
    """Says what happens, one sentence at a time."""

    def __init__(
        self,
        scene: Scene,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.scene, self.say, self.clock = scene, say, clock
        self.spoke = clock()
        self.said = 0  # games when it spoke last
        self.began_checking: float | None = None
        self.named = ""
        self.mistakes = Mistakes()

    def began(self, session: Run) -> None:
        """Say what is about to happen."""
        progress = session.progress
        about = "about " if session.agenda.is_estimate else ""
        played = f", {progress.done:,} of them played already" if progress.done else ""
        players, tables = len(progress.names), how_many(session.workers, "table")
        games = f"{about}{how_many(progress.total, 'game')}"
        self.say(f"{session.tournament.name}: {players} engines, {games}{played}, {tables}")
        self.spoke, self.said = self.clock(), progress.done

    def checking(self, name: str, number: int, count: int) -> None:
        """A player is being checked; a word is said if that takes a while."""
        if self.began_checking is None:
            self.began_checking = self.clock()
        self.named = f"checking {name} {number}/{count}"
        self._say_checking()

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """Tell of games that ended badly."""
        row = event.row
        if at_fault(row):
            mistake = self.mistakes.add(row.number, row.detail, row.log)
            if mistake.is_worth_telling:
                self.say(f"game {row.number}: {row.reason}: {mistake.again or row.detail}")

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A table was set anew; if a game was lost by it, that is told as a game."""
        if event.unplayed is not None:
            given_up = f"game {event.unplayed} is given up as unplayed"
            self.say(f"table {event.table + 1} {event.why}: {given_up}")
        elif event.game is None:
            self.say(f"table {event.table + 1} {event.why}: set anew, its game is played again")

    def warned(self, words: str) -> None:
        """What to know beforehand."""
        self.say(f"warning: {words}")

    def stopping(self, why: str) -> None:
        """No further game begins."""
        self.say(f"stopping, the games on the tables are finished: {why}")

    def tick(self, tables: Sequence[Table]) -> None:
        """Speak, if it is time to."""
        if self.named:
            self._say_checking()
        silent = self.clock() - self.spoke
        done = self.scene.progress.done
        if silent >= (LINE_EVERY if done > self.said else LINE_ANYWAY):
            self.spoke, self.said = self.clock(), done
            self.say(line_of(self.scene.snapshot(tables)))

    def _say_checking(self) -> None:
        """The player that is being checked, unless it goes fast."""
        if self.began_checking is not None and self.clock() - self.began_checking >= PATIENCE:
            self.say(self.named)
            self.named = ""


def line_of(snapshot: Snapshot) -> str:
    """Where a run stands, in one line."""
    about = "about " if snapshot.is_estimate else ""
    parts = [f"{snapshot.done:,}/{about}{snapshot.total:,} games", pace(snapshot.rate)]
    if snapshot.eta is not None:
        parts.append(f"ETA {'at most ' if snapshot.may_end_early else ''}{span(snapshot.eta)}")
    if snapshot.round:
        parts.append(snapshot.round)
    if snapshot.time:
        parts.append(snapshot.time)
    if snapshot.test is not None:
        parts.append(f"LLR {snapshot.test.state.llr:.2f}")
    best = snapshot.standings[0] if snapshot.standings else None
    if best is not None and best.games:
        parts.append(f"{best.name} leads with {best.share:.1%}{_rating(best.elo, best.error)}")
    return ", ".join(parts)


def _rating(elo: float | None, error: float | None) -> str:
    return "" if elo is None or error is None else f" ({elo:+z.0f} +- {error:.0f} Elo)"
