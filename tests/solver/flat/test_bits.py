"""Patterns and bounds of a flat board against plain loops."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game.rules import Rules
from arena.solver.flat.bits import NO_BOUND, field_of
from tests.solver.flat.kernels import lead_bounds, patterns
from tests.support.retrograde import lines_of, solved

# Odd and even heights, one column, one row, lines of two to seven, boards that fill the word.
BOARDS = (
    "7x6", "8x7", "9x5", "5x4", "4x4c3", "3x3c3", "5x5c5", "7x3c2", "1x6", "6x1", "32x1c7", "4x15",
    "3x16c6", "10x5c3", "3x20", "2x31c3", "2x31", "3x19c3", "4x15c5", "5x11c6", "7x8c8", "1x61c3",
)  # fmt: skip


def bit(rules: Rules, x: int, z: int) -> int:
    """The bit of a cell."""
    return 1 << x * (rules.height + 1) + z


def cells_of(rules: Rules) -> list[int]:
    """The bits of all cells."""
    return [bit(rules, x, z) for x in range(rules.width) for z in range(rules.height)]


def last_cells(rules: Rules, word: int) -> int:
    """Cells that are all that some line lacks, or that lie on a whole one."""
    last = 0
    for line in lines_of(rules):
        for cell in cells_of(rules):
            if line & cell and line & ~word & ~cell == 0:
                last |= cell
    return last


@st.composite
def words(draw: st.DrawFn) -> tuple[Rules, int]:
    """Some cells of a board, with no regard for how discs fall."""
    rules = Rules.named(draw(st.sampled_from(BOARDS)))
    share, random = draw(st.sampled_from((0.2, 0.5, 0.8, 1.0))), Random(draw(st.integers(0, 10**6)))
    return rules, sum(cell for cell in cells_of(rules) if random.random() < share)


@st.composite
def stacks(draw: st.DrawFn) -> tuple[Rules, int, int]:
    """All discs as they lie on one another, and those of one player."""
    rules = Rules.named(draw(st.sampled_from(BOARDS)))
    random = Random(draw(st.integers(0, 10**6)))
    heights = [random.randint(0, rules.height) for _ in range(rules.width)]
    cells = [bit(rules, x, z) for x, height in enumerate(heights) for z in range(height)]
    return rules, sum(cells), sum(cell for cell in cells if random.random() < 0.6)


def found(rules: Rules, word: int) -> tuple[int, bool, int]:
    """What the kernels find: completing, has_line, over."""
    completing, line, above = patterns(np.uint64(word), field_of(rules))
    return int(completing), bool(line), int(above)


@given(words())
def test_lines(drawn: tuple[Rules, int]) -> None:
    rules, word = drawn
    assert found(rules, word)[1] == any(word & mask == mask for mask in lines_of(rules))


@given(stacks())
def test_completing_cells_of_discs_that_fell(drawn: tuple[Rules, int, int]) -> None:
    rules, discs, own = drawn
    free = sum(cells_of(rules)) ^ discs
    assert found(rules, own)[0] & free == last_cells(rules, own) & free


@given(words())
def test_over_is_all_that_lies_above(drawn: tuple[Rules, int]) -> None:
    rules, word = drawn
    above = 0
    for x in range(rules.width):
        seen = False
        for z in range(rules.height):
            above |= bit(rules, x, z) if seen else 0
            seen = seen or word & bit(rules, x, z) != 0
    assert found(rules, word)[2] == above


@pytest.mark.parametrize("name", BOARDS)
def test_no_line_runs_into_the_next_column(name: str) -> None:
    """All cells but one row: only lines that lie on the board are found."""
    rules = Rules.named(name)
    for z in range(rules.height):
        row = sum(bit(rules, x, z) for x in range(rules.width))
        expected = any(line & row == 0 for line in lines_of(rules))
        assert found(rules, sum(cells_of(rules)) ^ row)[1] == expected


# Odd and even heights, few and many columns, lines of two to four.
SMALL_BOARDS = (
    "3x3c3",
    "4x3c3",
    "5x3c3",
    "3x5c3",
    "4x4c3",
    "2x7",
    "6x2c3",
    "4x3c2",
    "5x3",
    "3x6",
    "4x4",
)


@pytest.mark.parametrize("name", SMALL_BOARDS)
def test_nobody_scores_more_than_the_bound(name: str) -> None:
    board = solved(name)
    bounds = lead_bounds(board.own, board.discs, field_of(board.rules))
    liars = np.flatnonzero(bounds < board.scores)
    assert not len(liars), f"{hex(board.own[liars[0]])} {hex(board.discs[liars[0]])}"


@pytest.mark.parametrize("name", ["3x5c3", "4x4c3", "4x4"])
def test_the_bound_often_says_something(name: str) -> None:
    """Draws and losses are among what it tells, and often it is the score itself."""
    board = solved(name)
    bounds = lead_bounds(board.own, board.discs, field_of(board.rules))
    said = bounds < NO_BOUND
    assert said.mean() > 0.05
    assert {-1, 0} <= set(bounds[said].tolist())
    assert (bounds == board.scores).mean() > 0.01
