"""Answers of engines: a Choice, and how to read one with care, as others may answer anything."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from operator import index
from reprlib import repr as short_repr
from typing import Any

from arena.errors import IllegalMove


@dataclass(slots=True)  # not frozen, which would take four times as long
class Choice:
    """An engine's answer: a column, and what it knows about it; the rest stays None.

    The score is in the engine's own units, positive when it likes its position.
    """

    column: int
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[int, ...] | None = None  # the moves it expects, its own first


def read_column(choice: Any) -> int:
    """The column of an answer, or STEAL; anything that is not a whole number is an illegal move."""
    if not isinstance(choice, Choice):
        raise IllegalMove(f"answered {short_repr(choice)} where a Choice is expected")
    column = choice.column
    if type(column) is int:
        return column
    try:
        if not isinstance(column, bool):
            return index(column)
    except TypeError:
        pass
    raise IllegalMove(f"answered column {short_repr(column)}, which is not a whole number")


def read_score(score: Any) -> float | None:
    """A score as a number; None if it is none, or not finite."""
    try:
        return float(score) if isfinite(score) else None
    except (TypeError, ValueError, OverflowError):
        return None


def read_count(count: Any) -> int | None:
    """A depth or a number of nodes; None if it is neither."""
    try:
        return index(count)
    except TypeError:
        return None
