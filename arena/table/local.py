"""The local runner: one table for each core, one loop that owns them all.

The loop waits for whatever happens next: a finished game, a table that died, a deadline. A hang, a
crash or a memory blow-up costs one game, which the engine to move loses; the table is set anew and
the other games that lay on it are handed out again. An engine whose table was held up gets the time
back, as nobody could think in it.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import multiprocess

from arena.bots.hosted import IDLE
from arena.engine.limits import no_answer
from arena.engine.timing import speed_of_this_host
from arena.errors import EngineFailure
from arena.machine import ended_process
from arena.streams import fill_standard_streams
from arena.table.first_check import LOOK_EVERY, PATIENT_ATTEMPTS, FirstCheck
from arena.table.game import Game, Reason, forfeit
from arena.table.grace import Grace
from arena.table.lessons import Lessons, LessonsWanted
from arena.table.seating import Seating
from arena.table.table import Table, TableView
from arena.table.table_process import PlayerChecked
from arena.tournament.agenda import Games
from arena.tournament.schedule import ScheduledGame

AHEAD = 0.02  # seconds of work that lie on a table; games that are quick come many at a time
LEAST_AHEAD, MOST_AHEAD = 2, 128  # games
NAP = 0.5 * AHEAD  # seconds at most in which the owner lets quick games come together
STILL_BORN = 20  # so many tables in a row may die before their first game
ATTEMPTS = 3  # a game whose table dies between two moves is played again so often
HOPELESS = 50  # so many tables in a row may be killed from outside before a run gives up


class GameOver(NamedTuple):
    """A game has ended at a table; it counts once it is in the journal."""

    table: int
    game: Game
    host: str | None = None  # where that is not this machine


@dataclass(frozen=True, slots=True)
class TableLost:
    """A table had to be set anew; the game that was lost by it, if an engine is to blame.

    `unplayed` is a game that is given up for this run, as its table was killed time and again.
    """

    table: int
    why: str
    game: int | None
    unplayed: int | None = None
    host: str | None = None  # of a worker that is gone with all its tables


Event = GameOver | TableLost


def start_method() -> str:
    """How tables are started: never by forking a process that may have threads."""
    methods = multiprocess.get_all_start_methods()
    return "forkserver" if "forkserver" in methods else "spawn"


class WirePoller:
    """Tells which tables have something to say, thousands of times a second if need be."""

    def __init__(self) -> None:
        self.poll = select.poll()
        self.tables: dict[int, Table] = {}  # by the descriptor of their wire

    def wait(self, tables: list[Table], seconds: float) -> list[Table]:
        """The tables whose wire holds an answer, or has ended; none if the time is up first."""
        if list(self.tables.values()) != tables:
            for wire in self.tables:
                with suppress(KeyError, OSError):
                    self.poll.unregister(wire)
            self.tables = {table.wire.fileno(): table for table in tables}
            for wire in self.tables:
                self.poll.register(wire, select.POLLIN)
        return [self.tables[wire] for wire, _ in self.poll.poll(seconds * 1000)]


class LocalRunner:
    """Plays games on tables in this machine's own processes.

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
        fill_standard_streams()  # or the pipe of a table would be taken for its stdin
        if seating.is_on_reference:  # nobody has asked for the speed yet
            seating = seating.at_speed(speed_of_this_host())
        self.seating = seating
        self.workers = workers
        self.tick = tick
        self.context: Any = multiprocess.get_context(start_method())
        if start_method() == "forkserver":
            kernels = ["arena.table.preloaded"] if "arena.jit" in sys.modules else []
            self.context.set_forkserver_preload(["arena.table.table_process", *kernels])
        os.environ.setdefault("PYTHONHASHSEED", "0")  # sets of words in the same order everywhere
        self.tables: list[Table] = []
        self.lessons = Lessons(seating.learners, finished)
        IDLE.close()  # engines are asked at the tables from now on
        self.attempts: Counter[int] = Counter()
        self.still_born = 0
        self.killed = 0  # tables in a row, from outside
        self.hopeless: str | None = None  # why no table lives long enough for a game
        self.grace = Grace()
        self.mean_seconds = 1.0
        self.stopping = False
        self.looked = 0.0
        self.wires = WirePoller()

    def check(self, forfeit: bool = False) -> Iterator[PlayerChecked]:
        """Build, warm up and ask every player once, on a table, before the first game.

        The first who cannot play ends it; where such players forfeit, the others are asked too.
        """
        check = FirstCheck(self.seating, self.tables, self.context, self._tick)
        yield from check.players(forfeit)
        self.seating, self.grace = check.seating, Grace()

    def check_player(self, player: int) -> PlayerChecked:
        """The same of one player, for whoever asks several runners."""
        return FirstCheck(self.seating, self.tables, self.context, self._tick).player(player)

    def play(self, agenda: Games) -> Iterator[list[Event]]:
        """Play until the agenda is empty or `stop` was called, telling what happens.

        What has happened meanwhile is told at once. Whoever reads it records the finished games
        and then tells the agenda.
        """
        self.agenda = agenda
        while True:
            self._hand_out()
            busy = [table for table in self.tables if table.games]
            if not busy:
                return
            self._nap(busy)
            events: list[Event] = []
            for table in self.wires.wait(busy, self._patience(busy)):
                events += self._read(table)
            events += self._watch()
            if events:
                yield events

    def _nap(self, busy: list[Table]) -> None:
        """Let quick games come together: less is done for each, and no table runs out of them."""
        least = min(len(table.games) for table in busy)
        if least > LEAST_AHEAD:
            time.sleep(min(NAP, 0.5 * least * self.mean_seconds))

    def stop(self) -> None:
        """Begin no further game; those on the tables are finished."""
        self.stopping = True
        for table in self.tables:
            table.heartbeat.halt()

    def close(self) -> None:
        """Clear all tables away, whatever they are doing."""
        for table in self.tables:
            table.clear()
            table.last_words()
        self.tables.clear()

    def _hand_out(self) -> None:
        """Give each table its next games: several where games are quick, so that none waits."""
        if self.stopping:
            return
        ahead = min(MOST_AHEAD, max(LEAST_AHEAD, int(AHEAD / max(self.mean_seconds, 1e-6))))
        least = min((len(table.games) for table in self.tables), default=0)
        if len(self.tables) == self.workers and least > ahead // 2:
            return
        lying = [len(table.games) for table in self.tables] + [0] * self.workers
        depths = range(least + 1, ahead + 1)
        places = [n for depth in depths for n in range(self.workers) if lying[n] < depth]
        given: dict[int, list[ScheduledGame]] = {}
        for number, game in zip(places, self.agenda.take_some(len(places)), strict=False):
            given.setdefault(number, []).append(game)
        for number, games in given.items():
            if number >= len(self.tables):
                self.tables.append(Table(number, self.seating, self.context))
            self.tables[number].hand(*games)

    def _patience(self, busy: list[Table]) -> float:
        """How long to wait: until the next deadline, or the next look around."""
        now = time.monotonic()
        rests = [
            self.grace.deadline(table, thinking, now) - now
            for table in busy
            if (thinking := table.thinking()) is not None
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
                self.still_born = self.killed = 0
                self.mean_seconds += 0.1 * (answer.seconds - self.mean_seconds)
                if self.seating.learners:
                    self.lessons.add(answer)
                yield GameOver(table.number, answer)
            elif isinstance(answer, ScheduledGame):
                self.agenda.put_back(table.games.popleft())
            elif isinstance(answer, LessonsWanted):
                table.teach(self.lessons.page(answer))

    def _watch(self) -> Iterator[Event]:
        """Clear tables whose engine hangs or has taken too much memory."""
        now = time.monotonic()
        stood_still = self.grace.look(self.tables, now)
        for table in self.tables:
            thinking = table.thinking()
            if thinking is not None and now > self.grace.deadline(table, thinking, now):
                if table.wire.poll() or table.is_stopped:  # it has answered, or cannot
                    continue
                taken = now - thinking.since - self.grace.lost_by(table, thinking)
                waiting = table.waiting(thinking, now)
                is_move = thinking.used is not None
                why = no_answer(is_move, taken, waiting)
                seconds = taken if is_move else 0.0
                yield from self._reset(table, why, (thinking.seat, "time"), seconds=seconds)
        if now - self.looked >= LOOK_EVERY:
            passed, self.looked = now - self.looked, now
            self._tick()
            yield from self._look_around(0.0 if stood_still else passed)

    def _tick(self) -> None:
        self.tick([table.view() for table in self.tables])

    def _look_around(self, passed: float) -> Iterator[Event]:
        for table in self.tables:
            if table.is_stopped:
                self.grace.give(table, passed, self.looked)
            table.bound_log()
            used, thinking = table.watched.megabytes, table.thinking()
            most = self.seating.memory
            is_too_much = most is not None and used > most
            if is_too_much and thinking is not None and not table.wire.poll():
                detail = f"used {used:.0f} MB of memory where {most} MB are allowed"
                yield from self._reset(table, detail, (thinking.seat, "memory"))

    def _died(self, table: Table) -> Iterator[Event]:
        """A table is gone: blame who was thinking, unless it was killed from outside."""
        thinking, ended = table.thinking(), table.clear()
        number = table.games[0].number if table.games else 0
        if table.was_killed:
            yield from self._killed(table, number, ended)
            return
        if not number or table.heartbeat.game != number:  # it died before the game began
            self.still_born += 1
            if self.still_born > STILL_BORN:
                raise EngineFailure(f"table after table dies before its first game: {ended}")
            yield from self._reset(table, ended)
            return
        self.attempts[number] += 1
        if thinking is None and self.attempts[number] < ATTEMPTS:
            yield from self._reset(table, ended)
            return
        seat = len(table.heartbeat.moves()) % 2 if thinking is None else thinking.seat
        yield from self._reset(table, ended_process(table.process.exitcode), (seat, "crash"))

    def _killed(self, table: Table, number: int, ended: str) -> Iterator[Event]:
        """A table was killed from outside: its game is played again, but not for ever."""
        self.killed += 1
        self.attempts[number] += 1
        if self.killed >= HOPELESS and self.hopeless is None:
            self.hopeless = f"table after table was {ended}"
            self.stop()
        if self.attempts[number] < PATIENT_ATTEMPTS or not table.games:
            yield from self._reset(table, ended)
            return
        self.agenda.give_up(table.games.popleft().number)
        yield from self._reset(table, f"{ended} {PATIENT_ATTEMPTS} times", unplayed=number)

    def _reset(
        self,
        table: Table,
        why: str,
        blame: tuple[int, Reason] | None = None,
        unplayed: int | None = None,
        seconds: float = 0.0,
    ) -> Iterator[Event]:
        """Set the table anew: the games that lay on it go back, but for one that a seat loses."""
        table.clear()
        log = table.last_words()
        lost: Game | None = None
        if blame is not None and table.games:
            game, (seat, reason) = table.games.popleft(), blame
            name = self.seating.players[(game.first, game.second)[seat]].name
            moves = table.heartbeat.moves()
            lost = forfeit(game, seat, reason, f"{name}: {why}", moves, log, seconds)
        for game in reversed(table.games):
            self.agenda.put_back(game)
        if self.stopping:
            self.tables.remove(table)
        else:
            fresh = Table(table.number, self.seating, self.context)
            self.tables[self.tables.index(table)] = fresh
        yield TableLost(table.number, why, lost.number if lost else None, unplayed)
        if lost is not None:
            self.lessons.add(lost)
            yield GameOver(table.number, lost)
