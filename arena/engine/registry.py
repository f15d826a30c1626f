"""Where engines are found: by a registered name, by a plugin's entry point, or in a file.

@register("my-bot")                     a decorator, when the module is imported
[project.entry-points."arena.engines"]  my-bot = "my_package:MyBot", when it is installed
my_bot.py:MyBot                         a file and a class in it, wherever a name is expected
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from arena.engine.contract import Engine
from arena.engine.loading import load_file
from arena.errors import ArenaError, EngineFailure, UnknownName, suggestion
from arena.text import printable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "arena.engines"

E = TypeVar("E", bound=type[Engine])
OPEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True)
class Entry:
    """An engine class and the name by which it was found."""

    name: str
    engine: type[Engine]
    summary: str

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """A new engine; what goes wrong is told with the engine's name."""
        try:
            _check_hooks(self.engine)
            return self.engine(**(options or {}))
        except ArenaError as error:
            error.args = (f"engine {self.name}: {error}",)
            raise
        except TypeError:
            if not inspect.isabstract(self.engine):
                raise
            missing = ", ".join(sorted(self.engine.__abstractmethods__))
            raise EngineFailure(
                f"engine {self.name}: {self.engine.__name__} does not define {missing}"
            ) from None

    def settings(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """These options and all others as the engine understands them, if it takes them."""
        return self.build(options).settings()


_registered: dict[str, type[Engine]] = {}
_places: Mapping[str, str] | None = None  # instead of what is installed


def register(name: str) -> Callable[[E], E]:
    """Make an engine class known by a name."""

    def decorate(engine: E) -> E:
        other, point = _registered.get(name), _entry_points().get(name)
        origins = [] if other is None else [_origin(other)]
        origins += [] if point is None else [point.value.replace(":", ".")]
        for origin in origins:
            if origin != _origin(engine):
                raise EngineFailure(f"two engines are called {name!r}: {origin}, {_origin(engine)}")
        _registered[name] = engine
        return engine

    return decorate


def set_entry_points(places: Mapping[str, str]) -> None:
    """Let these be all names: {"mcts": "arena.engines.mcts:MCTS"}, whatever is installed."""
    global _places
    _places = places
    _entry_points.cache_clear()


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
        point = _entry_points()[spec]
        try:
            loaded = point.load()
        except Exception as error:  # a plugin may fail in any way
            raise EngineFailure(
                f"engine {spec} ({point.value}) does not load: {printable(str(error))}"
            ) from error
        if not _is_engine(loaded):
            expected = "expected a class made from Engine"
            raise EngineFailure(f"{point.value} is not an engine: {expected}")
        _registered[spec] = loaded
    engine = _registered[spec]
    return Entry(spec, engine, engine.summary())


def preset_of(engine: type[Engine]) -> type[Engine] | None:
    """The engine of which a class is a preset, as it only sets other defaults, if there is one."""
    base = engine.__base__
    own = {name for name in vars(engine) if not name.startswith("_")} - {"options"}
    if not _is_engine(base) or inspect.isabstract(base) or not own <= engine.options.keys():
        return None
    return preset_of(base) or base


def changed_defaults(engine: type[Engine], base: type[Engine]) -> dict[str, Any]:
    """The options of which a class has another default than its base."""
    defaults = {name: option.default for name, option in engine.options.items()}
    return {name: each for name, each in defaults.items() if each != base.options[name].default}


def is_installed(name: str) -> bool:
    """Whether an installed package offers an engine of this name."""
    return name in _entry_points()


def value_of(name: str) -> str:
    """Where the engine of an installed package is, as in "arena.engines.mcts:MCTS"."""
    return _entry_points()[name].value


def package_of(name: str) -> tuple[str, str] | None:
    """The installed package that offers an engine, and its version; None if none says so."""
    point = _entry_points().get(name)
    return None if point is None or point.dist is None else (point.dist.name, point.dist.version)


def name_of(engine: type[Engine]) -> str | None:
    """The name under which an installed package offers an engine class, if one does."""
    place = f"{engine.__module__}:{engine.__qualname__}"
    return next((name for name, at in _entry_points().items() if at.value == place), None)


def place_of(name: str) -> Path | None:
    """The folder or file of the package that offers an engine, which is not imported for that."""
    point = _entry_points().get(name)
    spec = None if point is None else find_spec(point.module.partition(".")[0])
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin)
    return file.parent if file.name == "__init__.py" else file


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import EntryPoint, entry_points

    if _places is not None:
        return {name: EntryPoint(name, at, ENTRY_POINTS) for name, at in _places.items()}
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _engine_in(path: Path, class_name: str) -> type[Engine]:
    """The engine class of a file: the one named, or the only one."""
    module = load_file(path)
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
        classes = ", ".join(own) or "none"
        raise EngineFailure(
            f"{path}: expected one class made from Engine, or FILE:CLASS; found {classes}"
        )
    return next(iter(own.values()))


HOOKS = {  # of the contract, and where an author finds what older ones were given
    "new_game": "self.rules and self.random",
    "warm_up": "self.rules",
}


def _check_hooks(engine: type[Engine]) -> None:
    """Refuse methods that expect arguments which the harness does not give."""
    for name, given in HOOKS.items():
        parameters = [*inspect.signature(getattr(engine, name)).parameters.values()][1:]
        if any(each.default is each.empty and each.kind not in OPEN for each in parameters):
            words = f"{name} takes no arguments; write `def {name}(self)` and read {given}"
            raise EngineFailure(f"{engine.__name__}.{words}")


def _is_engine(value: object) -> TypeGuard[type[Engine]]:
    return isinstance(value, type) and issubclass(value, Engine) and value is not Engine


def _origin(engine: type[Engine]) -> str:
    return f"{engine.__module__}.{engine.__qualname__}"
