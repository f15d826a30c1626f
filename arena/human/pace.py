"""The time of a game with people in it: none, seconds a turn, minutes in all, or both."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.engine.contract import Limits
from arena.errors import BadOption

LONGEST = 24 * 60  # minutes
NONE = ("", "none", "no", "no clock", "untimed")
PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)(?:\s*(?:a|per)\s*(?:turn|move)|\s*in all)?")
SECONDS = ("s", "sec", "secs", "second", "seconds")
MINUTES = ("m", "min", "mins", "minute", "minutes")


@dataclass(frozen=True, slots=True)
class Pace:
    """How long each side may think: over a turn, and over the whole game."""

    seconds: float | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        for name, value, most in (
            ("seconds a turn", self.seconds, 60 * LONGEST),
            ("minutes in all", self.minutes, LONGEST),
        ):
            if value is not None and not 0 < value <= most:
                raise BadOption(f"{value:g} {name}: expected more than 0 and at most {most:g}")

    @classmethod
    def parse(cls, text: str) -> Pace:
        """A time in words: "none", "10 s", "5 min", "10 s 5 min"."""
        words = " ".join(text.lower().replace(",", " ").split())
        if words in NONE:
            return cls()
        parts = list(PART.finditer(words))
        if not parts or PART.sub("", words).strip():
            raise BadOption(f"{text.strip()!r} is not a time; expected none, 10 s or 5 min")
        found: dict[str, float] = {}
        for number, unit in (part.groups() for part in parts):
            kind = "seconds" if unit in SECONDS else "minutes" if unit in MINUTES else None
            if kind is None or kind in found:
                raise BadOption(f"{number} what? Say {number} s for a turn or {number} min in all")
            found[kind] = float(number)
        return cls(**found)

    @property
    def limits(self) -> Limits:
        """The same for an engine."""
        return Limits(
            seconds=self.seconds, clock=None if self.minutes is None else 60 * self.minutes
        )

    def __str__(self) -> str:
        parts = [f"{self.seconds:g} s a turn"] if self.seconds is not None else []
        parts += [f"{self.minutes:g} min in all"] if self.minutes is not None else []
        return ", ".join(parts) or "no clock"


UNTIMED = Pace()
