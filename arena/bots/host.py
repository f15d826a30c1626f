"""The host of an engine: the process in which Python code that is not ours is loaded and runs.

It holds one engine and answers the questions of a referee (protocol.py) until its input ends. The
output of the engine goes to stderr, which the referee's side keeps; its exceptions become answers.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from random import Random
from types import ModuleType
from typing import Any

from arena.bots.find import find_here
from arena.bots.keeper import FAULTS
from arena.bots.protocol import (
    PLAIN,
    Description,
    decode,
    encode,
    read_game,
    read_position,
    write_choice,
    write_value,
)
from arena.engine.contract import Engine, Limits, seed_global_rngs
from arena.engine.errors import Fault, root_trace, sentence
from arena.engine.registry import Entry
from arena.errors import ArenaError
from arena.game.position import Position
from arena.game.rules import Rules
from arena.machine import MEGABYTE
from arena.text import printable

EVENTS = "numba.core.event"  # the module in which numba reports what it does


class CompilingNews:
    """Reports when compiling begins and ends; it listens as soon as numba is imported."""

    def __init__(self, report: Callable[[bool], None]) -> None:
        self.report = report
        self.depth = 0  # of kernels that are compiled for the sake of others
        if EVENTS in sys.modules:
            self.listen(sys.modules[EVENTS])
        else:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the module of numba's events as Python does, and listen once it is there."""
        if name != EVENTS:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_listen(module: ModuleType) -> None:
                execute(module)
                self.listen(module)

            spec.loader.exec_module = execute_and_listen  # type: ignore[method-assign]
        return spec

    def listen(self, events: Any) -> None:
        """Report every kernel that is compiled from now on."""
        if not (hasattr(events, "register") and hasattr(events, "Listener")):
            return
        methods = {"on_start": lambda *_: self.change(+1), "on_end": lambda *_: self.change(-1)}
        events.register("numba:compile", type("Listener", (events.Listener,), methods)())

    def change(self, step: int) -> None:
        """A kernel begins to compile, or is ready."""
        was_compiling = self.depth > 0
        self.depth += step
        if was_compiling != (self.depth > 0):
            self.report(self.depth > 0)


class Host:
    """One engine, from its file to its last answer; each public method answers a question."""

    def __init__(self) -> None:
        self._entry: Entry | None = None
        self._built: Engine | None = None
        self._last = Position()
        self._limits: tuple[dict[str, Any], Limits] = ({}, Limits())  # of the last question

    def load(self, question: dict[str, Any]) -> Any:
        """Load the engine's code; its description."""
        self._entry = find_here(question["engine"])
        return Description.of(self._entry).write()

    def build(self, question: dict[str, Any]) -> Any:
        """Build the engine anew; its options as it understands them, as far as they are plain."""
        assert self._entry is not None
        self._built = None
        self._built = self._entry.build(question["options"])
        settings = self._built.settings()
        return {name: value for name, value in settings.items() if isinstance(value, PLAIN)}

    def warm_up(self, question: dict[str, Any]) -> None:
        """Compile and load whatever a move on this board can need."""
        self._engine.get_ready(Rules.named(question["rules"]))

    def new_game(self, question: dict[str, Any]) -> None:
        """Begin a new game."""
        rules, seed = Rules.named(question["rules"]), question["seed"]
        seed_global_rngs(seed)
        self._last = Position(rules)
        self._engine.begin(rules, seed)

    def choose(self, question: dict[str, Any]) -> Any:
        """The engine's choice in a position."""
        position = self._position(question)
        first, second = position.first, position.second
        choice = self._engine.ask(position, self._limits_of(question))
        if position.first != first or position.second != second:
            self._last = Position(position.rules)
            raise Fault("illegal move", "changed the position it was asked about")
        return write_choice(choice)

    def opinions(self, question: dict[str, Any]) -> Any:
        """The engine's value of each column."""
        position = self._position(question)
        values = self._engine.ask_opinions(position, self._limits_of(question))
        return [[write_value(column), write_value(value)] for column, value in values.items()]

    def learn(self, question: dict[str, Any]) -> None:
        """Let the engine learn from a finished game."""
        seed_global_rngs(question["seed"])
        self._engine.random = Random(question["seed"])
        self._engine.tell(read_game(question["game"]))

    def answer(self, question: dict[str, Any]) -> str:
        """The answer to a question, or what went wrong, as a line."""
        number = question["id"]
        try:
            result = getattr(self, question["method"])(question)
            return encode({"id": number, "result": result})
        except BaseException as error:  # KeyboardInterrupt, SystemExit, GeneratorExit and all
            words, lines = self._words(error), root_trace(error)
            if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
                return encode({"id": number, "fault": ["memory", words, lines]})
            if isinstance(error, ArenaError):
                return encode({"id": number, "error": [type(error).__name__, words, lines]})
            reason = error.reason if isinstance(error, Fault) else "exception"
            return encode({"id": number, "fault": [reason, words, lines]})

    @property
    def _engine(self) -> Engine:
        assert self._built is not None
        return self._built

    def _position(self, question: dict[str, Any]) -> Position:
        self._last = read_position(question, self._last.rules, self._last)
        return self._last

    def _limits_of(self, question: dict[str, Any]) -> Limits:
        if question["limits"] != self._limits[0]:
            self._limits = question["limits"], Limits(**question["limits"])
        return self._limits[1]

    def _words(self, error: BaseException) -> str:
        if isinstance(error, ArenaError):
            return printable(str(error))
        return sentence(error, self._built or (self._entry.engine if self._entry else None))


def serve(memory: int | None = None) -> None:
    """Answer questions until the input ends."""
    questions, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if memory is not None:  # the whole tree is watched from outside as well
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (memory * MEGABYTE,) * 2)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="replace")  # type: ignore[union-attr]
    _ignore_signals()
    host, own = Host(), os.getpid()
    CompilingNews(lambda is_on: _write(answers, encode({"compiling": is_on}), own))
    with open(questions, "rb", buffering=65536) as lines:
        for line in lines:
            answer = host.answer(decode(line.decode()))
            with suppress(Exception):  # the engine may have put anything in their place
                sys.stdout.flush()
                sys.stderr.flush()
            _write(answers, answer, own)


def _ignore_signals() -> None:
    """Do nothing on signals that would end this process: another bot may have sent them."""
    numbers = signal.valid_signals() - {
        signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
        signal.SIGCONT, signal.SIGCHLD, *FAULTS,
    }  # fmt: skip
    for number in numbers:
        signal.signal(number, lambda *_: None)

    def restore() -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)

    os.register_at_fork(after_in_child=restore)  # others may be ended by their parents


def _write(descriptor: int, line: str, own: int) -> None:
    """Write one line; a copy of this process that an engine has forked writes nothing and ends."""
    if os.getpid() != own:
        os._exit(0)
    rest = f"{line}\n".encode()
    while rest:
        rest = rest[os.write(descriptor, rest) :]


if __name__ == "__main__":
    code = 1
    try:
        serve(int(sys.argv[1]) or None)
        code = 0
    except BaseException:  # of a handler or a thread of the engine
        traceback.print_exc()
    finally:  # at once: Python's own end would let a signal that the engine handles kill it
        os._exit(code)
