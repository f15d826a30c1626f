"""A host process (host.py) as its owner has it: numbered questions, and hosts that wait for more.

A host that has loaded an engine's code can build the engine more than once, so that hosts which
are not needed any more wait for the next one of their kind: `arena check` builds dozens.
"""

from __future__ import annotations

import atexit
import os
import sys
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from arena.bots.description import Description
from arena.bots.engine import Terms
from arena.bots.process import SeatProcess, Wait
from arena.bots.protocol import decode, encode, problem_of, write_members
from arena.engine.errors import Fault
from arena.errors import ArenaError
from arena.text import printable

HOST = "arena.bots.host"  # the module that a host process runs
COMPILING = 600.0  # seconds that compiling may take, beyond the time to get ready
MOST_IDLE = 4  # hosts that wait for the next engine of their kind
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
        self.process = SeatProcess(command, memory=terms.memory, environment=environment)
        self.compiled = 0.0  # seconds, of all kernels so far
        self._compiling: tuple[Wait, float] | None = None  # for what was waited, and since when
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

    def ready_within(self, terms: Terms) -> Wait:
        """A wait that begins now, for something that belongs to getting ready."""
        return self.process.wait(terms.start, ready=False)

    def ask(self, members: str, wait: Wait) -> Any:
        """The answer to a question with these members; what went wrong there is raised here."""
        number = NUMBERS.getrandbits(32)  # which nobody knows before the question is asked
        self.process.send(f'{{"n":{number},{members}}}')
        while "compiling" in (answer := self._hear(wait)):
            wait = self._without_compiling(wait, bool(answer["compiling"]))
        try:
            if answer["n"] != number:
                raise ValueError("an answer to another question")
            if "is" in answer:
                return answer["is"]
            problem = problem_of(answer)
        except (KeyError, TypeError, ValueError):
            raise nonsense(encode(answer)) from None
        raise problem

    def _hear(self, wait: Wait) -> dict[str, Any]:
        """The next thing that the host says."""
        try:
            line = self.process.read(wait)
        except Fault as fault:
            if fault.reason == "illegal move":  # a line without an end, and none of ours
                raise Fault("crash", fault.detail) from None
            raise fault if wait.ready else self._with_last_words(fault) from None
        try:
            said = decode(line)
        except (ValueError, RecursionError):
            raise nonsense(line) from None
        if not isinstance(said, dict):
            raise nonsense(line)
        return said

    def _with_last_words(self, fault: Fault) -> Fault:
        """Why it did not get ready, with the last line that it printed."""
        lines = self.process.printed().split("\n")
        last = next((line[:LONGEST] for line in reversed(lines) if line.strip()), None)
        words = fault.detail if last is None else f"{fault.detail}; it printed {last!r} last"
        return Fault(fault.reason, words, fault.trace, fault.is_from_outside)

    def _without_compiling(self, wait: Wait, is_on: bool) -> Wait:
        """The wait of one that gets ready, in which compiling does not count; it has its bound."""
        if wait.ready or is_on == (self._compiling is not None):
            return wait
        if self._compiling is None:
            self._compiling = wait, perf_counter()
            return wait._replace(seconds=wait.seconds + COMPILING - self.compiled)
        before, since = self._compiling
        self._compiling = None
        seconds = perf_counter() - since
        self.compiled += seconds
        return before._replace(seconds=before.seconds + seconds)


def nonsense(line: str) -> Fault:
    """Something else than our host has written into the pipe."""
    return Fault("crash", f"wrote into the pipe of its own process: {printable(line)[:LONGEST]}")


@dataclass
class IdleHosts:
    """Hosts that wait for the next engine of their kind."""

    waiting: dict[HostKind, list[HostProcess]] = field(default_factory=dict)

    def take(self, engine: str, terms: Terms) -> HostProcess:
        """A host with this engine's code, which may have to be started."""
        kind = HostKind.here(engine, terms)
        hosts = self.waiting.get(kind, [])
        while hosts:
            host = hosts.pop()
            if not host.process.is_alive:
                host.process.close()
                continue
            host.load(terms)
            return host
        return HostProcess(kind, terms)

    def put(self, host: HostProcess) -> None:
        """A host that nobody needs now."""
        hosts = self.waiting.setdefault(host.kind, [])
        if len(hosts) < MOST_IDLE and host.process.is_alive:
            hosts.append(host)
        else:
            host.process.close()

    def close(self) -> None:
        """End them all."""
        for hosts in self.waiting.values():
            while hosts:
                hosts.pop().process.close()


IDLE = IdleHosts()
atexit.register(IDLE.close)
