"""The state of a run for its views: it hears of every event, and gives snapshots.

A snapshot is the run at one moment as plain data: exactly the data of a frame.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from arena.dashboard.eta import Forecast
from arena.dashboard.hosts import HostState, hosts_of
from arena.dashboard.table_view import LiveTable, WatchedTable
from arena.engine.errors import EngineMistake, EngineMistakes
from arena.game.rules import Rules
from arena.session import Outcome, Run, RunProgress, Watcher
from arena.show.numbers import how_many
from arena.standings.ranking import Standing, standings
from arena.standings.rating import Ratings, rate_games
from arena.standings.sprt import SequentialTest
from arena.table.game import GOOD_ENDS, Game
from arena.table.runner import GameOver, TableLost, TableView
from arena.text import printable

MAX_LISTED = 150  # games and notices that a window may have room for
MAX_RECALLED = 20_000  # games of an earlier run from which lengths are learnt
COMPILED = 1.0  # seconds of compiling that are an event
EVERY = 1.0  # seconds between two looks at the results
SHARE = 0.01  # of one core that the tables may cost, and as much again the ratings
MAX_CROSSTABLE = 40  # players that any crosstable has room for
DRAWS = {"full board": "full board", "max plies": "ply limit"}


@dataclass(frozen=True, slots=True)
class Notice:
    """An event beside the games, with its time of day; a grave one is red."""

    when: str
    text: str
    is_grave: bool = False


@dataclass(frozen=True, slots=True)
class Checking:
    """The check of a player before the first game, and its seconds so far."""

    name: str
    number: int
    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run at one moment; standings and rows of the crosstable are in the same order."""

    name: str
    names: tuple[str, ...]  # of the line-up
    rules: Rules
    about: tuple[str, ...]  # the game, the format, the tables: in a few words each
    round: str  # in words, empty before the first game
    done: int
    total: int
    is_estimate: bool  # of the total
    rate: float  # games a second
    elapsed: float
    eta: float | None
    may_end_early: bool
    standings: tuple[Standing, ...]
    crosstable: tuple[tuple[float | None, ...], ...]  # shares of the points of the first players
    tables: tuple[LiveTable, ...]
    games: tuple[Game, ...]  # the last ones, the last one last
    notices: tuple[Notice, ...]  # the last one last
    test: SequentialTest | None = None
    checking: Checking | None = None
    stopping: str | None = None
    time: str = ""  # games lost on time and how busy the machine is, in a few words
    is_late: bool = False  # whether there is anything to worry about in that
    hosts: tuple[HostState, ...] = ()  # of a cluster


class ResultTables:
    """Standings and crosstable, renewed when games were added, but not too often.

    Ratings of many players take long, and are renewed less often than the scores beside them.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.standings: tuple[Standing, ...] = ()
        self.crosstable: tuple[tuple[float | None, ...], ...] = ()
        self.ratings: Ratings | None = None
        self.rated, self.counted = 0, -1  # games in the ratings, and in the tables
        self.rating_due = self.due = float("-inf")

    def refresh(self, progress: RunProgress, out: Collection[int]) -> None:
        """Renew what lacks games, if it was renewed long enough ago."""
        now, done, board = self.clock(), progress.done, progress.scoreboard
        is_rating_due = done != self.rated and now >= self.rating_due
        if not is_rating_due and (done == self.counted or now < self.due):
            return
        if is_rating_due:
            begin = time.thread_time()
            self.ratings, self.rated = rate_games(board), done
            self.rating_due = now + max(EVERY, (time.thread_time() - begin) / SHARE)
        begin = time.thread_time()
        ranking = progress.ranking(self.ratings)
        self.standings = standings(board, ranking, self.ratings, out)
        top = ranking.order[:MAX_CROSSTABLE]
        scores = [[board.versus(player, other) for other in top] for player in top]
        self.crosstable = tuple(
            tuple(score.share if score.games else None for score in row) for row in scores
        )
        self.counted = done
        self.due = now + max(EVERY, (time.thread_time() - begin) / SHARE)


class RunState(Watcher):
    """The state behind every view of a run."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.games: deque[Game] = deque(maxlen=MAX_LISTED)
        self.notices: deque[Notice] = deque(maxlen=MAX_LISTED)
        self.mistakes = EngineMistakes()
        self.mistake: EngineMistake | None = None  # of the last game
        self.results = ResultTables(clock)
        self.round, self.round_words = 0, ""
        self.out: Collection[int] = ()  # who is knocked out
        self.check: tuple[str, int, int] | None = None  # the running check
        self.check_began = 0.0
        self.stop_words: str | None = None
        self.tables: list[WatchedTable] = []
        self.games_by_host: Counter[str] = Counter()

    def began(self, run: Run) -> None:
        """Read the tournament, and the games of an earlier run."""
        self.run, self.progress = run, run.progress
        tournament, done = run.tournament, run.progress.done
        players = [(player.name, player.limits) for player in tournament.players]
        self.set_table = partial(WatchedTable, rules=tournament.rules, players=players)
        self.tables = [self.set_table(number) for number in range(run.workers)]
        is_far = run.cluster is not None
        self.forecast = Forecast(run.schedule, run.workers, run.seating.learners, is_far)
        earlier = islice(run.journal.rows(telemetry=False), MAX_RECALLED) if done else ()
        self.forecast.begin(self.progress.scoreboard, earlier)
        if done:
            self.notice(f"resumed after {how_many(done, 'game')}")

    def checking(self, name: str, number: int, count: int) -> None:
        """A player is built, warmed up and asked for a move."""
        self.check, self.check_began = (name, number, count), self.clock()

    def checked(self, name: str, wrong: str | None, compiled: float = 0.0) -> None:
        """It has answered."""
        if compiled >= COMPILED:
            self.notice(f"{name} compiled its kernels in {compiled:.0f} s")
        if wrong is not None:
            self.notice(wrong, is_grave=True)
        self.check = None

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """Add a recorded game, up to thousands of times a second."""
        row, self.mistake = event.game, None
        self.games.append(row)
        self.forecast.add(event.table, row, self.clock())
        if event.host is not None:
            self.games_by_host[event.host] += 1
        self._set_tables(event.table + 1)
        self.tables[event.table].over(row)
        if at_fault(row):
            loser = "" if row.loser is None else self.progress.names[row.loser]
            self.mistake = mistake = self.mistakes.add(row.number, row.detail, row.log, loser)
            words = mistake.again or row.detail
            game = game_of(event)
            self.notice(f"{game}: {row.reason}: {words}", is_grave=mistake.is_new)

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A worker was replaced."""
        if event.unplayed is not None:
            text = f"game {event.unplayed} stays unplayed: {event.why}"
            self.notice(text, is_grave=True)
            return
        if event.host is not None:
            self.notice(f"{event.why}, its games are played elsewhere", is_grave=True)
            return
        again = "" if event.game is not None else f" and its game repeated: {event.why}"
        self.notice(f"worker {event.table + 1} is replaced{again}")

    def warned(self, words: str) -> None:
        """Show a warning; it is printed again after the dashboard closes."""
        self.notice(words, is_grave=True)

    def stopping(self, why: str) -> None:
        """No further game begins."""
        self.stop_words = why
        self.notice(f"stopping: {why}")

    def ended(self, outcome: Outcome) -> None:
        """The run is over."""
        self.notice(outcome.why)

    def notice(self, text: str, is_grave: bool = False) -> None:
        """Add an event."""
        self.notices.append(Notice(time.strftime("%H:%M:%S"), text, is_grave))

    def snapshot(self, tables: Sequence[TableView] = ()) -> Snapshot:
        """The run at this moment."""
        now = self.clock()
        progress, tournament = self.progress, self.run.tournament
        views = self._views(tables, now)
        self._look_at_round(tables)
        self.results.refresh(progress, self.out)
        format_ = f"{tournament.format.kind} of {len(tournament.players)}"
        return Snapshot(
            name=tournament.name,
            names=progress.names,
            rules=tournament.rules,
            about=(tournament.rules.name, format_, how_many(self.forecast.tables, "worker")),
            round=self.round_words,
            done=progress.done,
            total=progress.total,
            is_estimate=self.run.agenda.is_estimate,
            rate=progress.rate,
            elapsed=now - progress.began,
            eta=self._eta(),
            may_end_early=tournament.stop.sprt is not None or tournament.stop.error is not None,
            standings=self.results.standings,
            crosstable=self.results.crosstable,
            tables=views,
            games=tuple(self.games),
            notices=tuple(self.notices),
            test=progress.rules.test,
            checking=self.check and Checking(*self.check, now - self.check_began),
            stopping=self.stop_words,
            time=progress.time.short() if progress.timed or progress.time.losses else "",
            is_late=bool(progress.time.losses) or (progress.timed and progress.time.is_busy),
            hosts=hosts_of(tables, self.games_by_host),
        )

    def _set_tables(self, count: int) -> None:
        """Add the tables of workers that joined a cluster."""
        while len(self.tables) < count:
            self.tables.append(self.set_table(len(self.tables)))

    def _views(self, tables: Sequence[TableView], now: float) -> tuple[LiveTable, ...]:
        """The views of all tables but those of lost workers."""
        by_number = {table.number: table for table in tables}
        views = self.tables
        if by_number and self.run.cluster is not None:
            self._set_tables(max(by_number) + 1)
            views = [view for view in self.tables if view.number in by_number]
            self.forecast.tables = min(len(views), self.run.tournament.workers or len(views))
        return tuple(view.look(by_number.get(view.number), now) for view in views)

    def _look_at_round(self, tables: Sequence[TableView]) -> None:
        """The round of the games on the tables; where it is paired by results, its pairings."""
        rounds = [table.game.round for table in tables if table.game is not None]
        if not rounds or min(rounds) == self.round:
            return
        self.round = min(rounds)
        schedule = self.run.schedule
        results = self.run.results() if schedule.needs_results else []
        self.round_words = schedule.round_in_words(self.round, results, self.progress.names)
        if schedule.needs_results:
            self.forecast.open(self.round, results)
            self.out = schedule.knocked_out(self.round, results)

    def _eta(self) -> float | None:
        """Seconds to the last game, or to the end of the time that may be spent."""
        running = [view.running for view in self.tables if view.running is not None]
        rest = self.forecast.seconds(self.progress.total - self.progress.done, running)
        budget = self.progress.rules.seconds_left()
        return rest if rest is None or budget is None else min(rest, budget)


def game_of(event: GameOver) -> str:
    """A game by its number, and by its host where that is another machine."""
    where = "" if event.host is None else f" on {printable(event.host)}"
    return f"game {event.game.number}{where}"


def at_fault(row: Game) -> bool:
    """Whether an engine's fault ended the game."""
    return row.reason not in GOOD_ENDS


def cause(row: Game) -> str:
    """Why a game ended so: the kind of line, why it is a draw, or what went wrong."""
    if row.reason == "line":
        line = row.detail.rpartition(" made a ")[2]
        return line.partition(" (")[0] or "line"
    return DRAWS.get(row.reason, row.reason)
