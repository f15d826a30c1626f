"""Kernels: machine instructions, clocks, and the public names."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import arena.kernels
from arena.jit import (
    CLOCK_ADDRESS,
    CLOCK_KIND,
    THREAD_CLOCK,
    is_past,
    kernel,
    lowest,
    nanoseconds,
    popcount,
)


@kernel
def count_bits(word: np.uint64) -> int:
    return popcount(word)  # type: ignore[no-any-return]  # an instruction has no static type


@kernel
def lowest_bit(word: np.uint64) -> int:
    return lowest(word)  # type: ignore[no-any-return]


@given(st.integers(0, 2**64 - 1))
def test_popcount_counts_the_bits_that_are_set(word: int) -> None:
    assert count_bits(np.uint64(word)) == bin(word).count("1")


@given(st.integers(1, 2**64 - 1))
def test_lowest_is_the_number_of_trailing_zeros(word: int) -> None:
    text = bin(word)
    assert lowest_bit(np.uint64(word)) == len(text) - len(text.rstrip("0"))


def test_the_clock_of_the_kernels_is_the_monotonic_clock() -> None:
    nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)  # compiled before it is timed
    for _ in range(5):
        before = time.monotonic_ns()
        told = nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)
        assert before <= told <= time.monotonic_ns()


def test_the_clock_of_the_thread_counts_its_own_work_alone() -> None:
    before = time.thread_time_ns()
    told = nanoseconds(CLOCK_ADDRESS, THREAD_CLOCK)
    assert before <= told <= time.thread_time_ns()


def test_a_deadline_is_past_on_either_clock_and_0_is_none() -> None:
    wall, cpu = time.monotonic_ns(), time.thread_time_ns()
    far = 10**15
    assert not is_past(CLOCK_ADDRESS, 0, 0)
    assert not is_past(CLOCK_ADDRESS, wall + far, cpu + far)
    assert is_past(CLOCK_ADDRESS, wall, 0)
    assert is_past(CLOCK_ADDRESS, 0, cpu)
    assert is_past(CLOCK_ADDRESS, wall + far, cpu)
    assert is_past(CLOCK_ADDRESS, wall, cpu + far)


NAMES = {
    "board_of", "child", "completes", "drop", "has_line", "kernel", "landing", "lowest",
    "next_random", "out_of_budget", "popcount", "root", "weights_of", "win_value", "winning_disc",
}  # fmt: skip


def test_the_public_names_of_kernels_and_their_introduction() -> None:
    assert set(arena.kernels.__all__) == NAMES
    assert all(name in (arena.kernels.__doc__ or "") for name in NAMES)
