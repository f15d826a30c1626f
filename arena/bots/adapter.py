"""What every engine from outside has in common: its kind, its target, and what it can be told."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import shutil
from abc import abstractmethod
from collections.abc import Callable
from operator import index
from pathlib import Path
from reprlib import repr as short_repr
from types import ModuleType
from typing import Any, ClassVar

from arena.bots.hosted import PipedEngine, Terms, not_ready
from arena.bots.process import SeatProcess
from arena.engine.contract import Choice, Engine, Limits, option, seed_global_rngs
from arena.engine.errors import Fault, outside_cause
from arena.engine.limits import FEW
from arena.engine.registry import load_file
from arena.errors import BadRules, EngineFailure, NotInstalled, suggestion
from arena.game.position import Position
from arena.game.rules import Rules
from arena.text import printable

WORDS = ("depth", "nodes", "playouts", "seconds", "clock", "cpu")  # limits that have a name
KEPT_BY_REFEREE = frozenset({"seconds", "clock", "cpu"})  # also of an engine that hears nothing

DEAF = "they are told no limits; expected seconds, clock or cpu, which the referee keeps"


class Adapter(Engine):
    """An engine that is named KIND:TARGET, as in kaggle:submission.py."""

    kind: ClassVar[str] = ""
    in_host: ClassVar[bool] = True  # Python code, run in a host; False: it holds a process itself
    places: ClassVar[frozenset[str]] = frozenset()  # options that name a file or a folder
    hears: ClassVar[frozenset[str]] = frozenset()  # the limits that its dialect has a word for
    begins_anywhere: ClassVar[bool] = True  # False: it is told single moves, from the first on
    target: str  # a file, a name, a command line or an address: what stands after the kind
    terms: Terms  # of one that runs elsewhere and not in a host

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(**options)
        self.target = target

    @property
    def name(self) -> str:
        """The engine as its user names it."""
        return f"{self.kind}:{self.target}"

    def heard(self) -> frozenset[str]:
        """The limits that this engine can be told: all that its dialect has a word for."""
        return self.hears

    def check_target(self) -> None:  # programs are greeted when they start
        """See whether the target can be played at all, where that can be seen beforehand."""

    def check_limits(self, limits: Limits) -> str | None:
        """Why these limits cannot be played with, in one sentence; None if they can.

        It is enough that one of them binds the engine: a limit of time does so always, as the
        referee keeps it, and any other does if the dialect has a word for it.
        """
        named = [word for word in WORDS if getattr(limits, word) is not None]
        if not named or (self.heard() | KEPT_BY_REFEREE).intersection(named):
            return None
        words = [word for word in WORDS if word in self.heard()]
        instead = f"they can be told {', '.join(words)}" if words else DEAF
        return f"{self.kind} engines have no word for {' and '.join(named)}; {instead}"

    def check_opening(self, plies: int) -> str | None:
        """Why a game cannot begin after so many plies, in one sentence; None if it can."""
        if self.begins_anywhere or not plies:
            return None
        words = "are told single moves, so that their games begin with an empty board"
        return f"{self.kind} engines {words}, not after {plies} plies"

    def check_rules(self, rules: Rules) -> None:
        """Refuse a board that the dialect cannot express; here, one in space."""
        if not rules.is_flat:
            raise BadRules(f"{self.kind} engines play on flat boards, not on {rules.size}")


GAMES = ("/usr/local/games", "/usr/games")  # where Debian keeps games, off the path of some users


def read_command(line: str, folder: str = "") -> list[str]:
    """The words of a command; the first one is a program that can be started, in this folder."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        why = str(error).lower()
        raise EngineFailure(f"{printable(line)!r} is no command: {why}") from None
    if not words or not words[0]:
        raise EngineFailure("an empty command; expected a program and its arguments")
    program = words[0]
    if os.path.dirname(program):
        program = os.path.abspath(os.path.join(folder, program))
    path = os.pathsep.join((os.environ.get("PATH") or os.defpath, *GAMES))
    start = shutil.which(program, path=path)
    if start is None:
        if not os.path.dirname(program):
            raise NotInstalled(f"no program {printable(program)!r} is installed here")
        raise EngineFailure(_why_not(words[0], program))
    return [start, *words[1:]]


def _why_not(written: str, program: str) -> str:
    """What stands between a word and a program."""
    name = repr(printable(written))
    if os.path.isdir(program):
        return f"{name} is a folder; expected a program"
    if os.path.exists(program):
        return f"{name} cannot be run; a script is started by its language, as in 'python3 bot.py'"
    return f"no program {name} is found here"


TRIAL = Limits(depth=2, nodes=100, seconds=2.0)  # of the move that shows that it plays at all


class Program(PipedEngine, Adapter):
    """An engine whose target is a command line, as in `lines:java -jar bot.jar`."""

    in_host = False
    places = frozenset({"folder"})

    folder: str = option("", "the folder it is started in; empty: the one you are in")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.command = read_command(target, self.folder)

    @abstractmethod
    def reply(self, position: Position, limits: Limits) -> Choice:
        """What it answers in this position; a Fault if that is nothing to go on with."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Its answer; a program that has not answered as it should is given up."""
        try:
            return self.reply(position, limits)
        except Fault as fault:
            raise self.give_up(fault) from None

    def launch(self) -> SeatProcess:
        """Start the program."""
        folder = Path(self.folder) if self.folder else None
        return SeatProcess(self.command, folder, self.terms.memory)

    def warm_up(self) -> None:
        """See that it starts and answers, before anything depends on it."""
        process = self.process
        try:
            self.reply(Position(self.rules), TRIAL)
        except Fault as fault:
            raise self.unready(process, fault) from outside_cause(fault)

    def unready(self, process: SeatProcess, fault: Fault) -> EngineFailure:
        """Give up a program that does not play; why, with the end of the dialogue."""
        failure = not_ready(process, fault)
        is_silent = not any(line.startswith(">") for line in process.dialogue)
        self.give_up(fault)
        process.close()
        if fault.reason == "time" and is_silent:
            return EngineFailure(f"{failure}; does it flush what it writes?")
        return failure


TARGET = re.compile(r"(.+\.py)(?::(\w*))?")


class PythonAdapter(Adapter):
    """Foreign code that answers with a column, or with anything else."""

    def new_game(self) -> None:
        """Load the code; global generators are seeded when all that draws from them is there."""
        self.check_rules(self.rules)
        self.load_code()
        seed_global_rngs(self.seed_of_game)

    def check_target(self) -> None:
        """Load or build the foreign code once, to see whether that can be done at all."""
        self.load_code()

    @abstractmethod
    def load_code(self) -> None:
        """Load or build the foreign code for the game that begins, on `self.rules`."""

    @abstractmethod
    def answer(self, position: Position, limits: Limits) -> object:
        """What the foreign code answers here, whatever that is."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column that the foreign code answers."""
        return Choice(read_column(self.answer(position, limits)))

    def warm_up(self) -> None:
        """Let it answer once; what it answers is for a game to judge."""
        self.answer(Position(self.rules), FEW)


def read_column(answer: object) -> int:
    """A column from any whole number, one of numpy too; the rest is an illegal move."""
    if not isinstance(answer, bool) and hasattr(answer, "__index__"):
        try:
            return index(answer)
        except TypeError:  # an array of several numbers
            pass
    raise Fault("illegal move", f"answered {short_repr(answer)}, which is not a whole number")


def read_target(target: str, kind: str) -> tuple[Path, str]:
    """The file that a target names, and the name in it, which may be empty."""
    parts = TARGET.fullmatch(target)
    if parts is None:
        raise EngineFailure(f"{target!r} is not a file of Python; expected {kind}:FILE.py:NAME")
    return Path(parts[1]), parts[2] or ""


def load_named(target: str, kind: str, fits: Callable[[Any], bool], words: str) -> Any:
    """What a target FILE.py:NAME names; of FILE.py, the only thing of its own that fits."""
    path, name = read_target(target, kind)
    module = load_file(path)
    own = {each: value for each, value in _own(module).items() if fits(value)}
    if name:
        if name not in vars(module):
            raise EngineFailure(f"{path} has no {name!r}{suggestion(name, own)}")
        if not fits(vars(module)[name]):
            raise EngineFailure(f"{name} of {path} is not {words}{suggestion(name, own)}")
        return vars(module)[name]
    if len(own) != 1:
        names = ", ".join(own) or "none"
        raise EngineFailure(f"{path}: expected {words}, or {kind}:FILE.py:NAME; found {names}")
    return next(iter(own.values()))


def fitting(call: Any, *given: Any) -> tuple[Any, ...]:
    """As many of the arguments as a call takes by position."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except ValueError:  # none is known
        return given
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return given
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return given[: sum(each.kind in by_position for each in parameters)]


def _own(module: ModuleType) -> dict[str, Any]:
    """What a module defines itself, functions, classes and objects of its classes."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", module.__name__) == module.__name__
    }
