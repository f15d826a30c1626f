"""Ask an engine under check about all kinds of positions, and look for breaches of the contract."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import NamedTuple, TypeVar

from arena.bots.hosted import PipedEngine, meter_of
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
from arena.game.notation import column_name, column_words, play_moves
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.processes import Process
from arena.table.learning import tell
from arena.text import printable
from arena.timing import MIN_PAUSE, NOTHING, PAUSES, AnswerDeadline, Clock, charge

WAITING = 0.01  # seconds of a move that are worth a word
PATIENCE, COMPILING = 10.0, 180.0  # seconds to wait for an answer, and for a warm-up
PARTS = ("first", "second", "moves", "winner")  # of a position, that an engine could change
TRIES, RESTARTS = 300, 8  # to find a long game

T = TypeVar("T")


class Violation(Exception):
    """An engine breaks the contract; `is_advice` if it may play all the same."""

    def __init__(self, sentence: str, trace: str = "", is_advice: bool = False) -> None:
        super().__init__(printable(sentence))
        self.trace = trace
        self.is_advice = is_advice


class TimedChoice(NamedTuple):
    """A valid answer, the time it took, and the words of a loss on time if it was too late."""

    choice: Choice
    seconds: float
    cpu: float
    late: str | None


class PlayedPart(NamedTuple):
    """A game against random moves, or its first part."""

    position: Position
    answers: list[TimedChoice]

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves of both sides."""
        return self.position.moves


class Probe:
    """Builds the engine for each check, asks it, and knows which answer is due."""

    def __init__(
        self,
        build: Callable[[], Engine],
        patience: float = PATIENCE,
        limits: Limits | None = None,
        is_foreign: bool = False,
        any_position: bool = True,
    ) -> None:
        self.build_engine = build
        self.patience = patience
        self.limits = limits  # of every move; None: those of the check
        self.is_foreign = is_foreign  # a bot that speaks another protocol
        self.any_position = any_position  # False: its games begin with the empty board
        self.boards: list[Rules] = []  # on which the engine has played
        self.warm: list[Rules] = []  # boards on which a first move was made
        self.built: list[Engine] = []  # by the check that is running
        self.is_silent = False  # True: waiting for it again is useless
        self.question = ""
        self.deadline: AnswerDeadline | None = None
        self.check_ends = float("inf")
        self.is_cancelled = False
        PAUSES.watch()

    def is_overdue(self) -> bool:
        """Whether an answer takes too long, pauses of the whole process not counted."""
        return self.deadline is not None and self.deadline.over(perf_counter())

    def cancel(self) -> None:
        """Ask no further question, and end the engine's processes."""
        self.is_cancelled = True
        self.close()

    def begin_check(self, ends: float) -> None:
        """Close the engines of the last check; the next one has until this `perf_counter`."""
        self.close()
        self.check_ends = ends

    def close(self) -> None:
        """End the processes of all engines."""
        while self.built:
            engine = self.built.pop()
            if isinstance(engine, PipedEngine):
                engine.close()

    def while_time(self, items: Iterable[T]) -> Iterator[T]:
        """Yield at least one item, and more while the check has time."""
        for number, item in enumerate(items):
            if number and perf_counter() > self.check_ends:
                return
            yield item

    def build(self) -> Engine:
        """A new engine, as its author made it."""
        engine = self.build_engine()
        self.built.append(engine)
        return engine

    def fresh(self, rules: Rules, seed: int = 0) -> Engine:
        """A new engine, warmed up and at the start of a game."""
        engine = self.build()
        if rules not in self.warm or type(engine).warm_up is not Engine.warm_up:
            self._get_ready(engine, rules, lambda: engine.get_ready(rules))
            self.warm.append(rules)
        self.begin(engine, rules, seed)
        return engine

    def begin(self, engine: Engine, rules: Rules, seed: int = 0) -> None:
        """Start a new game."""
        self._get_ready(engine, rules, lambda: engine.begin(rules, seed))

    def ask(
        self, engine: Engine, position: Position, limits: Limits, clock: Clock | None = None
    ) -> TimedChoice:
        """Ask for a move; a late one is returned, anything else wrong with it is raised."""
        where = f"{place(position)}, {limits}"
        asked = copy(position)  # the original is used for other questions
        with self._waiting(f"choose {where}", self.patience, engine, where):
            meter = meter_of(engine)
            waits = meter.schedstat().waited
            meter.reset()
            start = meter.begin()
            choice = engine.ask(asked, limits)
            end = perf_counter()
            seconds, cpu = end - start, meter.used(start, end)
            if seconds > MIN_PAUSE or meter.not_charged is not NOTHING:
                seconds = charge(seconds, cpu, 0.0, meter.paused(start), meter.not_charged)
        if any(getattr(asked, name) != getattr(position, name) for name in PARTS):
            raise Violation(f"it changed the position it was asked about, {where}")
        complaint = wrong_with(choice, position)
        if complaint:
            raise Violation(f"{complaint}, {where}")
        waited = meter.schedstat().waited - waits
        late = (clock or Clock(limits)).spend(seconds, cpu, waited)
        return TimedChoice(choice, seconds, cpu, late)

    def play(
        self,
        rules: Rules,
        seed: int,
        limits: Limits,
        plies: int | None = None,
        share: int = 1,
        engine: Engine | None = None,
    ) -> PlayedPart:
        """Play a game against random moves; the engine begins if the seed is odd.

        It stops after so many plies, or after this share of the check's time.
        """
        if engine is None:
            engine = self.fresh(rules, seed)
        else:
            self.begin(engine, rules, seed)
        now = perf_counter()
        until = now + max(0.0, self.check_ends - now) / share
        random, seat, clock = Random(seed), (seed + 1) % 2, Clock(limits)
        position, answers = Position(rules), list[TimedChoice]()
        while not position.is_over and (plies is None or len(position.moves) < plies):
            if answers and plies is None and perf_counter() > until:
                break
            if position.to_move != seat:
                position = position.play(random.choice(position.choices))
                continue
            answer = self.ask(engine, position, clock.limits_now(), clock)
            answers.append(answer)
            position = position.play(read_column(answer.choice))
        return PlayedPart(position, answers)

    def opinions(self, engine: Engine, position: Position, limits: Limits) -> dict[int, float]:
        """Ask for the value of each column; they must be columns and numbers."""
        where = place(position)
        patience = self.patience * max(1, len(position.legal))
        with self._waiting(f"opinions {where}", patience, engine, where):
            values = engine.ask_opinions(copy(position), limits)
        for column, value in values.items():
            if column not in position.legal:
                name = named_column(column, position.rules)
                raise Violation(f"it has an opinion of {name}, which is not legal, {where}")
            if read_score(value) is None:
                name = named_column(column, position.rules)
                raise Violation(f"its opinion of {name} is {value!r}, not a number, {where}")
        return values

    def teach(self, engine: Engine, game: PlayedGame, seed: int) -> None:
        """Let an engine learn from a finished game."""
        where = f"from a game on {game.rules} of {len(game.columns)} plies"
        with self._waiting(f"learn {where}", max(COMPILING, self.patience), engine, where):
            tell(engine, game, seed)

    def _get_ready(self, engine: Engine, rules: Rules, call: Callable[[], None]) -> None:
        """Getting ready may take long, and an engine may decline a board."""
        question, patience = f"warm_up or new_game on {rules}", max(COMPILING, self.patience)
        with self._waiting(question, patience, engine, f"getting ready for {rules}", BadRules):
            call()

    @contextmanager
    def _waiting(
        self,
        question: str,
        patience: float,
        engine: Engine,
        where: str,
        passed_on: type[Exception] | tuple[()] = (),
    ) -> Iterator[None]:
        """Note the question and its deadline; turn what the engine raises into a violation."""
        if self.is_cancelled:
            raise TimeoutError(question)
        self.question = question
        self.deadline = AnswerDeadline(perf_counter(), patience, Process(os.getpid()))
        try:
            yield
        except passed_on:
            raise
        except (Exception, SystemExit) as error:
            self.is_silent = self.is_silent or is_silence(error)
            words = str(error) if isinstance(error, EngineFailure) else sentence(error, engine)
            raise Violation(f"{words}, {where}", root_trace(error)) from error
        finally:
            self.deadline = None


def is_silence(error: BaseException) -> bool:
    """Whether an engine in its own process did not start, or gave no answer in time."""
    return isinstance(error, EngineFailure) or (isinstance(error, Fault) and error.reason == "time")


def place(position: Position) -> str:
    """The board and the moves so far, in words."""
    moves = f"after {position.notation}" if position.ply else "at the start"
    return f"on {position.rules} {moves}"


def times_in_words(answers: Sequence[TimedChoice], seconds: float) -> str:
    """How long the longest move took, and how much of that was waiting, if it is worth saying."""
    longest = max(answers, key=lambda answer: answer.seconds)
    waited = longest.seconds - longest.cpu
    words = f"{len(answers)} moves of {seconds:g} s, the longest {longest.seconds:.3f} s"
    return f"{words}, of which {waited:.3f} s was waiting" if waited >= WAITING else words


def named_column(column: object, rules: Rules) -> str:
    """A column in both numberings; anything else as it is."""
    if isinstance(column, int) and not isinstance(column, bool):
        return column_words(column, rules)
    return f"column {column!r}"


def wrong_with(choice: Choice, position: Position) -> str:
    """What is wrong with an answer, or nothing."""
    try:
        column = read_column(choice)
    except IllegalMove as error:
        return f"it {error}"
    if column == STEAL and not position.can_steal:
        return position.why_no_steal
    if column not in position.choices:
        legal = ", ".join(column_name(each, position.rules) for each in position.legal)
        return f"it answered {named_column(column, position.rules)}; legal are {legal}"
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
            name = named_column(column, position.rules)
            return f"its line {choice.line!r} does not begin with {name}"
        for move in choice.line:
            position = position.play(move)
    except (IllegalMove, IndexError, TypeError):
        return f"its line {choice.line!r} cannot be played"
    return ""


# ---- positions to ask about


@lru_cache(maxsize=64)
def sample_positions(rules: Rules) -> tuple[Position, ...]:
    """Unfinished positions of all phases, with full columns and single columns left.

    The empty board and the fullest one come first: a slow engine is asked only a few.
    """
    random = Random(0)
    long = _long_game(rules, random)
    end = long.ply
    plies = sorted({1, end // 3, end // 2, 3 * end // 4, *range(max(0, end - 5), end)} - {0, end})
    along = [play_moves(long.moves[:ply], rules) for ply in (0, end, *plies)]
    others = [random_position(rules, random, random.randrange(rules.cells // 2)) for _ in range(6)]
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
        position = random_position(rules, random, random.randrange(4, rules.cells))
        if not position.is_over:
            yield position


def random_position(rules: Rules, random: Random, plies: int) -> Position:
    """The position after this many random moves, or at the end of the game."""
    position = Position(rules)
    while position.ply < plies and not position.is_over:
        position = position.play(random.choice(position.legal))
    return position


def _long_game(rules: Rules, random: Random) -> Position:
    """Find an unfinished position with as many discs as possible, often all but one.

    Play moves that do not win, backtrack where there is none, and keep the longest game.
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
