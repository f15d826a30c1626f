"""What goes over the pipe of a table: the tournament first, then games and checks, and answers."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.engine.contract import Limits
from arena.game.rules import Rules

LOADING = 600.0  # seconds: where nothing is compiled yet, that may take minutes


class Entrant(NamedTuple):
    """A player of the tournament: its name, and what it takes to build its engine."""

    name: str
    engine: str
    options: dict[str, Any]
    limits: Limits


@dataclass(frozen=True)
class Seating:
    """What a table needs to know of a tournament before its first game."""

    rules: Rules
    players: tuple[Entrant, ...]
    margin: float
    patience: float
    memory: int | None  # megabytes
    max_plies: int | None
    solver: bool = False  # whether games are adjudicated by it
    loading: float = LOADING  # seconds that an engine may take to get ready


@dataclass(frozen=True, slots=True)
class CheckPlayer:
    """Asks a table to build a player, warm it up and ask it for a move."""

    player: int


@dataclass(frozen=True, slots=True)
class PlayerChecked:
    """A player is being checked (begun), or has been: what was wrong, if anything."""

    player: int
    wrong: str | None
    begun: bool = False
    unchecked: str | None = None  # why it could not be checked, which is not its fault


@dataclass(frozen=True, slots=True)
class Skipped:
    """A game that was not begun because the table was halted."""

    number: int


def send(pipe: Any, message: object) -> None:
    """Send by the standard pickle: that of `multiprocess` takes anything, but takes its time."""
    pipe.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(pipe: Any) -> Any:
    """What was sent."""
    return pickle.loads(pipe.recv_bytes())
