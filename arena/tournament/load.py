"""The tournament that a file describes: what its parts mean for each other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from arena.bots.find import adapter_of
from arena.errors import ArenaError, suggestion
from arena.game.notation import play_moves, read_moves
from arena.game.rules import Rules
from arena.solver.solver import refuse
from arena.tournament.claims import NO_AIMS, Aims
from arena.tournament.documents import in_full_length, is_grading
from arena.tournament.figures import Context, Figure, Misfit
from arena.tournament.formats import Format, Gauntlet, RoundRobin
from arena.tournament.games import Player
from arena.tournament.mistakes import BadSpec, Mark, Mistake, Trail, excerpt, refusal
from arena.tournament.openings import Opening, RandomPlies, check_pie, check_scores
from arena.tournament.parts import OpeningsEntry, Stop
from arena.tournament.players import make_players
from arena.tournament.question import Question
from arena.tournament.spec import Conditions, Tournament, TournamentFile
from arena.tournament.validation import Draft, validate
from arena.tournament.yaml import Document, read, read_text

AnyFigure = TypeVar("AnyFigure", bound=Figure)

MOST_BYTES = 4 * 1024 * 1024  # of a list of positions
MOST_LISTED = 20  # mistakes of one list of positions


def load(path: Path | str, skip_missing: bool = False, full: bool = False) -> Tournament:
    """The tournament of a file; `BadSpec` holds all that is wrong with it.

    Engines that are not installed may be left out, with a warning. Its full variant is another.
    """
    document = read(Path(path))
    return understand(in_full_length(document) if full else document, skip_missing)


def load_text(text: str, path: Path | str = "tournament.yaml") -> Tournament:
    """The tournament of a text, as if it stood in this file."""
    return understand(read_text(text, Path(path)))


def understand(document: Document, skip_missing: bool = False) -> Tournament:
    """Check each part for itself, then what the parts mean for each other."""
    if "method" in document.data and "engines" not in document.data:
        raise refusal(document.path, "is a training file; arena train takes it")
    if is_grading(document):
        raise refusal(document.path, "is a grading file; arena grade FOLDER --with it takes it")
    draft = validate(document, TournamentFile, {"engines": []})
    draft.skip_missing = skip_missing
    file = draft.file
    rules = file.game.build()
    games = _games(draft)
    openings = _openings(draft, rules) if draft.sound("game", "openings") else file.openings
    format_, players = _seat(draft, make_players(draft))
    names = [player.name for player in players]
    stop = _stop(draft, format_, names)
    question = _question(draft, names)
    aims = _aims(draft, format_, names, rules)
    _check_adjudication(draft, rules, openings.plies)
    _check_beginnings(draft, players, openings)
    if draft.mistakes:
        raise in_order(draft.mistakes, document)
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
        question=question,
        aims=aims,
        output=Path(os.path.expanduser(file.output)) if file.output else Path("reports") / name,
        path=document.path,
        text=document.text,
    )


def in_order(mistakes: Iterable[Mistake], document: Document) -> BadSpec:
    """The error of a file with these mistakes."""
    return BadSpec(sorted(mistakes, key=lambda mistake: _order(mistake, document)))


def _order(mistake: Mistake, document: Document) -> tuple[bool, str, tuple[int, int]]:
    """The file itself first, line by line, then the files it names."""
    return mistake.path != document.path, str(mistake.path), mistake.place or (0, 0)


def _games(draft: Draft[TournamentFile]) -> int:
    """The games of a pair, from `games` or `rounds`."""
    file = draft.file
    kind = file.format.kind
    if draft.sound("rounds", "format") and file.rounds is not None:
        if "rounds" in type(file.format).model_fields:
            sentence = f"belongs inside format: {{kind: {kind}, rounds: ..}}"
            draft.wrong(("rounds",), sentence, key=True)
        elif not isinstance(file.format, RoundRobin):
            sentence = f"is for a round-robin; expected games for format {kind}"
            draft.wrong(("rounds",), sentence, key=True)
        elif "games" in draft.document.data:
            draft.wrong(("rounds",), "stands beside games; use one of the two", key=True)
        return 2 * file.rounds
    games = Tournament.model_fields["games"].default if file.games is None else file.games
    if draft.sound("games", "swap_seats") and file.swap_seats and games % 2:
        draft.wrong(("games",), f"found {games}; expected an even number, or swap_seats: false")
    return games


def _seat(
    draft: Draft[TournamentFile], players: tuple[Player, ...]
) -> tuple[Format, tuple[Player, ...]]:
    """The format for these players, and the line-up in the order that it wants."""
    format_: Format = draft.file.format
    names = [player.name for player in players]
    students = tuple(player.name for player in players if player.is_student)
    if students and "format" not in draft.document.data:
        format_ = Gauntlet(heroes=students)
    if draft.sound("engines") and len(players) < 2:
        what = "one player" if players else "none"
        draft.wrong(("engines",), f"found {what}; expected two engines at least")
    if draft.sound("format", "engines"):
        for trail, sentence in format_.check_names(names):
            draft.wrong(("format", *trail), sentence)
    if not draft.sound("format", "engines"):
        return format_, players
    format_, order = format_.resolve_names(names)
    return format_, tuple(players[place] for place in order)


def _stop(draft: Draft[TournamentFile], format_: Format, names: list[str]) -> Stop:
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
    return stop.model_copy(update={"sprt": stop.sprt.model_copy(update={"engines": (one, other)})})


def _question(draft: Draft[TournamentFile], names: list[str]) -> Question | None:
    """The question, with all players on both of its sides by name."""
    entry = draft.file.question
    if entry is None or not draft.sound("engines", "question"):
        return None
    for trail, sentence in entry.check_names(names):
        draft.wrong(("question", *trail), sentence)
    return entry.resolve_names(names)


def _aims(draft: Draft[TournamentFile], format_: Format, names: list[str], rules: Rules) -> Aims:
    """The figures of the file, with all players by name."""
    if not draft.sound("engines", "game", "format"):
        return NO_AIMS
    context = Context(names, rules, partial(format_.never_meet, names))
    file = draft.file
    aims = Aims(
        about=file.about or "",
        shown=_resolve(draft, "figures", file.figures, context),
        expect=_resolve(draft, "expect", file.expect, context),
        published=_resolve(draft, "published", file.published, context),
        early=file.stop.expectations,
    )
    if file.stop.expectations and draft.sound("stop", "expect"):
        _check_stop(draft, aims)
    return aims


def _resolve(
    draft: Draft[TournamentFile], key: str, figures: Sequence[AnyFigure], context: Context
) -> tuple[AnyFigure, ...]:
    """The figures under a key, one for each player that they name."""
    resolved: list[AnyFigure] = []
    for number, figure in draft.numbered(key, figures):
        try:
            resolved += figure.resolve(context)
        except Misfit as error:
            draft.wrong((key, number, *error.at), error.sentence)
    return tuple(resolved)


def _check_stop(draft: Draft[TournamentFile], aims: Aims) -> None:
    """A run can end by expectations that are known while it goes on."""
    trail = ("stop", "expectations")
    if not aims.expect:
        draft.wrong(trail, "found nothing under expect; expected figures to decide by")
    judged = [figure for each in aims.expect for figure in each.figures if figure.is_judged]
    if judged:
        draft.wrong(trail, f"{judged[0]} is judged when all games are over; expected none such")


def _check_adjudication(draft: Draft[TournamentFile], rules: Rules, plies: int) -> None:
    """A game goes on after its opening, and the solver can judge it; in space as far as it can."""
    most, solver = draft.file.adjudication.max_plies, draft.file.adjudication.solver
    if not draft.sound("adjudication", "game"):
        return
    if most is not None and plies >= most and draft.sound("openings"):
        sentence = f"found {most}; an opening has {plies} plies: expected more"
        draft.wrong(("adjudication", "max_plies"), sentence)
    elif solver and rules.is_flat:
        try:
            refuse(rules)
        except ArenaError as error:
            draft.wrong(("adjudication", "solver"), str(error))


def _check_beginnings(
    draft: Draft[TournamentFile], players: Sequence[Player], openings: OpeningsEntry
) -> None:
    """Refuse openings that an engine from outside cannot be told of."""
    for player in players:
        adapter = adapter_of(player.engine, player.options)
        objection = None if adapter is None else adapter.check_opening(openings.plies)
        if objection is not None:
            draft.wrong(("openings", openings.kind), objection)
            return


def _openings(draft: Draft[TournamentFile], rules: Rules) -> OpeningsEntry:
    """The openings for a board, with the lines of their file; what is wrong goes to the draft."""
    entry = draft.file.openings
    if entry.file is not None:
        return entry.with_lines(_read_lines(draft, draft.document.path.parent / entry.file, rules))
    at: Trail = ("openings", entry.kind)
    try:
        if entry.balanced is None:
            entry.build(rules, seed=0)
            return entry
        is_short = not isinstance(draft.document.data["openings"]["balanced"], dict)
        refuse(rules)
        at = at if is_short else ("openings", "balanced", "plies")
        RandomPlies(rules, entry.plies, seed=0)
        at = at if is_short else ("openings", "balanced", "value")
        check_scores(rules, entry.plies, entry.balanced.scores(rules))
    except ArenaError as error:
        draft.wrong(at, str(error))
    return entry


def _read_lines(draft: Draft[TournamentFile], path: Path, rules: Rules) -> tuple[Opening, ...]:
    """The positions of a list, one a line; the mistakes in it carry its own lines."""
    text = _read_list(draft, path)
    lines: dict[Opening, int] = {}
    wrong: list[Mistake] = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0]
        words = written.strip()
        if not words:
            continue
        try:
            moves = read_moves(written, rules)
            check_pie(rules, len(moves))
            if play_moves(moves, rules).is_over:
                raise ArenaError(f"the game is over after {words}; expected an unfinished one")
            if moves in lines:
                raise ArenaError(f"{words} stands in line {lines[moves]} already")
            lines[moves] = number
        except ArenaError as error:
            place = Mark(number, len(written) - len(written.lstrip()) + 1)
            wrong.append(Mistake(path, place, "", str(error)))
    if len(wrong) > MOST_LISTED:
        rest = f"{len(wrong) - MOST_LISTED} more lines are wrong"
        wrong[MOST_LISTED:] = [replace(wrong[MOST_LISTED], sentence=rest)]
    if wrong:
        draft.broken.add("openings")
        draft.mistakes += wrong
    elif not lines and draft.sound("openings"):
        sentence = f"{path.name} holds no positions; expected one a line, such as 4453"
        draft.wrong(("openings", "file"), sentence)
    return tuple(lines)


def _read_list(draft: Draft[TournamentFile], path: Path) -> str:
    """The text of a list of positions; an empty one, and a mistake, where there is none."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
        if len(content) <= MOST_BYTES:
            return text
        sentence = f"{path.name} is larger than {MOST_BYTES // 2**20} MB"
    except OSError as error:
        sentence = f"{path.name or path}: {error.strerror or error}; expected a list of positions"
    except UnicodeDecodeError:
        sentence = f"{path.name} is not a text file; expected a list of positions"
    draft.wrong(("openings", "file"), sentence)
    return ""
