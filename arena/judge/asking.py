"""Who can be asked for exact scores, and how much an answer may cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from arena.game.position import Position


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one question may cost: so many nodes, and not beyond a moment; None is no limit.

    Time is the processor's, of all threads together: what can be proven in it does not depend on
    who else uses the machine.
    """

    nodes: int | None = None
    until: float | None = None  # of `time.process_time`
    waiting: Callable[[], None] = field(default=lambda: None, compare=False)  # while it lasts

    @classmethod
    def of(
        cls,
        seconds: float | None,
        nodes: int | None = None,
        waiting: Callable[[], None] = lambda: None,
    ) -> Allowance:
        """So many seconds from now for all questions together, so many nodes for each."""
        return cls(nodes, None if seconds is None else time.process_time() + seconds, waiting)

    @property
    def seconds(self) -> float | None:
        """What is left of the time."""
        return None if self.until is None else max(0.0, self.until - time.process_time())

    @property
    def is_over(self) -> bool:
        """Whether the time has run out, for this question and all others."""
        return self.until is not None and time.process_time() >= self.until

    def with_nodes(self, nodes: int | None) -> Allowance:
        """The same time, other nodes."""
        return replace(self, nodes=nodes)


class Judge(Protocol):
    """Gives exact scores, seen from the player to move, or None where none could be proven."""

    def score(self, position: Position, allowed: Allowance) -> int | None:
        """What a position is worth; also of a game that is over."""

    def beats(self, position: Position, score: int, allowed: Allowance) -> bool | None:
        """Whether a position is worth more than a score, which is often far cheaper to tell."""

    def partner(self) -> Judge | None:
        """Another one, to be asked at the same time by another thread; None: there is no other."""
        return None
