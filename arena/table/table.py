"""A table: one child process in which one game at a time is played, as its owner sees it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, NamedTuple

from multiprocess import forkserver, resource_tracker

from arena.errors import ArenaError
from arena.machine import UNKNOWN_END, WatchedProcess, how_it_ended, is_killed
from arena.pauses import UNKNOWN, scheduled
from arena.streams import ensure_cwd
from arena.table.game import Game
from arena.table.heartbeat import Heartbeat, Thinking
from arena.table.seating import Seating
from arena.table.table_process import Answer, log_tail, serve
from arena.table.wire import Wire
from arena.tournament.schedule import ScheduledGame

LOG_BOUND = 64 * 2**20  # bytes
STARTS = 10  # attempts to start a worker whose fork server is killed


@contextmanager
def alone() -> Iterator[None]:
    """A process that starts inside does not run the script again that this one was started with.

    So a script that plays needs no `if __name__ == "__main__"`, and tables are ready sooner. Nor
    does it hear Ctrl-C: what is still loading would show its frames.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    resource_tracker.ensure_running()  # when it starts it lets all signals through again
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        sys.modules["__main__"] = main


class TableView(NamedTuple):
    """A table as viewers see it, on this machine or on a worker of a cluster."""

    number: int
    host: str = ""  # empty: this machine
    worker: str = ""  # its address in the cluster
    speed: float | None = None  # positions a second, where games depend on it
    game: ScheduledGame | None = None  # the current game, or the next one
    moves: bytes = b""
    thinking: Thinking | None = None  # None between two moves


def _start(process: Any) -> None:
    """Start a process; a fork server that was killed is started again."""
    for _ in range(STARTS):
        try:
            process.start()
            return
        except (EOFError, ConnectionError):
            time.sleep(0.1)  # its pipes close a moment before it is gone
    raise ArenaError(
        f"no worker can be started: the fork server was killed from outside {STARTS} times; "
        "is there enough memory?"
    )


class Table:
    """The owner's side: start it, hand it games, read its answers, clear it away."""

    def __init__(self, number: int, seating: Seating, context: Any) -> None:
        self.number = number
        self.speed = seating.speed
        self.patience = seating.patience
        self.heartbeat = Heartbeat(context)
        self.games: deque[ScheduledGame] = deque()  # handed over and not answered, in order
        self.log, self.log_path = tempfile.mkstemp(prefix="arena-table-", suffix=".log")
        pipe, theirs = context.Pipe()
        self.wire = Wire(pipe)
        args = (theirs, self.log_path, self.heartbeat, seating)
        self.process = context.Process(target=serve, args=args, name=f"table-{number}", daemon=True)
        ensure_cwd()
        with alone():
            _start(self.process)
        self.watched = WatchedProcess(self.process.pid)
        self.forked_from: int | None = forkserver._forkserver._forkserver_pid
        theirs.close()

    def hand(self, *games: ScheduledGame) -> None:
        """Send games to play."""
        self.games.extend(games)
        self._send([tuple(game) for game in games])  # plain ones are packed in half of the time

    def check(self, player: int) -> None:
        """Have a player checked; an answer will tell what is wrong with it."""
        self._send(player)

    def teach(self, games: list[Game]) -> None:
        """Send games that it has asked for, and is waiting for."""
        self._send(tuple(games))

    def _send(self, message: object) -> None:
        with suppress(OSError):  # if it has died, reading its wire will tell
            self.wire.send(message)

    def answers(self) -> list[Answer] | None:
        """All answers that have come, after its wire has said so; None if the table has died."""
        try:
            messages = self.wire.receive_all()
        except (EOFError, OSError):
            return None
        return [Game(*each) if type(each) is tuple else each for each in messages]

    def bound_log(self) -> None:
        """Cut off what a flooding engine has printed so far."""
        try:
            if os.fstat(self.log).st_size > LOG_BOUND:
                os.ftruncate(self.log, 0)
        except OSError:
            pass

    def thinking(self) -> Thinking | None:
        """Who is thinking at this table."""
        return self.heartbeat.thinking()

    def view(self) -> TableView:
        """The table as it is now."""
        number, moves = self.heartbeat.game, self.heartbeat.moves()
        thinking, games = self.heartbeat.thinking(), list(self.games)
        game = next((game for game in games if game.number == number), None)
        if thinking is None or thinking.game != number or game is None:
            return TableView(self.number, speed=self.speed, game=next(iter(games), None))
        return TableView(self.number, speed=self.speed, game=game, moves=moves, thinking=thinking)

    def deadline(self, thinking: Thinking, now: float) -> float:
        """When no answer is expected any more: later by what it had to wait for a processor."""
        if now <= thinking.deadline:
            return thinking.deadline
        return thinking.deadline + min(self.waiting(thinking, now), self.patience)

    def waiting(self, thinking: Thinking, now: float) -> float:
        """Seconds of a move by the clock in which the table was ready to run and could not.

        A wait is counted when it is over. As long as the table is ready, all the time that it did
        not run may be one: the referee will know better as soon as it has an answer.
        """
        before = thinking.before
        if before is None or before == UNKNOWN:
            return 0.0
        at = scheduled(self.process.pid)
        if self.watched.is_ready:
            return max(0.0, now - thinking.since - (at.ran - before.ran))
        return max(0.0, at.waited - before.waited)

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has stopped its process."""
        return self.watched.is_stopped

    @property
    def was_killed(self) -> bool:
        """Whether it died by somebody from outside; an engine that kills itself is let off."""
        return is_killed(self.process.exitcode, self.forked_from)

    def clear(self) -> str:
        """Kill it if it lives, and say how it ended."""
        if self.process.is_alive():
            self.process.kill()
        elif self.process.exitcode == UNKNOWN_END and self.was_killed:
            with suppress(OSError):  # who would know whether it lives is gone
                os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.wire.close()
        return how_it_ended(self.process.exitcode)

    def last_words(self) -> str:
        """What was printed last; the table is gone and its file with it."""
        words = log_tail(self.log)
        os.close(self.log)
        with suppress(OSError):  # the child did so, unless it died before
            os.unlink(self.log_path)
        return words
