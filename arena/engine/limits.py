"""Limits: how much an engine may use for one move."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from arena.errors import BadOption, suggestion
from arena.game.position import Position

COUNTS = ("depth", "nodes", "playouts")  # limits in whole numbers
TIMES = ("seconds", "clock", "increment", "cpu")  # limits in seconds
LIMITS = frozenset((*COUNTS, *TIMES))
ON = ("reference",)  # a host whose seconds may be meant
REFERENCE = 10_000_000.0  # positions a second of the exact solver (timing.py) on a usual core
MAX_COUNT = 10**15  # nodes, playouts or plies, with room to add in a machine word
MAX_SECONDS = 1e8  # three years
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
DURATION = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?\s*(?:ms|min|s|m|h)\s*)+")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one move; None: no limit. All may be combined."""

    depth: int | None = None  # plies, always
    nodes: int | None = None
    playouts: int | None = None
    seconds: float | None = None  # for this move, by the clock on the wall
    clock: float | None = None  # left for the rest of the game
    increment: float = 0.0  # added to the clock after each move
    cpu: float | None = None  # seconds of the processor for this move, however busy it is
    on: str | None = None  # "reference": seconds of the reference; a slower host gives more

    def __post_init__(self) -> None:
        for name in COUNTS:
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadOption(f"limit {name} is {value!r}; expected a whole number of at least 1")
            if value > MAX_COUNT:
                raise BadOption(f"limit {name} is {value:.3g}; expected at most {MAX_COUNT:.0e}")
        for name in TIMES:
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise BadOption(f"limit {name} is {value!r}; expected a number of seconds")
            if not 0 <= value < float("inf") or (value == 0 and name in ("seconds", "cpu")):
                raise BadOption(f"limit {name} is {value!r}; expected a positive number of seconds")
            if value > MAX_SECONDS:
                raise BadOption(f"limit {name} is {value:.3g}; expected at most {MAX_SECONDS:.0e}")
        if self.increment and self.clock is None:
            raise BadOption(
                "limit increment is set without a clock; expected clock=SECONDS beside it"
            )
        if self.on is not None and self.on not in ON:
            raise BadOption(f"limit on is {self.on!r}{suggestion(str(self.on), ON)}")
        if self.on is not None and not self.timed:
            words = "expected seconds, cpu or clock beside it"
            raise BadOption(f"limit on is {self.on!r}, but no time is limited; {words}")

    @classmethod
    def parse(cls, text: str) -> Limits:
        """Limits from words: "depth=6", "seconds=0.5 on=reference", "cpu=100ms", "clock=60+1"."""
        given: dict[str, Any] = {}
        names = [field.name for field in fields(cls)]
        for part in text.replace(",", " ").split():
            name, equals, value = part.partition("=")
            if not equals:
                raise BadOption(f"limit {part!r} has no value; expected NAME=VALUE, as in depth=6")
            if name not in names:
                raise BadOption(f"unknown limit {name!r}{suggestion(name, names)}")
            if name == "clock" and "+" in value:
                value, _, more = value.partition("+")
                given["increment"] = _number("increment", more)
            given[name] = value if name == "on" else _number(name, value)
        return cls(**given)

    def budget(self, position: Position) -> float | None:
        """Seconds for this move: the move's limit, or a share of the clock.

        A limit on processor time counts as one on wall time, so an engine with a single thread that
        keeps to these seconds keeps both limits.
        """
        wall = self.wall_budget(position)
        if wall is None or self.cpu is None:
            return self.cpu if wall is None else wall
        return min(wall, self.cpu)

    def wall_budget(self, position: Position) -> float | None:
        """The same without the limit on processor time."""
        if self.on is not None:
            raise BadOption(f"limits {self} are to be scaled by the host's speed before they count")
        if self.clock is None:
            return self.seconds
        moves_left = max(2, (position.rules.cells - position.ply + 1) // 2)
        share = self.clock / min(moves_left, 15) + 0.8 * self.increment
        share = max(0.001, min(share, 0.8 * self.clock))
        return share if self.seconds is None else min(share, self.seconds)

    def plies(self, position: Position, usual: int) -> int:
        """The depth to search: the depth limit, the rest of the game if nodes or time are limited,
        or else `usual`; never past the end of the game.
        """
        left = position.rules.cells - position.ply
        if self.depth is not None:
            return min(self.depth, left)
        return left if self.nodes is not None or self.timed else min(usual, left)

    def at_speed(self, speed: float) -> Limits:
        """These limits on a host of this speed, in positions a second.

        For seconds of the reference, a host that is half as fast gives twice as many.
        """
        if self.on is None:
            return self
        given = {name: getattr(self, name) for name in TIMES}
        scaled = {name: min(seconds * REFERENCE / speed, MAX_SECONDS)
                  for name, seconds in given.items() if seconds is not None}  # fmt: skip
        return replace(self, on=None, **scaled)

    @property
    def by_clock(self) -> bool:
        """Check whether wall time is limited, of which a busy machine takes a share."""
        return self.seconds is not None or self.clock is not None

    @property
    def timed(self) -> bool:
        """Check whether any time is limited."""
        return self.by_clock or self.cpu is not None

    def __str__(self) -> str:
        parts = [
            f"{field.name}={_exactly(getattr(self, field.name))}"
            for field in fields(self)
            if getattr(self, field.name) and field.name not in ("clock", "increment", "on")
        ]
        if self.clock is not None:
            parts.append(f"clock={_exactly(self.clock)}+{_exactly(self.increment)}")
        if self.on is not None:
            parts.append(f"on={self.on}")
        return " ".join(parts) or "no limit"


def _exactly(value: float) -> str:
    """A number that reads back as it is: 10000000, 0.5, 60."""
    return str(int(value)) if value == int(value) else repr(value)


def read_duration(text: str) -> float | None:
    """A time with units, such as 100ms or 1h 30m, in seconds; None of any other text."""
    if not DURATION.fullmatch(text.strip()):
        return None
    parts = re.findall(r"([0-9.]+)\s*(ms|min|s|m|h)", text)
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def _number(name: str, text: str) -> float:
    try:
        if name in COUNTS:
            return int(text)
        seconds = read_duration(text)
        return float(text) if seconds is None else seconds
    except ValueError:
        words = "a whole number" if name in COUNTS else "a number of seconds, or a time as 100ms"
        raise BadOption(f"limit {name} is {text!r}; expected {words}") from None


FEW = Limits(depth=2, nodes=100, playouts=10, seconds=0.1)  # for a quick first move


def counts_in(options: Mapping[str, str]) -> dict[str, Any]:
    """The options of an engine that are also names of limits, such as depth."""
    given = {name: options[name] for name in COUNTS if options.get(name, "").isdecimal()}
    return {name: int(text) for name, text in given.items() if int(text)}
