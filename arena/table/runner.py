"""What a runner is given, what it reports, and what viewers see of its tables.

A runner plays the games of an agenda on worker processes: `LocalRunner` on this machine,
`DaskRunner` on the workers of a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from arena.bots.hosted import Terms
from arena.engine.errors import FaultReason
from arena.game.rules import Rules
from arena.table.channel import Thinking
from arena.table.game import Game
from arena.tournament.games import Player, ScheduledGame

LOADING = 600.0  # seconds: an engine whose kernels are not compiled yet may take minutes


@dataclass(frozen=True)
class Seating:
    """The players of a tournament, and what they are allowed."""

    rules: Rules
    players: tuple[Player, ...]
    terms: Terms = field(default_factory=Terms)  # what engines are allowed beside their limits
    max_plies: int | None = None
    solver: bool = False  # adjudicate games with the exact solver
    loading: float = LOADING  # seconds to build and warm up an engine
    broken: Mapping[int, PlayerChecked] = field(default_factory=dict)  # players that forfeit
    speed: float | None = None  # of the host, if limits were scaled by it

    @property
    def is_on_reference(self) -> bool:
        """Whether some limits depend on the speed of the host."""
        return any(player.limits.on is not None for player in self.players)

    def at_speed(self, speed: float) -> Seating:
        """The same players with their limits scaled to a host of this speed."""
        players = (replace(each, limits=each.limits.at_speed(speed)) for each in self.players)
        return replace(self, players=tuple(players), speed=speed)

    @cached_property
    def learners(self) -> frozenset[int]:
        """The players that learn from their games."""
        return frozenset(number for number, player in enumerate(self.players) if player.learns)


class GameOver(NamedTuple):
    """A game has ended at a table; it counts once it is in the journal."""

    table: int
    game: Game
    host: str | None = None  # None: this machine
    speed: float | None = None  # of that host, positions a second, where games depend on it


@dataclass(frozen=True, slots=True)
class TableLost:
    """A worker process was lost and replaced.

    `game` is the game an engine lost by it; `unplayed` is a game given up for this run, as its
    worker or an engine was killed too often. With neither, the game is played again.
    """

    table: int
    why: str
    game: int | None
    unplayed: int | None = None
    host: str | None = None  # of a cluster worker that is gone with all its tables


Event = GameOver | TableLost


def check_of(player: int) -> ScheduledGame:
    """The check of a player before game 1, handed out like a game; its number is negative."""
    return ScheduledGame(-1 - player, 0, player, player, (), 0)


def player_of(check: int) -> int:
    """The player whose check has this number."""
    return -1 - check


class Unplayed(NamedTuple):
    """A game is given up, as the process of an engine was killed or stopped by somebody else."""

    number: int
    why: str  # with the names of both players


@dataclass(frozen=True, slots=True)
class PlayerChecked:
    """The check of a player before game 1: it begins (`begun`), or it has ended."""

    player: int
    wrong: str | None  # a sentence; the engine's own lines of code may follow it
    begun: bool = False
    reason: FaultReason = "exception"  # of the games that it forfeits
    unchecked: str | None = None  # why it could not be checked, if the player is not to blame
    compiled: float = 0.0  # seconds spent on compiling the player's own code


class TableView(NamedTuple):
    """A table as viewers see it, on this machine or on a worker of a cluster."""

    number: int
    host: str = ""  # empty: this machine
    worker: str = ""  # its address in the cluster
    speed: float | None = None  # positions a second, where games depend on it
    game: ScheduledGame | None = None  # the current game, or the next one
    moves: bytes = b""
    thinking: Thinking | None = None  # None between two moves
