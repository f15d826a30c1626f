"""Find engines: by a registered name, by the entry point of a package, or in a file.

@register("my-bot")                     a decorator, when the module is imported
[project.entry-points."arena.engines"]  my-bot = "my_package:MyBot", when it is installed
my_bot.py:MyBot                         a file and a class in it, wherever a name is expected
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from arena.engine.contract import Engine
from arena.errors import ArenaError, EngineFailure, UnknownName, suggestion
from arena.imports import KEPT, import_closure
from arena.text import printable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "arena.engines"
Stamps = dict[str, tuple[int, int]]  # of files: when each changed, and its size

E = TypeVar("E", bound=type[Engine])


@dataclass(frozen=True)
class Entry:
    """An engine class and the name by which it was found; `make` builds it in another way."""

    name: str
    engine: type[Engine]
    summary: str
    make: Callable[[Mapping[str, Any]], Engine] | None = field(default=None, kw_only=True)

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """Build an engine; errors begin with its name."""
        try:
            return self.make(options or {}) if self.make else self.engine(**(options or {}))
        except ArenaError as error:
            error.args = (f"engine {self.name}: {error}",)
            raise
        except TypeError:
            if not inspect.isabstract(self.engine):
                raise
            words = f"{self.engine.__name__} does not define choose"
            raise EngineFailure(f"engine {self.name}: {words}") from None

    def settings(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all options, with these set."""
        return self.build(options).settings()


_registered: dict[str, type[Engine]] = {}
_points: dict[str, EntryPoint] | None = None  # None: not looked up yet


def register(name: str) -> Callable[[E], E]:
    """Register an engine class by a name."""

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


def names() -> list[str]:
    """All names of engines."""
    return sorted({*_registered, *_entry_points()})


FILE = re.compile(r"(?![A-Za-z]{2,}:)(.+\.py)(?::(\w*))?")  # but not KIND:FILE.py


def split_file(spec: str) -> tuple[str, str] | None:
    """Split FILE.py:NAME; the name may be empty. None if the text names no Python file."""
    parts = FILE.fullmatch(spec)
    return None if parts is None else (parts[1], parts[2] or "")


def find(spec: str) -> Entry:
    """The engine of a name, or of a file and a class in it."""
    in_file = split_file(spec)
    if in_file:
        engine = _engine_in(Path(in_file[0]), in_file[1])
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
    """The engine of which a class is a preset: it sets other defaults, and nothing else."""
    base = engine.__base__
    own = {name for name in vars(engine) if not name.startswith(("__", "_abc_"))} - {"options"}
    if not _is_engine(base) or inspect.isabstract(base) or not own <= base.options.keys():
        return None
    return preset_of(base) or base


def changed_defaults(engine: type[Engine], base: type[Engine]) -> dict[str, Any]:
    """The options with another default than in a base."""
    defaults = {name: option.default for name, option in engine.options.items()}
    return {name: each for name, each in defaults.items() if each != base.options[name].default}


def entry_point(name: str) -> EntryPoint | None:
    """The entry point of an engine of an installed package."""
    return _entry_points().get(name)


def installed_name(engine: type[Engine]) -> str | None:
    """The name of an installed engine class, if it has one."""
    value = f"{engine.__module__}:{engine.__qualname__}"
    return next((name for name, each in _entry_points().items() if each.value == value), None)


def package_path(name: str) -> Path | None:
    """The folder or file of the package of an engine, without importing it."""
    point = entry_point(name)
    spec = None if point is None else find_spec(point.module.partition(".")[0])
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin)
    return file.parent if file.name == "__init__.py" else file


def set_entry_points(values: Mapping[str, str]) -> None:
    """Use these entry points instead of the installed ones: {"mcts": "arena.engines.mcts:MCTS"}."""
    global _points
    from importlib.metadata import EntryPoint

    _points = {name: EntryPoint(name, value, ENTRY_POINTS) for name, value in values.items()}


def _entry_points() -> dict[str, EntryPoint]:
    global _points
    if _points is None:
        from importlib.metadata import entry_points

        _points = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    return _points


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


def _is_engine(value: object) -> TypeGuard[type[Engine]]:
    return isinstance(value, type) and issubclass(value, Engine) and value is not Engine


def _origin(engine: type[Engine]) -> str:
    return f"{engine.__module__}.{engine.__qualname__}"


# ---- files

_loaded: dict[Path, tuple[ModuleType, Stamps]] = {}  # with the files that they import


def load_file(path: Path) -> ModuleType:
    """Import a file as Python imports a script, again if it or a file beside it has changed.

    Modules beside it replace modules of the same names from other folders.
    """
    file = path.absolute()
    try:
        stamps = _stamps_of(file)
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    if file in _loaded and _loaded[file][1] == stamps:
        return _loaded[file][0]
    name = f"bot_{file.stem}" if file.stem in KEPT else file.stem
    names = {name, *(_top_name(each, file.parent) for each in stamps)}
    _forget(names)
    _look_in(file.parent)
    spec = spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    _loaded[file] = module, stamps
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        _forget(names)
        del _loaded[file]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise loading_failure(path, error) from error
    return module


def loading_failure(path: Path, error: BaseException) -> EngineFailure:
    """An error of a file as a sentence, with the line of it or of a file beside it."""
    folder = path.absolute().parent
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(Path(f.filename), f.lineno) for f in frames if folder in Path(f.filename).parents]
    if isinstance(error, SyntaxError) and error.lineno and error.filename:
        lines = [(Path(error.filename), error.lineno)]
    place = str(path)
    if lines:
        file, line = lines[-1]
        is_beside = folder in file.parents  # name it as the user named the engine's file
        place = f"{path.parent / file.relative_to(folder) if is_beside else file}:{line}"
    return EngineFailure(printable(f"{place}: {type(error).__name__}: {error}"))


def check_shared_process(files: Iterable[Path]) -> None:
    """Refuse files of different folders that import different modules of one name."""
    owners: dict[str, Path] = {}
    for file in dict.fromkeys(file.absolute() for file in files if file.suffix == ".py"):
        for module in import_closure([file], file.parent):
            name = _top_name(module, file.parent)
            other = owners.setdefault(name, file)
            if other.parent != file.parent:
                raise EngineFailure(
                    f"{other} and {file} cannot share a process: both folders have a module "
                    f"{name}; rename one of them, or drop --trust"
                )


def _stamps_of(file: Path) -> Stamps:
    """The times of change and the sizes of a file and of those that it imports beside it."""
    file.open("rb").close()
    statuses = {each: each.stat() for each in import_closure([file], file.parent)}
    return {str(each): (now.st_mtime_ns, now.st_size) for each, now in statuses.items()}


def _top_name(module: str | Path, folder: Path) -> str:
    return Path(module).relative_to(folder).parts[0].removesuffix(".py")


def _forget(names: set[str]) -> None:
    """Forget modules of bots by these names, so that they are imported again."""
    files = {file for _, stamps in _loaded.values() for file in stamps}
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] in names and getattr(module, "__file__", None) in files:
            del sys.modules[name]


def _look_in(folder: Path) -> None:
    """Import modules from this folder first, after the standard library."""
    sys.dont_write_bytecode = True  # leave nothing in the folder
    library = os.path.dirname(os.__file__)
    own = [place for place in sys.path if place in (library, os.path.join(library, "lib-dynload"))]
    others = [place for place in sys.path if place not in (*own, str(folder))]
    sys.path[:] = [*own, str(folder), *others]
    importlib.invalidate_caches()
