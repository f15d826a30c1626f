"""An engine in a host process, as the referee has it: every question goes down the pipe."""

from __future__ import annotations

import atexit
import os
import sys
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

from arena.bots.process import BotProcess, error_line
from arena.bots.protocol import (
    Description,
    decode,
    encode,
    problem_of,
    read_choice,
    read_value,
    write_game,
    write_members,
    write_question,
)
from arena.engine.contract import Engine, Limits, PlayedGame
from arena.engine.errors import Fault, retry_if_killed
from arena.engine.registry import Entry
from arena.errors import ArenaError, EngineFailure
from arena.game.position import Position
from arena.machine import MIN_MEMORY_LEFT, memory_left
from arena.text import printable
from arena.timing import MARGIN, BotMeter, Deadline, Meter, give_up_after

START = 10.0  # seconds to get ready, by default
PATIENCE = 60.0  # seconds for a move on which there is no other limit, by default
MEMORY = 2048  # megabytes, by default


@dataclass(frozen=True, slots=True)
class Terms:
    """What is allowed to an engine besides the limits of its moves."""

    start: float = START  # seconds to get ready; what is compiled meanwhile is not counted
    patience: float = PATIENCE
    margin: float = MARGIN
    memory: int | None = MEMORY  # megabytes of its whole tree of processes

    def for_move(self, limits: Limits) -> float:
        """How long to wait for a move with these limits."""
        allowed = [x for x in (limits.seconds, limits.clock) if x is not None]
        return give_up_after(min(allowed), self.margin) if allowed else self.patience


class PipedEngine(Engine):
    """Holds a process, and knows how long to wait for it."""

    farewell: ClassVar[str | None] = None  # the line after which it should leave by itself
    terms: Terms

    def __init__(self, *named: Any, **options: Any) -> None:
        super().__init__(*named, **options)
        self.terms = Terms()
        self._meter = BotMeter()
        self._process: BotProcess | None = None
        self._is_given_up = False

    @abstractmethod
    def launch(self) -> BotProcess:
        """Start the program and greet it; what it may take is `wait_for_start`."""

    @property
    def process(self) -> BotProcess:
        """Its process, started when it is first asked for."""
        if self._process is None:
            if self._is_given_up:
                raise Fault("crash", "its process was given up")
            return self.turn_to(self.launch())
        return self._process

    def turn_to(self, process: BotProcess) -> BotProcess:
        """This process thinks from now on."""
        self._process = process
        process.meter.refresh()
        self._meter.use(process.meter)
        return process

    @property
    def is_spent(self) -> bool:
        """Whether its process is gone or was given up, so that another engine must be built."""
        return self._is_given_up or (self._process is not None and not self._process.is_alive)

    def new_game(self) -> None:
        """Start the process if need be; what it printed before belongs to another game."""
        self.process.forget_printed()

    def wait_for_start(self, process: BotProcess) -> Deadline:
        """The deadline for something that belongs to getting ready."""
        return process.deadline(self.terms.start, COMPILING, is_move=False)

    def wait_for_move(self, limits: Limits) -> Deadline:
        """The deadline of a move with these limits, asked for now."""
        terms, seconds = self.terms, self.terms.for_move(limits)
        return self.process.deadline(seconds, terms.patience if limits.by_clock else 0.0)

    def replace_process(self) -> None:
        """End a process that has done its work; the next question starts another."""
        if not self._is_given_up:
            self.close()
            self._is_given_up = False

    def give_up(self, fault: Fault) -> Fault:
        """End a process from which no sensible answer can be expected any more."""
        self._is_given_up = True
        self.close(polite=False)
        return fault

    def printed(self) -> str:
        """The end of what it said on stderr in this game."""
        return self._printed if self._process is None else self._process.printed()

    _printed = ""

    def close(self, polite: bool = True) -> None:
        """End its process; nothing of it is left."""
        process, self._process = self._process, None
        if process is not None:
            self._is_given_up = True
            self._printed = process.printed()
            process.close(self.farewell if polite else None)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            self.close(polite=False)


def meter_of(engine: Engine) -> Meter:
    """The meter of the process in which an engine thinks."""
    return engine._meter if isinstance(engine, PipedEngine) else Meter()


def not_ready(process: BotProcess, fault: Fault) -> EngineFailure:
    """The sentence about a program that did not get ready, with the end of the dialogue."""
    printed = error_line(process.printed())
    last = f"; on stderr: {printed}" if printed else ""
    return EngineFailure(f"{fault.detail}; the dialogue ended: {process.last_lines()}{last}")


HOST = "arena.bots.host"  # the module that a host process runs
COMPILING = 600.0  # seconds of the processor that compiling may take
MAX_IDLE = 32  # hosts that wait for the next engine of their kind
LONGEST = 80  # characters of an engine's words in a sentence
NUMBERS = Random()


class HostKind(NamedTuple):
    """What a host cannot change: the name of its engine, its memory, and where names begin."""

    engine: str
    memory: int | None
    folder: str

    @classmethod
    def here(cls, engine: str, terms: Terms) -> HostKind:
        """The kind of a host that is started now."""
        try:
            return cls(engine, terms.memory, os.getcwd())
        except OSError:  # the folder was removed
            return cls(engine, terms.memory, "")


class HostProcess:
    """A host, with its questions numbered, and the engine that it has loaded."""

    def __init__(self, kind: HostKind, terms: Terms) -> None:
        self.kind = kind
        self.description: Description
        command = [sys.executable, "-P", "-m", HOST, str(terms.memory or 0)]
        environment = {"PYTHONHASHSEED": "0", **os.environ}  # the same order everywhere
        self.process = BotProcess(command, memory=terms.memory, environment=environment)
        self.compiled = 0.0  # seconds, of all kernels so far
        self._compiling: float | None = None  # since when
        self.load(terms)

    def load(self, terms: Terms) -> None:
        """Let it load the engine's code, which may have changed, and say what that is."""
        question = write_members(do="load", engine=self.kind.engine)
        try:
            answer = self.ask(question, self.ready_within(terms))
            self.description = Description.read(answer)
        except (KeyError, TypeError, ValueError, AttributeError):
            self.process.close()
            raise nonsense(encode(answer)) from None
        except (ArenaError, Fault):
            self.process.close()
            raise

    def ready_within(self, terms: Terms) -> Deadline:
        """The deadline for something that belongs to getting ready."""
        return self.process.deadline(terms.start, COMPILING, is_move=False)

    def ask(self, members: str, deadline: Deadline) -> Any:
        """The answer to a question with these members; what went wrong there is raised here."""
        number = NUMBERS.getrandbits(32)  # which nobody knows before the question is asked
        self.process.send(f'{{"n":{number},{members}}}')
        self._compiling = None
        while "compiling" in (answer := self._hear(deadline)):
            if not deadline.is_move:
                deadline = self._without_compiling(deadline, bool(answer["compiling"]))
        try:
            if answer["n"] != number:
                raise ValueError("an answer to another question")
            if "is" in answer:
                return answer["is"]
            problem = problem_of(answer)
        except (KeyError, TypeError, ValueError):
            raise nonsense(encode(answer)) from None
        raise problem

    def _hear(self, deadline: Deadline) -> dict[str, Any]:
        """The next thing that the host says."""
        try:
            line = self.process.read(deadline)
        except Fault as fault:
            if fault.reason == "illegal move":  # a line without an end, and none of ours
                raise Fault("crash", fault.detail) from None
            raise fault if deadline.is_move else self._with_last_words(fault) from None
        try:
            said = decode(line)
        except (ValueError, RecursionError):
            raise nonsense(line) from None
        if not isinstance(said, dict):
            raise nonsense(line)
        return said

    def _with_last_words(self, fault: Fault) -> Fault:
        """Why it did not get ready, with the last line that it printed."""
        last = error_line(self.process.printed())[:LONGEST]
        words = f"{fault.detail}; it printed {last!r}" if last else fault.detail
        return Fault(fault.reason, words, fault.trace, fault.is_from_outside)

    def _without_compiling(self, deadline: Deadline, begins: bool) -> Deadline:
        """The deadline of one that gets ready, extended by the processor time of compiling."""
        if begins == (self._compiling is not None):
            return deadline
        now, meter = perf_counter(), self.process.meter
        if begins:
            self._compiling = now
            meter.look_for_children()
            return deadline._replace(compiling=meter.cpu(), most=COMPILING - self.compiled)
        assert self._compiling is not None
        seconds, self._compiling = now - self._compiling, None
        self.compiled += seconds
        free = min(seconds, deadline.compiled())
        return deadline._replace(allowed=deadline.allowed + free, compiling=None)


def nonsense(line: str) -> Fault:
    """Something else than our host has written into the pipe."""
    return Fault("crash", f"wrote into the pipe of its own process: {printable(line)[:LONGEST]}")


class IdleHosts:
    """Hosts that wait for the next engine of their kind; the one unused for longest goes first."""

    def __init__(self) -> None:
        self.hosts: list[HostProcess] = []

    def take(self, engine: str, terms: Terms) -> HostProcess:
        """A host with this engine's code, which may have to be started."""
        kind = HostKind.here(engine, terms)
        while (host := next((each for each in self.hosts if each.kind == kind), None)) is not None:
            self.hosts.remove(host)
            if host.process.is_alive:
                host.load(terms)
                return host
            host.process.close()
        return HostProcess(kind, terms)

    def put(self, host: HostProcess) -> None:
        """Keep a host that nobody needs now, if there is memory for it."""
        if not host.process.is_alive:
            host.process.close()
            return
        self.hosts.append(host)
        while self.hosts and (len(self.hosts) > MAX_IDLE or memory_left() < MIN_MEMORY_LEFT):
            self.hosts.pop(0).process.close()

    def close(self) -> None:
        """End them all."""
        while self.hosts:
            self.hosts.pop().process.close()


IDLE = IdleHosts()
atexit.register(IDLE.close)


class HostedEngine(PipedEngine):
    """An engine of somebody else's Python code; a subclass for each is made by `hosted_class`."""

    plays_pie = True  # what is to be said about the pie rule is said in the host
    spec: ClassVar[str] = ""
    description: ClassVar[Description]
    host: HostProcess

    def __init__(self, given: Mapping[str, Any], terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.host = IDLE.take(self.spec, terms)
        self.turn_to(self.host.process)
        self.known_settings: dict[str, Any] = self._get_ready(do="build", options=given)

    def launch(self) -> BotProcess:
        """Its host is there from the beginning."""
        return self.host.process

    def settings(self) -> dict[str, Any]:
        """The options as the engine understands them, as far as they are plain."""
        return dict(self.known_settings)

    def warm_up(self) -> None:
        """Compile and load whatever a move on this board can need."""
        self._get_ready(do="warm up", rules=self.rules.name)

    def new_game(self) -> None:
        """Tell it that a new game begins."""
        super().new_game()
        self._get_ready(do="new game", rules=self.rules.name, seed=self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Any:
        """Ask it for a column; the referee judges what comes back."""
        return read_choice(self._ask_about("choose", position, limits))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """Ask it for the value of each column."""
        answer = self._ask_about("opinions", position, limits)
        try:
            return {read_value(column): read_value(value) for column, value in answer}
        except (TypeError, ValueError):
            raise self.give_up(nonsense(str(answer))) from None

    def learn(self, game: PlayedGame) -> None:
        """Tell it of a game of its own, with chance from its own generator here."""
        self.learn_seeded(game, self.random.getrandbits(63))

    def learn_seeded(self, game: PlayedGame, seed: int) -> None:
        """Tell it of a game of its own, with this seed for all chance."""
        question = write_members(do="learn", game=write_game(game), seed=seed)
        self._ask(question, self.process.deadline(self.terms.patience))

    def close(self, polite: bool = True) -> None:
        """End its host, or leave it to the next engine of its kind."""
        if self._process is None:
            return
        if polite and self._process.is_alive:
            self._printed = self._process.printed()
            self._process, self._is_given_up = None, True
            IDLE.put(self.host)
        else:
            super().close(polite=False)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError, Fault):
            self.close()

    def _ask_about(self, deed: str, position: Position, limits: Limits) -> Any:
        question = write_question(deed, position, limits)
        return self._ask(question, self.wait_for_move(limits))

    def _get_ready(self, **members: Any) -> Any:
        return self._ask(write_members(**members), self.host.ready_within(self.terms))

    def _ask(self, members: str, deadline: Deadline) -> Any:
        try:
            return self.host.ask(members, deadline)
        except Fault as fault:
            if fault.reason in ("exception", "illegal move"):
                raise  # the host is well
            raise self.give_up(fault) from None


def hosted_class(spec: str, description: Description) -> type[HostedEngine]:
    """The class of an engine in a host, which says of itself what the engine does."""
    names: dict[str, Any] = {
        "__doc__": description.summary if description.has_docstring else None,
        "spec": spec,
        "description": description,
        "prunes": description.prunes,
        "learns": description.learns,
    }
    hosted: type[HostedEngine] = type(description.title, (HostedEngine,), names)
    hosted.options = dict(description.options)
    return hosted


def failure_of(name: str, fault: Fault, what: str, terms: Terms) -> EngineFailure:
    """The sentence about an engine that failed before its first game, and its lines of code."""
    words = f"{what}: {fault.detail}" if fault.reason == "exception" else fault.detail
    if fault.reason == "memory":
        needs = f"needs more than {terms.memory} MB of memory"
        words = f"{what}: it {needs}; the key memory of a tournament file sets this bound"
    return EngineFailure(f"engine {name}: {words}", fault.trace)


@dataclass(frozen=True)
class HostedEntry(Entry):
    """What a name stands for that is not ours: built in a host, on these terms."""

    terms: Terms = field(default_factory=Terms)

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """A new engine in a host of its own."""
        assert issubclass(self.engine, HostedEngine)
        try:
            kind, given = self.engine, options or {}
            return retry_if_killed(lambda: kind(given, self.terms))
        except ArenaError:
            raise
        except Fault as fault:
            raise failure_of(self.name, fault, "cannot be built", self.terms) from fault

    def settings(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """What the engine makes of these options; its host is ready for the next ones."""
        engine = self.build(options)
        assert isinstance(engine, HostedEngine)
        settings = engine.settings()
        engine.close()
        return settings


def hosted_entry(spec: str, terms: Terms) -> HostedEntry:
    """Start a host for an engine and ask what it is."""
    try:
        host = retry_if_killed(lambda: IDLE.take(spec, terms))
    except Fault as fault:
        raise failure_of(spec, fault, "does not load", terms) from fault
    described = host.description
    IDLE.put(host)
    kind = hosted_class(spec, described)
    return HostedEntry(spec, kind, described.summary, terms)
