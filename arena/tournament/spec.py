"""A tournament as its file describes it: read, checked and complete.

    load("tournaments/quickstart.yaml") -> Tournament

Every mistake of a file is found in one go and told with its line. `canonical` is what decides the
games, `fingerprint` its digest, and `changes` says how two of them differ.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field

from arena.errors import BadRules
from arena.game.rules import CONNECT4, Rules
from arena.tournament.source import Source, read, read_text
from arena.tournament.spec_canonical import canonical, changes, fingerprint
from arena.tournament.spec_mistakes import BadSpec, Mistake, near, shown
from arena.tournament.spec_openings import make_openings
from arena.tournament.spec_players import make_players
from arena.tournament.spec_settings import (
    Adjudication,
    BalancedLines,
    EveryLine,
    FileOfLines,
    Format,
    Gauntlet,
    Knockout,
    NoOpenings,
    Openings,
    Part,
    Player,
    Pyramid,
    RandomPlies,
    RoundRobin,
    Sprt,
    Stop,
    Swiss,
)
from arena.tournament.spec_shape import Shape, shape

__all__ = [
    "Adjudication",
    "BadSpec",
    "BalancedLines",
    "EveryLine",
    "FileOfLines",
    "Format",
    "Gauntlet",
    "Knockout",
    "Mistake",
    "NoOpenings",
    "Openings",
    "Player",
    "Pyramid",
    "RandomPlies",
    "RoundRobin",
    "Sprt",
    "Stop",
    "Swiss",
    "Tournament",
    "canonical",
    "changes",
    "fingerprint",
    "load",
    "load_text",
]

USUAL_GAMES = 2
Players = tuple[Player, ...]


class Tournament(Part):
    """All that a run has to know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    name: str
    players: tuple[Player, ...]
    rules: Rules = CONNECT4
    format: Format = RoundRobin()
    games: int = USUAL_GAMES  # for each pair; in swiss and knockout, each time it meets
    swap_seats: bool = True
    openings: Openings = NoOpenings()
    adjudication: Adjudication = Adjudication()
    stop: Stop = Stop()
    seed: int = 1
    workers: int | None = None  # None: all cores
    memory: int | None = None  # megabytes a table
    margin: float = 0.02  # seconds
    patience: float = 60.0  # seconds
    output: Path = Field(default_factory=lambda data: Path("reports") / data["name"])
    path: Path = Path()
    text: str = ""


def load(path: Path | str) -> Tournament:
    """The tournament of a file; `BadSpec` holds all that is wrong with it."""
    return _understand(read(Path(path)))


def load_text(text: str, path: Path | str = "tournament.yaml") -> Tournament:
    """The tournament of a text, as if it stood in this file."""
    return _understand(read_text(text, Path(path)))


def _understand(source: Source) -> Tournament:
    """Check each part for itself, then what the parts mean for each other."""
    made = shape(source)
    sheet = made.sheet
    rules = sheet.game.rules()
    games = _games(made)
    openings = make_openings(made, rules) if made.sound("game", "openings") else NoOpenings()
    players = make_players(made)
    settings = sheet.format
    if made.sound("engines"):
        _check_number(made, players)
        settings, players = _seat_heroes(made, players)
    stop = _stop(made, settings, players)
    _check_length(made, openings)
    _check_solver(made, rules)
    if made.mistakes:
        raise BadSpec(sorted(made.mistakes, key=lambda mistake: _order(mistake, source)))
    name = sheet.name or source.path.stem
    return Tournament(
        name=name,
        players=players,
        rules=rules,
        format=settings,
        games=games,
        swap_seats=sheet.swap_seats,
        openings=openings,
        adjudication=sheet.adjudication,
        stop=stop,
        seed=sheet.seed,
        workers=sheet.workers,
        memory=sheet.memory,
        margin=sheet.margin,
        patience=sheet.patience,
        output=Path(os.path.expanduser(sheet.output)) if sheet.output else Path("reports") / name,
        path=source.path,
        text=source.text,
    )


def _order(mistake: Mistake, source: Source) -> tuple[bool, str, tuple[int, int]]:
    """The file itself first, line by line, then the files it names."""
    return mistake.path != source.path, str(mistake.path), mistake.place or (0, 0)


def _games(made: Shape) -> int:
    """The games of a pair, from `games` or `rounds`."""
    sheet = made.sheet
    kind = sheet.format.kind
    if made.sound("rounds", "format") and sheet.rounds is not None:
        if kind == "swiss":
            made.wrong(("rounds",), "stands outside; write format: {kind: swiss, rounds: ..}", True)
        elif kind != "round-robin":
            made.wrong(("rounds",), f"is for a round-robin; expected games for a {kind}", True)
        elif "games" in made.source.data:
            made.wrong(("rounds",), "says the same as games; expected one of the two", True)
        return 2 * sheet.rounds
    games = USUAL_GAMES if sheet.games is None else sheet.games
    if made.sound("games", "swap_seats") and sheet.swap_seats and games % 2:
        made.wrong(("games",), f"found {games}; expected an even number, or swap_seats: false")
    return games


def _check_number(made: Shape, players: tuple[Player, ...]) -> None:
    if len(players) < 2:
        what = "one player" if players else "none"
        made.wrong(("engines",), f"found {what}; expected two engines at least")


def _seat_heroes(made: Shape, players: Players) -> tuple[Format, Players]:
    """The heroes at the top of the line-up, where the format counts them; all need an opponent."""
    settings = made.sheet.format
    if not made.sound("format", "engines") or not isinstance(settings, Gauntlet):
        return settings, players
    heroes = settings.heroes
    if isinstance(heroes, tuple):
        heroes, players = _named_heroes(made, heroes, players)
    if not made.sound("format"):
        return RoundRobin(), players
    if heroes >= len(players):
        found = f"found {heroes} heroes among {len(players)} players"
        made.wrong(("format", "heroes"), f"{found}; expected at least one other")
    return Gauntlet(heroes=heroes), players


def _named_heroes(made: Shape, heroes: tuple[str, ...], players: Players) -> tuple[int, Players]:
    """How many were named, and the line-up with these in front."""
    by_name = {player.name: player for player in players}
    several = isinstance(made.source.data["format"]["heroes"], list)
    for number, name in enumerate(heroes):
        at = ("format", "heroes", number) if several else ("format", "heroes")
        if name not in by_name:
            hint = near(name, by_name) or f"; expected one of {', '.join(by_name)}"
            made.wrong(at, f"no player is called {name!r}{hint}")
        elif name in heroes[:number]:
            made.wrong(at, f"{name!r} is there twice")
    first = [by_name[name] for name in dict.fromkeys(heroes) if name in by_name]
    others = [player for player in players if player not in first]
    return len(first), (*first, *others)


def _stop(made: Shape, settings: Format, players: Players) -> Stop:
    """The stop rules, with the engines of a test by name."""
    sheet = made.sheet.stop
    if sheet.sprt is None or not made.sound("engines", "stop"):
        return Stop(seconds=sheet.seconds, error=sheet.error)
    names = [player.name for player in players]
    pair, trail = sheet.sprt.engines, ("stop", "sprt", "engines")
    if pair is None:
        pair = names
        if len(names) != 2:
            sentence = f"is missing; with {len(names)} players, expected the names of two"
            made.wrong(trail, sentence, key=True)
            return Stop()
    if len(pair) != 2 or pair[0] == pair[1]:
        made.wrong(trail, f"found {shown(', '.join(pair)) or 'none'}; expected two different names")
        return Stop()
    for number, name in enumerate(pair):
        if name not in names:
            hint = near(name, names) or f"; expected one of {', '.join(names)}"
            made.wrong((*trail, number), f"no player is called {name!r}{hint}")
    _check_meeting(made, settings, names, pair)
    values = sheet.sprt.model_dump(exclude={"engines"})
    sprt = Sprt(engines=(pair[0], pair[1]), **values)
    return Stop(sprt=sprt, seconds=sheet.seconds, error=sheet.error)


def _check_meeting(made: Shape, settings: Format, names: list[str], pair: list[str]) -> None:
    if made.sound("format", "stop") and isinstance(settings, Gauntlet):
        heroes = names[: settings.heroes if isinstance(settings.heroes, int) else None]
        if not set(heroes) & set(pair):
            sentence = f"{pair[0]} and {pair[1]} never meet; the heroes are {', '.join(heroes)}"
            made.wrong(("stop", "sprt", "engines"), sentence)


def _check_length(made: Shape, openings: Any) -> None:
    """A game must be allowed to go on after its opening."""
    most = made.sheet.adjudication.max_plies
    if most is None or not made.sound("adjudication", "openings", "game"):
        return
    longest = getattr(openings, "plies", 0)
    if isinstance(openings, FileOfLines):
        longest = max(map(len, openings.lines), default=0)
    if longest >= most:
        sentence = f"found {most}; an opening has {longest} plies: expected more"
        made.wrong(("adjudication", "max_plies"), sentence)


def _check_solver(made: Shape, rules: Rules) -> None:
    """The solver must be able to judge the games; in space it proves what it can."""
    asked = made.sheet.adjudication.solver and rules.is_flat
    if not asked or not made.sound("adjudication", "game"):
        return
    from arena.solver.flat.field import refuse

    try:
        refuse(rules)
    except BadRules as error:
        made.wrong(("adjudication", "solver"), str(error))
