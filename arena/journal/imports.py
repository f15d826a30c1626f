"""Games from files: exports and transcripts, checked line by line and built into a new journal.

Every game is replayed, and every mistake is listed with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from arena.errors import ArenaError
from arena.game.notation import play_moves, read_moves
from arena.game.rules import SCORE4, Rules
from arena.journal.errors import BadJournal, JournalError
from arena.journal.export import LAYOUT, OPENING_FOUND
from arena.journal.journal import GAMES, Journal
from arena.journal.records import HEADER, Contestant, Count, Event, Header, Session, Time
from arena.journal.transcripts import Mistake, Transcript, read_transcripts
from arena.table.game import Game, telemetry_from_data
from arena.tournament.openings import SolvedOpening

BEGINNING = 10_000  # characters by which an export is known
MAX_MISTAKES = 20
TIMES = ("created", "at", "started", "ended")
RECORDS: dict[object, TypeAdapter[Any]] = {
    "session": TypeAdapter(Session),
    "event": TypeAdapter(Event),
}
Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Answer = TypeVar("Answer")


class ExportedGame(BaseModel):
    """A game as in an export: with moves in notation, and telemetry as lists."""

    number: Count
    round: Int64
    first: int
    second: int
    opening: str
    moves: str
    result: Annotated[int, Field(ge=-1, le=1)]
    reason: str
    detail: str
    seed: Int64
    started: Time
    seconds: Time
    telemetry: Any
    log: str


def import_journal(
    source: Path,
    target: Path,
    progress: Callable[[int], None] = lambda read: None,
    *,
    rules: Rules | None = None,
    notice: Callable[[str], None] = lambda words: None,
) -> int:
    """Build a new journal from an export or from transcripts; return how many games.

    It is built elsewhere and takes its name when it is complete; a mistake leaves nothing behind.
    Meanwhile `progress` gets the number of bytes read, and `notice` a sentence on each odd game.
    `rules` are for transcripts, which do not name their board.
    """
    if target.exists():
        raise JournalError(f"{target} exists already; import into a new file")
    try:
        is_export = _is_export(source)
        if is_export and rules is not None:
            raise JournalError(f"{source} is an export and names its own board")
        with building(target) as built:
            if is_export:
                return _import_lines(source, built, progress)
            return _import_transcripts(source, built, rules or SCORE4, progress, notice)
    except OSError as error:
        words = error.strerror or str(error)
        raise JournalError(f"{source} cannot be imported into {target}: {words}") from None


@contextmanager
def building(target: Path) -> Iterator[Path]:
    """Where to build a journal, which takes its name when the block ends well."""
    with TemporaryDirectory(dir=target.parent, prefix=".import-") as folder:
        built = Path(folder, GAMES)
        yield built
        built.rename(target)


def files_of(source: Path) -> list[Path]:
    """The file, or those of a folder in the order of the numbers in their names."""
    if not source.is_dir():
        return [source]
    files = [path for path in source.iterdir() if path.is_file() and path.name[0] != "."]
    return sorted(files, key=lambda path: [_natural(p) for p in re.split(r"(\d+)", path.name)])


def _natural(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (-1, part)


def _is_export(source: Path) -> bool:
    """Whether a file has JSON lines rather than transcripts."""
    if source.is_dir():
        return False
    with source.open("rb") as file:
        return file.read(BEGINNING).decode("utf-8-sig", "replace").lstrip()[:1] in ("", "{", "[")


# ---- exports


def _import_lines(source: Path, target: Path, progress: Callable[[int], None]) -> int:
    """Read all lines into a journal; list the mistakes, if any."""
    lines = _read_lines(source, progress)
    number, first = next(lines, (1, ""))
    try:
        header = _read_header(first)
    except ArenaError as error:
        raise BadJournal(f"{source}:{number}: {error}") from None
    mistakes: list[str] = []
    with Journal.open(target, header) as journal, journal.together():
        for number, line in lines:
            try:
                _add(journal, line)
            except ArenaError as error:
                mistakes.append(f"{source}:{number}: {error}")
                if len(mistakes) > MAX_MISTAKES:
                    break
        _refuse(mistakes)
        return len(journal.finished)


def _refuse(mistakes: list[str]) -> None:
    """Raise a BadJournal with the first mistakes, if there are any."""
    if len(mistakes) > MAX_MISTAKES:
        mistakes[MAX_MISTAKES:] = ["there may be more"]
    if mistakes:
        raise BadJournal("\n".join(mistakes))


def _read_lines(source: Path, progress: Callable[[int], None]) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, numbered from 1."""
    read = 0
    with source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            read += len(line)
            progress(read)
            if line.strip():
                yield number, line.decode("utf-8-sig", "surrogateescape")


def _read_object(line: str) -> dict[str, Any]:
    if not line:
        raise ArenaError("an empty file")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ArenaError(f"not a line of JSON ({error})") from None
    if not isinstance(data, dict):
        raise ArenaError("not a JSON object")
    return data


def _read_header(line: str) -> Header:
    """The tournament, from the first line of an export."""
    data = _read_object(line)
    if data.get("record") != "journal":
        raise ArenaError("expected the tournament first, a line with the record 'journal'")
    if (layout := data.get("layout")) != LAYOUT:
        raise ArenaError(f"layout {layout!r} is newer than this version, which knows {LAYOUT}")
    header: Header = _validated(lambda: HEADER.validate_json(line, strict=True))
    assert header.rules  # or an error that names the game
    return header


def _add(journal: Journal, line: str) -> None:
    """Write the record of a line to the journal."""
    data = _read_object(line)
    kind = data.get("record")
    if kind in RECORDS:
        record = _validated(lambda: RECORDS[kind].validate_json(line, strict=True))
        is_opening = isinstance(record, Event) and record.kind == OPENING_FOUND
        journal.add(SolvedOpening.parse(record.text) if is_opening else record)
    elif kind == "game":
        game = _read_game(data, journal.header)
        if game.number in journal.finished:
            raise ArenaError(f"game {game.number} is there twice")
        journal.write(game)
    else:
        raise ArenaError(f"record is {kind!r}; expected 'session', 'event' or 'game'")


def _read_game(data: dict[str, Any], header: Header) -> Game:
    """A game whose players exist, whose moves are legal and whose result is theirs."""
    values = dict(_validated(lambda: ExportedGame.model_validate(data, strict=True)))
    opening = bytes(read_moves(values["opening"], header.rules))
    moves = bytes(read_moves(values["moves"], header.rules))
    telemetry = telemetry_from_data(values["telemetry"], moves[len(opening) :])
    game = Game(**{**values, "opening": opening, "moves": moves, "telemetry": telemetry})
    check_game(game, header)
    return game


def _validated(read: Callable[[], Answer]) -> Answer:
    """The value that `read` returns, or its first mistake in a sentence."""
    try:
        return read()
    except ValidationError as error:
        mistake = error.errors()[0]
    name, kind, value = ".".join(map(str, mistake["loc"])), mistake["type"], repr(mistake["input"])
    if kind == "missing":
        raise ArenaError(f"{name} is missing")
    expected = mistake["msg"].removeprefix("Input should be ")
    if name in TIMES and kind.endswith("_equal"):
        expected = "seconds since 1970, up to year 9999"
    raise ArenaError(f"{name} is {value[:37]}{value[37:] and '...'}; expected {expected}")


def check_game(game: Game, header: Header) -> None:
    """Raise an ArenaError that says how parts of a game contradict each other, if they do."""
    for seat in ("first", "second"):
        if not 0 <= getattr(game, seat) < len(header.players):
            last = len(header.players) - 1
            raise ArenaError(f"{seat} is {getattr(game, seat)}; the players are 0 to {last}")
    final = play_moves(game.moves, header.rules)
    if not game.moves.startswith(game.opening):
        raise ArenaError("the moves do not begin with the opening")
    result = {None: 0, 0: 1, 1: -1}[final.winner]
    is_on_board = final.winner is not None or game.reason in ("line", "full board")
    if is_on_board and result != game.result:
        raise ArenaError(f"result is {game.result}, but the moves end with {result}")


# ---- transcripts


def _import_transcripts(
    source: Path,
    target: Path,
    rules: Rules,
    progress: Callable[[int], None],
    notice: Callable[[str], None],
) -> int:
    """Write the games of a file, or of all files of a folder, to a journal; return how many.

    It is unknown when they were played: they get the time of the newest file.
    """
    games: list[Transcript] = []
    mistakes: list[str] = []
    read = 0
    for file in files_of(source):
        data = file.read_bytes()
        for each in read_transcripts(data, rules):
            if isinstance(each, Mistake):
                mistakes.append(f"{file}:{each.line}: {each}")
                continue
            games.append(each)
            if each.reason == "adjudicated":
                notice(f"{file}:{each.line}: {each.detail}")
        read += len(data)
        progress(read)
    _refuse(mistakes)
    if not games:
        raise BadJournal(f"{source}: there are no games in it")
    names = list(dict.fromkeys(name for game in games for name in game.players))
    players = tuple(Contestant(name, "", {}, "") for name in names)
    started = max(file.stat().st_mtime for file in files_of(source))
    text = f"# games of {source.name}, as they were written down\n"
    fingerprint = sha256(repr(games).encode()).hexdigest()
    header = Header(source.stem, rules.name, 0, text, {}, fingerprint, players, {}, started)
    with Journal.open(target, header) as journal, journal.together():
        for number, game in enumerate(games, start=1):
            first, second = map(names.index, game.players)
            journal.write(Game(
                number, 1, first, second, b"", game.moves, game.result, game.reason, game.detail,
                0, started, game.seconds, b"",
            ))  # fmt: skip
    return len(games)
