"""A table: one worker process that plays one game at a time, as its owner sees it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from types import ModuleType
from typing import Any

from multiprocess import resource_tracker

from arena.errors import ArenaError
from arena.log import log
from arena.processes import UNKNOWN, UNKNOWN_END, Process, how_it_ended, is_killed, kill_orphans
from arena.streams import ensure_cwd
from arena.table.channel import BEAT, BrokenMessage, Heartbeat, Pipe, Thinking
from arena.table.game import Game
from arena.table.learning import LessonsRequest
from arena.table.runner import Seating, TableView, Unplayed
from arena.table.table_process import STACK_SIGNAL, Answer, log_tail, serve
from arena.text import printable_lines
from arena.timing import AnswerDeadline
from arena.tournament.games import ScheduledGame

MAX_LOG = 64 * 2**20  # bytes
MAX_STARTS = 10  # attempts to start a worker whose fork server is killed
MAX_STOPPED = 30.0  # seconds in a game that a worker may be stopped
MAX_SILENT = 600.0  # seconds in which a worker with games may neither think nor answer
GAME_FIELDS = len(fields(Game))
MAX_STACK, MAX_STACK_WAIT = 1 << 15, 0.5  # bytes and seconds of a dump
HASH_SEED = "PYTHONHASHSEED"
_STARTING = threading.RLock()


@contextmanager
def clean_start() -> Iterator[None]:
    """Start a process inside that does not run the caller's script again, and ignores Ctrl-C.

    So a script that plays needs no `if __name__ == "__main__"`, and workers are ready sooner.
    Ctrl-C during the start would print the frames of whatever is being imported. The process
    iterates over sets of strings in the same order everywhere, unless the caller chose a seed.
    """
    with _STARTING:
        main, has_seed = sys.modules["__main__"], HASH_SEED in os.environ
        sys.modules["__main__"] = ModuleType("__main__")
        os.environ.setdefault(HASH_SEED, "0")
        resource_tracker.ensure_running()  # its start unblocks all signals
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            if not has_seed:
                del os.environ[HASH_SEED]
            sys.modules["__main__"] = main


def start_process(process: Any) -> None:
    """Start a worker process, and its fork server if that was killed."""
    ensure_cwd()
    with clean_start():
        for _ in range(MAX_STARTS):
            try:
                process.start()
                return
            except (EOFError, ConnectionError):
                time.sleep(0.1)  # the pipes of the fork server close a moment before it is gone
    raise ArenaError(
        f"cannot start a worker process: its fork server was killed {MAX_STARTS} times in a row, "
        "probably as the system ran out of memory; free some memory, or use fewer --workers"
    )


class Table:
    """The owner's side of a worker: start it, send it games, read its answers, kill it."""

    def __init__(self, number: int, seating: Seating, context: Any) -> None:
        self.number = number
        self.speed = seating.speed
        self.patience = seating.terms.patience
        self.heartbeat = Heartbeat(context)
        self.games: deque[ScheduledGame] = deque()  # sent and not answered, in order
        self.log, self.log_path = tempfile.mkstemp(prefix="arena-table-", suffix=".log")
        connection, theirs = context.Pipe()
        self.pipe = Pipe(connection)
        self.broken_message = ""  # why a message of the worker could not be read
        self.stopped = self.silent = 0.0  # seconds of the current game
        self.beat, self.watched_game = 0.0, 0  # of the heartbeat, at the last look
        args = (theirs, self.log_path, self.heartbeat, seating)
        self.process = context.Process(target=serve, args=args, name=f"table-{number}", daemon=True)
        start_process(self.process)
        theirs.close()
        self.watched = Process(self.process.pid)
        self.parent = self.watched.parent  # the fork server; without one, this process
        log(f"started process {self.process.pid}", number + 1)

    def hand(self, *games: ScheduledGame) -> None:
        """Send games to play."""
        self.games.extend(games)
        self._send([tuple(game) for game in games])  # plain tuples are pickled twice as fast

    def teach(self, games: list[Game]) -> None:
        """Send games that the worker has requested."""
        self._send(tuple(games))

    def _send(self, message: object) -> None:
        with suppress(OSError):  # a dead worker is noticed when its pipe is read
            self.pipe.send(message)

    def answers(self) -> list[Answer] | None:
        """Return all answers that have arrived; None if the worker died or sent a broken one."""
        try:
            return self._check_answers(self.pipe.receive_all())
        except (EOFError, OSError):
            return None
        except BrokenMessage as error:
            self.broken_message = f"lost after a broken message ({error})"
            return None

    def _check_answers(self, messages: list[Any]) -> list[Answer]:
        answers: list[Answer] = []
        expected = (game.number for game in self.games)
        for answer in messages:
            if type(answer) is tuple and len(answer) == GAME_FIELDS:
                answer = Game(*answer)
                is_sound = answer.number == next(expected, None) and type(answer.moves) is bytes
            elif isinstance(answer, (ScheduledGame, Unplayed)):
                is_sound = answer.number == next(expected, None)
            else:
                is_sound = isinstance(answer, LessonsRequest)
            if not is_sound:
                raise BrokenMessage(f"not an answer: {type(answer).__name__}")
            answers.append(answer)
        return answers

    def why_stuck(self, passed: float) -> str | None:
        """Return why this game will not end by itself; `passed` seconds are since the last look.

        Nobody thinks in a stopped worker, and nobody knows what a silent one does.
        """
        beat, is_stopped = self.heartbeat.numbers[BEAT], self.watched.is_stopped
        if self.heartbeat.game != self.watched_game:
            self.watched_game, self.stopped = self.heartbeat.game, 0.0
        is_silent = (
            self.games and not is_stopped and beat == self.beat and not self.heartbeat.thinking()
        )
        self.stopped += passed if is_stopped else 0.0
        self.silent = self.silent + passed if is_silent else 0.0
        self.beat = beat
        if self.stopped > MAX_STOPPED:
            return f"stopped for {MAX_STOPPED:g} seconds"
        return f"silent for {MAX_SILENT:g} seconds" if self.silent > MAX_SILENT else None

    def bound_log(self) -> None:
        """Empty the log of an engine that prints without end."""
        try:
            if os.fstat(self.log).st_size > MAX_LOG:
                os.ftruncate(self.log, 0)
        except OSError:
            pass

    def view(self) -> TableView:
        """Return the table as viewers see it now."""
        number, moves = self.heartbeat.game, self.heartbeat.moves()
        thinking = self.heartbeat.thinking()
        games = {game.number: game for game in list(self.games) if game.number > 0}
        if thinking is None or thinking.game != number or number not in games:
            return TableView(self.number, speed=self.speed, game=next(iter(games.values()), None))
        return TableView(
            self.number, speed=self.speed, game=games[number], moves=moves, thinking=thinking
        )

    def deadline(self, thinking: Thinking) -> AnswerDeadline:
        """Return when to stop waiting for the answer that is expected now."""
        since, allowed, before = thinking.since, thinking.allowed, thinking.before
        forgiven = 0.0 if before is None else self.patience
        is_move = thinking.used is not None
        return AnswerDeadline(since, allowed, self.watched, forgiven, before or UNKNOWN, is_move)

    @property
    def was_killed(self) -> bool:
        """Whether the worker was killed externally; an engine that kills itself looks the same."""
        return is_killed(self.process.exitcode, self.parent)

    def clear(self) -> str:
        """Kill the worker if it is alive, and return how it ended."""
        if self.process.is_alive():
            self.process.kill()
        elif self.process.exitcode == UNKNOWN_END and self.was_killed:
            with suppress(OSError):  # only its fork server knew whether it is alive
                os.kill(self.process.pid, signal.SIGKILL)
        if self.parent is not None and self.parent.is_stopped:
            self.parent.resume()  # a stopped fork server reaps nothing
        self.process.join()
        self.pipe.close()
        if self.parent is not None:
            kill_orphans(self.parent.pid)  # of bots that have killed their keepers
        return self.broken_message or how_it_ended(self.process.exitcode)

    def describe(self) -> str:
        """Return the memory of a worker, and the stacks of its threads as Python prints them."""
        if self.watched.is_stopped:
            return "stopped"
        if not self.process.is_alive():
            return ""
        megabytes = f"uses {self.watched.megabytes:.0f} MB\n"
        size = seen = os.fstat(self.log).st_size
        os.kill(self.process.pid, STACK_SIGNAL)
        until = time.monotonic() + MAX_STACK_WAIT
        while time.monotonic() < until and (seen == size or seen != os.fstat(self.log).st_size):
            seen = os.fstat(self.log).st_size
            time.sleep(0.02)
        stack = os.pread(self.log, MAX_STACK, size)
        os.ftruncate(self.log, size)  # it is not part of what the engines printed
        return megabytes + printable_lines(stack.decode(errors="replace"))

    def last_words(self) -> str:
        """Return the end of what was printed, and close the log of a worker that is gone."""
        words = log_tail(self.log)
        os.close(self.log)
        with suppress(OSError):  # the worker removes it, unless it died before
            os.unlink(self.log_path)
        return words
