"""A submission to Kaggle as Kaggle loads it: run in an empty namespace, the last callable wins.

A name that is defined again keeps its first place, classes and imported functions count, `__file__`
is unknown and `__name__` is not `__main__`. The file's folder can be imported from while the file
runs and not later. Everything begins anew with each load, the modules beside the file too.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from arena.engine.registry import loading_failure
from arena.errors import EngineFailure, suggestion

MAGIC = ("%", "!")  # how a line begins that only a notebook understands
NOTEBOOK = "get_ipython"  # and what stands there where one was saved as a script
EXPECTED = "expected a function (observation, configuration)"


class Submission:
    """One load of a file: its agent, and whether that looks like the one that was meant."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.names, self.beside = run_file(path)
        callables = {key: value for key, value in self.names.items() if callable(value)}
        if name is not None and name not in callables:
            raise EngineFailure(f"{path} has no callable {name!r}{suggestion(name, callables)}")
        if not callables:
            raise EngineFailure(f"{path} has no callable; {EXPECTED}")
        self.is_named = name is not None
        self.name = [*callables][-1] if name is None else name
        self.agent: Callable[..., Any] = callables[self.name]
        self.likely = None if self.is_named else self._likely(callables)

    def __call__(self, *given: Any) -> Any:
        """Call the agent with as much as Kaggle would give it."""
        return self.agent(*cut(self.agent, given))

    @property
    def is_agent(self) -> bool:
        """Whether what is taken can be an agent at all, and is not worse than another one."""
        is_imported = isinstance(self.agent, FunctionType) and not self._is_own(self.agent)
        return is_askable(self.agent) and not (is_imported and self.likely is not None)

    @property
    def diagnosis(self) -> str:
        """Which callable is taken, and which one was likely meant; nothing if all looks well."""
        if self.is_agent and self.likely is None:
            return ""
        kind = "class" if isinstance(self.agent, type) else "function"
        which = "" if self.is_named else ", its last callable"
        near = EXPECTED if self.likely is None else f"did you mean callable={self.likely}?"
        return f"the agent is the {kind} {self.name} of {self.path.name}{which}; {near}"

    def forget(self) -> None:
        """Let the modules that stand beside the file begin anew when they are next imported."""
        for name in self.beside:
            sys.modules.pop(name, None)

    def _is_own(self, function: FunctionType) -> bool:
        return function.__globals__ is self.names

    def _likely(self, callables: dict[str, Any]) -> str | None:
        """The last function of the file that looks like an agent, unless the one taken does."""
        looks = [
            name
            for name, value in callables.items()
            if isinstance(value, FunctionType)
            and self._is_own(value)
            and is_askable(value)
            and ("agent" in name.lower() or _first_parameter(value).startswith("obs"))
        ]
        return looks[-1] if looks and self.name not in looks else None


def run_file(path: Path) -> tuple[dict[str, Any], list[str]]:
    """The names of a file after it ran, oldest first, and the modules beside it that it loaded."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    names: dict[str, Any] = {}
    folder, before = path.absolute().parent, {*sys.modules}
    try:
        code = compile(source, str(path), "exec", dont_inherit=True)
        with importing_from(folder):
            exec(code, names)
    except (Exception, SystemExit) as error:
        _look_for_notebook(path, source, error)
        raise loading_failure(path, error) from error
    return names, [name for name in {*sys.modules} - before if _stands_in(folder, name)]


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Let a folder be imported from, after all other places."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))


def cut(agent: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """As many arguments as a function has positional parameters; all for what is no function."""
    code = getattr(agent, "__code__", None)
    return given if code is None else given[: code.co_argcount]


def is_askable(agent: Callable[..., Any]) -> bool:
    """Whether Kaggle's call fits: neither a class, nor a function in C, nor other parameters."""
    if isinstance(agent, type | BuiltinFunctionType) or type(agent).__module__ == "numpy":
        return False
    try:
        inspect.signature(agent).bind(*cut(agent, (None, None)))
    except TypeError:
        return False
    except ValueError:  # no signature is known
        return True
    return True


def _stands_in(folder: Path, name: str) -> bool:
    """Whether a module is a file of this folder, or part of a package in it."""
    spec = getattr(sys.modules.get(name.partition(".")[0]), "__spec__", None)
    places = () if spec is None else spec.submodule_search_locations or (spec.origin,)
    return any(place is not None and Path(place).parent == folder for place in places)


def _first_parameter(function: FunctionType) -> str:
    return (*function.__code__.co_varnames[: function.__code__.co_argcount], "")[0]


def _look_for_notebook(path: Path, source: bytes, error: BaseException) -> None:
    """Tell of a line that only a notebook understands, if one is what went wrong."""
    if isinstance(error, SyntaxError):
        number = error.lineno or 0
    elif isinstance(error, NameError) and error.name == NOTEBOOK:
        number = traceback.extract_tb(error.__traceback__)[-1].lineno or 0
    else:
        return
    line = b"".join(source.splitlines()[number - 1 : number]).decode(errors="replace").strip()
    if line.startswith(MAGIC) or NOTEBOOK in line:
        raise EngineFailure(
            f"{path}:{number}: {line!r} is a command of a notebook, not Python; remove the line"
        ) from None
