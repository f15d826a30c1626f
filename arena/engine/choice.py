"""An engine's answer to one question."""

from __future__ import annotations

from dataclasses import dataclass


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
