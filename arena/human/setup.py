"""What has to be known before a game begins: who plays, at which level, where, and how fast."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.engine.levels import MEDIUM
from arena.game.rules import CONNECT4, Rules
from arena.human.levels import SUITED
from arena.human.pace import UNTIMED, Pace

HUMAN = "human"
Two = tuple[str, str]


@dataclass(frozen=True)
class Setup:
    """The answers to all questions of the menu.

    The first side is yours, or the engine that was named first where two engines play.
    """

    sides: Two = (HUMAN, SUITED)  # a person, the engine that suits the level, or words for one
    levels: Two = (MEDIUM, MEDIUM)
    names: Two = ("Player", "Guest")  # of people; engines are called what they are
    seat: int | None = 0  # of the first side: 0 moves first; None: by chance
    rules: Rules = CONNECT4
    pace: Pace = UNTIMED

    @property
    def people(self) -> int:
        """How many people play."""
        return self.sides.count(HUMAN)

    def with_side(self, which: int, side: str) -> Setup:
        """The same with another player on a side."""
        return replace(self, sides=_put(self.sides, which, side))

    def with_level(self, which: int, level: str) -> Setup:
        """The same with another level for a side."""
        return replace(self, levels=_put(self.levels, which, level))

    def with_name(self, which: int, name: str) -> Setup:
        """The same with another name for a side."""
        return replace(self, names=_put(self.names, which, name))


def _put(pair: Two, which: int, word: str) -> Two:
    return (pair[0], word) if which else (word, pair[1])
