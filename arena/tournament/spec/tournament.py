"""The tournament that a file describes: what its parts mean for each other."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from pydantic import ConfigDict, Field

from arena.errors import BadRules, suggestion
from arena.game.rules import CONNECT4, Rules
from arena.solver.exact import refuse
from arena.tournament.formats import Format, RoundRobin
from arena.tournament.schedule import Schedule
from arena.tournament.spec.mistakes import BadSpec, Mistake, excerpt
from arena.tournament.spec.model import Conditions, Stop
from arena.tournament.spec.opening_file import check_openings
from arena.tournament.spec.parts import OpeningsEntry
from arena.tournament.spec.players import Player, make_players
from arena.tournament.spec.validation import Draft, validate
from arena.tournament.spec.yaml import Document, read, read_text

USUAL_GAMES = 2


class Tournament(Conditions):
    """All that a run has to know."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str
    players: tuple[Player, ...]
    rules: Rules = CONNECT4
    format: Format = RoundRobin()
    games: int = USUAL_GAMES  # for each pair; in swiss and knockout, each time it meets
    openings: OpeningsEntry = OpeningsEntry.model_construct()
    output: Path = Field(default_factory=lambda data: Path("reports") / data["name"])
    path: Path = Path()
    text: str = ""

    def schedule(self) -> Schedule:
        """All its games."""
        return Schedule(
            self.format,
            len(self.players),
            self.games,
            self.swap_seats,
            self.openings.build(self.rules, self.seed),
            self.seed,
        )


def load(path: Path | str) -> Tournament:
    """The tournament of a file; `BadSpec` holds all that is wrong with it."""
    return _understand(read(Path(path)))


def load_text(text: str, path: Path | str = "tournament.yaml") -> Tournament:
    """The tournament of a text, as if it stood in this file."""
    return _understand(read_text(text, Path(path)))


def _understand(document: Document) -> Tournament:
    """Check each part for itself, then what the parts mean for each other."""
    draft = validate(document)
    file = draft.file
    rules = file.game.build()
    games = _games(draft)
    openings = check_openings(draft, rules) if draft.sound("game", "openings") else file.openings
    players = make_players(draft)
    format_: Format = file.format
    if draft.sound("engines"):
        _check_number(draft, players)
        format_, players = _seat(draft, players)
    stop = _stop(draft, format_, [player.name for player in players])
    _check_length(draft, openings)
    _check_solver(draft, rules)
    if draft.mistakes:
        raise BadSpec(sorted(draft.mistakes, key=lambda mistake: _order(mistake, document)))
    name = file.name or document.path.stem
    conditions = {key: getattr(file, key) for key in Conditions.model_fields}
    return Tournament(
        **{**conditions, "stop": stop},
        name=name,
        players=players,
        rules=rules,
        format=format_,
        games=games,
        openings=openings,
        output=Path(os.path.expanduser(file.output)) if file.output else Path("reports") / name,
        path=document.path,
        text=document.text,
    )


def _order(mistake: Mistake, document: Document) -> tuple[bool, str, tuple[int, int]]:
    """The file itself first, line by line, then the files it names."""
    return mistake.path != document.path, str(mistake.path), mistake.place or (0, 0)


def _games(draft: Draft) -> int:
    """The games of a pair, from `games` or `rounds`."""
    file = draft.file
    kind = file.format.kind
    if draft.sound("rounds", "format") and file.rounds is not None:
        if "rounds" in file.format.settings():
            sentence = f"stands outside; write format: {{kind: {kind}, rounds: ..}}"
            draft.wrong(("rounds",), sentence, key=True)
        elif kind != RoundRobin.kind:
            sentence = f"is for a round-robin; expected games for a {kind}"
            draft.wrong(("rounds",), sentence, key=True)
        elif "games" in draft.document.data:
            draft.wrong(("rounds",), "says the same as games; expected one of the two", key=True)
        return 2 * file.rounds
    games = USUAL_GAMES if file.games is None else file.games
    if draft.sound("games", "swap_seats") and file.swap_seats and games % 2:
        draft.wrong(("games",), f"found {games}; expected an even number, or swap_seats: false")
    return games


def _check_number(draft: Draft, players: tuple[Player, ...]) -> None:
    if len(players) < 2:
        what = "one player" if players else "none"
        draft.wrong(("engines",), f"found {what}; expected two engines at least")


def _seat(draft: Draft, players: tuple[Player, ...]) -> tuple[Format, tuple[Player, ...]]:
    """The format for these players, and the line-up in the order that it wants."""
    format_: Format = draft.file.format
    names = [player.name for player in players]
    if not draft.sound("format", "engines"):
        return format_, players
    for misfit in format_.misfits(names):
        trail = ("format", *misfit.trail)
        is_item = trail in draft.document.values
        draft.wrong(trail if is_item else trail[:2], misfit.sentence)
    if not draft.sound("format"):
        return format_, players
    format_, order = format_.seat(names)
    return format_, tuple(players[place] for place in order)


def _stop(draft: Draft, format_: Format, names: list[str]) -> Stop:
    """The stop rules, with the engines of a test by name."""
    stop, trail = draft.file.stop, ("stop", "sprt", "engines")
    if stop.sprt is None or not draft.sound("engines", "stop"):
        return stop
    pair = names if stop.sprt.engines is None else stop.sprt.engines
    if stop.sprt.engines is None and len(names) != 2:
        sentence = f"is missing; with {len(names)} players, expected the names of two"
        draft.wrong(trail, sentence, key=True)
        return stop
    if len(pair) != 2 or pair[0] == pair[1]:
        written = excerpt(", ".join(pair)) or "none"
        draft.wrong(trail, f"found {written}; expected two different names")
        return stop
    one, other = pair
    for number, name in enumerate(pair):
        if name not in names:
            draft.wrong((*trail, number), f"no player is called {name!r}{suggestion(name, names)}")
    if draft.sound("format", "stop") and (why := format_.never_meet(names, one, other)):
        draft.wrong(trail, f"{one} and {other} never meet; {why}")
    return stop.model_copy(update={"sprt": replace(stop.sprt, engines=(one, other))})


def _check_length(draft: Draft, openings: OpeningsEntry) -> None:
    """A game must be allowed to go on after its opening."""
    most = draft.file.adjudication.max_plies
    if most is None or not draft.sound("adjudication", "openings", "game"):
        return
    if openings.plies >= most:
        sentence = f"found {most}; an opening has {openings.plies} plies: expected more"
        draft.wrong(("adjudication", "max_plies"), sentence)


def _check_solver(draft: Draft, rules: Rules) -> None:
    """The solver must be able to judge the games; in space it proves what it can."""
    asked = draft.file.adjudication.solver and rules.is_flat
    if not asked or not draft.sound("adjudication", "game"):
        return
    try:
        refuse(rules)
    except BadRules as error:
        draft.wrong(("adjudication", "solver"), str(error))
