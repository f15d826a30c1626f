"""What a journal knows besides its games: the tournament, its line-up, and the runs so far."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from arena.errors import UnknownName
from arena.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Contestant:
    """One of the line-up: its display name, and what it takes to build it again."""

    name: str
    engine: str
    options: dict[str, Any]
    limits: str


@dataclass(frozen=True)
class Header:
    """The tournament that a journal belongs to."""

    name: str
    game: str  # `Rules.named` reads it
    seed: int
    spec_text: str  # the tournament file, word for word
    canonical: dict[str, Any]  # what it says, with all defaults
    fingerprint: str  # of what decides the games
    players: tuple[Contestant, ...]
    environment: dict[str, Any]
    created: float  # seconds since 1970

    @cached_property
    def rules(self) -> Rules:
        """The board that is played on."""
        return Rules.named(self.game)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The display names of the line-up."""
        return tuple(player.name for player in self.players)

    def player(self, name: str) -> int:
        """The number of a player in the line-up."""
        if name not in self.names:
            raise UnknownName("player", name, self.names)
        return self.names.index(name)

    def plain(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data["players"] = [
            {field.name: getattr(player, field.name) for field in fields(player)}
            for player in self.players
        ]
        return dict(plain(data))


@dataclass(frozen=True, slots=True)
class Session:
    """One run of the tournament; one that was killed has no end."""

    command: str
    workers: int
    environment: dict[str, Any]
    started: float
    ended: float | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened besides a game: a table lost, a run interrupted."""

    at: float
    kind: str
    text: str


def plain(data: Any) -> Any:
    """Data as JSON gives it back: lists for tuples, words for what it does not know."""
    return json.loads(json.dumps(data, default=str))
