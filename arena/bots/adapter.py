"""What all external bots share: a kind, a target, and the limits and boards they support."""

from __future__ import annotations

import inspect
import os
import shlex
import shutil
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from reprlib import repr as short_repr
from types import ModuleType
from typing import Any, ClassVar, NoReturn

from arena.bots.hosted import PipedEngine, Terms
from arena.bots.process import BotProcess, error_line
from arena.engine.contract import Choice, Engine, Limits, option, read_count, seed_global_rngs
from arena.engine.errors import Fault
from arena.engine.limits import FEW
from arena.engine.registry import load_file, split_file
from arena.errors import BadRules, EngineFailure, NotInstalled, suggestion
from arena.game.position import Position
from arena.game.rules import Rules
from arena.text import printable

LIMITS = ("depth", "nodes", "playouts", "seconds", "clock", "cpu")
TIME_LIMITS = frozenset({"seconds", "clock", "cpu"})  # the referee enforces them for every bot


class Adapter(Engine):
    """An engine that is named KIND:TARGET, as in kaggle:submission.py."""

    kind: ClassVar[str] = ""
    in_host: ClassVar[bool] = True  # Python code that runs in a host; False: it has its own process
    path_options: ClassVar[frozenset[str]] = frozenset()  # options that name a file or a folder
    supported_limits: ClassVar[frozenset[str]] = frozenset()  # limits it can be sent
    accepts_any_position: ClassVar[bool] = True  # False: its games start from the empty board
    any_connect: ClassVar[bool] = True  # False: it knows lines of four alone
    target: str  # the file, name, command or address after the kind
    terms: Terms

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(**options)
        self.target = target

    @property
    def name(self) -> str:
        """The engine as the user names it."""
        return f"{self.kind}:{self.target}"

    def check_target(self) -> None:  # programs are greeted when they start
        """Refuse a target that cannot play, if that is visible before a game."""

    def check_limits(self, limits: Limits) -> str | None:
        """Explain in one sentence why these limits do not work; None if they do.

        One limit that binds the engine is enough: any supported one, or one of time.
        """
        named = [word for word in LIMITS if getattr(limits, word) is not None]
        if not named or (self.supported_limits | TIME_LIMITS).intersection(named):
            return None
        supported = [word for word in LIMITS if word in self.supported_limits | TIME_LIMITS]
        return f"{self.kind} bots do not support {' or '.join(named)}; use {', '.join(supported)}"

    def check_opening(self, plies: int) -> str | None:
        """Explain in one sentence why a game cannot start after so many plies; None if it can."""
        if self.accepts_any_position or not plies:
            return None
        return (
            f"{self.kind} bots receive single moves, so their games must start from an empty "
            f"board, not after {plies} plies"
        )

    def moves_to(self, position: Position) -> tuple[int, ...]:
        """The moves that led to a position, for a bot that cannot set up a board."""
        if len(position.moves) != position.ply:
            raise EngineFailure(f"{self.kind} bots need the moves that led to a position")
        return position.moves

    def check_rules(self, rules: Rules) -> None:
        """Refuse a board that the bot cannot play on; by default one in space."""
        if not rules.is_flat:
            raise BadRules(f"{self.kind} bots play on flat boards, not on {rules.size}")
        if rules.connect != 4 and not self.any_connect:
            raise BadRules(f"{self.kind} bots connect 4, not {rules.connect}")


# ---- programs

GAMES = ("/usr/local/games", "/usr/games")  # Debian's folders for games, often not on the path


def read_command(line: str, folder: str = "") -> list[str]:
    """Split a command line; its first word becomes the path of a program."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        why = str(error).lower()
        raise EngineFailure(f"{printable(line)!r} is not a command: {why}") from None
    if not words or not words[0]:
        raise EngineFailure("the command is empty; expected a program and its arguments")
    program = words[0]
    if os.path.dirname(program):
        program = os.path.abspath(os.path.join(folder, program))
    path = os.pathsep.join((os.environ.get("PATH") or os.defpath, *GAMES))
    start = shutil.which(program, path=path)
    if start is None:
        name = repr(printable(words[0]))
        if not os.path.dirname(program):
            raise NotInstalled(f"the program {name} is not installed")
        if os.path.isdir(program):
            raise EngineFailure(f"{name} is a folder; expected a program")
        if os.path.exists(program):
            advice = "start a script by its language: 'python3 bot.py'"
            raise EngineFailure(f"{name} is not executable; {advice}")
        raise EngineFailure(f"there is no program {name}")
    return [start, *words[1:]]


TRIAL = Limits(depth=2, nodes=100, playouts=10, seconds=2.0)  # of a move before the first game


class Program(PipedEngine, Adapter):
    """An engine whose target is a command line, as in `lines:java -jar bot.jar`."""

    in_host = False
    path_options = frozenset({"folder"})

    folder: str = option("", "the folder to start it in; empty: the current folder")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.command = read_command(target, self.folder)

    @abstractmethod
    def reply(self, position: Position, limits: Limits) -> Choice:
        """Ask for a move; a Fault if the answer is unusable."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask for a move; end a program whose answer is unusable."""
        try:
            return self.reply(position, limits)
        except Fault as fault:
            raise self.give_up(fault) from None

    def launch(self) -> BotProcess:
        folder = Path(self.folder) if self.folder else None
        return BotProcess(self.command, folder, self.terms.memory)

    def warm_up(self) -> None:
        """Check before the first game that the program starts and answers."""
        with self.getting_ready(self.process):
            self.try_a_move()

    def try_a_move(self) -> None:
        """Ask for a move to see whether the program plays."""
        self.reply(Position(self.rules), TRIAL)

    @contextmanager
    def getting_ready(self, process: BotProcess) -> Iterator[None]:
        """Turn a fault before the first game into a sentence about the program."""
        try:
            yield
        except Fault as fault:
            self.fail_start(process, fault)

    def fail_start(self, process: BotProcess, fault: Fault) -> NoReturn:
        """End a program that does not play, and explain why with the end of the dialogue."""
        words = f"{fault.detail}; the dialogue ended: {process.last_lines()}"
        if printed := error_line(process.printed()):
            words += f"; on stderr: {printed}"
        if fault.reason == "time" and not any(line[0] == ">" for line in process.dialogue):
            words += "; does it flush its output?"
        self.give_up(fault)
        process.close()
        cause = fault if fault.is_from_outside else None
        raise EngineFailure(words + self.start_advice()) from cause

    def start_advice(self) -> str:
        """The end of the sentence about a program that does not play."""
        return ""


# ---- Python code


class PythonAdapter(Adapter):
    """Foreign Python code that answers with a column."""

    def new_game(self) -> None:
        """Load the code, then seed the global generators that it may use."""
        self.check_rules(self.rules)
        self.load_code()
        seed_global_rngs(self.seed_of_game)

    def check_target(self) -> None:
        self.load_code()

    @abstractmethod
    def load_code(self) -> None:
        """Load or build the code for a new game on `self.rules`."""

    @abstractmethod
    def answer(self, position: Position, limits: Limits) -> object:
        """The raw answer of the code."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(read_column(self.answer(position, limits)))

    def warm_up(self) -> None:
        """Ask once; the answer is not judged."""
        self.answer(Position(self.rules), FEW)


def read_column(answer: object) -> int:
    """Read a whole number of any type, also NumPy's; anything else is an illegal move."""
    column = None if isinstance(answer, bool) else read_count(answer)
    if column is None:
        raise Fault("illegal move", f"answered {short_repr(answer)}, which is not a whole number")
    return column


def load_named(target: str, kind: str, fits: Callable[[Any], bool], expected: str) -> Any:
    """Load what a target FILE.py:NAME names; for FILE.py, its only own object that fits."""
    parts = split_file(target)
    if parts is None:
        raise EngineFailure(f"{target!r} is not a Python file; expected {kind}:FILE.py:NAME")
    path, name = Path(parts[0]), parts[1]
    module = load_file(path)
    own = {
        each: value
        for each, value in vars(module).items()
        if not each.startswith("_")
        and getattr(value, "__module__", module.__name__) == module.__name__
        and fits(value)
    }
    if name:
        if name not in vars(module):
            raise EngineFailure(f"{path} has no {name!r}{suggestion(name, own)}")
        if not fits(vars(module)[name]):
            raise EngineFailure(f"{name} of {path} is not {expected}{suggestion(name, own)}")
        return vars(module)[name]
    if len(own) != 1:
        names = ", ".join(own) or "none"
        raise EngineFailure(f"{path}: expected {expected}, or {kind}:FILE.py:NAME; found {names}")
    return next(iter(own.values()))


def fitting(call: Any, *given: Any) -> tuple[Any, ...]:
    """As many of the arguments as a call takes by position."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except ValueError:  # a built-in without a signature
        return given
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return given
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return given[: sum(each.kind in by_position for each in parameters)]


def stand_in(package: str, modules: Mapping[str, Mapping[str, Any]]) -> None:
    """Make a package importable that is not installed, with these names in its modules."""
    if package in sys.modules or find_spec(package) is not None:
        return
    for name, names in modules.items():
        module = sys.modules[name] = ModuleType(name, "A stand-in for the package.")
        vars(module).update(names)
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)
