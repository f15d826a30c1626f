"""An engine under check: what it is asked about, and every answer held against the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import NamedTuple

from arena.bots.hosted import meter_of
from arena.engine.contract import (
    Choice,
    Engine,
    Limits,
    PlayedGame,
    read_column,
    read_count,
    read_score,
)
from arena.engine.errors import Fault, root_trace, sentence
from arena.errors import BadRules, EngineFailure, IllegalMove
from arena.game.notation import play_moves
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.pauses import PAUSES
from arena.table.clock import Clock
from arena.table.game import Game
from arena.table.learning import tell
from arena.table.referee import play_game
from arena.text import printable

PATIENCE, COMPILING = 10.0, 180.0  # seconds to wait for an answer, and for a warm-up
TRIES, RESTARTS = 300, 8  # to find a long game


class Broken(Exception):
    """The contract is broken; the sentence says how and where, the trace by which lines."""

    def __init__(self, sentence: str, trace: str = "") -> None:
        super().__init__(printable(sentence))
        self.trace = trace


class TimedChoice(NamedTuple):
    """A sound answer, what it took, and the words of a loss on time if that was too long."""

    choice: Choice
    seconds: float
    cpu: float
    late: str | None


class Subject:
    """Builds the engine anew for each check, asks it, and knows what it is waiting for."""

    def __init__(self, build: Callable[[], Engine], patience: float = PATIENCE) -> None:
        self.build = build
        self.patience = patience
        self.boards: list[Rules] = []  # those it plays on
        self.warm: list[Rules] = []  # where a first move was made; that of the base does no more
        self.is_silent = False  # whether waiting for it once more is of no use
        self.question = ""
        self.asked, self.deadline = 0.0, float("inf")
        PAUSES.watch()

    def is_overdue(self) -> bool:
        """Whether an answer has been waited for too long, pauses not counted."""
        now = perf_counter()
        return now > self.deadline and now - PAUSES.since(self.asked) > self.deadline

    def fresh(self, rules: Rules) -> Engine:
        """A new engine that has been warmed up and told of a new game."""
        engine = self.build()
        if rules not in self.warm or type(engine).warm_up is not Engine.warm_up:
            self._get_ready(engine, rules, lambda: engine.get_ready(rules))
            self.warm.append(rules)
        self.begin(engine, rules)
        return engine

    def begin(self, engine: Engine, rules: Rules) -> None:
        """Tell an engine that a new game begins."""
        self._get_ready(engine, rules, lambda: engine.begin(rules, 0))

    def ask(self, engine: Engine, position: Position, limits: Limits) -> TimedChoice:
        """The engine's choice in a position, if nothing is wrong with it but the time it took."""
        where = f"{place(position)}, {limits}"
        asked = copy(position)  # as others will be asked about it too
        with self._waiting(f"choose {where}", self.patience, engine, where):
            meter = meter_of(engine)
            waits = meter.scheduled().waited
            meter.settle()
            start = meter.begin()
            choice = engine.ask(asked, limits)
            end = perf_counter()
            seconds, cpu = end - start, meter.used(start, end)
        if _parts(asked) != _parts(position):
            raise Broken(f"it changed the position it was asked about, {where}")
        complaint = wrong_with(choice, position)
        if complaint:
            raise Broken(f"{complaint}, {where}")
        waiting = meter.scheduled().waited - waits
        is_late = Clock(limits).spend(seconds, cpu, waiting) is not None
        late = Clock(limits).spend(seconds, cpu) if is_late else None  # in words without the wait
        return TimedChoice(choice, seconds, cpu, late)

    def opinions(self, engine: Engine, position: Position, limits: Limits) -> dict[int, float]:
        """What the engine thinks of each column, if these are columns and numbers."""
        where = place(position)
        patience = self.patience * max(1, len(position.legal))
        with self._waiting(f"opinions {where}", patience, engine, where):
            values = engine.ask_opinions(copy(position), limits)
        for column, value in values.items():
            if column not in position.legal:
                raise Broken(f"it has an opinion of column {column}, which is not legal, {where}")
            if read_score(value) is None:
                raise Broken(f"its opinion of column {column} is {value!r}, not a number, {where}")
        return values

    def play(
        self,
        engines: tuple[Engine, Engine],
        rules: Rules,
        limits: Limits,
        seed: int,
        opening: tuple[int, ...] = (),
    ) -> Game:
        """A game of the engine against itself, if neither side forfeits it."""
        with self._waiting(f"a game on {rules}, {limits}", self.patience * rules.cells / 4):
            game = play_game(engines, rules, limits, seed, opening)
        if game.reason not in ("line", "full board"):
            _, _, detail = game.detail.partition(": ")  # whichever seat it sat in
            raise Broken(f"{detail}, {place(game.final(rules))}, {limits}", game.trace)
        return game

    def teach(self, engine: Engine, game: PlayedGame, seed: int) -> None:
        """Tell an engine of a game that is over."""
        where = f"told of a game on {game.rules} of {len(game.columns)} plies"
        with self._waiting(f"learn, {where}", max(COMPILING, self.patience), engine, where):
            tell(engine, game, seed)

    def _get_ready(self, engine: Engine, rules: Rules, call: Callable[[], None]) -> None:
        """Getting ready may take long, and a board may be declined."""
        question, patience = f"warm_up or new_game on {rules}", max(COMPILING, self.patience)
        with self._waiting(question, patience, engine, f"getting ready for {rules}", BadRules):
            call()

    @contextmanager
    def _waiting(
        self,
        question: str,
        patience: float,
        engine: Engine | None = None,
        where: str = "",
        but_for: type[Exception] | tuple[()] = (),
    ) -> Iterator[None]:
        """While the engine is at work inside, it is known what for, and for how long.

        Whatever the engine raises breaks the contract.
        """
        self.question = question
        self.asked = perf_counter()
        self.deadline = self.asked + patience
        try:
            yield
        except but_for:
            raise
        except (Exception, SystemExit) as error:
            if engine is None:
                raise
            self.is_silent = self.is_silent or is_silence(error)
            words = str(error) if isinstance(error, EngineFailure) else sentence(error, engine)
            raise Broken(f"{words}, {where}", root_trace(error)) from error
        finally:
            self.deadline = float("inf")


def is_silence(error: BaseException) -> bool:
    """Whether an engine in a process of its own did not get ready, or answered nothing in time."""
    return isinstance(error, EngineFailure) or (isinstance(error, Fault) and error.reason == "time")


def _parts(position: Position) -> tuple[object, ...]:
    """All that an engine could change."""
    return position.first, position.second, position.moves, position.winner


def place(position: Position) -> str:
    """Where something happened."""
    moves = f"after {position.notation}" if position.ply else "at the start"
    return f"on {position.rules} {moves}"


def wrong_with(choice: Choice, position: Position) -> str:
    """What is wrong with an answer, if anything; columns count from 0, as engines see them."""
    try:
        column = read_column(choice)
    except IllegalMove as error:
        return f"it {error}"
    if column == STEAL and not position.can_steal:
        return position.why_no_steal
    if column not in position.choices:
        return f"it answered column {column} (from 0), legal are {list(position.legal)}"
    if choice.score is not None and read_score(choice.score) is None:
        return f"its score is {choice.score!r}; expected a finite number or None"
    for name in ("depth", "nodes"):
        count = getattr(choice, name)
        if count is not None and (read_count(count) is None or count < 0):
            return f"its {name} is {count!r}; expected a whole number or None"
    if choice.line is None:
        return ""
    try:
        if choice.line[0] != column:
            return f"its line {choice.line} does not begin with its column {column}"
        for move in choice.line:
            position = position.play(move)
    except (IllegalMove, IndexError, TypeError):
        return f"its line {choice.line!r} cannot be played"
    return ""


@lru_cache(maxsize=64)
def sample_positions(rules: Rules) -> tuple[Position, ...]:
    """Unfinished positions of all phases, among them those with full columns or one column left."""
    random = Random(0)
    long = _long_game(rules, random)
    end = long.ply
    plies = sorted({0, 1, end // 3, end // 2, 3 * end // 4, *range(max(0, end - 5), end + 1)})
    along = [play_moves(long.moves[:ply], rules) for ply in plies]
    others = [_wander(rules, random, random.randrange(rules.cells // 2)) for _ in range(6)]
    return tuple(position for position in along + others if not position.is_over)


def winning_positions(rules: Rules) -> Iterator[Position]:
    """Positions in which the player to move can win at once, and need not."""
    for position in _random_positions(rules):
        if 0 < sum(map(position.wins_with, position.legal)) < len(position.legal):
            yield position


def threatened_positions(rules: Rules) -> Iterator[Position]:
    """Positions in which the player to move cannot win at once, but can stop the opponent."""
    for position in _random_positions(rules):
        if any(map(position.wins_with, position.legal)):
            continue
        if 0 < sum(is_safe(position, column) for column in position.legal) < len(position.legal):
            yield position


def is_safe(position: Position, column: int) -> bool:
    """Whether the opponent has no immediate win after this move."""
    after = position.play(column)
    return not any(map(after.wins_with, after.legal))


def _random_positions(rules: Rules) -> Iterator[Position]:
    random = Random(0)
    while True:
        position = _wander(rules, random, random.randrange(4, rules.cells))
        if not position.is_over:
            yield position


def _wander(rules: Rules, random: Random, plies: int) -> Position:
    position = Position(rules)
    while position.ply < plies and not position.is_over:
        position = position.play(random.choice(position.legal))
    return position


def _long_game(rules: Rules, random: Random) -> Position:
    """An unfinished position with as many discs as can be found, often all but one.

    Play moves that do not win, going back where there is none, and keep the longest game.
    """
    longest = Position(rules)
    for _ in range(RESTARTS):
        waiting, most = [Position(rules)], 0
        for _ in range(TRIES):
            if not waiting or most == rules.cells - 1:
                break
            position = waiting.pop()
            most = max(most, position.ply)
            longest = max(longest, position, key=lambda one: one.ply)
            quiet = [column for column in position.legal if not position.wins_with(column)]
            random.shuffle(quiet)
            waiting += [position.play(column) for column in quiet]
    return longest
