"""Kaggle submissions as files: a script, a folder or archive with main.py, or a notebook.

Arena runs a submission as Kaggle does: in an empty namespace whose last callable is the agent. The
path /kaggle_simulations/agent, where Kaggle keeps the files, stands for the bot's own folder.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

from arena.bots.names import MAIN
from arena.engine.registry import loading_failure
from arena.errors import EngineFailure, suggestion
from arena.machine import MEGABYTE

MAGIC = ("%", "!")  # how a notebook's own commands begin
GET_IPYTHON = "get_ipython"  # how they look in a notebook that was saved as a script
EXPECTED = "expected a function (observation, configuration)"
PREFIX = "/kaggle_simulations/agent"
ARCHIVES = (".tar.gz", ".tgz")
MAX_UNPACKED = 1024 * MEGABYTE


class Submission:
    """One load of a file: its agent, and whether it looks like the intended one."""

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
        """Call the agent with as many arguments as Kaggle would pass."""
        return self.agent(*cut(self.agent, given))

    @property
    def is_agent(self) -> bool:
        """Check whether the chosen callable can be an agent, and no other looks more like one."""
        is_imported = isinstance(self.agent, FunctionType) and not self._is_own(self.agent)
        return is_askable(self.agent) and not (is_imported and self.likely is not None)

    @property
    def diagnosis(self) -> str:
        """Name the chosen callable and the likely one; empty if all looks well."""
        if self.is_agent and self.likely is None:
            return ""
        kind = "class" if isinstance(self.agent, type) else "function"
        which = "" if self.is_named else ", its last callable"
        near = EXPECTED if self.likely is None else f"did you mean callable={self.likely}?"
        return f"the agent is the {kind} {self.name} of {self.path.name}{which}; {near}"

    def forget(self) -> None:
        """Let the modules beside the file be loaded again at their next import."""
        for name in self.beside:
            sys.modules.pop(name, None)

    def _is_own(self, function: FunctionType) -> bool:
        return function.__globals__ is self.names

    def _likely(self, callables: dict[str, Any]) -> str | None:
        """The last own function that looks like an agent; None if the chosen one does."""
        looks = [
            name
            for name, value in callables.items()
            if isinstance(value, FunctionType)
            and self._is_own(value)
            and is_askable(value)
            and ("agent" in name.lower() or _first_parameter(value).startswith("obs"))
        ]
        return looks[-1] if looks and self.name not in looks else None


def cut(agent: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """As many arguments as a function has positional parameters; all for other callables."""
    code = getattr(agent, "__code__", None)
    return given if code is None else given[: code.co_argcount]


def is_askable(agent: Callable[..., Any]) -> bool:
    """Check whether Kaggle's call fits: no class, no function in C, no other parameters."""
    if isinstance(agent, type | BuiltinFunctionType) or type(agent).__module__ == "numpy":
        return False
    try:
        inspect.signature(agent).bind(*cut(agent, (None, None)))
    except TypeError:
        return False
    except ValueError:  # it has no signature
        return True
    return True


def _first_parameter(function: FunctionType) -> str:
    return (*function.__code__.co_varnames[: function.__code__.co_argcount], "")[0]


# ---- running a file


def run_file(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Run a file; return its names, oldest first, and the modules beside it that it imported."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    names: dict[str, Any] = {}
    folder, before = path.absolute().parent, {*sys.modules}
    try:
        code = compile_source(source, str(path), folder)
        with importing_from(folder):
            exec(code, names)
    except (Exception, SystemExit) as error:
        _look_for_magic(path, source, error)
        raise loading_failure(path, error) from error
    return names, [name for name in {*sys.modules} - before if _is_beside(folder, name)]


def compile_source(source: bytes, path: str, folder: Path) -> CodeType:
    """Compile a module; Kaggle's folder in its strings becomes this one."""
    if PREFIX.encode() not in source:
        return compile(source, path, "exec", dont_inherit=True)
    tree = ast.parse(source, path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = node.value.replace(PREFIX, str(folder))
    return compile(tree, path, "exec", dont_inherit=True)


class _Loader(SourceFileLoader):
    """Loads a module beside a submission from its source."""

    def path_stats(self, path: Any) -> Any:
        raise OSError("no compiled file")  # it could contain Kaggle's folder

    def source_to_code(  # type: ignore[override]  # as in the class itself
        self, data: Any, path: Any, **options: Any
    ) -> CodeType:
        return compile_source(data, str(path), Path(path).parent)


class _Finder:
    """Finds modules as Python does, and loads those of one folder with `_Loader`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path)
        loader = None if spec is None else spec.loader
        if isinstance(loader, SourceFileLoader) and self.folder in Path(loader.path).parents:
            assert spec is not None
            spec.loader = _Loader(name, loader.path)
        return spec


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Allow imports from a folder, after all other places."""
    finder: Any = _Finder(folder)
    sys.path.append(str(folder))
    sys.meta_path.insert(sys.meta_path.index(PathFinder), finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if str(folder) in sys.path:
            sys.path.remove(str(folder))


def _is_beside(folder: Path, name: str) -> bool:
    """Check whether a module is a file of this folder, or part of a package in it."""
    spec = getattr(sys.modules.get(name.partition(".")[0]), "__spec__", None)
    places = () if spec is None else spec.submodule_search_locations or (spec.origin,)
    return any(place is not None and Path(place).parent == folder for place in places)


def _look_for_magic(path: Path, source: bytes, error: BaseException) -> None:
    """Report a notebook command if it has caused the error."""
    if isinstance(error, SyntaxError):
        number = error.lineno or 0
    elif isinstance(error, NameError) and error.name == GET_IPYTHON:
        number = traceback.extract_tb(error.__traceback__)[-1].lineno or 0
    else:
        return
    line = b"".join(source.splitlines()[number - 1 : number]).decode(errors="replace").strip()
    if line.startswith(MAGIC) or GET_IPYTHON in line:
        raise EngineFailure(
            f"{path}:{number}: {line!r} is a notebook command, not Python; remove the line"
        ) from None


# ---- folders, archives, notebooks


def locate(path: Path) -> Path:
    """Find the file to run; archives and notebooks are unpacked into a temporary folder."""
    if path.is_dir():
        return _main_in(path, path)
    if path.name.endswith(ARCHIVES):
        return _main_in(_unpack(path, _extract), path)
    if path.suffix == ".ipynb":
        return _unpack(path, _write_notebook) / "submission.py"
    if path.suffix != ".py" and not path.exists():
        expected = "FILE.py, FILE.ipynb, FILE.tar.gz or a folder with main.py"
        raise EngineFailure(f"{path}: no such file or folder; expected {expected}")
    return path


def _main_in(folder: Path, named: Path) -> Path:
    if not (folder / MAIN).is_file():
        raise EngineFailure(f"{named} has no {MAIN}; Kaggle expects one at the top")
    return folder / MAIN


def _unpack(path: Path, fill: Callable[[Path, Path], None]) -> Path:
    """Fill a folder from a file, once as long as the file does not change."""
    try:
        digest = sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    root = Path(tempfile.gettempdir(), f"arena-kaggle-{os.getuid()}")
    root.mkdir(mode=0o700, exist_ok=True)
    if root.stat().st_uid != os.getuid():
        raise EngineFailure(f"{root} belongs to another user; set TMPDIR to a folder of your own")
    folder = root / digest
    if not folder.is_dir():
        unfinished = Path(tempfile.mkdtemp(dir=root))
        try:
            fill(path, unfinished)
            unfinished.rename(folder)
        except OSError as error:
            if not folder.is_dir():  # nor has another process filled it
                raise EngineFailure(f"{path} cannot be unpacked: {error}") from None
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _extract(path: Path, folder: Path) -> None:
    try:
        with tarfile.open(path) as archive:
            if sum(member.size for member in archive.getmembers()) > MAX_UNPACKED:
                raise EngineFailure(f"{path} holds more than {MAX_UNPACKED // MEGABYTE} MB")
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise EngineFailure(f"{path} cannot be unpacked: {error}") from None


WRITEFILE = re.compile(r"%%writefile\s+(-a\s+)?(\S+\.py)\s*\n")
WRITES = re.compile(r"\w+\(\s*(\w+)\s*,\s*['\"][^'\"]*\.py['\"]")  # write_agent(my_agent, "x.py")
GETSOURCE = re.compile(r"getsource\(\s*(\w+)")


def _write_notebook(path: Path, folder: Path) -> None:
    """Write the files that a notebook writes, its agent as submission.py."""
    try:
        cells = json.loads(path.read_bytes())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise EngineFailure(f"{path} is not a notebook") from None
    files: dict[str, str] = {}
    for cell in code:
        if header := WRITEFILE.match(cell):
            name, text = Path(header[2]).name, cell[header.end() :]
            files[name] = files.get(name, "") + f"\n{text}" if header[1] else text
    if not files:
        files["submission.py"] = _agent_of(code, path)
    if "submission.py" not in files:
        files["submission.py"] = files.get(MAIN, [*files.values()][-1])
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _agent_of(cells: list[str], path: Path) -> str:
    """The source of the function that a notebook writes to a file with inspect.getsource."""
    functions: dict[str, str] = {}
    for cell in cells:
        own = "\n".join("" if line.startswith(MAGIC) else line for line in cell.split("\n"))
        try:
            nodes = [node for node in ast.parse(own).body if isinstance(node, ast.FunctionDef)]
        except SyntaxError:
            continue
        before = [*functions]
        functions |= {node.name: ast.get_source_segment(own, node) or "" for node in nodes}
        written = WRITES.findall(cell) + GETSOURCE.findall(cell)
        named = [name for name in written if name in functions]
        if named:
            return functions[named[0]]
        if "getsource" in cell and before and not any(map(WRITES.search, cells)):
            return functions[before[-1]]
    expected = "expected a cell that begins with %%writefile submission.py"
    raise EngineFailure(f"{path} writes no agent; {expected}")
