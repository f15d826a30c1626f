"""Where engines are found: by a registered name, by a plugin's entry point, or in a file.

@register("my-bot")                     a decorator, when the module is imported
[project.entry-points."arena.engines"]  my-bot = "my_package:MyBot", when it is installed
my_bot.py:MyBot                         a file and a class in it, wherever a name is expected
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from arena.engine import Engine
from arena.errors import ArenaError, BadOption, EngineFailure, UnknownName, suggestion

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "arena.engines"

E = TypeVar("E", bound=type[Engine])


@dataclass(frozen=True)
class Preset:
    """A registered engine with some options already set, under a name of its own."""

    engine: str
    summary: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """What a name stands for: an engine class, and options that are already set."""

    name: str
    engine: type[Engine]
    summary: str
    preset: Mapping[str, Any] = field(default_factory=dict)

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """A new engine; what goes wrong is told with the engine's name."""
        try:
            return self.engine(**{**self.preset, **(options or {})})
        except ArenaError as error:
            error.args = (f"engine {self.name}: {error}",)
            raise
        except TypeError as error:
            if not inspect.isabstract(self.engine):
                raise
            raise EngineFailure(f"engine {self.name}: {error}") from None


_registered: dict[str, type[Engine] | Preset] = {}


def register(name: str) -> Callable[[E], E]:
    """Make an engine class known by a name."""

    def decorate(engine: E) -> E:
        known = _registered.get(name)
        origins = [] if known is None else [_origin(known)]
        point = _entry_points().get(name)
        if point is not None:
            origins.append(point.value.replace(":", "."))
        for origin in origins:
            if origin != _origin(engine):
                raise EngineFailure(f"two engines are called {name!r}: {origin}, {_origin(engine)}")
        _registered[name] = engine
        return engine

    return decorate


def register_preset(name: str, preset: Preset) -> None:
    """Make a preset known by a name."""
    _registered[name] = preset


def names() -> list[str]:
    """Every name that `find` knows without a file."""
    return sorted({*_registered, *_entry_points()})


def find(spec: str) -> Entry:
    """The engine that a name, or a file and a class in it, stands for."""
    in_file = re.fullmatch(r"(.+\.py)(?::(\w*))?", spec)
    if in_file:
        engine = _engine_in(Path(in_file[1]), in_file[2] or "")
        return Entry(spec, engine, engine.summary())
    if spec not in _registered:
        if spec not in _entry_points():
            raise UnknownName("engine", spec, names())
        _registered[spec] = _load_entry_point(_entry_points()[spec])
    found = _registered[spec]
    if isinstance(found, Preset):
        base = find(found.engine)
        return Entry(spec, base.engine, found.summary, {**base.preset, **found.options})
    return Entry(spec, found, found.summary())


def build(text: str) -> Engine:
    """An engine from words: a name or file, then options, as in "mcts c=0.7 playout=light"."""
    spec, *words = text.split() or [""]
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption(f"engine {spec}: {word!r} is not an option; expected NAME=VALUE")
        options[name] = value
    return find(spec).build(options)


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _load_entry_point(point: EntryPoint) -> type[Engine] | Preset:
    try:
        loaded = point.load()
    except Exception as error:  # a plugin may fail in any way
        raise EngineFailure(
            f"engine {point.name} ({point.value}) does not load: {error}"
        ) from error
    if not isinstance(loaded, Preset) and not _is_engine(loaded):
        raise EngineFailure(f"{point.value} is not an engine: expected a class made from Engine")
    return loaded


def _engine_in(path: Path, class_name: str) -> type[Engine]:
    """The engine class of a file: the one named, or the only one."""
    module = _load_file(path)
    own = {
        name: value
        for name, value in vars(module).items()
        if _is_engine(value) and value.__module__ == module.__name__
    }
    if class_name:
        if class_name not in own:
            raise EngineFailure(f"{path} has no engine {class_name!r}{suggestion(class_name, own)}")
        return own[class_name]
    if len(own) != 1:
        found = ", ".join(own) or "none"
        raise EngineFailure(
            f"{path}: expected one class made from Engine, or FILE:CLASS; found {found}"
        )
    return next(iter(own.values()))


def _load_file(path: Path) -> ModuleType:
    """Import a file under a name made from its path and content; a changed file loads anew."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    name = f"{path.stem}_{sha256(str(path.resolve()).encode() + content).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)["__arena_file__"] = str(path.resolve())
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise EngineFailure(f"{_place(path, error)}: {type(error).__name__}: {error}") from error
    return module


def _place(path: Path, error: BaseException) -> str:
    """The file and the line in it where loading failed."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{path}:{error.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path.absolute()
    ]
    return f"{path}:{lines[-1]}" if lines else str(path)


def _is_engine(value: object) -> TypeGuard[type[Engine]]:
    return isinstance(value, type) and issubclass(value, Engine) and value is not Engine


def _origin(known: type[Engine] | Preset) -> str:
    if isinstance(known, Preset):
        return str(known)
    module = sys.modules.get(known.__module__)
    file = getattr(module, "__arena_file__", None)  # a file that changed is still the same file
    return f"{file or known.__module__}.{known.__qualname__}"
