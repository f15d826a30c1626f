"""Loads an engine from a file, which may import what stands beside it.

The file becomes a package of its own, whose parts are the modules and folders beside it: `import
my_eval` in bots/my_bot.py is answered from bots/, under a name inside that package. So two bots
may each have a my_eval, `sys.path` stays as it is, and no bot hides a module from another. What
Python has itself, and what leads to the same file anyway, is imported as ever.
"""

from __future__ import annotations

import builtins
import importlib.util
import sys
import traceback
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from arena.errors import EngineFailure
from arena.printable import printable

KEPT = sys.stdlib_module_names | {"arena"}  # what no file beside an engine can hide
_loaded: dict[str, EngineFile] = {}  # by the name of the package


def load_file(path: Path) -> ModuleType:
    """Import a file under a name made from its path and content; a changed file loads anew."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    name = f"{path.stem}_{sha256(str(path.resolve()).encode() + content).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    file = _loaded[name] = EngineFile(name, path.absolute())
    try:
        return file.load()
    except BaseException as error:
        del _loaded[name]  # nothing of it is left behind: the next attempt begins anew
        for module in [*sys.modules]:
            if module == name or module.startswith(f"{name}."):
                del sys.modules[module]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise loading_failure(path, error) from error


def loading_failure(path: Path, error: BaseException) -> EngineFailure:
    """What went wrong when a file was run, with the line of it or of a file beside it."""
    words = printable(f"{type(error).__name__}: {error}")
    return EngineFailure(f"{_place(path, error)}: {words}")


class EngineFile:
    """A file with an engine, as the package through which its neighbours are imported."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self.folder = path.parent
        self.beside: dict[str, bool] = {}  # names asked for, and whether they stand beside
        self.builtins = {**vars(builtins), "__import__": self.import_module}

    def load(self) -> ModuleType:
        """Run the file."""
        spec = importlib.util.spec_from_file_location(
            self.name,
            self.path,
            loader=_Loader(self.name, str(self.path), self),
            submodule_search_locations=[str(self.folder)],
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[self.name] = module
        spec.loader.exec_module(module)
        return module

    def import_module(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What `import` means in this file and in its neighbours."""
        top = name.partition(".")[0]
        if not level and top not in self.beside:
            self.beside[top] = top not in KEPT and self._is_beside(top)
        if level or not self.beside[top]:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        if name == self.path.stem:
            return sys.modules[self.name]
        inside = f"{self.name}.{name}"
        module = builtins.__import__(inside, globals, locals, fromlist or ("*",), 0)
        return module if fromlist else sys.modules[f"{self.name}.{top}"]

    def _is_beside(self, top: str) -> bool:
        """Whether Python, asked from this folder, would take a module of this folder."""
        beside = PathFinder.find_spec(top, [str(self.folder)])
        if beside is None:
            return False
        try:
            elsewhere = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            elsewhere = None
        if elsewhere is None:
            return True
        if beside.origin is None:  # a mere folder gives way to a module
            return False
        other = elsewhere.origin
        return other is None or Path(beside.origin).resolve() != Path(other).resolve()


class _Loader(SourceFileLoader):
    """Runs a source file so that its imports are looked for beside it first."""

    def __init__(self, name: str, path: str, file: EngineFile) -> None:
        super().__init__(name, path)
        self.file = file

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from the source as it is now: nothing is left in the folder, nothing is old."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run it with an `import` of its own."""
        names: dict[str, Any] = vars(module)
        names["__builtins__"] = self.file.builtins
        names["__arena_file__"] = str(Path(self.path).resolve())
        super().exec_module(module)


class _Finder(MetaPathFinder):
    """Finds the neighbours of engine files inside their packages."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The neighbour of this name, if it is one."""
        file = _loaded.get(fullname.partition(".")[0])
        if file is None or path is None:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, file)
        return spec


_finder = _Finder()


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
