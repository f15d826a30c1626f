"""A whole journal as JSON lines, and back: the tournament first, then its runs, then its games.

Each line is an object whose "record" says what it is: "journal", "session", "event" or "game".
Players are numbers in the line-up, moves are in notation, and the telemetry of the moves after the
opening is a list for each of its figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

from arena.errors import ArenaError
from arena.game.notation import write_moves
from arena.journal.errors import BadJournal, JournalError
from arena.journal.header import Header
from arena.journal.reading import EXPORTED, read_event, read_game, read_header, read_session
from arena.journal.store import GAMES, Journal
from arena.play.record import GameRow, telemetry_as_data

SHOWN = 20  # mistakes


def export(journal: Journal, out: TextIO, rows: Iterable[GameRow] | None = None) -> int:
    """Write a journal, or some of its games, as JSON lines; tell how many games."""
    header = journal.header
    _line(out, {"record": "journal", "layout": EXPORTED, **header.plain()})
    for session in journal.sessions():
        _line(out, {"record": "session", **asdict(session)})
    for event in journal.events():
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
    source: Path, target: Path, told: Callable[[int], None] = lambda read: None
) -> int:
    """Build a new journal from what `export` wrote; tell how many games it holds.

    It is built elsewhere and takes its name when it is complete; a mistake leaves nothing behind.
    Meanwhile `told` hears how many bytes have been read.
    """
    if target.exists():
        raise JournalError(f"{target} exists already; import into a new file")
    try:
        with TemporaryDirectory(dir=target.parent, prefix=".import-") as place:
            built = Path(place) / GAMES
            count = _build(source, built, told)
            built.rename(target)
    except OSError as error:
        words = error.strerror or str(error)
        raise JournalError(f"{source} cannot be imported into {target}: {words}") from None
    return count


def _build(source: Path, target: Path, told: Callable[[int], None]) -> int:
    """Read all lines into a journal; list the mistakes, if any."""
    lines = _objects(source, told)
    number, first = next(lines, (1, "an empty file"))
    if isinstance(first, str):
        raise BadJournal(f"{source}:{number}: {first}")
    try:
        header = read_header(first)
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
                journal.add_session(read_session(data))
            case "event":
                journal.add_event(read_event(data))
            case "game":
                row = read_game(data, journal.header)
                if row.number in journal.finished:
                    return f"game {row.number} is there twice"
                journal.write(row)
            case other:
                return f"record is {other!r}; expected 'session', 'event' or 'game'"
    except ArenaError as error:
        return str(error)
    return None


def _objects(
    source: Path, told: Callable[[int], None]
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The lines of a file as objects, numbered from 1; a sentence stands for one that is none."""
    read = 0
    with source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            read += len(line)
            told(read)
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
