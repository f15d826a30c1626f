"""The referee: asks for moves, checks them, runs the clocks, and writes the game down.

A game can be played at one go with `play_game`, or move by move:

    referee = Referee(engines, rules, limits, seed)
    while referee.ask():
        ...
    record = referee.record()
"""

from __future__ import annotations

from math import isfinite
from operator import index
from reprlib import repr as short_repr
from time import perf_counter, process_time
from typing import Any

from arena.engine.contract import MARGIN, Choice, Engine, Limits
from arena.engine.errors import sentence, trace
from arena.engine.lateness import latest
from arena.errors import ArenaError, IllegalMove
from arena.game.notation import play_moves, write_moves
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.play.clock import Clock
from arena.play.heartbeat import Heartbeat
from arena.play.record import GameRecord, MoveRecord, Reason, in_words
from arena.printable import printable
from arena.scheduling import LEAST_PAUSE, PAUSES, UNKNOWN, Scheduled, scheduled
from arena.tournament.numbered import derive_seed

NO_LIMITS = Limits()
GRACE = 0.1  # seconds: the referee at a table judges before its owner does, if it can


class Referee:
    """One game in progress between two engines, the first of which moves first.

    Building a referee tells both engines that a new game begins. An engine that will not play on
    this board raises its own ArenaError here; any other mistake of an engine costs it the game.
    In a heartbeat every question shows, with the time or the patience there is for an answer.
    """

    def __init__(
        self,
        engines: tuple[Engine, Engine],
        rules: Rules,
        limits: Limits | tuple[Limits, Limits] = NO_LIMITS,
        seed: int = 0,
        opening: tuple[int, ...] = (),
        players: tuple[str, str] = (DISCS[0], DISCS[1]),
        margin: float = MARGIN,
        heartbeat: Heartbeat | None = None,
        patience: float = 0.0,
    ) -> None:
        self.engines = engines
        self.players = players
        self.opening = opening
        self.seed = seed
        self.position: Position = play_moves(opening, rules)
        if self.position.is_over:
            raise IllegalMove(f"the opening {write_moves(opening, rules)} is a finished game")
        each = (limits, limits) if isinstance(limits, Limits) else limits
        self.clocks = (Clock(each[0], margin), Clock(each[1], margin))
        if self.clocks[0].timed or self.clocks[1].timed:
            PAUSES.watch()
        self.moves: list[MoveRecord] = []
        self.ending: tuple[int, Reason, str] | None = None
        self.trace = ""  # the frames of an engine whose exception ended the game
        self.heartbeat = heartbeat
        self.patience = patience
        for seat in (0, 1):
            self._seat(seat)
        if heartbeat is not None:
            heartbeat.start_clocks()

    def ask(self) -> bool:
        """Let the player to move drop a disc; tell whether the game goes on."""
        if self.ending is not None:
            return False
        position = self.position
        seat = position.ply & 1
        first, second = position.first, position.second
        clock = self.clocks[seat]
        limits = clock.limits_now() if clock.timed else clock.limits
        before = scheduled() if clock.on_wall else UNKNOWN
        heartbeat = self.heartbeat
        if heartbeat is not None:
            self._show(heartbeat, seat, limits, before)
        cpu, start = process_time(), perf_counter()
        try:
            choice = self.engines[seat].choose(position, limits)
        except (Exception, SystemExit) as error:
            return self.fail(seat, error)
        seconds, cpu = perf_counter() - start, process_time() - cpu
        if seconds > LEAST_PAUSE:
            seconds = max(min(cpu, seconds), seconds - PAUSES.since(start))
        if heartbeat is not None:
            heartbeat.end(seat, seconds)
        if position.first != first or position.second != second:
            return self.forfeit(seat, "illegal move", "changed the position it was asked about")
        try:
            column = read_column(choice)
            after = position.play(column)
        except IllegalMove as error:
            return self.forfeit(seat, "illegal move", str(error))
        if clock.timed:
            waiting = scheduled().waited - before.waited if clock.on_wall else 0.0
            late = clock.spend(seconds, cpu, waiting)
            if late is not None:
                return self.forfeit(seat, "time", late)
        self.moves.append(
            MoveRecord(
                column,
                seconds,
                cpu,
                None if choice.score is None else read_score(choice.score),
                None if choice.depth is None else read_count(choice.depth),
                None if choice.nodes is None else read_count(choice.nodes),
            )
        )
        self.position = after
        if after.winner is not None:
            line = after.winning_line
            assert line is not None
            detail = f"{self.players[line.player]} made a {in_words(line, after.rules)}"
            return self.end(-1 if seat else 1, "line", detail)
        if after.ply == after.rules.cells:
            return self.end(0, "full board", "the board is full and nobody has a line")
        return True

    def fail(self, seat: int, error: BaseException) -> bool:
        """The player in this seat loses by what its engine raised."""
        self.trace = trace(error)
        reason: Reason = "memory" if isinstance(error, MemoryError) else "exception"
        return self.forfeit(seat, reason, sentence(error, self.engines[seat]))

    def forfeit(self, seat: int, reason: Reason, detail: str) -> bool:
        """The player in this seat loses, and the detail says why."""
        return self.end(1 if seat else -1, reason, printable(f"{self.players[seat]}: {detail}"))

    def end(self, result: int, reason: Reason, detail: str) -> bool:
        """The game is over with this result for the first player."""
        self.ending = (result, reason, detail)
        return False

    def record(self) -> GameRecord:
        """The finished game."""
        if self.ending is None:
            raise ValueError("the game is not over")
        name = self.position.rules.name
        moves = tuple(self.moves)
        return GameRecord(
            name, self.players, self.opening, moves, *self.ending, self.seed, self.trace
        )

    def _seat(self, seat: int) -> None:
        heartbeat = self.heartbeat
        if heartbeat is not None:
            self._show(heartbeat, seat, NO_LIMITS)
        try:
            self.engines[seat].new_game(self.position.rules, derive_seed(self.seed, seat))
        except ArenaError:
            raise
        except (Exception, SystemExit) as error:
            if self.ending is None:
                self.fail(seat, error)
        if heartbeat is not None:
            heartbeat.end()

    def _show(
        self, heartbeat: Heartbeat, seat: int, limits: Limits, before: Scheduled = UNKNOWN
    ) -> None:
        """Show the board, who is asked, and when no answer is expected any more.

        `before` is how this thread was scheduled so far, where the move is by the clock.
        """
        moves, clock = self.position.moves, self.clocks[seat]
        if moves:
            board, ply = heartbeat.board, len(moves)
            board[ply] = moves[-1]
            board[0] = ply
        if clock.on_wall and limits is not NO_LIMITS:
            least = min(x for x in (limits.seconds, limits.clock) if x is not None)
            allowed = latest(least, clock.margin) + clock.margin + GRACE
            heartbeat.begin(seat, allowed, before)
        else:
            heartbeat.begin(seat, self.patience)


def play_game(
    engines: tuple[Engine, Engine],
    rules: Rules,
    limits: Limits | tuple[Limits, Limits] = NO_LIMITS,
    seed: int = 0,
    opening: tuple[int, ...] = (),
    players: tuple[str, str] = (DISCS[0], DISCS[1]),
) -> GameRecord:
    """Play one game in this process, from the opening to its end."""
    referee = Referee(engines, rules, limits, seed, opening, players)
    while referee.ask():
        pass
    return referee.record()


def read_column(choice: Any) -> int:
    """The column of an answer; anything that is not a whole number is an illegal move."""
    if not isinstance(choice, Choice):
        raise IllegalMove(f"answered {short_repr(choice)} where a Choice is expected")
    column = choice.column
    if type(column) is int:
        return column
    try:
        if not isinstance(column, bool):
            return index(column)
    except TypeError:
        pass
    raise IllegalMove(f"answered column {short_repr(column)}, which is not a whole number")


def read_score(score: Any) -> float | None:
    """A score as a number; None if it is none, or not finite."""
    try:
        return float(score) if isfinite(score) else None
    except (TypeError, ValueError, OverflowError):
        return None


def read_count(count: Any) -> int | None:
    """A depth or a number of nodes; None if it is neither."""
    try:
        return index(count)
    except TypeError:
        return None
