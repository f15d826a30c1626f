"""A question that a tournament is played for: are some of its engines better than others?

It decides no game. The report answers it before anything else: see `standings/question.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Question:
    """What is asked, and the names of the players on both sides."""

    ask: str
    better: tuple[str, ...]
    than: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """In how many ways one of each side can be held against each other."""
        return len(self.better) * len(self.than)

    def plain(self) -> dict[str, Any]:
        """All of it as JSON holds it."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}


def read_question(data: Mapping[str, Any] | None, players: Sequence[str]) -> Question | None:
    """The question that `plain` wrote down; None without one, or if it is not about these players.

    A journal may come from elsewhere.
    """
    match data:
        case {"ask": str(ask), "better": [*better], "than": [*than]}:
            sides = better, than
            if all(side and all(name in players for name in side) for side in sides):
                return Question(ask, tuple(better), tuple(than))
    return None
