"""A cache of compiled kernels on disk.

Numba compiles constants and called functions into a kernel, but its own cache checks only the file
of the kernel. Here the name of a compiled file has a hash of everything that the kernel was
compiled from: no kernel is stale, an edit recompiles only its users, and checkouts of the same
sources share their kernels.
"""

from __future__ import annotations

import dis
import hashlib
import os
import pickle
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import caching, compiler, serialize
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from arena.files import write_atomic

FORM = 2  # raise it when arena.jit compiles the same kernel in another way
VERSIONS = (FORM, numba.__version__, llvmlite.__version__, np.__version__, sys.version)
COMPILER = ("numba", "numpy", "llvmlite")  # packages whose versions stand for their code
STANDARD_LIBRARY = os.path.dirname(os.__file__)
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
RAISE = dis.opmap["RAISE_VARARGS"]
SUFFIX = ".nbc"


def cache_roots() -> tuple[Path, ...]:
    """The directories for compiled kernels: the user's choice, or else the first that works."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return (Path(chosen, "connect-arena"),)
    import platformdirs

    user = f"connect-arena-{os.getuid()}" if hasattr(os, "getuid") else "connect-arena"
    return Path(platformdirs.user_cache_dir("connect-arena")), Path(tempfile.gettempdir(), user)


def _choose_cache() -> Path | None:
    """The directory for compiled kernels; None if none can be written to."""
    for root in cache_roots():
        folder = root / "kernels"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    warnings.warn("no writable cache directory: kernels are recompiled on every run", stacklevel=2)
    return None


CACHE = _choose_cache()


# Numba's own code has no types.
_rebuild: Any = compiler.CompileResult._rebuild
_dumps: Any = serialize.dumps


class KernelCache(caching.NullCache):
    """The compiled forms of one kernel, one file for each signature."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self.function = function
        self.folder = folder

    @property
    def cache_path(self) -> str:
        """The directory, for Numba's statistics."""
        return str(self.folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load the compiled kernel, or None; remove a damaged file."""
        context.refresh()
        file = self._file(signature, context.codegen())
        try:
            data = file.read_bytes()
            if hashlib.sha256(data[32:]).digest() != data[:32]:
                raise ValueError("damaged")
            kernel = _rebuild(context, *pickle.loads(data[32:]))
            os.utime(file)  # `arena doctor --clear-cache` removes unused kernels
        except FileNotFoundError:
            return None
        except Exception:  # what unpickling raises can be almost anything
            with suppress(OSError):
                file.unlink()
            return None
        return kernel

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store a compiled kernel; on a full disk it is compiled again next time."""
        if compiled.library.has_dynamic_globals or any(not x.can_cache for x in compiled.lifted):
            return
        data = _dumps(compiled._reduce())
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self._file(signature, compiled.codegen)
            write_atomic(file, hashlib.sha256(data).digest() + data)

    def _file(self, signature: Any, codegen: Any) -> Path:
        sources = Sources(self.function)
        sources.update(str((signature, codegen.magic_tuple())))
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        return self.folder / f"{name[-100:]}-{sources.digest.hexdigest()[:24]}{SUFFIX}"


class Sources:
    """A hash of everything that a kernel is compiled from.

    That is its code, its constants, and the functions that it calls; not comments, docstrings, and
    line numbers that no traceback can show.
    """

    def __init__(self, function: FunctionType) -> None:
        self.digest = hashlib.sha256(repr(VERSIONS).encode())
        self.numbers: dict[tuple[int, int], int] = {}  # of functions, and modules with names
        self.add(function)

    def update(self, text: str) -> None:
        """Add a text and its end."""
        self.digest.update(f"{text}\0".encode(errors="surrogatepass"))

    def add(self, value: Any, names: Iterable[str] = ()) -> None:
        """Add a value that a kernel uses; of modules and classes, attributes of these names."""
        match value:
            case int() | float() | str() | bytes() | None:
                self.update(repr(value))
            case Dispatcher():
                self.update(repr(value.targetoptions))
                self._add_function(value.py_func)
            case _Intrinsic():
                self._add_function(value._defn)
            case FunctionType():
                self._add_function(value)
            case ModuleType() | type():
                self._add_members(value, names)
            case tuple() | list():
                self.update(f"{type(value).__name__} {len(value)}")
                for each in value:
                    self.add(each)
            case frozenset():
                self.add(sorted(value, key=repr))
            case np.ndarray():
                self.update(f"{value.dtype.descr} {value.shape}")
                self.digest.update(value.tobytes())
            case _:
                self.update(ADDRESS.sub("", repr(value)))

    def _is_known(self, value: Any, names: Iterable[str] = ()) -> bool:
        """Check whether this was added before; if so, add its number alone."""
        key = (id(value), id(names))
        if key in self.numbers:
            self.update(f"number {self.numbers[key]}")
            return True
        self.numbers[key] = len(self.numbers)
        return False

    def _add_members(self, owner: ModuleType | type, names: Iterable[str]) -> None:
        self.update(f"{owner.__name__} of {getattr(owner, '__module__', '')}")
        if _is_versioned(owner) or self._is_known(owner, names):
            return
        for name in names:
            if name in vars(owner):
                self.update(name)
                self.add(vars(owner)[name], names)

    def _add_function(self, function: FunctionType) -> None:
        self.update(f"{function.__module__}.{function.__qualname__}")
        if _is_versioned(function) or self._is_known(function):
            return
        self.add(function.__defaults__)
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # the cell is still empty
                self.add(cell.cell_contents)
        self._add_code(function.__code__, function)

    def _add_code(self, code: CodeType, function: FunctionType) -> None:
        self.digest.update(code.co_code + code.co_exceptiontable)
        self.update(repr((code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags)))
        self.update(repr(code.co_names))
        if RAISE in code.co_code[::2]:
            self.digest.update(f"{code.co_filename}:{code.co_firstlineno}".encode())
            self.digest.update(code.co_linetable)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._add_code(constant, function)
            elif constant is not function.__doc__:
                self.add(constant)
        for name in code.co_names:
            if name in function.__globals__:
                self.add(function.__globals__[name], code.co_names)


def _is_versioned(value: Any) -> bool:
    """Check whether a module or its member belongs to the compiler or the standard library."""
    return _is_versioned_module(
        value.__name__ if isinstance(value, ModuleType) else str(value.__module__)
    )


@cache
def _is_versioned_module(name: str) -> bool:
    top = name.partition(".")[0]
    if top in COMPILER:
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return top in sys.stdlib_module_names and (not file or file.startswith(STANDARD_LIBRARY))
