"""A table: one child process in which one game at a time is played, and its owner's view of it.

The child takes games from its pipe and answers with rows. What engines print goes into a file, of
which the end is kept where a game ends badly. Nothing an engine does here can hurt the owner.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from arena.engine.contract import Engine, Limits
from arena.engine.errors import last_words, sentence, trace_behind
from arena.engine.registry import find
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError
from arena.game.rules import Rules
from arena.play import process
from arena.play.adjudication import Ruling, rulings
from arena.play.clock import scheduled
from arena.play.pauses import PAUSES
from arena.play.pulse import Pulse, Thinking, WatchedReferee
from arena.play.record import GOOD_ENDS, GameRecord, Reason
from arena.play.referee import Referee
from arena.play.row import GameRow, pack_telemetry
from arena.printable import printable, printable_lines
from arena.tournament.schedule import ScheduledGame

LOG_KEPT = 4096
LOG_BOUND = 64 * 2**20
LOADING = 600.0  # seconds: where nothing is compiled yet, that may take minutes


@dataclass(frozen=True)
class Seating:
    """What a table needs to know of a tournament before its first game."""

    rules: Rules
    players: tuple[tuple[str, str, dict[str, Any], Limits], ...]  # name, engine, options, limits
    margin: float
    patience: float
    memory: int | None  # megabytes
    max_plies: int | None
    solver: bool = False  # whether games are adjudicated by it
    loading: float = LOADING  # seconds that an engine may take to get ready


@dataclass(frozen=True, slots=True)
class Checked:
    """A player was built, warmed up and asked for a move; what was wrong, if anything."""

    player: int
    wrong: str | None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A game that was not begun because the table was halted."""

    number: int


@dataclass(frozen=True, slots=True)
class Check:
    """Ask a table to check a player."""

    player: int


class Table:
    """The owner's side: start it, hand it games, read its answers, clear it away."""

    def __init__(self, number: int, seating: Seating, context: Any) -> None:
        self.number = number
        self.patience = seating.patience
        self.pulse = Pulse(context)
        self.games: deque[ScheduledGame] = deque()  # handed over and not answered, in order
        self.log, self.log_path = tempfile.mkstemp(prefix="arena-table-", suffix=".log")
        self.pipe, theirs = context.Pipe()
        args = (theirs, self.log_path, self.pulse, seating)
        self.process = context.Process(target=serve, args=args, name=f"table-{number}", daemon=True)
        process.stand_somewhere()
        self.process.start()
        self.forked_from = process.fork_server()
        theirs.close()

    def hand(self, message: ScheduledGame | Check) -> None:
        """Send a game or a check; a table that has died says so when it is read."""
        if isinstance(message, ScheduledGame):
            self.games.append(message)
        with suppress(OSError):  # if it has died, reading its pipe will tell
            send(self.pipe, message)

    def answer(self) -> GameRow | Checked | Skipped | None:
        """The next answer, which is waiting in the pipe; None if the table has died."""
        try:
            told: GameRow | Checked | Skipped = receive(self.pipe)
        except (EOFError, OSError):
            return None
        return told

    def bound_log(self) -> None:
        """Cut off what a flooding engine has printed so far."""
        try:
            if os.fstat(self.log).st_size > LOG_BOUND:
                os.ftruncate(self.log, 0)
        except OSError:
            pass

    def thinking(self) -> Thinking | None:
        """Who is thinking at this table."""
        return self.pulse.thinking()

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
        if thinking.before is None:
            return 0.0
        at, before = scheduled(self.process.pid), thinking.before
        if process.is_ready(self.process.pid):
            return max(0.0, now - thinking.since - (at.ran - before.ran))
        return max(0.0, at.waited - before.waited)

    def megabytes(self) -> float:
        """The memory in use, where the system tells."""
        return process.megabytes(self.process.pid)

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has stopped its process."""
        return process.is_stopped(self.process.pid)

    @property
    def was_killed(self) -> bool:
        """Whether it died by somebody from outside; an engine that kills itself is let off."""
        return process.is_from_outside(self.process.exitcode, self.forked_from)

    def clear(self) -> str:
        """Kill it if it lives, and say how it ended."""
        if self.process.is_alive():
            self.process.kill()
        elif self.process.exitcode == process.UNKNOWN_END and self.was_killed:
            with suppress(OSError):  # who would know whether it lives is gone
                os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.pipe.close()
        return process.how_it_ended(self.process.exitcode)

    def last_words(self) -> str:
        """What was printed last; the table is gone and its file with it."""
        words = log_tail(self.log)
        os.close(self.log)
        with suppress(OSError):  # the child did so, unless it died before
            os.unlink(self.log_path)
        return words


def send(pipe: Any, message: object) -> None:
    """Send by the standard pickle: that of `multiprocess` takes anything, but takes its time."""
    pipe.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(pipe: Any) -> Any:
    """What was sent."""
    return pickle.loads(pipe.recv_bytes())


def log_tail(log: int) -> str:
    """The end of a file of printed words, by its descriptor."""
    start = max(0, os.fstat(log).st_size - LOG_KEPT)
    os.lseek(log, start, os.SEEK_SET)
    return printable_lines(os.read(log, LOG_KEPT).decode(errors="replace"))


def serve(pipe: Any, log: str, pulse: Pulse, seating: Seating) -> None:
    """The child's life: take games until the pipe closes."""
    _settle_in(log, seating.memory)
    players = Players(seating, pulse)
    while True:
        try:
            message = receive(pipe)
        except (EOFError, OSError):
            return
        answer: GameRow | Checked | Skipped
        if isinstance(message, Check):
            answer = Checked(message.player, players.check(message.player))
        elif pulse.halted:
            answer = Skipped(message.number)
        else:
            _clear_log()
            answer = play(message, players, pulse, seating)
            if answer.reason not in GOOD_ENDS:
                _flush()
                answer = replace(answer, log=last_words(answer.log, log_tail(1)))
        send(pipe, answer)


def play(game: ScheduledGame, players: Players, pulse: Pulse, seating: Seating) -> GameRow:
    """One game from its opening to its end, as a row."""
    adjudicated = players.rulings()
    pulse.begin_game(game.number, game.opening)
    seated: list[Engine] = []
    for seat, player in enumerate((game.first, game.second)):
        try:
            seated.append(players.seat(player, seat))
        except (Exception, SystemExit) as error:
            row = forfeit(game, seat, "exception", players.complaint(player, error))
            return replace(row, log=trace_behind(error))
    engines = (seated[0], seated[1])
    started, clock = time.time(), time.perf_counter()
    if players.share_chance:
        _seed_everything(game.seed)
    names = (seating.players[game.first][0], seating.players[game.second][0])
    limits = (seating.players[game.first][3], seating.players[game.second][3])
    referee = WatchedReferee(
        pulse, seating.patience, engines, seating.rules, limits, game.seed, game.opening, names,
        seating.margin,
    )  # fmt: skip
    for ruling in adjudicated:
        ruling.begin(referee.position)
    while referee.ask() and (not adjudicated or _goes_on(referee, adjudicated)):
        pass
    pulse.end()
    seconds = time.perf_counter() - clock
    return row_of(game, referee.record(), started, seconds)


def _goes_on(referee: Referee, adjudicated: tuple[Ruling, ...]) -> bool:
    """Whether no ruling ends the game here."""
    for ruling in adjudicated:
        verdict = ruling.verdict(referee.position, referee.players)
        if verdict is not None:
            return referee.end(*verdict)
    return True


def row_of(game: ScheduledGame, record: GameRecord, started: float, seconds: float) -> GameRow:
    """A finished game in the form that travels."""
    columns = bytes(record.opening) + bytes([move.column for move in record.moves])
    return GameRow(
        game.number, game.round, game.first, game.second, bytes(game.opening), columns,
        record.result, record.reason, record.detail, game.seed, started, seconds,
        pack_telemetry(record.moves), record.trace,
    )  # fmt: skip


def forfeit(game: ScheduledGame, seat: int, reason: Reason, detail: str) -> GameRow:
    """A game that an engine loses before its first move."""
    opening = bytes(game.opening)
    return GameRow(
        game.number, game.round, game.first, game.second, opening, opening, 1 if seat else -1,
        reason, detail, game.seed, time.time(), 0.0, b"",
    )  # fmt: skip


class Players:
    """The engines of this table, each built and warmed up when it first sits down."""

    def __init__(self, seating: Seating, pulse: Pulse) -> None:
        self.seating = seating
        self.pulse = pulse
        self.built: dict[int, Engine] = {}
        self.share_chance = False
        self._rulings: tuple[Ruling, ...] | None = None

    def rulings(self) -> tuple[Ruling, ...]:
        """By which rules the games of this table may end early; loaded when they are asked for."""
        if self._rulings is None:
            seating = self.seating
            self._rulings = rulings(seating.rules, seating.max_plies, seating.solver)
        return self._rulings

    def seat(self, player: int, seat: int) -> Engine:
        """The engine of a player, who takes this seat; no clock runs while it gets ready."""
        if player not in self.built:
            process.stand_somewhere()
            self.pulse.begin(seat, self.seating.loading)
            name, spec, options, _ = self.seating.players[player]
            engine = find(spec).build(options)
            warm_up([(name, engine)], self.seating.rules)
            self.built[player] = engine
            self.share_chance |= not type(engine).__module__.startswith("engines.")
            self.pulse.end()
        return self.built[player]

    def complaint(self, player: int, error: BaseException) -> str:
        """What went wrong while a player got ready, beginning with its name."""
        name = self.seating.players[player][0]
        words = printable(str(error)) if isinstance(error, ArenaError) else sentence(error)
        return f"{name}: {words.removeprefix(f'engine {name}: ')}"

    def check(self, player: int) -> str | None:
        """Build it, warm it up, and ask for one move; if that fails, one sentence and the lines."""
        name, _, _, limits = self.seating.players[player]
        try:
            self.rulings()
            engine = self.seat(player, 0)
            referee = Referee((engine, engine), self.seating.rules, limits, players=(name, name),
                              margin=self.seating.patience)  # fmt: skip
            referee.ask()
        except (Exception, SystemExit) as error:
            return f"engine {self.complaint(player, error)}\n{trace_behind(error)}"
        if referee.ending and referee.ending[1] not in GOOD_ENDS:
            return f"engine {referee.ending[2]}\n{referee.trace}"
        return None


def _settle_in(log: str, memory: int | None) -> None:
    """Cut the child off from the screen, the keyboard and Ctrl-C, and bound its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    printed = os.open(log, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with suppress(OSError):  # whoever holds it open reads it still, and nothing is left behind
        os.unlink(log)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    sys.stdin = open(os.devnull)  # noqa: SIM115  # for the life of the process
    sys.stdout = open(1, "w", buffering=8192, errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115
    if memory is not None:
        _bound_memory(memory)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    PAUSES.watch()


def _bound_memory(megabytes: int) -> None:
    """Let a large allocation fail here rather than trouble the machine."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * process.MEGABYTE,) * 2)
    except (ImportError, ValueError, OSError):
        pass  # the owner watches the memory in use all the same


def _leave_with_parent() -> None:
    """An orphan must not think on: leave at once when the owner is gone."""
    import multiprocess

    parent = multiprocess.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _seed_everything(seed: int) -> None:
    """Seed the shared generators too: a bot of others that uses them is then repeatable."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed & 0xFFFFFFFF)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()


def _clear_log() -> None:
    """Forget what the game before has printed."""
    _flush()
    if os.fstat(1).st_size:
        os.ftruncate(1, 0)
