"""How time was kept: who lost on it, whether the machine had time for all, and on which host.

Which games a host has played, where games depend on its speed, is an event of the journal, written
before they are; the last word on a game counts, as it may have been played again elsewhere.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.engine.limits import REFERENCE
from arena.table.game import Game

LONG = 0.001  # seconds of processor time: below that, clocks say little about a machine
BUSY = 1.25  # wall over processor time, from which on the machine was doing something else
WHY_LONG = "the machine was busy, or an engine waits for something other than a processor"
PLAYED_AT = "played at"  # the kind of such events


@dataclass
class Timekeeping:
    """Games lost on time by player, and the wall and processor time of all longer moves.

    Those are chosen by processor time: by wall time, a few interrupted moves of fast engines would
    speak for all.
    """

    losses: Counter[int] = field(default_factory=Counter)
    wall: float = 0.0
    cpu: float = 0.0

    def add(self, row: Game) -> None:
        """Count a game; called thousands of times a second, if need be."""
        if row.reason == "time":
            self.losses[row.second if row.result > 0 else row.first] += 1
        count = len(row.moves) - len(row.opening)
        if row.seconds < LONG or len(row.telemetry) < 8 * count:
            return
        times = array("f")
        times.frombytes(row.telemetry[: 8 * count])  # wall times of all moves, then the others
        for wall, cpu in zip(times[:count], times[count:], strict=True):
            if cpu >= LONG:
                self.add_moves(wall, cpu)

    def add_moves(self, wall: float, cpu: float) -> None:
        """Count longer moves."""
        self.wall += wall
        self.cpu += cpu

    @property
    def ratio(self) -> float | None:
        """Wall over processor time of the longer moves; None if there are none."""
        return self.wall / self.cpu if self.cpu else None

    @property
    def is_busy(self) -> bool:
        """Whether engines got noticeably less of the processor than of the clock."""
        return (self.ratio or 0.0) > BUSY

    def short(self) -> str:
        """In a few words: "3 time losses, wall/CPU 1.8"; empty if there is nothing to tell."""
        lost = self.losses.total()
        parts = [f"{lost} time loss{'' if lost == 1 else 'es'}"] if lost else []
        if self.ratio is not None:
            parts.append(f"wall/CPU {self.ratio:.1f}")
        return ", ".join(parts)

    def sentence(self, names: Sequence[str]) -> str:
        """In a sentence: how many games each player lost on time, and what the machine did."""
        lost = self.losses.total()
        games = "no game was" if not lost else "1 game was" if lost == 1 else f"{lost} games were"
        who = ", ".join(f"{names[player]} {count}" for player, count in self.losses.most_common())
        words = f"{games} lost on time" + (f" ({who})" if lost else "")
        if self.ratio is not None:
            words += f"; longer moves took {self.ratio:.2f} times their processor time"
        if self.is_busy:
            words += f": {WHY_LONG}"
        return words[0].upper() + words[1:]


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
