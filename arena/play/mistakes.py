"""The mistakes of engines, each told once with how often it happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arena.engine.errors import read_last_words

MOST_KINDS = 1000  # kept apart; what comes later is counted with the last
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass
class Mistake:
    """Something that went wrong, once or several times in the same way."""

    detail: str  # as it was told the first time
    trace: str  # the engine's own frames, where there are some
    first: int  # the game in which it happened first
    count: int = 0

    @property
    def is_new(self) -> bool:
        """Whether it has happened but once."""
        return self.count == 1

    @property
    def is_worth_telling(self) -> bool:
        """Whether the count is 1, 2, 5, 10, 20, 50 and so on: the more often, the less news."""
        return str(self.count).rstrip("0") in ("1", "2", "5")

    @property
    def again(self) -> str:
        """That it is known already, with the count; nothing when it is new."""
        return "" if self.is_new else f"the same as in game {self.first}, {self.count} times now"


class Mistakes:
    """Counts mistakes; two are the same if they differ in nothing but numbers."""

    def __init__(self) -> None:
        self.kinds: dict[tuple[str, str], Mistake] = {}

    def add(self, game: int, detail: str, log: str = "") -> Mistake:
        """Count a mistake, and tell how it stands with it now; the log may hold a trace."""
        trace = read_last_words(log)[0]
        key = _kind(detail, trace)
        if key not in self.kinds and len(self.kinds) >= MOST_KINDS:
            key = next(reversed(self.kinds))
        mistake = self.kinds.setdefault(key, Mistake(detail, trace, game))
        mistake.count += 1
        return mistake

    def __iter__(self) -> Iterator[Mistake]:
        """All of them, the most frequent first."""
        return iter(sorted(self.kinds.values(), key=lambda mistake: -mistake.count))

    def __len__(self) -> int:
        """How many kinds there are."""
        return len(self.kinds)


def _kind(detail: str, trace: str) -> tuple[str, str]:
    """What is the same for mistakes of one kind: the frames, or the words without the numbers."""
    who, _, what = detail.partition(": ")
    frames, _, said = trace.rpartition("\n")
    if frames:
        return who, f"{frames}\n{said.partition(':')[0]}"
    return who, NUMBER.sub("#", what or who)
