"""What is settled before a game begins: who plays, at which level, where, and how fast."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import PurePath

from arena.engine.contract import Engine, Limits
from arena.engine.errors import build_engine
from arena.engine.levels import MEDIUM, PERFECT
from arena.engine.registry import engine_words, join_words
from arena.errors import BadOption
from arena.game.rules import CONNECT4, Rules
from arena.human.levels import AS_IT_IS, SUITED, grade, limited, perfect_engine, suited

HUMAN = "human"
COUNTED = ("depth", "playouts")  # options of engines that are limits too
LONGEST = 24 * 60  # minutes
NO_CLOCK = ("", "none", "no", "no clock", "untimed")
LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)(?:\s*(?:a|per)\s*(?:turn|move)|\s*in all)?")
SECONDS = ("s", "sec", "secs", "second", "seconds")
MINUTES = ("m", "min", "mins", "minute", "minutes")


@dataclass(frozen=True, slots=True)
class TimeControl:
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
    def parse(cls, text: str) -> TimeControl:
        """A time in words: "none", "10 s", "5 min", "10 s 5 min"."""
        words = " ".join(text.lower().replace(",", " ").split())
        if words in NO_CLOCK:
            return cls()
        lengths = list(LENGTH.finditer(words))
        if not lengths or LENGTH.sub("", words).strip():
            raise BadOption(f"{text.strip()!r} is not a time; expected none, 10 s or 5 min")
        given: dict[str, float] = {}
        for number, unit in (length.groups() for length in lengths):
            kind = "seconds" if unit in SECONDS else "minutes" if unit in MINUTES else None
            if kind is None or kind in given:
                raise BadOption(f"{number} what? Say {number} s for a turn or {number} min in all")
            given[kind] = float(number)
        return cls(**given)

    @property
    def limits(self) -> Limits:
        """What an engine is given."""
        return Limits(
            seconds=self.seconds, clock=None if self.minutes is None else 60 * self.minutes
        )

    @property
    def short(self) -> str:
        """As one would type it: "10 s 5 min", or "none"."""
        return " ".join(self._lengths("s", "min")) or "none"

    def __str__(self) -> str:
        return ", ".join(self._lengths("s a turn", "min in all")) or "no clock"

    def _lengths(self, turn: str, game: str) -> list[str]:
        given = ((self.seconds, turn), (self.minutes, game))
        return [f"{length:g} {unit}" for length, unit in given if length is not None]


@dataclass(frozen=True)
class Participant:
    """A player at the board; a person has no engine."""

    name: str
    engine: Engine | None = None
    words: str = ""  # what builds the engine again

    @property
    def is_person(self) -> bool:
        """Whether somebody has to be asked."""
        return self.engine is None


@dataclass(frozen=True)
class Setup:
    """The answers to all questions of the menu.

    The first side is yours, or the engine that was named first where two engines play.
    """

    sides: tuple[str, str] = (HUMAN, SUITED)  # a person, the suited engine, or words for one
    levels: tuple[str, str] = (MEDIUM, MEDIUM)
    names: tuple[str, str] = ("Player", "Guest")  # of people; engines are called what they are
    seat: int | None = 0  # of the first side: 0 moves first; None: by chance
    rules: Rules = CONNECT4
    time_control: TimeControl = TimeControl()

    @property
    def people(self) -> int:
        """How many people play."""
        return self.sides.count(HUMAN)

    def with_side(
        self,
        which: int,
        side: str | None = None,
        level: str | None = None,
        name: str | None = None,
    ) -> Setup:
        """Another player, level or name on one side."""
        return replace(
            self,
            sides=_put(self.sides, which, side),
            levels=_put(self.levels, which, level),
            names=_put(self.names, which, name),
        )

    def participant(self, which: int) -> Participant:
        """A side at the board: a person, or an engine that plays its level."""
        if self.sides[which] == HUMAN:
            return Participant(self.names[which])
        return engine_participant(self.sides[which], self.levels[which], self.rules)


def _put(pair: tuple[str, str], which: int, word: str | None) -> tuple[str, str]:
    if word is None:
        return pair
    return (pair[0], word) if which else (word, pair[1])


def board_name(rules: Rules) -> str:
    """A board as people call it: 7x6, or with its line where that is not four: 5x4c3."""
    return rules.size if rules.connect == 4 else f"{rules.size}c{rules.connect}"


def engine_participant(words: str, level: str, rules: Rules) -> Participant:
    """An engine by its words, "mcts c=0.7" or the suited one, held back to a level."""
    if words.partition(" ")[0] == SUITED:
        words = suited(level, rules.is_flat)
    name, *given = engine_words(words)
    at_level = grade(name, level, rules.is_flat)
    options = [f"{option}={value}" for option, value in at_level.options.items()]
    whole = join_words([name, *options, *given])
    engine = build_engine(whole)
    most = Limits() if level == AS_IT_IS else _most(engine, at_level.seconds)
    return Participant(displayed_name(words, level), limited(engine, at_level.slips, most), whole)


def _most(engine: Engine, seconds: float | None) -> Limits:
    """The most that an engine of a level may use.

    Many engines take all the time there is and mind their own depth or playouts only where no
    time is given; as limits, these hold with a clock too.
    """
    settings = engine.settings()
    counts = {
        name: value
        for name in COUNTED
        if isinstance(value := settings.get(name), int) and value > 0
    }
    return Limits(seconds=seconds, **counts)


def displayed_name(words: str, level: str) -> str:
    """What an engine is called: its words without directories, and its level."""
    name, *given = engine_words(words)
    obvious = level == AS_IT_IS or (level == PERFECT and name == perfect_engine())
    tail = [] if obvious else [level]
    return " ".join([PurePath(name).name, *given, *tail])
