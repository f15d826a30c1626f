"""The local runner: one table for each core, one loop that owns them all.

The loop waits for whatever happens next: a finished game, a table that died, a deadline. A hang, a
crash or a memory blow-up costs one game, which the engine to move loses; the table is set anew and
the other games that lay on it are handed out again.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import multiprocess

from arena.errors import EngineFailure
from arena.play.clock import spell
from arena.play.pulse import Thinking
from arena.play.row import GameRow
from arena.play.table import Check, Checked, Seating, Skipped, Table
from arena.runners.events import Event, GameOver, PlayerChecked, TableLost
from arena.runners.grace import LONG, Grace
from arena.streams import fill_standard_streams
from arena.tournament.agenda import Agenda
from arena.tournament.schedule import ScheduledGame

LOOK_EVERY = 0.2  # seconds between looks at memory and logs, and for whoever watches
QUICK_GAME = 0.01  # seconds; such games are handed over many at a time
QUICK_AHEAD, USUAL_AHEAD = 32, 2
STILL_BORN = 20  # so many tables in a row may die before their first game
ATTEMPTS = 3  # a game whose table dies between two moves is played again so often
PATIENT_ATTEMPTS = 10  # and one whose table is killed from outside, which is no engine's fault
HOPELESS = 50  # so many tables in a row may be killed from outside before a run gives up


def start_method() -> str:
    """How tables are started: never by forking a process that may have threads."""
    methods = multiprocess.get_all_start_methods()
    return "forkserver" if "forkserver" in methods else "spawn"


class Ears:
    """Tells which tables have something to say, thousands of times a second if need be."""

    def __init__(self) -> None:
        self.poll = select.poll()
        self.heard: dict[int, Table] = {}

    def listen(self, tables: list[Table], seconds: float) -> list[Table]:
        """The tables whose pipe holds an answer, or has ended; none if the time is up first."""
        if list(self.heard.values()) != tables:
            self._turn_to(tables)
        return [self.heard[pipe] for pipe, _ in self.poll.poll(seconds * 1000)]

    def _turn_to(self, tables: list[Table]) -> None:
        for pipe in self.heard:
            with suppress(KeyError, OSError):
                self.poll.unregister(pipe)
        self.heard = {table.pipe.fileno(): table for table in tables}
        for pipe in self.heard:
            self.poll.register(pipe, select.POLLIN)


class LocalRunner:
    """Plays games on tables in this machine's own processes.

    `tick` is called with all tables a few times a second, whether something happens or not; while
    it takes its time, the games go on.
    """

    def __init__(
        self,
        seating: Seating,
        workers: int,
        tick: Callable[[list[Table]], None] = lambda tables: None,
    ) -> None:
        fill_standard_streams()  # or the pipe of a table would be taken for its stdin
        self.seating = seating
        self.workers = workers
        self.tick = tick
        self.context: Any = multiprocess.get_context(start_method())
        if start_method() == "forkserver":
            kernels = ["arena.play.preloaded"] if "arena.jit" in sys.modules else []
            self.context.set_forkserver_preload(["arena.play.table", *kernels])
        os.environ.setdefault("PYTHONHASHSEED", "0")  # sets of words in the same order everywhere
        self.tables: list[Table] = []
        self.attempts: Counter[int] = Counter()
        self.still_born = 0
        self.killed = 0  # tables in a row, from outside
        self.hopeless: str | None = None  # why no table lives long enough for a game
        self.grace = Grace()
        self.mean_seconds = 1.0
        self.stopping = False
        self.looked = 0.0
        self.ears = Ears()

    def check(self) -> Iterator[PlayerChecked]:
        """Build, warm up and ask every player once, on a table, before the first game."""
        for player in range(len(self.seating.players)):
            yield PlayerChecked(player, None, begun=True)
            for _ in range(PATIENT_ATTEMPTS):
                checked, ended = self._checked(player)
                if checked is not None:
                    break
            unchecked = f"its table was {ended} {PATIENT_ATTEMPTS} times" if not checked else None
            yield PlayerChecked(player, checked.wrong if checked else None, unchecked=unchecked)
            if checked is not None and checked.wrong is not None:
                return
        self.grace = Grace()

    def play(self, agenda: Agenda) -> Iterator[Event]:
        """Play until the agenda is empty or `stop` was called, telling what happens.

        Whoever reads the events records a finished game and then tells the agenda.
        """
        while True:
            self._hand_out(agenda)
            busy = [table for table in self.tables if table.games]
            if not busy:
                return
            for table in self.ears.listen(busy, self._patience(busy)):
                yield from self._read(table, agenda)
            yield from self._watch(agenda)

    def stop(self) -> None:
        """Begin no further game; those on the tables are finished."""
        self.stopping = True
        for table in self.tables:
            table.pulse.halt()

    def close(self) -> None:
        """Clear all tables away, whatever they are doing."""
        for table in self.tables:
            table.clear()
            table.last_words()
        self.tables.clear()

    def _set_table(self, number: int) -> Table:
        return Table(number, self.seating, self.context)

    def _checked(self, player: int) -> tuple[Checked | None, str]:
        """What a table says of a player; None and how it ended if it was killed from outside."""
        if not self.tables:
            self.tables.append(self._set_table(0))
        table = self.tables[0]
        table.hand(Check(player))
        name = self.seating.players[player][0]
        patience = self.seating.loading
        if not self._answers(table, patience):
            return Checked(player, f"engine {name} gave no answer in {patience:g} seconds"), ""
        answer = table.answer()
        if isinstance(answer, Checked):
            return answer, ""
        ended = table.clear()
        words = table.last_words().strip().splitlines()
        self.tables.clear()
        if table.was_killed:
            return None, ended
        return Checked(player, f"engine {name}: its process was {ended}" + _quoted(words)), ended

    def _answers(self, table: Table, seconds: float) -> bool:
        """Wait for a table; whether it has something to say in time, pauses not counted."""
        while seconds > 0:
            begun = time.monotonic()
            if table.pipe.poll(min(seconds, LOOK_EVERY)):
                return True
            self.tick(self.tables)
            if not table.is_stopped:
                seconds -= min(time.monotonic() - begun, LONG)
        return False

    def _hand_out(self, agenda: Agenda) -> None:
        """Give each table its next games: several where games are quick, so that none waits."""
        if self.stopping:
            return
        ahead = QUICK_AHEAD if self.mean_seconds < QUICK_GAME else USUAL_AHEAD
        least = min((len(table.games) for table in self.tables), default=0)
        if len(self.tables) == self.workers and least > ahead // 2:
            return
        for depth in range(least + 1, ahead + 1):
            for number in range(self.workers):
                if number < len(self.tables) and len(self.tables[number].games) >= depth:
                    continue
                game = agenda.take()
                if game is None:
                    return
                if number >= len(self.tables):
                    self.tables.append(self._set_table(number))
                self.tables[number].hand(game)

    def _patience(self, busy: list[Table]) -> float:
        """How long to wait: until the next deadline, or the next look around."""
        now = time.monotonic()
        rests = [
            self.grace.deadline(table, thinking, now) - now
            for table in busy
            if (thinking := table.thinking()) is not None
        ]
        return max(0.0, min([LOOK_EVERY, *rests]))

    def _read(self, table: Table, agenda: Agenda) -> Iterator[Event]:
        answer = table.answer()
        if answer is None:
            yield from self._died(table, agenda)
            return
        game = table.games.popleft()
        if isinstance(answer, GameRow):
            self.still_born = self.killed = 0
            self.mean_seconds += 0.1 * (answer.seconds - self.mean_seconds)
            yield GameOver(table.number, answer)
        elif isinstance(answer, Skipped):
            agenda.put_back(game)

    def _watch(self, agenda: Agenda) -> Iterator[Event]:
        """Clear tables whose engine hangs or has taken too much memory."""
        now = time.monotonic()
        stood_still = self.grace.look(self.tables, now)
        for table in self.tables:
            thinking = table.thinking()
            if thinking is not None and now > self.grace.deadline(table, thinking, now):
                if table.pipe.poll() or table.is_stopped:  # it has answered, or cannot
                    continue
                failed = "was not ready" if thinking.used is None else "gave no answer"
                lost = self.grace.lost_by(table, thinking)
                taken = spell(now - thinking.since - lost, table.waiting(thinking, now))
                detail = f"{failed} in {taken}"
                yield from self._clear(table, agenda, thinking, "time", detail)
        if now - self.looked >= LOOK_EVERY:
            passed, self.looked = now - self.looked, now
            self.tick(self.tables)
            yield from self._look_around(agenda, 0.0 if stood_still else passed)

    def _look_around(self, agenda: Agenda, passed: float) -> Iterator[Event]:
        for table in self.tables:
            if table.is_stopped:
                self.grace.give(table, passed, self.looked)
            table.bound_log()
            used, thinking = table.megabytes(), table.thinking()
            most = self.seating.memory
            if most is not None and used > most and thinking is not None:
                detail = f"used {used:.0f} MB of memory where {most} MB are allowed"
                yield from self._clear(table, agenda, thinking, "memory", detail)

    def _died(self, table: Table, agenda: Agenda) -> Iterator[Event]:
        """A table is gone: blame who was thinking, unless it was killed from outside."""
        thinking = table.thinking()
        ended = table.clear()
        number = table.games[0].number if table.games else 0
        if table.was_killed:
            yield from self._killed(table, agenda, number, ended)
            return
        if not number or table.pulse.game != number:  # it died before the game began
            self.still_born += 1
            if self.still_born > STILL_BORN:
                raise EngineFailure(f"table after table dies before its first game: {ended}")
            yield from self._reset(table, agenda, None, ended)
            return
        self.attempts[number] += 1
        if thinking is None and self.attempts[number] < ATTEMPTS:
            yield from self._reset(table, agenda, None, ended)
            return
        if thinking is None:
            thinking = Thinking(number, len(table.pulse.moves()) % 2, 0.0, 0.0)
        yield from self._clear(table, agenda, thinking, "crash", f"its process was {ended}")

    def _killed(self, table: Table, agenda: Agenda, number: int, ended: str) -> Iterator[Event]:
        """A table was killed from outside: its game is played again, but not for ever."""
        self.killed += 1
        self.attempts[number] += 1
        if self.killed >= HOPELESS and self.hopeless is None:
            self.hopeless = f"table after table was {ended}"
            self.stop()
        if self.attempts[number] < PATIENT_ATTEMPTS or not table.games:
            yield from self._reset(table, agenda, None, ended)
            return
        agenda.give_up(table.games.popleft().number)
        why = f"{ended} {PATIENT_ATTEMPTS} times"
        yield from self._reset(table, agenda, None, why, unplayed=number)

    def _clear(
        self, table: Table, agenda: Agenda, thinking: Thinking | None, reason: str, detail: str
    ) -> Iterator[Event]:
        """Take a table away; the engine that was thinking loses its game."""
        table.clear()
        if thinking is None or not table.games:
            yield from self._reset(table, agenda, None, detail)
            return
        yield from self._reset(table, agenda, (thinking.seat, reason, detail), detail)

    def _reset(
        self,
        table: Table,
        agenda: Agenda,
        blame: tuple[int, str, str] | None,
        why: str,
        unplayed: int | None = None,
    ) -> Iterator[Event]:
        """Set the table anew; the games that lay on it go back, but for one that is lost."""
        words = table.last_words()
        games = list(table.games)
        lost = None
        if blame is not None:
            lost = self._forfeit(games.pop(0), table, blame, words)
        for game in reversed(games):
            agenda.put_back(game)
        yield TableLost(table.number, why, lost.number if lost else None, unplayed)
        if lost is not None:
            yield GameOver(table.number, lost)
        if self.stopping:
            self.tables.remove(table)
        else:
            self.tables[self.tables.index(table)] = self._set_table(table.number)

    def _forfeit(
        self, game: ScheduledGame, table: Table, blame: tuple[int, str, str], words: str
    ) -> GameRow:
        seat, reason, detail = blame
        name = self.seating.players[(game.first, game.second)[seat]][0]
        moves = table.pulse.moves()
        opening = bytes(game.opening)
        return GameRow(
            game.number, game.round, game.first, game.second, opening,
            moves if moves[: len(opening)] == opening else opening,
            1 if seat else -1, reason, f"{name}: {detail}", game.seed, time.time(), 0.0, b"", words,
        )  # fmt: skip


def _quoted(lines: list[str]) -> str:
    return f" (it printed {lines[-1]!r} last)" if lines else ""
