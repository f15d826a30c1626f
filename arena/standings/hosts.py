"""What each host has played, where the games depend on its speed.

Which games a host has played is an event of the journal, written before they are; the last word on
a game counts, as it may have been played again elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.engine.limits import REFERENCE
from arena.standings.moves import Timekeeping
from arena.table.game import Game

PLAYED_AT = "played at"  # the kind of such events


class Played(NamedTuple):
    """An event: which games were played on a host, and how fast it, or its worker, was."""

    host: str
    speed: int  # positions a second of a short standard search
    games: list[int]


@dataclass
class HostTimes:
    """A host: the speeds that were measured there, and how its games went by the clock."""

    name: str
    speeds: list[int] = field(default_factory=list)  # of its workers, or of several runs
    games: int = 0
    time: Timekeeping = field(default_factory=Timekeeping)


def played_at(host: str, speed: float, games: Iterable[int]) -> str:
    """The text of an event."""
    return json.dumps({"host": host, "speed": round(speed), "games": list(games)})


def _read(events: Iterable[str]) -> Iterator[Played]:
    for text in events:
        with suppress(ValueError):  # a journal from elsewhere
            match json.loads(text):
                case {"host": str(name), "speed": int(speed), "games": [*games]} if speed > 0:
                    yield Played(name, speed, [*map(int, games)])


class Hosts:
    """Which host played which game, from the texts of events; then fed with the games."""

    def __init__(self, events: Iterable[str]) -> None:
        self._hosts: dict[str, HostTimes] = {}
        self._places: dict[int, HostTimes] = {}
        for name, speed, games in _read(events):
            host = self._hosts.setdefault(name, HostTimes(name))
            if speed not in host.speeds:
                host.speeds.append(speed)
            self._places.update(dict.fromkeys(games, host))

    def add(self, games: Iterable[Game]) -> None:
        """Count games by their hosts."""
        if self._places:
            for game in games:
                if (host := self._places.get(game.number)) is not None:
                    host.games += 1
                    host.time.add(game)

    @property
    def times(self) -> tuple[HostTimes, ...]:
        """All hosts that have played, by their names."""
        return tuple(self._hosts[name] for name in sorted(self._hosts) if self._hosts[name].games)


def usual_speed(events: Iterable[str]) -> float:
    """The speed of a host that gives as much time as all these games had on the mean."""
    games, seconds = 0, 0.0
    for played in _read(events):
        games += len(played.games)
        seconds += len(played.games) / played.speed
    return games / seconds if games else REFERENCE
