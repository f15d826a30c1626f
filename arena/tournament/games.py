"""Players, and games to be played and played: what workers know of a tournament.

Nothing here imports pydantic, which would take a third of the time that a worker needs to start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.bots.find import learns
from arena.engine.contract import Limits

STAND_IN = "random"  # the engine in a student's place while there is none


@dataclass(frozen=True)
class Player:
    """A contestant: an engine with its options and limits, under a name of its own.

    A file in `engine` is named in full, and weights from a file stand in `options` themselves, so
    that a player can be built anywhere on this machine.
    """

    name: str
    engine: str
    options: dict[str, Any]
    limits: Limits
    isolated: bool = True  # code that is not ours runs in a process of its own
    broken: str = ""  # why it cannot play, where that is known and it loses its games for it
    is_student: bool = field(default=False, compare=False)  # of a grading file

    @property
    def learns(self) -> bool:
        """Whether its engine learns from its games."""
        return not self.broken and learns(self.engine)


class ScheduledGame(NamedTuple):
    """A game to be played: its number and round, from 1, the players as places in the line-up.

    `first` moves first, after the columns of the opening; the seed is for the engines.
    """

    number: int
    round: int
    first: int
    second: int
    opening: tuple[int, ...]
    seed: int


class GameResult(NamedTuple):
    """How a game ended: 1 if the player who moved first won, 0 for a draw, -1 if he lost."""

    number: int
    round: int
    first: int
    second: int
    result: int
    opening: bytes = b""
    moves: bytes | None = None  # None: not known
