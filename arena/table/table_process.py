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
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import multiprocess

from arena.bots.find import find
from arena.bots.hosted import HostedEngine, PipedEngine
from arena.engine.contract import Engine, seed_global_rngs
from arena.engine.errors import (
    ATTEMPTS,
    Fault,
    FaultReason,
    is_from_outside,
    join_log,
    repeatedly,
    root_trace,
    sentence,
)
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError, EngineFailure
from arena.machine import MEGABYTE, MIN_MEMORY_LEFT, memory_left
from arena.processes import adopt_orphans
from arena.streams import ensure_cwd
from arena.table.adjudication import Ruling, rulings
from arena.table.channel import Heartbeat, Pipe
from arena.table.game import GOOD_ENDS, Game, forfeit
from arena.table.learning import PAGE, LessonsRequest, played_game, seed_of_lesson, teach
from arena.table.referee import Referee
from arena.table.runner import Seating, Unplayed
from arena.text import printable, printable_lines
from arena.timing import PAUSES
from arena.tournament.games import ScheduledGame
from arena.tournament.numbered import derive_seed

LOG_KEPT = 4096  # bytes
MAX_PROCESSES = 128  # of engines that a worker keeps
STACK_SIGNAL = signal.SIGUSR1  # prints the stack of every thread

# From worker to owner. A `ScheduledGame` was not begun, as the worker is halted.
Answer = Game | ScheduledGame | LessonsRequest | Unplayed


# ---- messages


def serve(connection: Any, log: str, heartbeat: Heartbeat, seating: Seating) -> None:
    """Run the worker: answer messages until the pipe is closed."""
    _set_up(log, seating.terms.memory)
    inbox = Inbox(Pipe(connection))
    engines = TableEngines(seating, heartbeat, inbox.lessons)
    while True:
        try:
            game = inbox.next()
        except (EOFError, OSError):
            return
        answer: Answer = game if heartbeat.is_halted else _play_with_log(game, engines)
        inbox.pipe.send(answer.values if isinstance(answer, Game) else answer)


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


def _play_with_log(scheduled: ScheduledGame, engines: TableEngines) -> Game | Unplayed:
    """Play a game; if it ends badly, add what was printed during it."""
    _flush()
    if os.fstat(1).st_size:  # printed during an earlier game
        os.ftruncate(1, 0)
    game = play(scheduled, engines)
    if isinstance(game, Unplayed) or game.reason in GOOD_ENDS:
        return game
    _flush()
    return replace(game, log=join_log(game.trace, game.printed + log_tail(1)))


# ---- one game


def play(game: ScheduledGame, engines: TableEngines) -> Game | Unplayed:
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
    return Unplayed(game.number, f"{repeatedly(played.detail)}, against {printable(other)}")


def _play_once(game: ScheduledGame, engines: TableEngines) -> tuple[Game, bool]:
    """Return the finished game, and whether it counts."""
    seating, heartbeat, adjudicated = engines.seating, engines.heartbeat, engines.rulings
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
    player = engines.seating.players[(game.first, game.second)[seat]]
    words = printable(str(error)) if isinstance(error, ArenaError) else sentence(error)
    for each in (player.name, player.engine):
        words = words.removeprefix(f"engine {each}: ")
    complaint = f"{player.name}: {words}"
    lost = forfeit(game, seat, _reason_of(error), complaint, log=root_trace(error))
    return lost, not is_from_outside(error)


def _reason_of(error: BaseException) -> FaultReason:
    """Return why a player that did not get ready loses."""
    for each in (error, error.__cause__):
        if isinstance(each, Fault | MemoryError):
            return each.reason if isinstance(each, Fault) else "memory"
    return "exception"


def _seed_chance(game: ScheduledGame, seated: list[Engine]) -> None:
    """Make engines repeatable that use global random generators.

    Bundled engines use `self.random` alone, or ask a process. A single other one gets the seed of
    its seat; two share a generator, and so the seed of the game.
    """
    sharing = [n for n, each in enumerate(seated) if not type(each).__module__.startswith("arena.")]
    if sharing:
        seed_global_rngs(game.seed if len(sharing) > 1 else derive_seed(game.seed, sharing[0]))


def _is_open(referee: Referee, adjudicated: tuple[Ruling, ...]) -> bool:
    """Apply the rulings; return whether the game continues."""
    for ruling in adjudicated:
        ending = ruling.ending(referee.position, referee.players)
        if ending is not None:
            return referee.end(*ending)
    return True


# ---- engines


class TableEngines:
    """The engines of this worker: built when first needed, warmed up, taught, closed to make room.

    `lessons` requests the games of a player between two numbers.
    """

    def __init__(
        self,
        seating: Seating,
        heartbeat: Heartbeat,
        lessons: Callable[[int, int, int], Iterator[Game]] = lambda *numbers: iter(()),
    ) -> None:
        self.seating = seating
        self.heartbeat = heartbeat
        self.lessons = lessons
        self.built: dict[int, Engine] = {}  # by player; the most recently used one is the last
        self.learned: dict[int, int] = {}  # by player: the last game it learned from

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rules of adjudication, with the kernels they need loaded."""
        return rulings(self.seating.rules, self.seating.max_plies, self.seating.solver)

    def seat(self, player: int, seat: int) -> Engine:
        """Return the engine of a player for this seat; getting ready is not charged."""
        if player in self.seating.broken:
            checked = self.seating.broken[player]
            words, _, trace = (checked.wrong or "").partition("\n")
            raise EngineFailure(words, trace) from Fault(checked.reason, words)
        engine = self.built.pop(player, None)
        if isinstance(engine, PipedEngine) and engine.is_spent:
            engine.close(polite=False)
            self.learned.pop(player, None)  # its next copy learns all its games again
            engine = None
        if engine is not None:
            self.built[player] = engine
            return engine
        engine = self.built[player] = self._build(player, seat)
        self._make_room()
        return engine

    def _build(self, player: int, seat: int) -> Engine:
        ensure_cwd()
        self.heartbeat.begin(seat, self.seating.loading)
        entry = self.seating.players[player]
        engine = find(entry.engine, self.seating.terms, entry.isolated).build(entry.options)
        warm_up([(entry.name, engine)], self.seating.rules)
        self.heartbeat.end()
        return engine

    def _make_room(self) -> None:
        """Close the processes unused for longest; learners stay, as they would forget all."""
        seats = {player: engine for player, engine in self.built.items()
                 if isinstance(engine, PipedEngine) and not engine.learns}  # fmt: skip
        for number, player in enumerate(list(seats)[:-2]):
            if number + MAX_PROCESSES >= len(seats) and memory_left() > MIN_MEMORY_LEFT:
                return
            seats[player].close(polite=False)
            del self.built[player]

    def teach(self, player: int, seat: int, before: int) -> None:
        """Let a player learn from its games before this one that it does not know yet.

        After a failure the engine is built anew for its next game and learns from all games again:
        what an engine knows depends on its games alone, on any worker.
        """
        engine, seating = self.built[player], self.seating
        names = [entry.name for entry in seating.players]
        for game in self.lessons(player, self.learned.get(player, 0), before):
            lesson = played_game(game, 0 if game.first == player else 1, names, seating.rules)
            seed_global_rngs(seed_of_lesson(game.seed, lesson.seat))
            self.heartbeat.begin(seat, seating.terms.patience)
            try:
                teach(engine, names[player], lesson, game.seed)
            except EngineFailure:
                del self.built[player]
                self.learned.pop(player, None)
                raise
            self.heartbeat.end()  # not if the process dies here: then this seat is to blame
            self.learned[player] = game.number

    def compiled(self, player: int) -> float:
        """Seconds spent on compiling a player's own code."""
        engine = self.built.get(player)
        return engine.host.compiled if isinstance(engine, HostedEngine) else 0.0


# ---- the process


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
    parent = multiprocess.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def log_tail(log: int) -> str:
    """Return the end of a file of printed text, by its descriptor."""
    start = max(0, os.fstat(log).st_size - LOG_KEPT)
    return printable_lines(os.pread(log, LOG_KEPT, start).decode(errors="replace"))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
