"""Engines in processes of their own, and the hosts in which Python code of others runs."""

from __future__ import annotations

import atexit
import os
import resource
import sys
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any, ClassVar

from arena.bots.process import COMPILING, BotProcess, error_line
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
from arena.engine.errors import Fault
from arena.errors import ArenaError
from arena.game.position import Position
from arena.machine import MIN_MEMORY_LEFT, memory_left
from arena.text import printable
from arena.timing import MARGIN, OWN_METER, AnswerDeadline, BotMeter, Meter, give_up_after

START = 10.0  # seconds to get ready, by default
PATIENCE = 60.0  # seconds for a move on which there is no other limit, by default
MEMORY = 2048  # megabytes, by default


@dataclass(frozen=True, slots=True)
class Terms:
    """Time and memory of an engine besides the limits of its moves."""

    start: float = START  # seconds to get ready; what is compiled meanwhile is not counted
    patience: float = PATIENCE
    margin: float = MARGIN
    memory: int | None = MEMORY  # megabytes of its whole tree of processes

    def for_move(self, limits: Limits) -> float:
        """Seconds to wait for a move with these limits."""
        allowed = [x for x in (limits.seconds, limits.clock) if x is not None]
        return give_up_after(min(allowed), self.margin) if allowed else self.patience


class PipedEngine(Engine):
    """An engine in a process of its own, which starts when it is first needed."""

    farewell: ClassVar[str | None] = None  # the line after which it should leave by itself
    terms: Terms
    _printed = ""

    def __init__(self, *named: Any, **options: Any) -> None:
        super().__init__(*named, **options)
        self.terms = Terms()
        self._meter = BotMeter()
        self._process: BotProcess | None = None
        self._is_given_up = False

    @abstractmethod
    def launch(self) -> BotProcess:
        """Start the program and greet it."""

    @property
    def process(self) -> BotProcess:
        """Its process, started when it is first asked for."""
        if self._process is None:
            if self._is_given_up:
                raise Fault("crash", "its process was already stopped")
            self.use(self.launch())
        assert self._process is not None
        return self._process

    def use(self, process: BotProcess) -> None:
        """Think in this process from now on."""
        self._process = process
        process.meter.refresh()
        self._meter.use(process.meter)

    @property
    def is_spent(self) -> bool:
        """Check whether its process is gone or given up; then another engine must be built."""
        return self._is_given_up or (self._process is not None and not self._process.is_alive)

    def new_game(self) -> None:
        """Start the process if need be; what it printed before belongs to another game."""
        self.process.forget_printed()

    def wait_for_move(self, limits: Limits) -> AnswerDeadline:
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
        """The end of what it printed to stderr in this game."""
        return self._printed if self._process is None else self._process.printed()

    def close(self, polite: bool = True) -> None:
        """End its process and all that it has started."""
        process, self._process = self._process, None
        if process is not None:
            self._is_given_up = True
            self._printed = process.printed()
            process.close(self.farewell if polite else None)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError, Fault):
            self.close(polite=False)


def meter_of(engine: Engine) -> Meter:
    """The meter of the process in which an engine thinks."""
    return engine._meter if isinstance(engine, PipedEngine) else OWN_METER


# ---- hosts

HOST = "arena.bots.host"  # the module that a host process runs
MAX_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[0]  # or RLIM_INFINITY, which is -1
MAX_IDLE = min(128, MAX_FILES // 8) if MAX_FILES > 0 else 128  # hosts; each has four open files
MAX_QUOTE = 80  # characters of what an engine wrote, in a sentence
NUMBERS = Random()


class HostProcess(BotProcess):
    """A host and the code of an engine that it has loaded; each question has a number."""

    description: Description

    def __init__(self, spec: str, terms: Terms) -> None:
        self.kind = self.kind_of(spec, terms)
        command = [sys.executable, "-P", "-m", HOST, str(terms.memory or 0)]
        environment = {"PYTHONHASHSEED": "0", **os.environ}  # the same order everywhere
        super().__init__(command, memory=terms.memory, environment=environment)
        self.compiled = 0.0  # seconds, of all kernels so far
        self._compiling: float | None = None  # since when
        self.load(terms)

    @staticmethod
    def kind_of(spec: str, terms: Terms) -> tuple[str, int | None, str]:
        """The name, the memory and the current folder, which a host cannot change later."""
        try:
            return spec, terms.memory, os.getcwd()
        except OSError:  # the folder was removed
            return spec, terms.memory, ""

    def load(self, terms: Terms) -> None:
        """Load the engine's code, which may have changed, and describe it."""
        members, answer = write_members(method="load", engine=self.kind[0]), None
        try:
            answer = self.ask(members, self.start_deadline(terms.start))
            self.description = Description.read(answer)
        except Exception as error:
            self.close()
            if isinstance(error, ArenaError | Fault):
                raise
            raise broken_protocol(encode(answer)) from None

    def ask(self, members: str, deadline: AnswerDeadline) -> Any:
        """The result of a question with these members; an error there is raised here."""
        number = NUMBERS.getrandbits(32)  # which nobody knows before the question is asked
        self.send(f'{{"id":{number},{members}}}')
        self._compiling = None
        while "compiling" in (answer := self._next_message(deadline)):
            if not deadline.is_move:
                deadline = self._without_compiling(deadline, bool(answer["compiling"]))
        if answer.get("id") == number:
            if "result" in answer:
                return answer["result"]
            with suppress(KeyError, TypeError, ValueError):
                raise problem_of(answer)
        raise broken_protocol(encode(answer))

    def _next_message(self, deadline: AnswerDeadline) -> dict[str, Any]:
        try:
            line = self.read(deadline)
        except Fault as fault:
            if fault.reason == "illegal move":  # a line without an end, and none of ours
                raise Fault("crash", fault.detail) from None
            printed = "" if deadline.is_move else error_line(self.printed())[:MAX_QUOTE]
            words = f"{fault.detail}; it printed {printed!r}"
            raise fault.in_words(words) if printed else fault from None
        with suppress(ValueError, RecursionError):
            message = decode(line)
            if isinstance(message, dict):
                return message
        raise broken_protocol(line)

    def _without_compiling(self, deadline: AnswerDeadline, begins: bool) -> AnswerDeadline:
        """The deadline of a start, extended by the processor time of compiling."""
        if begins == (self._compiling is not None):
            return deadline
        now = perf_counter()
        if begins:
            self._compiling = now
            self.meter.look_for_children()
            return deadline._replace(compiling=self.meter.cpu(), most=COMPILING - self.compiled)
        assert self._compiling is not None
        seconds, self._compiling = now - self._compiling, None
        self.compiled += seconds
        free = min(seconds, deadline.compiled())
        return deadline._replace(allowed=deadline.allowed + free, compiling=None)


def broken_protocol(line: str) -> Fault:
    """The fault of a bot that wrote into the pipe of its own host."""
    return Fault("crash", f"broke Arena's protocol: wrote {printable(line)[:MAX_QUOTE]}")


class IdleHosts:
    """Hosts that wait for the next engine of their kind; the one unused for longest goes first."""

    def __init__(self) -> None:
        self.hosts: list[HostProcess] = []

    def take(self, spec: str, terms: Terms) -> HostProcess:
        """A host with this engine's code, which may have to be started."""
        kind = HostProcess.kind_of(spec, terms)
        for host in [each for each in self.hosts if each.kind == kind]:
            self.hosts.remove(host)
            if host.is_alive:
                host.load(terms)
                return host
            host.close()
        return HostProcess(spec, terms)

    def put(self, host: HostProcess) -> None:
        """Keep a host that nobody needs now, if there is memory for it."""
        if not host.is_alive:
            host.close()
            return
        self.hosts.append(host)
        while self.hosts and (len(self.hosts) > MAX_IDLE or memory_left() < MIN_MEMORY_LEFT):
            self.hosts.pop(0).close()

    def close(self) -> None:
        """End them all."""
        while self.hosts:
            self.hosts.pop().close()


IDLE = IdleHosts()
atexit.register(IDLE.close)


class HostedEngine(PipedEngine):
    """An engine of Python code in a host; a subclass for each is made in find.py."""

    plays_pie = True  # the host knows whether the engine does
    spec: ClassVar[str] = ""
    description: ClassVar[Description]
    host: HostProcess

    def __init__(self, given: Mapping[str, Any], terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.host = IDLE.take(self.spec, terms)
        self.use(self.host)
        self.known_settings: dict[str, Any] = self._get_ready("build", options=given)

    def launch(self) -> BotProcess:
        return self.host

    def settings(self) -> dict[str, Any]:
        return dict(self.known_settings)

    def warm_up(self) -> None:
        self._get_ready("warm_up", rules=self.rules.name)

    def new_game(self) -> None:
        super().new_game()
        self._get_ready("new_game", rules=self.rules.name, seed=self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Any:
        return read_choice(self._ask_about("choose", position, limits))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        answer = self._ask_about("opinions", position, limits)
        try:
            return {read_value(column): read_value(value) for column, value in answer}
        except (TypeError, ValueError):
            raise self.give_up(broken_protocol(str(answer))) from None

    def learn(self, game: PlayedGame) -> None:
        """Let it learn, with chance from its own generator here."""
        self.learn_seeded(game, self.random.getrandbits(63))

    def learn_seeded(self, game: PlayedGame, seed: int) -> None:
        """Let it learn, with this seed for all chance."""
        question = write_members(method="learn", game=write_game(game), seed=seed)
        self._ask(question, self.process.deadline(self.terms.patience))

    def close(self, polite: bool = True) -> None:
        """End its host, or leave it to the next engine of its kind."""
        if polite and self._process is not None and self._process.is_alive:
            self._printed = self._process.printed()
            self._process, self._is_given_up = None, True
            IDLE.put(self.host)
        else:
            super().close(polite=False)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError, Fault):
            self.close()

    def _ask_about(self, method: str, position: Position, limits: Limits) -> Any:
        question = write_question(method, position, limits)
        return self._ask(question, self.wait_for_move(limits))

    def _get_ready(self, method: str, **members: Any) -> Any:
        deadline = self.host.start_deadline(self.terms.start)
        return self._ask(write_members(method=method, **members), deadline)

    def _ask(self, members: str, deadline: AnswerDeadline) -> Any:
        try:
            return self.host.ask(members, deadline)
        except Fault as fault:
            if fault.reason in ("exception", "illegal move"):
                raise  # the host is well
            raise self.give_up(fault) from None
