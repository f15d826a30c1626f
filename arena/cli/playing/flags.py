"""The flags of `arena play`: each answers a question of the menu beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from getpass import getuser

from arena.engine.errors import build_engine
from arena.engine.registry import names as engine_names
from arena.errors import BadOption
from arena.game.rules import Rules
from arena.human.choices import Step
from arena.human.levels import SUITED, check_level, read_level
from arena.human.menu import Menu, at_once, read_colour, read_name, start
from arena.human.pace import Pace
from arena.human.seats import usual_level
from arena.human.setup import HUMAN, Setup


@dataclass(frozen=True)
class Flags:
    """What was given on the command line; None or nothing: to be asked, or as usual."""

    engine: str | None = None
    against: str | None = None
    colour: str | None = None
    names: list[str] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    board: str | None = None
    seconds: float | None = None
    minutes: float | None = None


def first_menu(flags: Flags, colours: tuple[str, str]) -> Menu:
    """Where to begin: at the game if an opponent is known, else where the menu has to ask."""
    setup, given = Setup(), set()
    if flags.colour is not None:
        setup = replace(setup, seat=read_colour(flags.colour, colours))
        given.add(Step.COLOUR)
    if flags.board is not None:
        setup = replace(setup, rules=Rules.named(flags.board.replace(" ", "")))
        given.add(Step.BOARD)
    if flags.seconds is not None or flags.minutes is not None:
        setup = replace(setup, pace=Pace(flags.seconds, flags.minutes))
        given.add(Step.TIME)
    given.update((Step.FIRST_NAME, Step.SECOND_NAME)[: len(flags.names)])
    setup = _named(setup, flags.names)
    if flags.engine is None and flags.against is None and not flags.levels:
        return start(setup, frozenset(given))
    return at_once(_levelled(_seated(setup, flags.engine, flags.against), flags.levels))


def _named(setup: Setup, names: list[str]) -> Setup:
    """The names given, or what the system calls the user."""
    if len(names) > 2:
        raise BadOption(f"--name was given {len(names)} times; once, or twice for two people")
    first = read_name(names[0]) if names else _user()
    second = read_name(names[1], first) if len(names) == 2 else setup.names[1]
    if second.casefold() == first.casefold():
        second = f"{second} 2"
    return setup.with_name(0, first).with_name(1, second)


def _user() -> str:
    try:
        return read_name(getuser())
    except Exception:  # a user without a name, or with one that no screen can show
        return "Player"


def _seated(setup: Setup, engine: str | None, against: str | None) -> Setup:
    """Both sides; a person comes first, and whoever is not named is one."""
    named = [side.strip() for side in (engine, against) if side is not None]
    sides = [HUMAN, *named] if len(named) == 1 else named or [HUMAN, SUITED]
    sides = sorted(sides, key=lambda side: side != HUMAN)
    for side in sides:
        if side not in (HUMAN, SUITED):
            build_engine(side)  # a wrong name is told before anything else happens
    return replace(setup, sides=(sides[0], sides[1]))


def _levelled(setup: Setup, levels: list[str]) -> Setup:
    """The level of each engine: as given, once for both, or its usual one."""
    engines = [which for which in (0, 1) if setup.sides[which] != HUMAN]
    if levels and not engines:
        raise BadOption("--difficulty is for engines, and two people play")
    if len(levels) > max(1, len(engines)):
        raise BadOption(f"--difficulty was given {len(levels)} times; once for each engine at most")
    for place, which in enumerate(engines):
        side = setup.sides[which]
        level = read_level(levels[min(place, len(levels) - 1)]) if levels else usual_level(side)
        check_level(side, level, engine_names())
        setup = setup.with_level(which, level)
    return setup
