"""The child's side of a table: it takes games from its pipe, plays them, and answers with rows.

Over the pipe come games to play and the numbers of players to check; back go the rows of games,
games that were not begun, and what was wrong with a player. What engines print goes into a file, of
which the end is kept where a game ends badly. Nothing an engine does here can hurt the owner.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import multiprocess

from arena.engine.contract import Engine
from arena.engine.errors import last_words, sentence, trace_behind
from arena.engine.registry import find
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError
from arena.game.rules import Rules
from arena.machine import MEGABYTE
from arena.play.adjudication import Ruling, rulings
from arena.play.clock import PAUSES
from arena.play.heartbeat import Heartbeat
from arena.play.record import GOOD_ENDS, GameRow, forfeit, row_of
from arena.play.referee import Referee
from arena.printable import printable, printable_lines
from arena.streams import stand_somewhere
from arena.tournament.schedule import Player, ScheduledGame

LOG_KEPT = 4096  # bytes
LOADING = 600.0  # seconds: where nothing is compiled yet, that may take minutes


@dataclass(frozen=True)
class Seating:
    """What a table needs to know of a tournament before its first game."""

    rules: Rules
    players: tuple[Player, ...]
    margin: float
    patience: float
    memory: int | None  # megabytes
    max_plies: int | None
    solver: bool = False  # whether games are adjudicated by it
    loading: float = LOADING  # seconds that an engine may take to get ready


@dataclass(frozen=True, slots=True)
class PlayerChecked:
    """A player is being checked (begun), or has been: what was wrong, if anything."""

    player: int
    wrong: str | None
    begun: bool = False
    unchecked: str | None = None  # why it could not be checked, which is not its fault


Answer = GameRow | PlayerChecked | ScheduledGame  # the last: a game that was not begun


def send(pipe: Any, message: Answer | int) -> None:
    """Send by the standard pickle: that of `multiprocess` takes anything, but takes its time."""
    pipe.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(pipe: Any) -> Any:
    """What was sent."""
    return pickle.loads(pipe.recv_bytes())


def serve(pipe: Any, log: str, heartbeat: Heartbeat, seating: Seating) -> None:
    """The child's life: take games until the pipe closes."""
    _settle_in(log, seating.memory)
    engines = TableEngines(seating, heartbeat)
    while True:
        try:
            message: ScheduledGame | int = receive(pipe)
        except (EOFError, OSError):
            return
        answer: Answer
        if isinstance(message, int):
            answer = PlayerChecked(message, engines.check(message))
        elif heartbeat.halted:
            answer = message
        else:
            _flush()
            if os.fstat(1).st_size:  # what the game before has printed
                os.ftruncate(1, 0)
            answer = play(message, engines)
            if answer.reason not in GOOD_ENDS:
                _flush()
                answer = replace(answer, log=last_words(answer.log, log_tail(1)))
        send(pipe, answer)


class TableEngines:
    """The engines of this table, each built and warmed up when it first sits down."""

    def __init__(self, seating: Seating, heartbeat: Heartbeat) -> None:
        self.seating = seating
        self.heartbeat = heartbeat
        self.built: dict[int, Engine] = {}
        self.share_chance = False  # whether any of them draws from a generator that others use

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """By which rules the games of this table may end early; loaded when they are asked for."""
        return rulings(self.seating.rules, self.seating.max_plies, self.seating.solver)

    def seat(self, player: int, seat: int) -> Engine:
        """The engine of a player, who takes this seat; no clock runs while it gets ready."""
        if player not in self.built:
            stand_somewhere()
            self.heartbeat.begin(seat, self.seating.loading)
            entry = self.seating.players[player]
            engine = find(entry.engine).build(entry.options)
            warm_up([(entry.name, engine)], self.seating.rules)
            self.built[player] = engine
            self.share_chance |= engine.shares_chance
            self.heartbeat.end()
        return self.built[player]

    def complaint(self, player: int, error: BaseException) -> str:
        """What went wrong while a player got ready, beginning with its name."""
        name = self.seating.players[player].name
        words = printable(str(error)) if isinstance(error, ArenaError) else sentence(error)
        return f"{name}: {words.removeprefix(f'engine {name}: ')}"

    def check(self, player: int) -> str | None:
        """Build it, warm it up, and ask for one move; if that fails, one sentence and the lines."""
        name, limits = self.seating.players[player].name, self.seating.players[player].limits
        try:
            _ = self.rulings  # what they need is loaded before the first game
            engine = self.seat(player, 0)
            referee = Referee((engine, engine), self.seating.rules, limits, players=(name, name),
                              margin=self.seating.patience)  # fmt: skip
            referee.ask()
        except (Exception, SystemExit) as error:
            return f"engine {self.complaint(player, error)}\n{trace_behind(error)}"
        if referee.ending and referee.ending[1] not in GOOD_ENDS:
            return f"engine {referee.ending[2]}\n{referee.trace}"
        return None


def play(game: ScheduledGame, engines: TableEngines) -> GameRow:
    """One game from its opening to its end, as a row."""
    seating, heartbeat = engines.seating, engines.heartbeat
    adjudicated = engines.rulings
    heartbeat.begin_game(game.number, game.opening)
    seated: list[Engine] = []
    for seat, player in enumerate((game.first, game.second)):
        try:
            seated.append(engines.seat(player, seat))
        except (Exception, SystemExit) as error:
            complaint = engines.complaint(player, error)
            return forfeit(game, seat, "exception", complaint, log=trace_behind(error))
    started, clock = time.time(), time.perf_counter()
    if engines.share_chance:  # a bot of others that uses shared generators is then repeatable
        random.seed(game.seed)
        if (numpy := sys.modules.get("numpy")) is not None:
            numpy.random.seed(game.seed & 0xFFFFFFFF)
    first, second = seating.players[game.first], seating.players[game.second]
    referee = Referee(
        (seated[0], seated[1]), seating.rules, (first.limits, second.limits), game.seed,
        game.opening, (first.name, second.name), seating.margin, heartbeat, seating.patience,
    )  # fmt: skip
    for ruling in adjudicated:
        ruling.begin(referee.position)
    while referee.ask() and (not adjudicated or _goes_on(referee, adjudicated)):
        pass
    heartbeat.end()
    return row_of(game, referee.record(), started, time.perf_counter() - clock)


def _goes_on(referee: Referee, adjudicated: tuple[Ruling, ...]) -> bool:
    """Whether no ruling ends the game here."""
    for ruling in adjudicated:
        ending = ruling.ending(referee.position, referee.players)
        if ending is not None:
            return referee.end(*ending)
    return True


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
        with suppress(ImportError, ValueError, OSError):  # the owner watches it all the same
            import resource  # not on every system

            resource.setrlimit(resource.RLIMIT_DATA, (memory * MEGABYTE,) * 2)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    PAUSES.watch()


def _leave_with_parent() -> None:
    """An orphan must not think on: leave at once when the owner is gone."""
    parent = multiprocess.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def log_tail(log: int) -> str:
    """The end of a file of printed words, by its descriptor."""
    start = max(0, os.fstat(log).st_size - LOG_KEPT)
    os.lseek(log, start, os.SEEK_SET)
    return printable_lines(os.read(log, LOG_KEPT).decode(errors="replace"))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
