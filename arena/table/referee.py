"""The referee: asks engines for moves, checks them, runs the clocks and records the game.

`play_game` plays a game in one call. Move by move:

    referee = Referee(engines, rules, limits, scheduled)
    while referee.ask():
        ...
    game = referee.finished_game()
"""

from __future__ import annotations

from time import perf_counter, time

from arena.bots.hosted import PipedEngine, meter_of
from arena.engine.contract import Engine, Limits, read_column
from arena.engine.errors import Fault, join_log, sentence, trace
from arena.engine.timing import on_this_host
from arena.errors import ArenaError, IllegalMove
from arena.game.notation import play_moves, write_moves
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.processes import UNKNOWN
from arena.table.channel import Heartbeat
from arena.table.game import Game, MoveRecord, Reason, in_words, move_record, pack_telemetry
from arena.text import printable
from arena.timing import MARGIN, MIN_PAUSE, NOTHING, PAUSES, Clock, charge, give_up_after
from arena.tournament.games import ScheduledGame
from arena.tournament.numbered import derive_seed

NO_LIMITS = Limits()
ONE_GAME = ScheduledGame(1, 1, 0, 1, (), 0)  # outside a tournament
PIPED = 630.0  # seconds more for an engine in a process: the referee judges it before its owner


class Referee:
    """One game in progress between two engines; the first one moves first.

    The constructor begins a new game with both engines. An engine that declines the board raises
    its ArenaError here; any other error of an engine costs it the game. The heartbeat shows every
    question, and how long its answer may take.
    """

    def __init__(
        self,
        engines: tuple[Engine, Engine],
        rules: Rules,
        limits: Limits | tuple[Limits, Limits] = NO_LIMITS,
        scheduled: ScheduledGame = ONE_GAME,
        players: tuple[str, str] = (DISCS[0], DISCS[1]),
        margin: float = MARGIN,
        heartbeat: Heartbeat | None = None,
        patience: float = 0.0,
    ) -> None:
        self.scheduled = scheduled
        self.players = players
        self.started, self.begun = time(), perf_counter()
        self.position: Position = play_moves(scheduled.opening, rules)
        if self.position.is_over:
            opening = write_moves(scheduled.opening, rules)
            raise IllegalMove(f"the opening {opening} is a finished game")
        each = (limits, limits) if isinstance(limits, Limits) else limits
        first, second = map(on_this_host, each)
        self.clocks = (Clock(first, margin), Clock(second, margin))
        self.seats = (
            SeatedEngine(engines[0], self.clocks[0], patience),
            SeatedEngine(engines[1], self.clocks[1], patience),
        )
        if self.clocks[0].timed or self.clocks[1].timed:
            PAUSES.watch()
        self.moves: list[MoveRecord] = []
        self.ending: tuple[int, Reason, str] | None = None
        self.trace = ""  # the frames of an engine whose exception ended the game
        self.printed = ""  # by the process of an engine whose fault ended the game
        self.is_from_outside = False  # whether that process was killed externally
        self.heartbeat = heartbeat
        for seat in (0, 1):
            self._begin(seat)
        for seated in self.seats:
            seated.meter.reset()
        if heartbeat is not None:
            heartbeat.start_clocks()

    def ask(self) -> bool:
        """Play one move; return whether the game continues."""
        if self.ending is not None:
            return False
        position, heartbeat = self.position, self.heartbeat
        first, second = position.first, position.second
        seat = position.to_move
        seated = self.seats[seat]
        clock, meter, limits = seated.clock, seated.meter, seated.clock.limits
        before = UNKNOWN
        if clock.timed:
            limits = clock.limits_now()
            if clock.on_wall:
                before = meter.schedstat()
        if heartbeat is not None:
            heartbeat.show(position.moves)
            if clock.on_wall:
                heartbeat.begin(seat, seated.allowed_now(limits), before)
            else:
                heartbeat.begin(seat, seated.allowed)
        start = meter.begin()
        try:
            choice = seated.engine.ask(position, limits)
        except (Exception, SystemExit) as error:
            return self.fail(seat, error)
        end = perf_counter()
        seconds, cpu = end - start, meter.used(start, end)
        excused = meter.not_charged
        if seconds > MIN_PAUSE or excused is not NOTHING:
            seconds = charge(seconds, cpu, 0.0, meter.paused(start), excused)
            cpu = max(0.0, cpu - excused.cpu)
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
            waited = meter.schedstat().waited - before.waited if clock.on_wall else 0.0
            late = clock.spend(seconds, cpu, waited)
            if late is not None:
                return self.forfeit(seat, "time", late)
        self.moves.append(move_record(column, seconds, cpu, choice))
        self.position = after
        if after.winner is not None:
            return self._end_with_line(seat)
        if after.ply == after.rules.cells:
            return self.end(0, "full board", "the board is full and nobody has a line")
        return True

    def _end_with_line(self, seat: int) -> bool:
        line = self.position.winning_line
        assert line is not None
        detail = f"{self.players[line.player]} made a {in_words(line, self.position.rules)}"
        return self.end(-1 if seat else 1, "line", detail)

    def fail(self, seat: int, error: BaseException) -> bool:
        """End the game: the engine in this seat raised an error."""
        self.trace = trace(error)
        reason: Reason = "memory" if isinstance(error, MemoryError) else "exception"
        if isinstance(error, Fault):
            reason, self.is_from_outside = error.reason, error.is_from_outside
        return self.forfeit(seat, reason, sentence(error, self.seats[seat].engine))

    def forfeit(self, seat: int, reason: Reason, detail: str) -> bool:
        """End the game: the player in this seat loses, for the reason in the detail."""
        engine = self.seats[seat].engine
        self.printed = engine.printed() if isinstance(engine, PipedEngine) else ""
        return self.end(1 if seat else -1, reason, printable(f"{self.players[seat]}: {detail}"))

    def end(self, result: int, reason: Reason, detail: str) -> bool:
        """End the game with this result for the first player."""
        self.ending = (result, reason, detail)
        return False

    def finished_game(self) -> Game:
        """Return the finished game."""
        if self.ending is None:
            raise ValueError("the game is not over")
        scheduled, opening = self.scheduled, bytes(self.scheduled.opening)
        return Game(
            scheduled.number, scheduled.round, scheduled.first, scheduled.second, opening,
            opening + bytes([move.column for move in self.moves]), *self.ending, scheduled.seed,
            self.started, perf_counter() - self.begun, pack_telemetry(self.moves),
            join_log(self.trace, self.printed),
        )  # fmt: skip

    def _begin(self, seat: int) -> None:
        seated, heartbeat = self.seats[seat], self.heartbeat
        if heartbeat is not None:
            heartbeat.begin(seat, seated.allowed)
        try:
            seated.engine.begin(self.position.rules, derive_seed(self.scheduled.seed, seat))
        except ArenaError:
            raise
        except (Exception, SystemExit) as error:
            if self.ending is None:
                self.fail(seat, error)
        if heartbeat is not None:
            heartbeat.end()


class SeatedEngine:
    """An engine of a game with its clock and its meter."""

    __slots__ = ("allowed", "clock", "engine", "meter", "spare")

    def __init__(self, engine: Engine, clock: Clock, patience: float) -> None:
        self.engine, self.clock = engine, clock
        self.meter = meter_of(engine)
        self.spare = PIPED if isinstance(engine, PipedEngine) else 0.0
        self.allowed = patience + self.spare  # seconds for an answer without a time limit

    def allowed_now(self, limits: Limits) -> float:
        """Return how long the owner waits for an answer with a time limit."""
        least = min(x for x in (limits.seconds, limits.clock) if x is not None)
        return give_up_after(least, self.clock.margin) + self.spare


def play_game(
    engines: tuple[Engine, Engine],
    rules: Rules,
    limits: Limits | tuple[Limits, Limits] = NO_LIMITS,
    seed: int = 0,
    opening: tuple[int, ...] = (),
    players: tuple[str, str] = (DISCS[0], DISCS[1]),
) -> Game:
    """Play one game in this process, from the opening to its end."""
    scheduled = ONE_GAME._replace(opening=opening, seed=seed)
    referee = Referee(engines, rules, limits, scheduled, players)
    while referee.ask():
        pass
    return referee.finished_game()
