"""Who sits at the tables of a tournament, and on which terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from arena.bots.hosted import START, Terms
from arena.game.rules import Rules
from arena.tournament.schedule import Player

LOADING = 600.0  # seconds: where nothing is compiled yet, that may take minutes


@dataclass(frozen=True)
class Seating:
    """What a table needs to know of a tournament before its first game."""

    rules: Rules
    players: tuple[Player, ...]
    margin: float
    patience: float
    memory: int | None  # megabytes
    max_plies: int | None
    solver: bool = False  # whether games are adjudicated by it
    loading: float = LOADING  # seconds that an engine may take to get ready
    start: float = START  # the same for one that is not ours, compiling not counted
    broken: Mapping[int, str] = field(default_factory=dict)  # who cannot play, with lines
    speed: float | None = None  # of the host, if limits were scaled by it

    @property
    def terms(self) -> Terms:
        """What is allowed to engines in processes of their own."""
        return Terms(self.start, self.patience, self.margin, self.memory)

    @property
    def is_on_reference(self) -> bool:
        """Whether some limits depend on the speed of the host."""
        return any(player.limits.on is not None for player in self.players)

    def at_speed(self, speed: float) -> Seating:
        """The same on a host of this speed: everybody with the time that it gives."""
        players = (replace(each, limits=each.limits.at_speed(speed)) for each in self.players)
        return replace(self, players=tuple(players), speed=speed)

    @cached_property
    def learners(self) -> frozenset[int]:
        """The players who learn from their games."""
        return frozenset(place for place, player in enumerate(self.players) if player.learns)
