"""What a journal knows besides its games: the tournament, its line-up, its runs, its events.

Each record is a class, and the types of its fields say what is right, in a line of an export as in
a row of a table. A row has a number in front, and behind it a checksum of all that is in it.
Journals of layout 1 have no checksums: they are read as they are, and get theirs when a run goes
on with them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints
from zlib import crc32

from arena.errors import ArenaError, UnknownName
from arena.game.rules import Rules
from arena.journal.database import layout_of
from arena.journal.errors import FAILURES, BadJournal, Damage

LARGEST = 1e300  # of a number that is no whole one
WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    dict: "an object",
    tuple: "a list",
}


@dataclass(frozen=True, slots=True)
class Contestant:
    """One of the line-up: its display name, and what it takes to build it again."""

    name: str
    engine: str
    options: dict[str, Any]
    limits: str


@dataclass(frozen=True)
class Header:
    """The tournament that a journal belongs to."""

    name: str
    game: str  # `Rules.named` reads it
    seed: int
    spec_text: str  # the tournament file, word for word
    canonical: dict[str, Any]  # what it says, with all defaults
    fingerprint: str  # of what decides the games
    players: tuple[Contestant, ...]
    environment: dict[str, Any]
    created: float  # seconds since 1970
    question: dict[str, Any] | None = None  # what the report is to answer
    aims: dict[str, Any] | None = None  # expectations, and figures of others

    @cached_property
    def rules(self) -> Rules:
        """The board that is played on."""
        return Rules.named(self.game)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The display names of the line-up."""
        return tuple(player.name for player in self.players)

    def player(self, name: str) -> int:
        """The number of a player in the line-up."""
        if name not in self.names:
            raise UnknownName("player", name, self.names)
        return self.names.index(name)

    def plain(self) -> dict[str, Any]:
        """All of it as JSON gives it back: lists for tuples, words for what it does not know."""
        return dict(json.loads(json.dumps(asdict(self), default=str)))


@dataclass(frozen=True, slots=True)
class Session:
    """One run of the tournament; one that was killed has no end."""

    command: str
    workers: int
    environment: dict[str, Any]
    started: float
    ended: float | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened besides a game: a table lost, a run interrupted."""

    at: float
    kind: str
    text: str


def kinds_of(record: type) -> dict[str, Any]:
    """The fields of a record with their types."""
    hints = get_type_hints(record)
    return {field.name: hints[field.name] for field in fields(record)}


COLUMNS: dict[str, dict[str, Any]] = {  # of all tables but that of the games, with their types
    "meta": {"key": str, "value": str},  # the header but its players, in JSON
    "players": {"number": int, **kinds_of(Contestant)},
    "sessions": {"number": int, **kinds_of(Session)},
    "events": {"number": int, **kinds_of(Event)},
    "openings": {"number": int, "tried": int, "moves": str | None},
}
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT NOT NULL, engine TEXT NOT NULL,
    options TEXT NOT NULL, limits TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE sessions (number INTEGER PRIMARY KEY, command TEXT NOT NULL,
    workers INTEGER NOT NULL, environment TEXT NOT NULL, started REAL NOT NULL,
    ended REAL, why TEXT, checksum INTEGER NOT NULL);
CREATE TABLE events (number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL,
    text TEXT NOT NULL, checksum INTEGER NOT NULL);
"""
# Made when the first opening is written: most tournaments, and journals of before, have none.
OPENINGS = """
CREATE TABLE IF NOT EXISTS openings (number INTEGER PRIMARY KEY, tried INTEGER NOT NULL,
    moves TEXT, checksum INTEGER NOT NULL)
"""
LOST: dict[str, Any] = {  # what stands for an entry that is damaged; there is none for the game
    "name": "(damaged)", "seed": 0, "spec_text": "", "canonical": {}, "fingerprint": "",
    "environment": {}, "created": 0.0,
}  # fmt: skip

R = TypeVar("R", Header, Contestant, Session, Event)


def from_data(record: type[R], data: Any) -> R:
    """A record from plain data, each of its fields held against its type."""
    if not isinstance(data, dict):
        raise ArenaError("a player is not an object")
    return record(**{name: take(data, name, kind) for name, kind in kinds_of(record).items()})


def take(data: dict[str, Any], key: str, kind: Any) -> Any:
    """A value of this kind; a whole number will do for a number."""
    if get_origin(kind) is UnionType:  # with None, which may also be left out
        if data.get(key) is None:
            return None
        kind = next(each for each in get_args(kind) if each is not NoneType)
    if key not in data:
        raise ArenaError(f"{key} is missing")
    value, plain = data[key], get_origin(kind) or kind
    if plain is tuple and isinstance(value, list):
        return tuple(from_data(Contestant, each) for each in value)
    if plain is float and isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) < LARGEST:
            return float(value)
    elif isinstance(value, plain) and not isinstance(value, bool):
        return value
    words = repr(value)
    words = words if len(words) <= 40 else words[:37] + "..."
    raise ArenaError(f"{key} is {words}; expected {WORDS[plain]}")


def write_row(connection: sqlite3.Connection, table: str, values: Iterable[Any]) -> None:
    """Write a row of a table other than that of the games, in place of one that is there."""
    kinds = COLUMNS[table]
    row = list(map(_stored, values, kinds.values()))
    marks = ", ".join("?" * (len(kinds) + 1))
    sql = f"INSERT OR REPLACE INTO {table} ({', '.join(kinds)}, checksum) VALUES ({marks})"
    connection.execute(sql, [*row, checksum_of_values(*row)])


def read_rows(
    connection: sqlite3.Connection, table: str, damage: Damage
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table other than that of the games; what is damaged is noted and left out."""
    kinds = COLUMNS[table]
    has_checksums = layout_of(connection) > 1
    column = "checksum" if has_checksums else "NULL"
    try:
        sql = f"SELECT {', '.join(kinds)}, {column} FROM {table} ORDER BY rowid"
        for *values, checksum in connection.execute(sql):
            try:
                row = tuple(map(_restored, values, kinds.values()))
                sound = not has_checksums or checksum_of_values(*values) == checksum
            except (ValueError, TypeError, RecursionError):
                sound = False
            if sound:
                yield row
            else:
                damage.note(f"a row of the table {table}")
    except FAILURES:
        damage.note(f"a part of the table {table}")


def checksum_of_values(*values: object) -> int:
    """The checksum of the values of a row: texts, numbers, or nothing."""
    return crc32(json.dumps(values).encode())


def whole(text: str) -> str:
    """The text with halves of characters spelt out, as UTF-8 cannot hold them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _stored(value: Any, kind: Any) -> Any:
    """A value as SQLite keeps it."""
    if isinstance(value, str):
        return whole(value)
    if get_origin(kind) is dict:
        return json.dumps(value, default=str)
    return float(value) if isinstance(value, int) and kind in (float, float | None) else value


def _restored(value: Any, kind: Any) -> Any:
    """A value as it was before it was stored; ValueError if it is none of this kind."""
    is_object = get_origin(kind) is dict
    if not isinstance(value, str if is_object else kind):
        raise ValueError("a value of another kind")
    return dict(json.loads(value)) if is_object else value


def write_header(connection: sqlite3.Connection, header: Header) -> None:
    """Write the header, in place of one that is there."""
    connection.execute("DELETE FROM meta")
    connection.execute("DELETE FROM players")
    data = header.plain()
    for number, player in enumerate(data.pop("players")):
        write_row(connection, "players", [number, *player.values()])
    for key, value in data.items():
        write_row(connection, "meta", [key, json.dumps(value)])


def read_header(connection: sqlite3.Connection, path: Path, damage: Damage) -> Header:
    """The header of a journal."""
    data: dict[str, Any] = {}
    for key, text in read_rows(connection, "meta", damage):
        with suppress(ValueError, RecursionError):
            data[key] = json.loads(text)
    entries = dict(LOST)
    for key, kind in kinds_of(Header).items():
        try:
            if key != "players":
                entries[key] = take(data, key, kind)
        except ArenaError:
            damage.note(f"the {key} of the tournament")
    try:
        header = Header(**entries, players=_line_up(connection, entries["canonical"], damage))
        assert header.rules  # or an error that names the game
        return header
    except (TypeError, ValueError, ArenaError):
        raise BadJournal(
            f"{path} is damaged: its description of the tournament is incomplete"
        ) from None


def _line_up(
    connection: sqlite3.Connection, canonical: dict[str, Any], damage: Damage
) -> tuple[Contestant, ...]:
    """The players by their numbers; one that is damaged has the name that the tournament says."""
    sound = {
        number: Contestant(*values) for number, *values in read_rows(connection, "players", damage)
    }
    try:
        count = int(connection.execute("SELECT count(*) FROM players").fetchone()[0])
    except FAILURES:
        count = 0
    engines = canonical.get("engines")
    names = [
        str(engine["name"])
        for engine in (engines if isinstance(engines, list) else [])
        if isinstance(engine, dict) and "name" in engine
    ]
    size = max(count, len(sound), len(names))
    if sound.keys() != set(range(size)):
        damage.note("a row of the table players")
    names += [f"player {number} (damaged)" for number in range(len(names), size)]
    return tuple(
        sound.get(number, Contestant(name, "", {}, "")) for number, name in enumerate(names)
    )
