"""The local runner: one worker process for each core, and one loop that owns them all.

The loop waits for whatever happens next: a finished game, a dead worker, a deadline. A hang, a
crash or too much memory costs the engine to move its game. The worker is then replaced, and its
other games are handed out again. A worker that is killed or stopped externally costs nobody a game.
"""

from __future__ import annotations

import logging
import select
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, cast

import multiprocess

from arena.bots.hosted import IDLE
from arena.bots.process import error_line
from arena.engine.errors import FaultReason
from arena.engine.timing import speed_of_this_host
from arena.errors import EngineFailure
from arena.game.notation import write_moves
from arena.log import is_logging, log
from arena.processes import ended_process
from arena.streams import fill_standard_streams
from arena.table.game import GOOD_ENDS, Game, Reason, forfeit
from arena.table.learning import Lessons, LessonsRequest
from arena.table.runner import (
    Event,
    GameOver,
    PlayerChecked,
    Seating,
    TableLost,
    TableView,
    Unplayed,
    check_of,
    player_of,
)
from arena.table.table import Table
from arena.timing import PAUSES
from arena.tournament.agenda import Games
from arena.tournament.games import ScheduledGame

AHEAD = 0.02  # seconds of work queued at a table; quick games are sent many at a time
LEAST_AHEAD, MOST_AHEAD = 2, 128  # games
LOOK_EVERY = 0.2  # seconds between looks at memory and logs, and between ticks
NAP = 0.5 * AHEAD  # seconds at most in which the owner lets quick games come together
MAX_DEAD_AT_START = 20  # workers in a row that may die before their first game
ATTEMPTS = 3  # at a game whose worker dies between two moves, is stopped or sends nonsense
PATIENT_ATTEMPTS = 10  # at a game whose worker is killed externally, which is no engine's fault
MAX_KILLED = 50  # workers in a row that may be killed externally


def start_method() -> str:
    """Return how workers are started: never by forking a process that may have threads."""
    methods = multiprocess.get_all_start_methods()
    return "forkserver" if "forkserver" in methods else "spawn"


def wait_for_answers(tables: Iterable[Table], seconds: float) -> list[Table]:
    """Return the tables whose pipe holds an answer or is closed; none after a timeout."""
    by_pipe, poll = {table.pipe.fileno(): table for table in tables}, select.poll()
    for pipe in by_pipe:
        poll.register(pipe, select.POLLIN)
    return [by_pipe[pipe] for pipe, _ in poll.poll(seconds * 1000)]


class Waiting:
    """A few games to play, as a runner takes them."""

    def __init__(self, games: Iterable[ScheduledGame]) -> None:
        self.games = deque(games)

    def take_some(self, most: int) -> list[ScheduledGame]:
        """The next games to play."""
        return [self.games.popleft() for _ in range(min(most, len(self.games)))]

    def put_back(self, game: ScheduledGame) -> None:
        """Take back a game that was not finished."""
        self.games.appendleft(game)

    def give_up(self, number: int) -> None:
        """The runner reports such games itself."""


class LocalRunner:
    """Plays games on worker processes of this machine.

    `tick` receives views of all tables a few times a second, whether or not something happens; the
    games continue while it runs. Learners receive the `finished` games and those played here.
    """

    agenda: Games  # of the games that are being played

    def __init__(
        self,
        seating: Seating,
        workers: int,
        tick: Callable[[Sequence[TableView]], None] = lambda views: None,
        finished: Iterable[Game] = (),
    ) -> None:
        fill_standard_streams()  # or the pipe of a worker would be taken for its stdin
        if seating.is_on_reference:  # the speed is not measured yet
            seating = seating.at_speed(speed_of_this_host())
        self.seating = seating
        self.workers = workers
        self.tick = tick
        self.context: Any = multiprocess.get_context(start_method())
        if start_method() == "forkserver":
            kernels = ["arena.jit"] if "arena.jit" in sys.modules else []
            self.context.set_forkserver_preload([*kernels, "arena.table.preloaded"])
        self.tables: list[Table] = []
        self.lessons = Lessons(seating.learners, finished)
        IDLE.close()  # only workers ask engines from now on
        self.attempts: Counter[int] = Counter()
        self.dead_at_start = 0
        self.killed = 0  # workers in a row
        self.hopeless: str | None = None  # why no worker lives long enough for a game
        PAUSES.watch()
        self.awake = PAUSES.time_awake()
        self.mean_seconds = 1.0
        self.stopping = False
        self.looked = 0.0

    def check(
        self, forfeit: bool = False, players: Iterable[int] | None = None
    ) -> Iterator[PlayerChecked]:
        """Build, warm up and try players once before the first game, on all workers at once.

        Report them in order. Stop at the first broken one, unless broken players forfeit. The
        worker of a sound one is ready for its games.
        """
        order = [*(range(len(self.seating.players)) if players is None else players)]
        given = {each: self.seating.players[each].broken for each in order}
        checks = Waiting(check_of(each) for each in order if not given[each])
        events, results = chain.from_iterable(self.play(checks)), dict[int, PlayerChecked]()
        broken = dict(self.seating.broken)
        for player in order:
            if why := given[player]:
                name = self.seating.players[player].name
                yield PlayerChecked(player, f"engine {name}: {why}")
                continue
            yield PlayerChecked(player, None, begun=True)
            while player not in results and (event := next(events, None)) is not None:
                if (ended := _read_check(event)) is not None:
                    results[ended.player] = ended
                    self.killed = self.dead_at_start = 0
            checked = results.get(player, PlayerChecked(player, None, unchecked=self.hopeless))
            yield checked
            if checked.wrong is not None:
                broken[player] = checked
                if not forfeit:
                    break
        if broken != self.seating.broken:
            self.close()  # it may still hang in its worker; new ones know who forfeits
            if forfeit:
                self.seating = replace(self.seating, broken=broken)

    def play(self, agenda: Games) -> Iterator[list[Event]]:
        """Play until the agenda is empty or `stop` was called; yield what happened since.

        The caller records the finished games, and then tells the agenda.
        """
        self.agenda, self.looked = agenda, time.monotonic() - LOOK_EVERY
        while True:
            self._hand_out()
            busy = [table for table in self.tables if table.games]
            if not busy:
                return
            self._nap(busy)
            events: list[Event] = []
            for table in wait_for_answers(busy, self._patience(busy)):
                events += self._read(table)
            events += self._watch()
            if events:
                yield events

    def _nap(self, busy: list[Table]) -> None:
        """Let quick games come together: each costs less, and no worker runs out of them."""
        least = min(len(table.games) for table in busy)
        if least > LEAST_AHEAD:
            time.sleep(min(NAP, 0.5 * least * self.mean_seconds))

    def stop(self) -> None:
        """Begin no further game; the current ones are finished."""
        self.stopping = True
        for table in tuple(self.tables):
            table.heartbeat.halt()

    def close(self) -> None:
        """Kill all workers, whatever they are doing."""
        for table in self.tables:
            table.clear()
            table.last_words()
        self.tables.clear()

    def _hand_out(self) -> None:
        """Send each worker its next games: several where games are quick, so that none waits."""
        if self.stopping:
            return
        ahead = min(MOST_AHEAD, max(LEAST_AHEAD, int(AHEAD / max(self.mean_seconds, 1e-6))))
        least = min((len(table.games) for table in self.tables), default=0)
        if len(self.tables) == self.workers and least > ahead // 2:
            return
        queued = [len(table.games) for table in self.tables] + [0] * self.workers
        depths = range(least + 1, ahead + 1)
        places = [n for depth in depths for n in range(self.workers) if queued[n] < depth]
        given: dict[int, list[ScheduledGame]] = {}
        for number, game in zip(places, self.agenda.take_some(len(places)), strict=False):
            given.setdefault(number, []).append(game)
        for number, games in given.items():
            if number >= len(self.tables):
                self.tables.append(self._new_table(number))
            self.tables[number].hand(*games)

    def _new_table(self, number: int) -> Table:
        table = Table(number, self.seating, self.context)
        if self.stopping:  # since the start of the worker, by a signal
            table.heartbeat.halt()
        return table

    def _patience(self, busy: list[Table]) -> float:
        """Return how long to wait: until the next deadline, or the next look around."""
        now = time.monotonic()
        rests = [
            table.deadline(thinking).rest(now)
            for table in busy
            if (thinking := table.heartbeat.thinking()) is not None
        ]
        return max(0.0, min([LOOK_EVERY, *rests]))

    def _read(self, table: Table) -> Iterator[Event]:
        answers = table.answers()
        if answers is None:
            yield from self._died(table)
            return
        for answer in answers:
            if isinstance(answer, Game):
                table.games.popleft()
                self.dead_at_start = self.killed = 0
                if answer.number > 0:
                    self.mean_seconds += 0.1 * (answer.seconds - self.mean_seconds)
                    self.lessons.add(answer)
                yield GameOver(table.number, answer)
            elif isinstance(answer, ScheduledGame):
                self.agenda.put_back(table.games.popleft())
            elif isinstance(answer, Unplayed):
                self.agenda.give_up(table.games.popleft().number)
                yield TableLost(table.number, answer.why, None, answer.number)
            elif isinstance(answer, LessonsRequest):
                table.teach(self.lessons.page(answer))

    def _watch(self) -> Iterator[Event]:
        """Replace workers whose engine hangs or uses too much memory, or that are stopped."""
        now = time.monotonic()
        for table in tuple(self.tables):
            thinking = table.heartbeat.thinking()
            if thinking is not None and table.deadline(thinking).over(now):
                if table.pipe.poll() or table.watched.is_stopped:  # it has answered, or cannot
                    continue
                late = table.deadline(thinking)
                seconds = late.taken(now) if late.is_move else 0.0
                blame: tuple[int, Reason] = (thinking.seat, "time")
                yield from self._replace(table, late.sentence(now), blame, seconds=seconds)
        if now - self.looked >= LOOK_EVERY:
            self.looked = now
            self.tick([table.view() for table in self.tables])
            awake = PAUSES.time_awake()
            passed, self.awake = awake - self.awake, awake
            yield from self._look_around(passed)

    def _look_around(self, passed: float) -> Iterator[Event]:
        for table in tuple(self.tables):
            table.watched.look(self.looked)
            table.bound_log()
            used, thinking = table.watched.megabytes, table.heartbeat.thinking()
            most = self.seating.terms.memory
            is_too_much = most is not None and used > most
            if is_too_much and thinking is not None and not table.pipe.poll():
                detail = f"used {used:.0f} MB of memory where {most} MB are allowed"
                yield from self._replace(table, detail, (thinking.seat, "memory"))
            elif (why := table.why_stuck(passed)) is not None and not table.pipe.poll():
                yield from self._lost_externally(table, why, ATTEMPTS)

    def _died(self, table: Table) -> Iterator[Event]:
        """A worker is gone: blame the engine that was thinking, unless the worker was killed."""
        thinking, ended = table.heartbeat.thinking(), table.clear()
        number = table.games[0].number if table.games else 0
        if table.broken_message or table.was_killed:
            attempts = ATTEMPTS if table.broken_message else PATIENT_ATTEMPTS
            yield from self._lost_externally(table, ended, attempts)
            return
        if not number or table.heartbeat.game != number:  # it died before the game began
            self._count_dead_at_start(ended)
            yield from self._replace(table, ended)
            return
        self.attempts[number] += 1
        if thinking is None and self.attempts[number] < ATTEMPTS:
            yield from self._replace(table, ended)
            return
        seat = len(table.heartbeat.moves()) % 2 if thinking is None else thinking.seat
        yield from self._replace(table, ended_process(table.process.exitcode), (seat, "crash"))

    def _count_dead_at_start(self, ended: str) -> None:
        self.dead_at_start += 1
        if self.dead_at_start > MAX_DEAD_AT_START:
            raise EngineFailure(
                f"worker processes keep dying at start-up, {self.dead_at_start} in a row; the last "
                f"one {ended}; check the installation with arena doctor, or use fewer --workers "
                "if memory is short"
            )

    def _lost_externally(self, table: Table, why: str, attempts: int) -> Iterator[Event]:
        """A worker was killed or stopped externally: repeat its game, but not for ever."""
        number = table.games[0].number if table.games else 0
        self.killed += 1
        self.attempts[number] += 1
        if self.killed >= MAX_KILLED and self.hopeless is None:
            self.hopeless = (
                f"{self.killed} worker processes in a row were lost by no fault of an engine; the "
                f"last one was {why}; if memory is short, use fewer --workers or a smaller memory:"
            )
            self.stop()
        if self.attempts[number] < attempts or not number:
            yield from self._replace(table, why)
            return
        self.agenda.give_up(table.games.popleft().number)
        words = f"its worker was {why} {attempts} times"
        yield from self._replace(table, words, unplayed=number)

    def _log_lost(self, table: Table, why: str, state: str, printed: str) -> None:
        """Log all that is known of a lost worker."""
        view = table.view()
        doing, number = "between two moves", 0 if view.game is None else view.game.number
        if view.game is not None and view.thinking is not None:
            player = (view.game.first, view.game.second)[view.thinking.seat]
            seconds = time.monotonic() - view.thinking.since
            doing = f"{self.seating.players[player].name} was asked {seconds:.3f} s ago"
        moves = write_moves(table.heartbeat.moves(), self.seating.rules) or "none"
        words = [
            f"lost process {table.process.pid}: {why}; {doing}; moves {moves}; "
            f"games in its queue {len(table.games)}"
        ]
        words += [f"state: {line}" for line in state.splitlines()]
        words += [f"printed: {line}" for line in printed.splitlines()]
        log("\n".join(words), table.number + 1, number, logging.WARNING)

    def _replace(
        self,
        table: Table,
        why: str,
        blame: tuple[int, Reason] | None = None,
        unplayed: int | None = None,
        seconds: float = 0.0,
    ) -> Iterator[Event]:
        """Replace a worker: its games go back to the agenda, but for one that a seat loses."""
        state = table.describe() if is_logging() else ""
        table.clear()
        printed = table.last_words()
        self._log_lost(table, why, state, printed)
        lost: Game | None = None
        if blame is not None and table.games:
            game, (seat, reason) = table.games.popleft(), blame
            name = self.seating.players[(game.first, game.second)[seat]].name
            moves = table.heartbeat.moves()
            lost = forfeit(game, seat, reason, f"{name}: {why}", moves, printed, seconds)
        for game in reversed(table.games):
            self.agenda.put_back(game)
        if self.stopping:
            self.tables.remove(table)
        else:
            self.tables[self.tables.index(table)] = self._new_table(table.number)
        yield TableLost(table.number, why, lost.number if lost else None, unplayed)
        if lost is not None:
            if lost.number > 0:
                self.lessons.add(lost)
            yield GameOver(table.number, lost)


def _read_check(event: Event) -> PlayerChecked | None:
    """The end of a check, if the event is one."""
    if isinstance(event, TableLost):
        if event.unplayed is None:
            return None
        return PlayerChecked(player_of(event.unplayed), None, unchecked=event.why)
    game, player = event.game, event.game.first
    if game.reason in GOOD_ENDS:
        return PlayerChecked(player, None, compiled=game.seconds)
    last = error_line(game.printed) if game.reason == "crash" else ""
    words = f"engine {game.detail}" + (f" (it printed {last!r})" if last else "")
    reason = cast(FaultReason, game.reason)
    return PlayerChecked(player, f"{words}\n{game.trace}", reason=reason)
