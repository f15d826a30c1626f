"""A whole journal as JSON lines, and back: the tournament first, then its runs, then its games.

Each line is an object whose "record" says what it is: "journal", "session", "event" or "game".
Players are numbers in the line-up, moves are in notation, and the telemetry of the moves after the
opening is a list for each of its figures. What is read back is checked line by line, so that no
journal is built from nonsense.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

from arena.errors import ArenaError
from arena.game.notation import play_moves, read_moves, write_moves
from arena.game.rules import Rules
from arena.journal.errors import BadJournal, JournalError
from arena.journal.games import COLUMNS
from arena.journal.other_forms import build, form_of
from arena.journal.records import Event, Header, Session, from_data, kinds_of, take
from arena.journal.store import GAMES, OPENING_FOUND, Journal
from arena.table.game import Game, telemetry_as_data, telemetry_from_data

LAYOUT = 1  # the form of these lines
MOST_MISTAKES = 20
MAX_TIME = 253_402_300_799  # the last second of the year 9999, in seconds since 1970
PLAIN = {name: kind for name, kind in kinds_of(Game).items() if kind is not bytes}


def export(journal: Journal, out: TextIO, rows: Iterable[Game] | None = None) -> int:
    """Write a journal, or some of its games, as JSON lines; tell how many games."""

    def write(record: str, data: dict[str, Any]) -> None:
        out.write(json.dumps({"record": record, **data}, separators=(",", ":")) + "\n")

    header = journal.header
    write("journal", {"layout": LAYOUT, **header.plain()})
    for session in journal.sessions():
        write("session", asdict(session))
    events = journal.events()
    are_there = sum(event.kind == OPENING_FOUND for event in events)
    for opening in journal.solved_openings()[are_there:]:
        events.append(Event(header.created, OPENING_FOUND, str(opening)))
    for event in events:
        write("event", asdict(event))
    count = 0
    for row in journal.rows() if rows is None else rows:
        data = {name: getattr(row, name) for name in COLUMNS}
        data["opening"] = write_moves(row.opening, header.rules)
        data["moves"] = write_moves(row.moves, header.rules)
        write("game", {**data, "telemetry": telemetry_as_data(row)})
        count += 1
    return count


def import_journal(
    source: Path,
    target: Path,
    progress: Callable[[int], None] = lambda read: None,
    *,
    rules: Rules | None = None,
    notice: Callable[[str], None] = lambda words: None,
) -> int:
    """Build a new journal from what `export` wrote, or FourPlay; tell how many games it holds.

    It is built elsewhere and takes its name when it is complete; a mistake leaves nothing behind.
    Meanwhile `progress` hears how many bytes have been read, and `notice` what is odd but no
    mistake. The rules are those of transcripts, which do not tell them.
    """
    if target.exists():
        raise JournalError(f"{target} exists already; import into a new file")
    try:
        with TemporaryDirectory(dir=target.parent, prefix=".import-") as place:
            built = Path(place) / GAMES
            if form_of(source) != "export":
                count = build(source, built, rules, progress, notice)
            elif rules is not None:
                raise JournalError(f"{source} is an export and tells its board itself")
            else:
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
            if len(mistakes) == MOST_MISTAKES:
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
                session = from_data(Session, data)
                check_times(started=session.started, ended=session.ended)
                journal.add(session)
            case "event":
                event = from_data(Event, data)
                check_times(at=event.at)
                journal.add(event)
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


def _read_header(data: dict[str, Any]) -> Header:
    """The tournament, from the first line of an export."""
    if data.get("record") != "journal":
        raise ArenaError("expected the tournament first, a line with the record 'journal'")
    if take(data, "layout", int) > LAYOUT:
        raise ArenaError(
            f"layout {data['layout']} is newer than this version, which knows {LAYOUT}"
        )
    header = from_data(Header, data)
    check_times(created=header.created)
    assert header.rules  # or an error that names the game
    return header


def _read_game(data: dict[str, Any], header: Header) -> Game:
    """A game whose players exist, whose moves can be played and whose result is theirs."""
    rules = header.rules
    opening = bytes(read_moves(take(data, "opening", str), rules))
    moves = bytes(read_moves(take(data, "moves", str), rules))
    telemetry = telemetry_from_data(data.get("telemetry"), moves[len(opening) :])
    others = {name: take(data, name, kind) for name, kind in PLAIN.items()}
    for seat in ("first", "second"):
        if not 0 <= others[seat] < len(header.players):
            last = len(header.players) - 1
            raise ArenaError(f"{seat} is {others[seat]}; the players are 0 to {last}")
    row = Game(**others, opening=opening, moves=moves, telemetry=telemetry)
    check_times(started=row.started)
    check_game(row, header)
    return row


def check_times(**times: float | None) -> None:
    """Refuse a time that is no date, as reports and tables could not show it."""
    for name, seconds in times.items():
        if seconds is not None and not 0 <= seconds <= MAX_TIME:
            raise ArenaError(f"{name} is {seconds:g}; expected seconds since 1970, up to year 9999")


def check_game(row: Game, header: Header) -> None:
    """Whether the parts of a game agree with each other; an ArenaError says what does not."""
    final = play_moves(row.moves, header.rules)
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
