"""Python code of others, asked in its own words: what the kinds that run in a host share."""

from __future__ import annotations

import inspect
import re
from abc import abstractmethod
from collections.abc import Callable
from operator import index
from pathlib import Path
from reprlib import repr as short_repr
from types import ModuleType
from typing import Any

from arena.bots.adapter import Adapter
from arena.engine.contract import Choice, Limits, seed_global_rngs
from arena.engine.errors import Fault
from arena.engine.limits import FEW
from arena.engine.registry import load_file
from arena.errors import EngineFailure, suggestion
from arena.game.position import Position

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
