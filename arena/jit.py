"""How kernels are compiled: one decorator, one cache directory, a few machine instructions.

Numba's disk cache looks only at a kernel's own file, so a change in a kernel that it calls would
leave a stale result behind. The cache therefore lives in a directory named by a hash of all the
sources that kernels come from, the versions that compile them, and the processor.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import llvmlite.binding
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = ("arena", "engines")


def cache_root() -> Path:
    """Where compiled kernels of all versions are kept."""
    import platformdirs  # where the cache is chosen already, nobody needs it

    return Path(platformdirs.user_cache_dir("connect-arena"))


def cache_roots() -> tuple[Path, ...]:
    """The user's cache, and a temporary directory for where that one cannot be written."""
    user = f"connect-arena-{os.getuid()}" if hasattr(os, "getuid") else "connect-arena"
    return cache_root(), Path(tempfile.gettempdir()) / user


def fingerprint() -> str:
    """What compiled kernels depend on, as a short hash."""
    digest = hashlib.sha256()
    top = Path(__file__).resolve().parent.parent
    for source in _kernel_sources(top):
        digest.update(str(source.relative_to(top)).encode())
        digest.update(source.read_bytes())
    cpu = llvmlite.binding.get_host_cpu_name()
    versions = (_numba_version(), llvmlite.__version__, np.__version__, sys.version, cpu)
    digest.update(repr(versions).encode())
    return digest.hexdigest()[:16]


def _kernel_sources(top: Path) -> Iterator[Path]:
    """Modules with kernels, and those whose constants such modules take: kernels freeze them."""
    sources = [s for package in SOURCES for s in sorted((top / package).rglob("*.py"))]
    kernels = [s for s in sources if b"arena.jit" in s.read_bytes() or s.samefile(__file__)]
    text = b"\n".join(source.read_bytes() for source in kernels)
    for source in sources:
        module = ".".join(source.relative_to(top).with_suffix("").parts)
        if source in kernels or f"{module} import".encode() in text:
            yield source


def _numba_version() -> str:
    from importlib.metadata import version

    return version("numba")


def _choose_cache() -> bool:
    """Point numba at a directory that can be written; tell whether there is one."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return True
    name = f"kernels-{fingerprint()}"
    for root in cache_roots():
        try:
            (root / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(root / name, os.W_OK):
            os.environ["NUMBA_CACHE_DIR"] = str(root / name)
            return True
    warnings.warn(
        "no directory for compiled kernels can be written: each run compiles", stacklevel=2
    )
    return False


# The directory must be chosen before numba is first imported, by this process or a child of it.
CACHED = _choose_cache()

import numba  # noqa: E402

_settings: Any = numba.config
if CACHED:  # who imported numba before us made it read its settings too early
    _settings.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]

from llvmlite import ir  # noqa: E402
from numba import types  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.extending import intrinsic  # noqa: E402


def kernel(function: F) -> F:
    """Compile a function on scalars and arrays, at its first call, and keep the result on disk."""
    compiled: Any = numba.njit(cache=CACHED, nogil=True, error_model="numpy")(function)
    return compiled


def inlined(function: F) -> F:
    """A kernel whose text is put in place of each call, so that constants given to it fold."""
    compiled: Any = numba.njit(inline="always", error_model="numpy")(function)
    return compiled


def instruction(generate: Callable[..., Any]) -> Any:
    """Let kernels call a function that writes machine code."""
    return intrinsic(generate)


@instruction
def popcount(typing: Any, bits: Any) -> Any:
    """How many bits are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@instruction
def lowest(typing: Any, bits: Any) -> Any:
    """The number of the lowest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _word_at(builder: Any, args: Any) -> Any:
    """A pointer to a word of an array, by the array's address and the word's number."""
    start = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
    return builder.gep(start, [args[1]])


@instruction
def read_word(typing: Any, address: Any, index: Any) -> Any:
    """A word of an array that is known by its address: no count of its users is kept."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_word_at(builder, args))

    return types.uint64(types.int64, types.int64), generate


@instruction
def write_word(typing: Any, address: Any, index: Any, word: Any) -> Any:
    """Change a word of an array that is known by its address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _word_at(builder, args))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), generate


@instruction
def prefetch(typing: Any, address: Any, index: Any) -> Any:
    """Ask for a word that will be read soon, without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i32, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        word = builder.bitcast(_word_at(builder, args), pointer)
        hint = ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32])
        insert: Any = cgutils.get_or_insert_function
        function = insert(builder.module, hint, "llvm.prefetch.p0")
        builder.call(function, [word, i32(0), i32(3), i32(1)])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@instruction
def read_float(typing: Any, address: Any, index: Any) -> Any:
    """A short float of an array that is known by its address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.inttoptr(args[0], ir.FloatType().as_pointer())
        return builder.load(builder.gep(start, [args[1]]))

    return types.float32(types.int64, types.int64), generate


@instruction
def write_float(typing: Any, address: Any, index: Any, value: Any) -> Any:
    """Change a short float of an array that is known by its address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.inttoptr(args[0], ir.FloatType().as_pointer())
        builder.store(args[2], builder.gep(start, [args[1]]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.float32), generate


@instruction
def _extract(typing: Any, bits: Any, mask: Any) -> Any:
    """The processor's own instruction for `gather`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        insert: Any = cgutils.get_or_insert_function
        kind = ir.FunctionType(i64, [i64, i64])
        return builder.call(insert(builder.module, kind, "llvm.x86.bmi.pext.64"), args)

    return types.uint64(types.uint64, types.uint64), generate


@inlined
def _collect(bits: np.uint64, mask: np.uint64) -> np.uint64:
    """The same bit by bit, where there is no instruction for it, or a slow one."""
    gathered, place = np.uint64(0), np.uint64(0)
    while mask != np.uint64(0):
        cell = mask & (~mask + np.uint64(1))
        if bits & cell != np.uint64(0):
            gathered |= np.uint64(1) << place
        place += np.uint64(1)
        mask ^= cell
    return gathered


def _extracts_bits() -> bool:
    """Whether the processor gathers bits in one step: x86 with BMI2, but for the first two Zens."""
    binding: Any = llvmlite.binding
    if binding.get_host_cpu_name() in ("znver1", "znver2"):
        return False
    return bool(binding.get_host_cpu_features().get("bmi2", False))


gather: Any = _extract if _extracts_bits() else _collect


@instruction
def _call_clock(typing: Any, address: Any, which: Any) -> Any:
    """Call `int clock(int which, int64 *pair)` at an address; return both numbers of the pair."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i32, i64 = ir.IntType(32), ir.IntType(64)
        alloca: Any = cgutils.alloca_once
        pair = alloca(builder, ir.ArrayType(i64, 2))
        kind = ir.FunctionType(i32, [i32, pair.type]).as_pointer()
        builder.call(builder.inttoptr(args[0], kind), [builder.trunc(args[1], i32), pair])
        return builder.load(pair)

    pair_type: Any = types.UniTuple
    return pair_type(types.int64, 2)(types.int64, types.int64), generate


def _system_clock() -> tuple[int, int, int]:
    """The address of the system's clocks, and the numbers of the monotonic and the thread's one.

    Kernels that keep a deadline read the clock themselves, and a constant address would not
    survive in the disk cache: it is an argument. Where the system has no `clock_gettime`, a
    function of Python stands in for it.
    """
    try:
        function: Any = ctypes.CDLL(None).clock_gettime
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
        return address, time.CLOCK_MONOTONIC, time.CLOCK_THREAD_CPUTIME_ID
    except (AttributeError, TypeError, OSError):
        return ctypes.cast(_python_clock, ctypes.c_void_p).value or 0, 0, 1


def _read_clock(which: int, pair: Any) -> int:
    now = time.thread_time_ns() if which else time.monotonic_ns()
    pair[0], pair[1] = divmod(now, 1_000_000_000)
    return 0


_ClockFunction = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int64))
_python_clock = _ClockFunction(_read_clock)


CLOCK_ADDRESS, CLOCK_KIND, THREAD_CLOCK = _system_clock()


@kernel
def nanoseconds(address: int, which: int) -> int:
    """What a clock shows: CLOCK_KIND that of `time.monotonic_ns`, THREAD_CLOCK the thread's own."""
    seconds, rest = _call_clock(address, which)
    return seconds * 1_000_000_000 + rest


@kernel
def is_past(address: int, deadline: int, cpu_deadline: int) -> bool:
    """Whether a deadline is over: on the monotonic clock, or on the thread's own; 0 is none."""
    if deadline != 0 and nanoseconds(address, CLOCK_KIND) >= deadline:
        return True
    return cpu_deadline != 0 and nanoseconds(address, THREAD_CLOCK) >= cpu_deadline
