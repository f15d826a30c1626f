"""Who sits at the board: a person, or an engine at a level, ready to play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from arena.engine.contract import Engine, Limits
from arena.engine.errors import build_engine
from arena.engine.levels import MEDIUM, PERFECT
from arena.engine.registry import engine_words, find, join_words, names
from arena.game.rules import Rules
from arena.human.graded import graded
from arena.human.levels import AS_IT_IS, SOLVER, SUITED, grade, suited


@dataclass(frozen=True)
class Seat:
    """A player at the board; a person has no engine."""

    name: str
    engine: Engine | None = None
    words: str = ""  # what builds the engine again

    @property
    def is_person(self) -> bool:
        """Whether somebody has to be asked."""
        return self.engine is None


def engine_seat(words: str, level: str, rules: Rules) -> Seat:
    """An engine by its words, "mcts c=0.7" or the suited one, held back to a level."""
    if words.partition(" ")[0] == SUITED:
        words = suited(level, rules.is_flat)
    name, *given = engine_words(words)
    found = grade(find(name), level, rules.is_flat)
    options = [f"{option}={value}" for option, value in found.options.items()]
    whole = join_words([name, *options, *given])
    engine = build_engine(whole)
    most = Limits() if level == AS_IT_IS else bounds(engine, found.seconds)
    return Seat(shown_name(words, level), graded(engine, found.slips, most), whole)


def bounds(engine: Engine, seconds: float | None) -> Limits:
    """The most that an engine of a level may use.

    Many engines take all the time there is and mind their own depth or playouts only where no
    time is given; as limits, these hold with a clock too.
    """
    settings = engine.settings()
    counts = {
        name: value
        for name in ("depth", "playouts")
        if isinstance(value := settings.get(name), int) and value > 0
    }
    return Limits(seconds=seconds, **counts)


def shown_name(words: str, level: str) -> str:
    """What an engine is called: its words without directories, and its level."""
    name, *given = engine_words(words)
    tail = [] if level == AS_IT_IS or (name == SOLVER and level == PERFECT) else [level]
    return " ".join([PurePath(name).name, *given, *tail])


def usual_level(words: str) -> str:
    """The level where none is given.

    What comes with settings of its own, a preset, a file or options in words, plays as it is.
    """
    name, *given = engine_words(words)
    if name == SUITED:
        return MEDIUM
    if name == SOLVER:
        return AS_IT_IS if given else PERFECT
    as_it_is = given or name not in names() or find(name).preset
    return AS_IT_IS if as_it_is else MEDIUM
