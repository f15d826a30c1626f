"""Bounds that need no search, on every position of small boards: they never lie."""

from __future__ import annotations

import numpy as np
import pytest

from arena.solver.flat.bits import NO_BOUND, field_of
from tests.solver.flat.kernels import lead_bounds
from tests.support.retrograde import solved

# Odd and even heights, few and many columns, lines of two to four.
BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "2x7", "6x2c3", "4x3c2", "5x3", "3x6", "4x4")


@pytest.mark.parametrize("name", BOARDS)
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
