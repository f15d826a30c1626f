"""A whole journal as JSON lines, and back: the tournament first, then its runs, then its games.

Each line is an object whose "record" says what it is: "journal", "session", "event" or "game".
Players are numbers in the line-up, moves are in notation, and the telemetry of the moves after the
opening is a list for each of its figures. What is read back is checked line by line, so that no
journal is built from nonsense.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType, UnionType
from typing import Any, TextIO, TypeVar, get_args, get_origin, get_type_hints

from arena.errors import ArenaError
from arena.game.notation import play_moves, read_moves, write_moves
from arena.game.position import Position
from arena.journal.errors import BadJournal, JournalError
from arena.journal.header import Contestant, Event, Header, Session
from arena.journal.store import GAMES, OPENING_FOUND, Journal
from arena.play.record import GameRow, telemetry_as_data, telemetry_from_data

EXPORTED = 1  # the form of these lines
SHOWN = 20  # mistakes
LARGEST = 1e300  # of a time in seconds
WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    dict: "an object",
    tuple: "a list",
}
KINDS: dict[Any, dict[str, Any]] = {  # the types of the fields of each record
    record: {field.name: get_type_hints(record)[field.name] for field in fields(record)}
    for record in (Header, Contestant, Session, Event, GameRow)
}

R = TypeVar("R", Header, Contestant, Session, Event)


def export(journal: Journal, out: TextIO, rows: Iterable[GameRow] | None = None) -> int:
    """Write a journal, or some of its games, as JSON lines; tell how many games."""
    header = journal.header
    _line(out, {"record": "journal", "layout": EXPORTED, **header.plain()})
    for session in journal.sessions():
        _line(out, {"record": "session", **asdict(session)})
    for event in journal.events():
        _line(out, {"record": "event", **asdict(event)})
    for opening in journal.solved_openings():
        event = Event(header.created, OPENING_FOUND, str(opening))
        _line(out, {"record": "event", **asdict(event)})
    count = 0
    for row in journal.rows() if rows is None else rows:
        _line(out, game_as_data(row, header))
        count += 1
    return count


def game_as_data(row: GameRow, header: Header) -> dict[str, Any]:
    """A complete game as plain data."""
    rules = header.rules
    return {
        "record": "game",
        "number": row.number,
        "round": row.round,
        "first": row.first,
        "second": row.second,
        "opening": write_moves(row.opening, rules),
        "moves": write_moves(row.moves, rules),
        "result": row.result,
        "reason": row.reason,
        "detail": row.detail,
        "seed": row.seed,
        "started": row.started,
        "seconds": row.seconds,
        "log": row.log,
        "telemetry": telemetry_as_data(row),
    }


def import_journal(
    source: Path, target: Path, progress: Callable[[int], None] = lambda read: None
) -> int:
    """Build a new journal from what `export` wrote; tell how many games it holds.

    It is built elsewhere and takes its name when it is complete; a mistake leaves nothing behind.
    Meanwhile `progress` hears how many bytes have been read.
    """
    if target.exists():
        raise JournalError(f"{target} exists already; import into a new file")
    try:
        with TemporaryDirectory(dir=target.parent, prefix=".import-") as place:
            built = Path(place) / GAMES
            count = _build(source, built, progress)
            built.rename(target)
    except OSError as error:
        words = error.strerror or str(error)
        raise JournalError(f"{source} cannot be imported into {target}: {words}") from None
    return count


def _build(source: Path, target: Path, progress: Callable[[int], None]) -> int:
    """Read all lines into a journal; list the mistakes, if any."""
    lines = _objects(source, progress)
    number, first = next(lines, (1, "an empty file"))
    if isinstance(first, str):
        raise BadJournal(f"{source}:{number}: {first}")
    try:
        header = _read_header(first)
    except ArenaError as error:
        raise BadJournal(f"{source}:{number}: {error}") from None
    with Journal.open(target, header) as journal, journal.together():
        mistakes: list[str] = []
        for number, data in lines:
            problem = data if isinstance(data, str) else _add(journal, data)
            if problem:
                mistakes.append(f"{source}:{number}: {problem}")
            if len(mistakes) == SHOWN:
                mistakes.append("there may be more")
                break
        if mistakes:
            raise BadJournal("\n".join(mistakes))
        return len(journal.finished)


def _add(journal: Journal, data: dict[str, Any]) -> str | None:
    """Record what a line holds; tell what is wrong with it."""
    try:
        match data.pop("record", None):
            case "session":
                journal.add_session(_read(Session, data))
            case "event":
                journal.add_event(_read(Event, data))
            case "game":
                row = _read_game(data, journal.header)
                if row.number in journal.finished:
                    return f"game {row.number} is there twice"
                journal.write(row)
            case other:
                return f"record is {other!r}; expected 'session', 'event' or 'game'"
    except ArenaError as error:
        return str(error)
    return None


def _objects(
    source: Path, progress: Callable[[int], None]
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The lines of a file as objects, numbered from 1; a sentence stands for one that is none."""
    read = 0
    with source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            read += len(line)
            progress(read)
            if not line.strip():
                continue
            try:
                data = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
            except (ValueError, RecursionError) as error:
                yield number, f"not a line of JSON ({error})"
                continue
            yield number, data if isinstance(data, dict) else "not a JSON object"


def _line(out: TextIO, data: dict[str, Any]) -> None:
    out.write(json.dumps(data, separators=(",", ":")) + "\n")


def _read_header(data: dict[str, Any]) -> Header:
    """The tournament, from the first line of an export."""
    if data.get("record") != "journal":
        raise ArenaError("expected the tournament first, a line with the record 'journal'")
    if _take(data, "layout", int) > EXPORTED:
        raise ArenaError(
            f"layout {data['layout']} is newer than this version, which knows {EXPORTED}"
        )
    header = _read(Header, data)
    assert header.rules  # or an error that names the game
    return header


def _read_game(data: dict[str, Any], header: Header) -> GameRow:
    """A game whose players exist, whose moves can be played and whose result is theirs."""
    rules = header.rules
    opening = bytes(read_moves(_take(data, "opening", str), rules))
    moves = bytes(read_moves(_take(data, "moves", str), rules))
    telemetry = telemetry_from_data(data.get("telemetry"), moves[len(opening) :])
    plain = {name: kind for name, kind in KINDS[GameRow].items() if kind is not bytes}
    others = {name: _take(data, name, kind) for name, kind in plain.items()}
    for seat in ("first", "second"):
        if not 0 <= others[seat] < len(header.players):
            last = len(header.players) - 1
            raise ArenaError(f"{seat} is {others[seat]}; the players are 0 to {last}")
    row = GameRow(**others, opening=opening, moves=moves, telemetry=telemetry)
    check_game(row, play_moves(moves, rules))
    return row


def check_game(row: GameRow, final: Position) -> None:
    """Whether the parts of a game agree with each other."""
    if max(abs(row.number), abs(row.round), abs(row.seed)) >= 2**63:
        raise ArenaError("number, round or seed is too large")
    if row.number < 0:
        raise ArenaError(f"number is {row.number}; games are numbered from 0")
    if not row.moves.startswith(row.opening):
        raise ArenaError("the moves do not begin with the opening")
    if row.result not in (-1, 0, 1):
        raise ArenaError(f"result is {row.result}; expected 1, 0 or -1")
    result = {None: 0, 0: 1, 1: -1}[final.winner]
    if (row.reason == "line" or final.winner is not None) and result != row.result:
        raise ArenaError(f"result is {row.result}, but the moves end with {result}")


def _read(record: type[R], data: dict[str, Any]) -> R:
    """A record from plain data, each of its fields held against its type."""
    return record(**{name: _take(data, name, kind) for name, kind in KINDS[record].items()})


def _take(data: dict[str, Any], key: str, kind: Any) -> Any:
    """A value of this kind; a whole number will do for a number."""
    if get_origin(kind) is UnionType:  # with None, which may also be left out
        if data.get(key) is None:
            return None
        kind = next(each for each in get_args(kind) if each is not NoneType)
    if key not in data:
        raise ArenaError(f"{key} is missing")
    value, plain = data[key], get_origin(kind) or kind
    if plain is tuple and isinstance(value, list):
        return tuple(map(_contestant, value))
    if plain is float and isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) < LARGEST:
            return float(value)
    elif isinstance(value, plain) and not isinstance(value, bool):
        return value
    words = repr(value)
    words = words if len(words) <= 40 else words[:37] + "..."
    raise ArenaError(f"{key} is {words}; expected {WORDS[plain]}")


def _contestant(data: Any) -> Contestant:
    if not isinstance(data, dict):
        raise ArenaError("a player is not an object")
    return _read(Contestant, data)
