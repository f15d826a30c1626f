"""An engine under check: every answer of it is held against the contract."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time
from typing import NamedTuple

from arena.engine.contract import Choice, Engine, Limits
from arena.engine.errors import sentence, trace
from arena.engine.warm_up import with_sound_cache
from arena.errors import BadRules, IllegalMove
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.play.clock import PAUSES, scheduled
from arena.play.record import GameRecord
from arena.play.referee import play_game, read_column, read_count, read_score
from arena.printable import printable

PATIENCE, COMPILING = 10.0, 180.0  # seconds to wait for an answer, and for a warm-up


class Broken(Exception):
    """The contract is broken; the sentence says how and where, the trace by which lines."""

    def __init__(self, sentence: str, trace: str = "") -> None:
        super().__init__(printable(sentence))
        self.trace = trace


class Answer(NamedTuple):
    """A sound answer, and what it took."""

    choice: Choice
    seconds: float
    cpu: float
    waiting: float  # of these seconds, for a processor


class Subject:
    """Builds the engine anew for each check, asks it, and knows what it is waiting for."""

    def __init__(self, build: Callable[[], Engine], patience: float = PATIENCE) -> None:
        self.build = build
        self.patience = patience
        self.boards: list[Rules] = []  # those it plays on
        self.warm: list[Rules] = []  # where a first move was made; that of the base does no more
        self.question = ""
        self.asked, self.deadline = 0.0, float("inf")
        PAUSES.watch()

    def is_overdue(self) -> bool:
        """Whether an answer has been waited for too long, pauses not counted."""
        now = perf_counter()
        return now > self.deadline and now - PAUSES.since(self.asked) > self.deadline

    def fresh(self, rules: Rules, seed: int = 0) -> Engine:
        """A new engine that has been warmed up and told of a new game."""
        engine = self.build()
        if rules not in self.warm or type(engine).warm_up is not Engine.warm_up:
            self._load(engine, lambda: with_sound_cache(lambda: engine.warm_up(rules)), rules)
            self.warm.append(rules)
        self.begin(engine, rules, seed)
        return engine

    def begin(self, engine: Engine, rules: Rules, seed: int = 0) -> None:
        """Tell an engine that a new game begins."""
        self._load(engine, lambda: engine.new_game(rules, seed), rules)

    def _load(self, engine: Engine, load: Callable[[], None], rules: Rules) -> None:
        self._expect(f"warm_up or new_game on {rules}", max(COMPILING, self.patience))
        try:
            load()
        except BadRules:
            raise
        except (Exception, SystemExit) as error:
            told = f"{sentence(error, engine)}, getting ready for {rules}"
            raise Broken(told, trace(error)) from error
        finally:
            self.deadline = float("inf")

    def ask(self, engine: Engine, position: Position, limits: Limits) -> Answer:
        """The engine's choice in a position, if nothing is wrong with it."""
        where = f"{place(position)}, {limits}"
        before = (position.first, position.second, position.moves, position.winner)
        self._expect(f"choose {where}", self.patience)
        waits, cpu, start = scheduled().waited, process_time(), perf_counter()
        try:
            choice = engine.choose(position, limits)
        except (Exception, SystemExit) as error:
            raise Broken(f"{sentence(error, engine)}, {where}", trace(error)) from error
        finally:
            self.deadline = float("inf")
        seconds, cpu = perf_counter() - start, process_time() - cpu
        if (position.first, position.second, position.moves, position.winner) != before:
            raise Broken(f"it changed the position it was asked about, {where}")
        complaint = wrong_with(choice, position)
        if complaint:
            raise Broken(f"{complaint}, {where}")
        return Answer(choice, seconds, cpu, scheduled().waited - waits)

    def opinions(self, engine: Engine, position: Position, limits: Limits) -> dict[int, float]:
        """What the engine thinks of each column, if these are columns and numbers."""
        where = place(position)
        self._expect(f"opinions {where}", self.patience * max(1, len(position.legal)))
        try:
            worths = engine.opinions(position, limits)
        except (Exception, SystemExit) as error:
            raise Broken(f"{sentence(error, engine)}, {where}", trace(error)) from error
        finally:
            self.deadline = float("inf")
        for column, worth in worths.items():
            if column not in position.legal:
                raise Broken(f"it has an opinion of column {column}, which is not legal, {where}")
            if read_score(worth) is None:
                raise Broken(f"its opinion of column {column} is {worth!r}, not a number, {where}")
        return worths

    def play(
        self,
        engines: tuple[Engine, Engine],
        rules: Rules,
        limits: Limits,
        seed: int,
        opening: tuple[int, ...] = (),
    ) -> GameRecord:
        """A game of the engine against itself, if neither side forfeits it."""
        self._expect(f"a game on {rules}, {limits}", self.patience * rules.cells / 4)
        try:
            record = play_game(engines, rules, limits, seed, opening)
        finally:
            self.deadline = float("inf")
        if record.reason not in ("line", "full board"):
            where = place(play_moves(record.columns, rules))
            _, _, detail = record.detail.partition(": ")  # whichever seat it sat in
            raise Broken(f"{detail}, {where}, {limits}", record.trace)
        return record

    def _expect(self, question: str, patience: float) -> None:
        self.question = question
        self.asked = perf_counter()
        self.deadline = self.asked + patience


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
    if column not in position.legal:
        return f"it answered column {column} (from 0), legal are {list(position.legal)}"
    if choice.score is not None and read_score(choice.score) is None:
        return f"its score is {choice.score!r}; expected a finite number or None"
    for name in ("depth", "nodes"):
        count = getattr(choice, name)
        if count is not None and (read_count(count) is None or count < 0):
            return f"its {name} is {count!r}; expected a whole number or None"
    return _wrong_with_line(choice, column, position)


def _wrong_with_line(choice: Choice, column: int, position: Position) -> str:
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
