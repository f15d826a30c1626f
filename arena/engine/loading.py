"""Imports the file of an engine as Python imports a script, with the modules beside it.

Each file usually has a process of its own. Files that share one must differ in the names of their
modules.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from arena.errors import EngineFailure
from arena.imports import KEPT, import_closure
from arena.text import printable

_stamps: dict[str, tuple[str, int, int]] = {}  # of modules: the file, when it changed, its size
_before: dict[Path, dict[str, ModuleType]] = {}  # what was imported before files of a folder


def load_file(path: Path) -> ModuleType:
    """Import a file; after a change of it or of a module beside it, import all of them anew."""
    file = path.absolute()
    try:
        _stamp(file)
        file.open("rb").close()
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    name = f"bot_{file.stem}" if file.stem in KEPT else file.stem
    if _is_current(name, file):
        return sys.modules[name]
    _before.setdefault(file.parent, {**sys.modules})
    _forget(file.parent, name)
    _look_in(file.parent)
    spec = spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        _forget(file.parent, name)  # the next attempt begins anew
        if isinstance(error, KeyboardInterrupt):
            raise
        raise loading_failure(path, error) from error
    for loaded in _modules_in(file.parent):
        _stamps[loaded] = _stamp(_file_of(loaded))
    return module


def loading_failure(path: Path, error: BaseException) -> EngineFailure:
    """What went wrong when a file was run, with the line of it or of a file beside it."""
    words = printable(f"{type(error).__name__}: {error}")
    return EngineFailure(f"{_place(path, error)}: {words}")


def check_shared_process(files: Iterable[Path]) -> None:
    """Refuse files of different folders that import different modules of one name."""
    owners: dict[str, Path] = {}
    for file in dict.fromkeys(file.absolute() for file in files if file.suffix == ".py"):
        for module in import_closure([file], file.parent):
            name = module.relative_to(file.parent).parts[0].removesuffix(".py")
            other = owners.setdefault(name, file)
            if other.parent != file.parent:
                raise EngineFailure(
                    f"{other} and {file} cannot share a process, as both folders have a module "
                    f"{name}; rename one, or let them have processes of their own"
                )


def _stamp(file: Path) -> tuple[str, int, int]:
    status = file.stat()
    return str(file), status.st_mtime_ns, status.st_size


def _file_of(name: str) -> Path:
    return Path(getattr(sys.modules[name], "__file__", None) or "")


def _modules_in(folder: Path) -> list[str]:
    """The modules that files of a folder have imported from there, and these files themselves."""
    before, start = _before.get(folder, {}), f"{folder}{os.sep}"
    return [
        name
        for name, module in [*sys.modules.items()]
        if (getattr(module, "__file__", None) or "").startswith(start)
        and before.get(name) is not module
        and (_file_of(name).parent == folder or (folder / name.partition(".")[0]).is_dir())
    ]


def _is_current(name: str, file: Path) -> bool:
    """Whether a module was imported from this file, and nothing beside it has changed since."""
    if name not in sys.modules or _file_of(name) != file or name not in _stamps:
        return False
    try:
        now = {each: _stamp(_file_of(each)) for each in _modules_in(file.parent)}
    except OSError:  # a file is gone
        return False
    return all(_stamps.setdefault(each, stamp) == stamp for each, stamp in now.items())


def _forget(folder: Path, name: str) -> None:
    """Let modules of a folder, and those of others by the same names, be imported anew."""
    beside = {entry.name.removesuffix(".py") for entry in os.scandir(folder)} - KEPT | {name}
    others = [each for other in _before for each in _modules_in(other)]
    same = [each for each in others if each.partition(".")[0] in beside]
    for each in {*_modules_in(folder), *same}:
        sys.modules.pop(each, None)
        _stamps.pop(each, None)


def _look_in(folder: Path) -> None:
    """Let modules be imported from a folder: after Python's own, before all others."""
    sys.dont_write_bytecode = True  # nothing is left in the folder
    library = os.path.dirname(os.__file__)
    own = [place for place in sys.path if place in (library, os.path.join(library, "lib-dynload"))]
    others = [place for place in sys.path if place not in (*own, str(folder))]
    sys.path[:] = [*own, str(folder), *others]
    importlib.invalidate_caches()


def _place(path: Path, error: BaseException) -> str:
    """The file and the line in it where loading failed: the file itself, or one beside it."""
    folder = path.absolute().parent
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(Path(frame.filename), frame.lineno) for frame in frames]
    lines = [line for line in lines if folder in line[0].parents]
    if isinstance(error, SyntaxError) and error.lineno and error.filename:
        lines = [(Path(error.filename), error.lineno)]
    if not lines:
        return str(path)
    file, line = lines[-1]
    if folder in file.parents:  # named as the engine's own file was
        file = path.parent / file.relative_to(folder)
    return f"{file}:{line}"
