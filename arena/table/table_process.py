"""The worker process: it plays the games that its owner sends, and sends them back finished.

The owner sends games to play, and checks of players as games. The worker answers with finished
games, and games it did not begin or could not play. For a player that learns it requests
the games the engine does not know yet, and receives them as a tuple. What engines print goes into a
file, and its end is kept with a game that ends badly. Nothing an engine does here harms the owner.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import multiprocess

from arena.engine.contract import Engine, seed_global_rngs
from arena.engine.errors import (
    ATTEMPTS,
    is_from_outside,
    join_log,
    repeatedly,
    root_trace,
)
from arena.errors import ArenaError
from arena.machine import MEGABYTE
from arena.processes import adopt_orphans
from arena.table.adjudication import Ruling
from arena.table.channel import Heartbeat, Pipe
from arena.table.game import GOOD_ENDS, Game, forfeit
from arena.table.learning import PAGE, LessonsRequest
from arena.table.referee import Referee
from arena.table.runner import Seating, Unplayed
from arena.table.table_engines import TableEngines, reason_of
from arena.text import printable, printable_lines
from arena.timing import PAUSES
from arena.tournament.games import ScheduledGame
from arena.tournament.numbered import derive_seed

LOG_KEPT = 4096  # bytes
STACK_SIGNAL = signal.SIGUSR1  # prints the stack of every thread

# From worker to owner. A `ScheduledGame` was not begun, as the worker is halted.
Answer = Game | ScheduledGame | LessonsRequest | Unplayed


class GameNotPlayed(ArenaError):
    """A game could not be played, and no engine is known to be to blame."""


class Inbox:
    """Messages from the owner; games that arrive during a request for lessons are kept."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.kept: deque[ScheduledGame] = deque()

    def next(self) -> ScheduledGame:
        """Wait for the next game to play, or check of a player."""
        while not self.kept:
            self._keep(self.pipe.receive())
        return self.kept.popleft()

    def _keep(self, message: list[tuple[Any, ...]]) -> None:
        self.kept.extend(map(ScheduledGame._make, message))

    def lessons(self, player: int, after: int, before: int) -> Iterator[Game]:
        """Request the games of a player between two numbers, page by page."""
        page: tuple[Game, ...] | None = None
        while page is None or len(page) == PAGE:
            self.pipe.send(LessonsRequest(player, after, before))
            while not isinstance(message := self.pipe.receive(), tuple):
                self._keep(message)
            page = message
            yield from page
            after = page[-1].number if page else after


def serve(connection: Any, log: str, heartbeat: Heartbeat, seating: Seating) -> None:
    """Run the worker: answer messages until the pipe is closed."""
    _set_up(log, seating.terms.memory)
    pipe = Pipe(connection)
    inbox = Inbox(pipe)
    engines = TableEngines(seating, heartbeat, inbox.lessons)
    while True:
        try:
            game = inbox.next()
        except (EOFError, OSError):
            return
        answer: Answer
        if heartbeat.is_halted:
            answer = game
        else:
            try:
                answer = _play_with_log(game, engines)
            except GameNotPlayed as error:
                answer = Unplayed(game.number, str(error))
        pipe.send(answer.values if isinstance(answer, Game) else answer)


def _play_with_log(scheduled: ScheduledGame, engines: TableEngines) -> Game:
    """Play a game; if it ends badly, add what was printed during it."""
    _flush()
    if os.fstat(1).st_size:  # printed during an earlier game
        os.ftruncate(1, 0)
    game = play(scheduled, engines)
    if game.reason in GOOD_ENDS:
        return game
    _flush()
    return replace(game, log=join_log(game.trace, game.printed + log_tail(1)))


def play(game: ScheduledGame, engines: TableEngines) -> Game:
    """Play one game; repeat it a few times if an engine's process is killed externally.

    If that happens every time, the game is not played: nobody knows who killed it. The check of a
    player ends after its first move; its seconds are those of compiling.
    """
    is_check = game.number < 0
    for _ in range(ATTEMPTS):
        played, is_final = _play_once(game, engines)
        if is_check:
            played.seconds = engines.compiled(game.first)
        if is_final:
            return played
    if is_check:
        return replace(played, detail=repeatedly(played.detail))
    names = [engines.seating.players[player].name for player in (game.first, game.second)]
    other = names[played.result == -1]  # the one that would have won
    raise GameNotPlayed(f"{repeatedly(played.detail)}, against {printable(other)}")


def _play_once(game: ScheduledGame, engines: TableEngines) -> tuple[Game, bool]:
    """Return the finished game, and whether it counts."""
    seating, heartbeat = engines.seating, engines.heartbeat
    adjudicated = engines.rulings
    heartbeat.begin_game(game.number, game.opening)
    seated: list[Engine] = []
    for seat, player in enumerate((game.first, game.second)):
        try:
            seated.append(engines.seat(player, seat))
            if seated[seat].learns:
                engines.teach(player, seat, game.number)
        except (Exception, SystemExit) as error:
            return _lose_at_start(game, seat, engines, error)
    _seed_chance(game, seated)
    first, second = seating.players[game.first], seating.players[game.second]
    is_check = game.number < 0
    margin = seating.terms.patience if is_check else seating.terms.margin
    try:
        referee = Referee(
            (seated[0], seated[1]), seating.rules, (first.limits, second.limits), game,
            (first.name, second.name), margin, heartbeat, seating.terms.patience,
        )  # fmt: skip
    except ArenaError as error:  # from the engine that gets ready for the game
        thinking = heartbeat.thinking()
        return _lose_at_start(game, 0 if thinking is None else thinking.seat, engines, error)
    for ruling in adjudicated:
        ruling.begin(referee.position)
    if is_check and referee.ask():
        referee.end(0, "max plies", "")
    while referee.ask() and (not adjudicated or _is_open(referee, adjudicated)):
        pass
    heartbeat.end()
    return referee.finished_game(), not referee.is_from_outside


def _lose_at_start(
    game: ScheduledGame, seat: int, engines: TableEngines, error: BaseException
) -> tuple[Game, bool]:
    """The player in this seat loses before its first move, unless its process was killed."""
    engines.heartbeat.end()
    complaint = engines.complaint((game.first, game.second)[seat], error)
    lost = forfeit(game, seat, reason_of(error), complaint, log=root_trace(error))
    return lost, not is_from_outside(error)


def _seed_chance(game: ScheduledGame, seated: Sequence[Engine]) -> None:
    """Make engines repeatable that use global random generators.

    A single one gets the seed of its seat; two share a generator, and so the seed of the game.
    """
    sharing = [seat for seat, engine in enumerate(seated) if not is_bundled(engine)]
    if sharing:
        seed_global_rngs(game.seed if len(sharing) > 1 else derive_seed(game.seed, sharing[0]))


def is_bundled(engine: Engine) -> bool:
    """Whether an engine is one of ours, which use `self.random` alone, or asks a process."""
    return type(engine).__module__.startswith("arena.")


def _is_open(referee: Referee, adjudicated: tuple[Ruling, ...]) -> bool:
    """Apply the rulings; return whether the game continues."""
    for ruling in adjudicated:
        ending = ruling.ending(referee.position, referee.players)
        if ending is not None:
            return referee.end(*ending)
    return True


def _set_up(log: str, memory: int | None) -> None:
    """Detach the worker from the terminal and Ctrl-C, and limit its memory."""
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # its child processes expect it
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    printed = os.open(log, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with suppress(OSError):  # the owner has it open; no file is left behind
        os.unlink(log)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    sys.stdin = open(os.devnull)  # noqa: SIM115  # for the life of the process
    sys.stdout = open(1, "w", buffering=8192, errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115
    if memory is not None:
        with suppress(ImportError, ValueError, OSError):  # the owner checks it as well
            import resource  # not on every system

            resource.setrlimit(resource.RLIMIT_DATA, (memory * MEGABYTE,) * 2)
    faulthandler.register(STACK_SIGNAL, sys.stderr)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    PAUSES.watch()


def _exit_with_parent() -> None:
    """Exit when the parent dies."""
    parent = multiprocess.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def log_tail(log: int) -> str:
    """Return the end of a file of printed text, by its descriptor."""
    start = max(0, os.fstat(log).st_size - LOG_KEPT)
    os.lseek(log, start, os.SEEK_SET)
    return printable_lines(os.read(log, LOG_KEPT).decode(errors="replace"))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
