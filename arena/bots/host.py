"""The host of an engine: the process in which Python code that is not ours is loaded and runs.

It holds one engine and answers the questions of a referee (protocol.py) until its input ends.
Whatever the engine prints goes to stderr, which the referee's side keeps; whatever it raises is
told; whatever else it does to this process hurts nobody but itself.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from random import Random
from types import ModuleType
from typing import Any

from arena.bots.find import find_here
from arena.bots.keeper import FAULTS
from arena.bots.protocol import (
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

EVENTS = "numba.core.event"  # the module in which numba tells what it is doing


class CompilingNews(MetaPathFinder):
    """Says when compiling begins and ends; it listens as soon as numba is imported."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self.tell = tell
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
        """Hear of every kernel that is compiled from now on."""
        if hasattr(events, "register") and hasattr(events, "Listener"):
            events.register("numba:compile", _listener(events, self))

    def begin(self) -> None:
        """A kernel is compiled."""
        self.depth += 1
        if self.depth == 1:
            self.tell(True)

    def end(self) -> None:
        """It is ready."""
        self.depth -= 1
        if self.depth == 0:
            self.tell(False)


def _listener(events: Any, news: CompilingNews) -> Any:
    """A listener as numba wants it."""

    class Listener(events.Listener):  # type: ignore[misc]  # a class that is known only now
        def on_start(self, event: Any) -> None:
            news.begin()

        def on_end(self, event: Any) -> None:
            news.end()

    return Listener()


Load = Callable[[str], Entry]


class Host:
    """One engine, from its file to its last answer."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.entry: Entry | None = None
        self.engine: Engine | None = None
        self.position = Position()
        self.limits: tuple[dict[str, Any], Limits] = ({}, Limits())  # of the last question
        self.deeds: dict[str, Callable[[dict[str, Any]], Any]] = {
            "choose": self.choose,
            "opinions": self.opinions,
            "new game": self.new_game,
            "learn": self.learn,
            "warm up": self.warm_up,
            "build": self.build,
            "load": self.find,
        }

    def find(self, question: dict[str, Any]) -> Any:
        """Load the engine's code; what it says of itself."""
        self.entry = self.load(question["engine"])
        return Description.of(self.entry).write()

    def build(self, question: dict[str, Any]) -> Any:
        """Build the engine anew; its options as it understands them, as far as they are plain."""
        assert self.entry is not None
        self.engine = None
        self.engine = self.entry.build(question["options"])
        settings = self.engine.settings()
        plain = bool | int | float | str | None
        return {name: value for name, value in settings.items() if isinstance(value, plain)}

    def warm_up(self, question: dict[str, Any]) -> None:
        """Compile and load whatever a move on this board can need."""
        rules = Rules.named(question["rules"])
        self._engine.get_ready(rules)

    def new_game(self, question: dict[str, Any]) -> None:
        """A new game begins."""
        rules, seed = Rules.named(question["rules"]), question["seed"]
        seed_global_rngs(seed)
        self.position = Position(rules)
        self._engine.begin(rules, seed)

    def choose(self, question: dict[str, Any]) -> Any:
        """The engine's choice in a position."""
        position = self._position(question)
        first, second = position.first, position.second
        choice = self._engine.ask(position, self._limits(question))
        if position.first != first or position.second != second:
            self.position = Position(position.rules)
            raise Fault("illegal move", "changed the position it was asked about")
        return write_choice(choice)

    def opinions(self, question: dict[str, Any]) -> Any:
        """What the engine thinks of each column."""
        position = self._position(question)
        values = self._engine.ask_opinions(position, self._limits(question))
        return [[write_value(column), write_value(value)] for column, value in values.items()]

    def learn(self, question: dict[str, Any]) -> None:
        """The engine is told of a finished game."""
        seed_global_rngs(question["seed"])
        self._engine.random = Random(question["seed"])
        self._engine.tell(read_game(question["game"]))

    @property
    def _engine(self) -> Engine:
        assert self.engine is not None
        return self.engine

    def _position(self, question: dict[str, Any]) -> Position:
        if "rules" in question:
            self.position = Position(Rules.named(question["rules"]))
        self.position = read_position(question, self.position.rules, self.position)
        return self.position

    def _limits(self, question: dict[str, Any]) -> Limits:
        if question["limits"] != self.limits[0]:
            self.limits = question["limits"], Limits(**question["limits"])
        return self.limits[1]

    def answer(self, question: dict[str, Any]) -> str:
        """The answer to a question, as a line; what goes wrong is told in it."""
        number = question["n"]
        try:
            return encode({"n": number, "is": self.deeds[question["do"]](question)})
        except BaseException as error:  # KeyboardInterrupt, SystemExit, GeneratorExit and all
            words, lines = self._words(error), root_trace(error)
            if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
                return encode({"n": number, "fault": ["memory", words, lines]})
            if isinstance(error, ArenaError):
                return encode({"n": number, "error": [type(error).__name__, words, lines]})
            reason = error.reason if isinstance(error, Fault) else "exception"
            return encode({"n": number, "fault": [reason, words, lines]})

    def _words(self, error: BaseException) -> str:
        if isinstance(error, ArenaError):
            return printable(str(error))
        engine = self.engine or (self.entry.engine if self.entry is not None else None)
        return sentence(error, engine)


def serve(load: Load, memory: int | None = None) -> None:
    """The host's life: from the standard streams it was started with to the end of its input."""
    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    _bound_memory(memory)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="replace")  # type: ignore[union-attr]
    _shrug_off_signals()
    host, own = Host(load), os.getpid()
    CompilingNews(lambda is_on: _write(answers, encode({"compiling": is_on}), own))
    with open(questions, "rb", buffering=65536) as lines:
        for line in lines:
            answer = host.answer(decode(line.decode()))
            _flush()  # what was printed is there before the answer
            _write(answers, answer, own)


def _shrug_off_signals() -> None:
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


def _flush() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:  # the engine may have put anything in their place
        return


def _write(descriptor: int, line: str, own: int) -> None:
    """Say one line; a copy of this process that an engine has forked says nothing, and ends."""
    if os.getpid() != own:
        os._exit(0)
    rest = f"{line}\n".encode()
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _bound_memory(megabytes: int | None) -> None:
    """What its data may take; the whole tree is watched from outside all the same."""
    if megabytes is not None:
        with suppress(ImportError, ValueError, OSError):
            import resource  # not on every system

            resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE,) * 2)


if __name__ == "__main__":
    serve(find_here, int(sys.argv[1]) or None)
