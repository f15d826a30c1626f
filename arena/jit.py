"""Compile kernels: one decorator, a few machine instructions, and the system's clock."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from arena.kernel_cache import CACHE, KernelCache

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function on scalars and arrays at its first call, and cache it on disk."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    if hasattr(compiled, "py_func"):  # Numba is not switched off
        compiled.get_call_template = partial(_ignore_literals, compiled.get_call_template)
        if CACHE is not None:
            compiled._cache = KernelCache(compiled.py_func, CACHE)
    return compiled


def _ignore_literals(resolve: Any, args: Any, keywords: Any) -> Any:
    """Resolve a call from another kernel as if no argument were a literal, as 5 is in `f(x, 5)`.

    Numba would compile a form for literals alone; one of a kernel that calls itself is incomplete
    in the cache, and a call of it ends the process.
    """
    plain: Any = types.unliteral
    return resolve(tuple(map(plain, args)), {k: plain(kind) for k, kind in keywords.items()})


def inlined(function: F) -> F:
    """A kernel that is copied to each call, where constant arguments are folded."""
    compiled: Any = numba.njit(inline="always", error_model="numpy")(function)
    return compiled


def instruction(generate: Callable[..., Any]) -> Any:
    """Let kernels call a function that generates machine code."""
    return intrinsic(generate)


@instruction
def popcount(typing: Any, bits: Any) -> Any:
    """The number of bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@instruction
def lowest(typing: Any, bits: Any) -> Any:
    """The index of the lowest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@instruction
def bit_length(typing: Any, bits: Any) -> Any:
    """The number of bits that a number needs; 0 for 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        leading = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), leading)

    return types.int64(types.uint64), generate


def _access(number: Any, word: Any) -> tuple[Any, Any]:
    """Instructions to read and to write an array at an address, without reference counting."""

    @instruction
    def read(typing: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_pointer(builder, word, args))

        return number(types.int64, types.int64), generate

    @instruction
    def write(typing: Any, address: Any, index: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], _pointer(builder, word, args))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, number), generate

    return read, write


def _pointer(builder: Any, word: Any, args: Any) -> Any:
    """A pointer into an array of words, by the array's address and an index."""
    return builder.gep(builder.inttoptr(args[0], word.as_pointer()), [args[1]])


read_word, write_word = _access(types.uint64, ir.IntType(64))
read_float, write_float = _access(types.float32, ir.FloatType())


@instruction
def prefetch(typing: Any, address: Any, index: Any) -> Any:
    """Fetch a word into the processor's cache, without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i32, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        word = builder.bitcast(_pointer(builder, ir.IntType(64), args), pointer)
        hint = ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32])
        insert: Any = cgutils.get_or_insert_function
        function = insert(builder.module, hint, "llvm.prefetch.p0")
        builder.call(function, [word, i32(0), i32(3), i32(1)])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@instruction
def _extract(typing: Any, bits: Any, mask: Any) -> Any:
    """The instruction of x86 processors for `gather`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        insert: Any = cgutils.get_or_insert_function
        kind = ir.FunctionType(i64, [i64, i64])
        return builder.call(insert(builder.module, kind, "llvm.x86.bmi.pext.64"), args)

    return types.uint64(types.uint64, types.uint64), generate


@inlined
def _collect(bits: np.uint64, mask: np.uint64) -> np.uint64:
    """The same bit by bit, for processors without the instruction or with a slow one."""
    gathered, place = np.uint64(0), np.uint64(0)
    while mask != np.uint64(0):
        cell = mask & (~mask + np.uint64(1))
        if bits & cell != np.uint64(0):
            gathered |= np.uint64(1) << place
        place += np.uint64(1)
        mask ^= cell
    return gathered


def _extracts_bits() -> bool:
    """Check for a fast instruction to gather bits: x86 with BMI2, except the first two Zens."""
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


def _clock_address() -> int:
    """The address of the system's `clock_gettime`.

    Kernels that keep a deadline call it. The address is an argument, as a constant would be wrong
    in another process that loads the kernel from disk.
    """
    clock: Any = ctypes.CDLL(None).clock_gettime
    return ctypes.cast(clock, ctypes.c_void_p).value or 0


CLOCK_ADDRESS = _clock_address()
CLOCK_KIND, THREAD_CLOCK = time.CLOCK_MONOTONIC, time.CLOCK_THREAD_CPUTIME_ID


@kernel
def nanoseconds(address: int, which: int) -> int:
    """Read a clock: CLOCK_KIND is that of `time.monotonic_ns`, THREAD_CLOCK the thread's."""
    seconds, rest = _call_clock(address, which)
    return seconds * 1_000_000_000 + rest


@kernel
def is_past(address: int, deadline: int, cpu_deadline: int) -> bool:
    """Check whether a deadline of the monotonic or the thread's clock is over; 0 is none."""
    if deadline != 0 and nanoseconds(address, CLOCK_KIND) >= deadline:
        return True
    return cpu_deadline != 0 and nanoseconds(address, THREAD_CLOCK) >= cpu_deadline
