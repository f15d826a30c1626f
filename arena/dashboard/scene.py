"""What there is to see of a run: it is told everything that happens, and asked for snapshots."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from arena.dashboard.endings import at_fault, cause
from arena.dashboard.figures import Figures
from arena.dashboard.forecast import Forecast, Running, pair_of
from arena.dashboard.snapshot import Checking, Ended, Happening, LiveTable, Snapshot
from arena.dashboard.watched import Watched
from arena.engine.errors import Mistakes
from arena.run import Watcher
from arena.show.numbers import how_many

if TYPE_CHECKING:
    from arena.play.record import GameRow
    from arena.play.table import Table
    from arena.run import Outcome, Run, RunProgress
    from arena.runners.local import GameOver, TableLost

KEPT = 150  # games and events that a window may have room for
RECALLED = 20_000  # games of an earlier run from which lengths are learnt


class Scene(Watcher):
    """The state behind every view of a run."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.rows: deque[GameRow] = deque(maxlen=KEPT)
        self.happenings: deque[Happening] = deque(maxlen=KEPT)
        self.faults = 0  # games lost by a fault
        self.mistakes = Mistakes()
        self.figures = Figures(clock)
        self.round, self.round_words = 0, ""
        self.out: dict[int, int] = {}
        self.checked_since: tuple[str, int, int, float] | None = None
        self.stop_words: str | None = None
        self.watched: list[Watched] = []

    def began(self, session: Run) -> None:
        """Get to know the tournament, and what an earlier run has left of it."""
        self.session, self.progress = session, session.progress
        tournament = session.tournament
        players = [(player.name, player.limits) for player in tournament.players]
        self.watched = [
            Watched(number, tournament.rules, players) for number in range(session.workers)
        ]
        self.forecast = Forecast(session.schedule, session.workers)
        self.forecast.begin(self.progress.scoreboard)
        if self.progress.done:
            self.forecast.recall(islice(session.journal.rows(telemetry=False), RECALLED))
            self.happen(f"going on after {how_many(self.progress.done, 'game')}")

    def checking(self, name: str, number: int, count: int) -> None:
        """A player is built, warmed up and asked for a move."""
        self.checked_since = (name, number, count, self.clock())

    def checked(self, name: str, wrong: str | None) -> None:
        """It has answered."""
        if wrong is not None:
            self.happen(wrong, grave=True)
        self.checked_since = None

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """A game has been recorded. This is done thousands of times a second, if need be."""
        row = event.row
        self.rows.append(row)
        self.forecast.add(event.table, row, self.clock())
        self.watched[event.table].over(row)
        if at_fault(row):
            self.faults += 1
            mistake = self.mistakes.add(row.number, row.detail, row.log)
            words = mistake.again or row.detail
            self.happen(f"game {row.number}: {row.reason}: {words}", grave=mistake.is_new)

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A table was set anew."""
        if event.unplayed is not None:
            text = f"game {event.unplayed} is given up as unplayed: its table was {event.why}"
            self.happen(text, grave=True)
            return
        again = "" if event.game is not None else f", its game is played again: {event.why}"
        self.happen(f"table {event.table + 1} is set anew{again}")

    def warned(self, words: str) -> None:
        """Something to know beforehand; it is told again when the dashboard is gone."""
        self.happen(words, grave=True)

    def stopping(self, why: str) -> None:
        """No further game begins."""
        self.stop_words = why
        self.happen(f"stopping: {why}")

    def ended(self, outcome: Outcome) -> None:
        """The run is over."""
        self.happen(outcome.why)

    def happen(self, text: str, grave: bool = False) -> None:
        """Something worth telling."""
        self.happenings.append(Happening(time.strftime("%H:%M:%S"), text, grave))

    def snapshot(self, tables: Sequence[Table] = ()) -> Snapshot:
        """The run at this moment."""
        now = self.clock()
        progress, tournament = self.progress, self.session.tournament
        live = self._look(tables, now)
        self._look_at_round(tables)
        self.figures.refresh(progress, self.out)
        return Snapshot(
            name=tournament.name,
            about=self._about(),
            round=self.round_words,
            done=progress.done,
            total=progress.total,
            is_estimate=self.session.agenda.is_estimate,
            rate=progress.rate,
            elapsed=now - progress.began,
            eta=self._eta(now),
            may_end_early=tournament.stop.sprt is not None or tournament.stop.error is not None,
            standings=self.figures.standings,
            crosstable=self.figures.crosstable,
            tables=live,
            ended=tuple(self._ended(row) for row in self.rows),
            happenings=tuple(self.happenings),
            test=self.figures.test,
            checking=self._checking(now),
            stopping=self.stop_words,
            time=progress.time.short() if progress.timed or progress.time.losses else "",
            is_late=bool(progress.time.losses) or (progress.timed and progress.time.is_busy),
        )

    def _about(self) -> tuple[str, ...]:
        tournament = self.session.tournament
        format_ = f"{tournament.format.kind} of {len(tournament.players)}"
        return tournament.rules.name, format_, how_many(self.session.workers, "table")

    def _look(self, tables: Sequence[Table], now: float) -> tuple[LiveTable, ...]:
        by_number = {table.number: table for table in tables}
        return tuple(watched.look(by_number.get(watched.number), now) for watched in self.watched)

    def _look_at_round(self, tables: Sequence[Table]) -> None:
        """The round of the games on the tables; where it is paired by results, its pairings."""
        rounds = [table.games[0].round for table in tables if table.games]
        if not rounds or min(rounds) == self.round:
            return
        self.round = min(rounds)
        schedule = self.session.schedule
        results = self.session.results() if schedule.needs_results else []
        self.round_words = schedule.round_in_words(self.round, results, self.progress.names)
        if schedule.needs_results:
            self.forecast.open(self.round, results)
            self.out = schedule.knocked_out(self.round, results)

    def _eta(self, now: float) -> float | None:
        """Seconds to the last game, or to the end of the time that may be spent."""
        progress = self.progress
        games = [watched.running for watched in self.watched if watched.running is not None]
        running = [Running(pair_of(game.first, game.second), time) for game, time in games]
        rest = self.forecast.seconds(progress.total - progress.done, running)
        budget = progress.rules.seconds_left()
        return rest if rest is None or budget is None else min(rest, budget)

    def _checking(self, now: float) -> Checking | None:
        if self.checked_since is None:
            return None
        name, number, count, since = self.checked_since
        return Checking(name, number, count, now - since)

    def _ended(self, row: GameRow) -> Ended:
        names = self.progress.names
        return Ended(
            row.number, names[row.first], names[row.second], row.result, cause(row),
            len(row.moves), row.seconds, at_fault(row),
        )  # fmt: skip
