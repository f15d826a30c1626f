"""Where the time of a ply goes: each step of a game by itself, on the same games and in one run.

What happens once a game is spread over its plies. The steps of the referee are measured again
outside of it, in loops of their own, where caches are warm: so they are rather told too small, and
the rest of the referee too large.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter

from arena.bench.tables import fresh_agenda, heartbeat, journal, seating
from arena.engine.contract import Choice
from arena.game.position import Position
from arena.game.rules import CONNECT4
from arena.table.channel import Heartbeat
from arena.table.game import Game, move_record
from arena.table.referee import Referee
from arena.table.runner import Seating
from arena.table.table_engines import TableEngines
from arena.timing import Meter
from arena.tournament.games import ScheduledGame

REPEATS = 10
TOGETHER = 16  # games of one commit: about so many end at a quick table between two looks

ENGINE = "the engine itself"
BOARD = "the board: legal moves, lines"
HEARTBEAT = "the heartbeat, in shared memory"
METERS = "the meters: wall and processor"
MOVE = "the record of the move"
REFEREE = "clocks, checks, whose turn it is"
BEGIN = "a game begins: seats and seeds"
END = "a game ends: its row"
WIRE = "the wire, there and back"
SCHEDULE = "the schedule: the next game"
JOURNAL = "the journal: checksums, a commit"
STEPS = (ENGINE, BOARD, HEARTBEAT, METERS, MOVE, REFEREE, BEGIN, END, WIRE, SCHEDULE, JOURNAL)


@dataclass
class Steps:
    """The seconds of all steps over some plies."""

    plies: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STEPS, 0.0))

    def a_ply(self) -> dict[str, float]:
        """Seconds of each step, for one ply."""
        return {name: seconds / self.plies for name, seconds in self.seconds.items()}


def time_of_a_ply(games: int) -> dict[str, float]:
    """Seconds of each step of a ply of random against random, the median of some repeats."""
    seated = seating()
    engines = TableEngines(seated, heartbeat())
    measured = [_measure(max(TOGETHER, games // REPEATS), seated, engines) for _ in range(REPEATS)]
    each = [steps.a_ply() for steps in measured[1:]]
    return {name: median(steps[name] for steps in each) for name in STEPS}


def _measure(games: int, seated: Seating, engines: TableEngines) -> Steps:
    steps = Steps()
    seconds, agenda = steps.seconds, fresh_agenda(games)
    with journal() as written:
        waiting: list[Game] = []
        while True:
            at = perf_counter()
            game = agenda.take()
            at = _passed(seconds, SCHEDULE, at)
            if game is not None:
                referee = _begin(game, seated, engines)
                at = _passed(seconds, BEGIN, at)
                while referee.ask():
                    pass
                at = _passed(seconds, REFEREE, at)
                finished = referee.finished_game()
                at = _passed(seconds, END, at)
                waiting.append(_sent(game, finished))
                at = _passed(seconds, WIRE, at)
                _replay(seconds, finished, engines.heartbeat)
                steps.plies += finished.plies
            if game is None or len(waiting) == TOGETHER:
                at = perf_counter()
                written.write(*waiting)
                at = _passed(seconds, JOURNAL, at)
                agenda.done(*[game.number for game in waiting])
                _passed(seconds, SCHEDULE, at)
                waiting.clear()
            if game is None:
                return steps


def _begin(game: ScheduledGame, seated: Seating, engines: TableEngines) -> Referee:
    """As a table does."""
    first, second = seated.players[game.first], seated.players[game.second]
    engines.heartbeat.begin_game(game.number, game.opening)
    sitting = engines.seat(game.first, 0), engines.seat(game.second, 1)
    return Referee(
        sitting, seated.rules, (first.limits, second.limits), game, (first.name, second.name),
        seated.terms.margin, engines.heartbeat, seated.terms.patience,
    )  # fmt: skip


def _sent(game: ScheduledGame, finished: Game) -> Game:
    """A game travels to a table, and comes back when it is finished."""
    pickle.loads(pickle.dumps((game,), pickle.HIGHEST_PROTOCOL))
    return Game(*pickle.loads(pickle.dumps(finished.values, pickle.HIGHEST_PROTOCOL)))


def _replay(seconds: dict[str, float], game: Game, shared: Heartbeat) -> None:
    """The steps of the referee once more, each in a loop over the moves of a game."""
    engine = sum(move.seconds for move in game.move_records())
    seconds[ENGINE] += engine
    seconds[REFEREE] -= engine
    for name, loop in _loops(game, shared):
        before = perf_counter()
        loop()
        spent = perf_counter() - before
        seconds[name] += spent
        seconds[REFEREE] -= spent


def _loops(game: Game, shared: Heartbeat) -> Iterator[tuple[str, Callable[[], object]]]:
    columns, positions = game.columns, [Position(CONNECT4)]
    for column in columns:
        positions.append(positions[-1].play(column))
    choices, meter = [Choice(column) for column in columns], Meter()

    def beat() -> None:
        for position in positions[:-1]:
            shared.show(position.moves)
            shared.begin(0, 60.0)
            shared.end(0, 0.0)

    def clock() -> None:
        for _ in columns:
            start = meter.begin()
            meter.used(start, perf_counter())

    yield (
        BOARD,
        lambda: [
            position.play(column) for position, column in zip(positions, columns, strict=False)
        ],
    )
    yield HEARTBEAT, beat
    yield METERS, clock
    yield (
        MOVE,
        lambda: [move_record(choice.column, 0.0, 0.0, choice) for choice in choices],
    )


def _passed(seconds: dict[str, float], step: str, since: float) -> float:
    """Book the time since then on a step; the time now."""
    now = perf_counter()
    seconds[step] += now - since
    return now
