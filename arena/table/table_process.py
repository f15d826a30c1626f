"""The child's side of a table: it takes games from its wire and sends them back finished.

Over the wire come games to play and the numbers of players to check; back go finished games,
games that were not begun, and what was wrong with a player. For a player who learns, the table asks
for the games that it has not told it yet, and they come as a list. What engines print goes
into a file, of which the end is kept where a game ends badly. Nothing an engine does here can hurt
the owner.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import multiprocess

from arena.engine.contract import Engine, seed_global_rngs
from arena.engine.errors import (
    ATTEMPTS,
    Fault,
    is_from_outside,
    join_log,
    repeatedly,
    root_trace,
)
from arena.errors import ArenaError
from arena.machine import MEGABYTE
from arena.pauses import PAUSES
from arena.table.adjudication import Ruling
from arena.table.game import GOOD_ENDS, Game, Reason, forfeit
from arena.table.heartbeat import Heartbeat
from arena.table.inbox import Inbox
from arena.table.lessons import LessonsWanted
from arena.table.referee import Referee
from arena.table.seating import Seating
from arena.table.table_engines import TableEngines
from arena.table.wire import Wire
from arena.text import printable_lines
from arena.tournament.numbered import derive_seed
from arena.tournament.schedule import ScheduledGame

LOG_KEPT = 4096  # bytes


@dataclass(frozen=True, slots=True)
class PlayerChecked:
    """A player is being checked (begun), or has been: what was wrong, if anything."""

    player: int
    wrong: str | None
    begun: bool = False
    unchecked: str | None = None  # why it could not be checked, which is not its fault
    compiled: float = 0.0  # seconds in which its own code was compiled


# What comes back: the third is a game that was not begun, the last a question.
Answer = Game | PlayerChecked | ScheduledGame | LessonsWanted


def serve(pipe: Any, log: str, heartbeat: Heartbeat, seating: Seating) -> None:
    """The child's life: take games until the wire closes."""
    _settle_in(log, seating.memory)
    wire = Wire(pipe)
    inbox = Inbox(wire)
    engines = TableEngines(seating, heartbeat, inbox)
    while True:
        try:
            message = inbox.next()
        except (EOFError, OSError):
            return
        answer: Answer
        if isinstance(message, int):
            wrong = engines.check(message)
            answer = PlayerChecked(message, wrong, compiled=engines.compiled(message))
        elif heartbeat.halted:
            answer = message
        else:
            _flush()
            if os.fstat(1).st_size:  # what the game before has printed
                os.ftruncate(1, 0)
            answer = play(message, engines)
            if answer.reason not in GOOD_ENDS:
                _flush()
                printed = answer.printed + log_tail(1)
                answer = replace(answer, log=join_log(answer.trace, printed))
        wire.send(answer.values if isinstance(answer, Game) else answer)


def play(game: ScheduledGame, engines: TableEngines) -> Game:
    """One game from its opening to its end.

    Where the process of an engine is killed by somebody else it is played again, but not for ever.
    """
    for _ in range(ATTEMPTS):
        played, is_final = _play_once(game, engines)
        if is_final:
            return played
    return replace(played, detail=repeatedly(played.detail))


def _play_once(game: ScheduledGame, engines: TableEngines) -> tuple[Game, bool]:
    """A finished game, and whether that is all there is to say."""
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
            return _not_seated(game, seat, engines.complaint(player, error), error)
    _seed_chance(game, seated)
    first, second = seating.players[game.first], seating.players[game.second]
    try:
        referee = Referee(
            (seated[0], seated[1]), seating.rules, (first.limits, second.limits), game,
            (first.name, second.name), seating.margin, heartbeat, seating.patience,
        )  # fmt: skip
    except ArenaError as error:  # of the engine that was just told of the game
        thinking = heartbeat.thinking()
        seat = 0 if thinking is None else thinking.seat
        player = (game.first, game.second)[seat]
        return _not_seated(game, seat, engines.complaint(player, error), error)
    for ruling in adjudicated:
        ruling.begin(referee.position)
    while referee.ask() and (not adjudicated or _goes_on(referee, adjudicated)):
        pass
    heartbeat.end()
    return referee.finished_game(), not referee.is_from_outside


def _seed_chance(game: ScheduledGame, seated: Sequence[Engine]) -> None:
    """Make engines repeatable that draw from a generator which others use as well.

    One alone gets the seed that it would get in a seat; two draw from the same generator.
    """
    sharing = [seat for seat, engine in enumerate(seated) if not is_bundled(engine)]
    if sharing:
        seed_global_rngs(game.seed if len(sharing) > 1 else derive_seed(game.seed, sharing[0]))


def is_bundled(engine: Engine) -> bool:
    """Whether an engine is one of ours, which draw from `self.random` alone, or asks a process."""
    return type(engine).__module__.startswith("arena.")


def _not_seated(
    game: ScheduledGame, seat: int, complaint: str, error: BaseException
) -> tuple[Game, bool]:
    """The player in this seat loses before its first move, unless its engine was killed."""
    fault = error.__cause__ if isinstance(error.__cause__, Fault) else None
    reason: Reason = "exception" if fault is None else fault.reason
    lost = forfeit(game, seat, reason, complaint, log=root_trace(error))
    return lost, not is_from_outside(error)


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
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # as its programs expect it
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
