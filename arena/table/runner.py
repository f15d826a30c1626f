"""What a run asks of whoever owns the tables, here or on other machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.table.grace import Grace
from arena.table.local import Event
from arena.table.table_process import PlayerChecked
from arena.tournament.agenda import Agenda


@dataclass(frozen=True, slots=True)
class PlayedAt:
    """Which games that depend on a host's speed were played there; they follow one by one."""

    host: str
    speed: float  # positions a second of a short standard search
    games: tuple[int, ...]


class Runner(Protocol):
    """Checks the players, plays an agenda to its end, and clears everything away."""

    grace: Grace
    hopeless: str | None  # why no game can be played any more

    def check(self, forfeit: bool = False) -> Iterator[PlayerChecked]:
        """Build, warm up and ask every player once, before the first game."""

    def play(self, agenda: Agenda) -> Iterator[Sequence[Event | PlayedAt]]:
        """Play until the agenda is empty or `stop` was called, telling what happens.

        What has happened at the same time is told at once: its games may share a commit.
        """

    def stop(self) -> None:
        """Begin no further game; those on the tables are finished."""

    def close(self) -> None:
        """Clear all tables away, whatever they are doing."""
