"""What each host of a cluster has played, where the games depend on its speed.

Which games a host has played is an event of the journal, written before they are; the last word on
a game counts, as it may have been played again elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from arena.play.record import GameRow
from arena.standings.moves import Timekeeping

PLAYED_AT = "played at"  # the kind of such events


@dataclass
class HostTimes:
    """A host: its speed when it was entered last, and how its games went by the clock."""

    name: str
    speed: float  # positions a second of a short standard search
    games: int = 0
    time: Timekeeping = field(default_factory=Timekeeping)


def played_at(host: str, speed: float, games: Iterable[int]) -> str:
    """The text of an event."""
    return json.dumps({"host": host, "speed": round(speed), "games": list(games)})


def host_times(events: Iterable[str], rows: Iterable[GameRow]) -> tuple[HostTimes, ...]:
    """All hosts by their names, from the texts of events and the games; without events none."""
    hosts: dict[str, HostTimes] = {}
    places: dict[int, HostTimes] = {}
    for text in events:
        with suppress(ValueError):  # a journal from elsewhere
            match json.loads(text):
                case {"host": str(name), "speed": int(speed), "games": [*games]}:
                    host = hosts.setdefault(name, HostTimes(name, speed))
                    host.speed = speed
                    places.update(dict.fromkeys(map(int, games), host))
    if places:
        for row in rows:
            if row.number in places:
                places[row.number].games += 1
                places[row.number].time.add(row)
    return tuple(hosts[name] for name in sorted(hosts) if hosts[name].games)
