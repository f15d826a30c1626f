"""The tables of a journal: their columns, and how everything but games is written and read.

Every row has a checksum of all that is in it. Journals of layout 1 have none: they are read as they
are, and get theirs when a run goes on with them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any
from zlib import crc32

from arena.errors import ArenaError
from arena.journal.database import Owner, changing, layout_of
from arena.journal.errors import FAILURES, BadJournal
from arena.journal.header import Contestant, Header
from arena.journal.soundness import Damage, checksum_of_game, checksum_of_values
from arena.play.record import GameRow

OURS = Owner(  # "ARNA"; the first layout had no checksums
    0x41524E41, 2, "an SQLite file of another program, not a journal"
)
# The order of the fields of GameRow, but for the telemetry: long, and last, as it is seldom read.
COLUMNS = tuple(field.name for field in fields(GameRow) if field.name != "telemetry")
CHECKSUMS = ("checksum", "telemetry_checksum")  # of a game; other rows have the first
TABLES = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY CHECK (number >= 0), round INTEGER NOT NULL,
    first INTEGER NOT NULL, second INTEGER NOT NULL, opening BLOB NOT NULL, moves BLOB NOT NULL,
    result INTEGER NOT NULL CHECK (result BETWEEN -1 AND 1), reason TEXT NOT NULL,
    detail TEXT NOT NULL, seed INTEGER NOT NULL, started REAL NOT NULL, seconds REAL NOT NULL,
    log TEXT NOT NULL, checksum INTEGER NOT NULL, telemetry_checksum INTEGER NOT NULL,
    telemetry BLOB NOT NULL);
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

Kind = type | tuple[type, ...]
Nothing = type(None)
RECORDS: dict[str, dict[str, Kind]] = {  # the other tables: their columns with their kinds
    "meta": {"key": str, "value": str},
    "players": {"number": int, "name": str, "engine": str, "options": str, "limits": str},
    "sessions": {
        "number": int, "command": str, "workers": int, "environment": str, "started": float,
        "ended": (float, Nothing), "why": (str, Nothing),
    },
    "events": {"number": int, "at": float, "kind": str, "text": str},
    "openings": {"number": int, "tried": int, "moves": (str, Nothing)},
}  # fmt: skip
ENTRIES: dict[str, Kind] = {
    "name": str, "game": str, "seed": int, "spec_text": str, "canonical": dict,
    "fingerprint": str, "environment": dict, "created": (int, float),
}  # fmt: skip
LOST: dict[str, Any] = {  # what stands for an entry that is damaged; there is none for the game
    "name": "(damaged)", "seed": 0, "spec_text": "", "canonical": {}, "fingerprint": "",
    "environment": {}, "created": 0.0,
}  # fmt: skip


def create(connection: sqlite3.Connection, header: Header) -> None:
    """Write the tables and the header, all or nothing."""
    with changing(connection):
        for statement in TABLES.split(";"):
            connection.execute(statement)
        write_header(connection, header)
        OURS.claim(connection)


def write_header(connection: sqlite3.Connection, header: Header) -> None:
    """Write the header, in place of one that is there."""
    data = header.plain()
    players = [
        (number, player["name"], player["engine"], json.dumps(player["options"]), player["limits"])
        for number, player in enumerate(data.pop("players"))
    ]
    meta = [(key, json.dumps(value)) for key, value in data.items()]
    for table, rows in (("meta", meta), ("players", players)):
        connection.execute(f"DELETE FROM {table}")
        for row in rows:
            write_record(connection, table, row)


def write_record(connection: sqlite3.Connection, table: str, values: Sequence[Any]) -> None:
    """Write a row of a table other than that of the games, in place of one that is there."""
    names = [*RECORDS[table], "checksum"]
    marks = ", ".join("?" * len(names))
    sql = f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({marks})"
    connection.execute(sql, [*values, checksum_of_values(values)])


def read_records(
    connection: sqlite3.Connection, table: str, damage: Damage
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table other than that of the games; what is damaged is noted and left out."""
    kinds = RECORDS[table]
    has_checksums = layout_of(connection) > 1
    column = "checksum" if has_checksums else "NULL"
    try:
        sql = f"SELECT {', '.join(kinds)}, {column} FROM {table} ORDER BY rowid"
        for *values, checksum in connection.execute(sql):
            fits = all(map(isinstance, values, kinds.values()))
            if fits and (not has_checksums or checksum_of_values(values) == checksum):
                yield tuple(values)
            else:
                damage.note(f"a row of the table {table}")
    except FAILURES:
        damage.note(f"a part of the table {table}")


def read_header(connection: sqlite3.Connection, path: Path, damage: Damage) -> Header:
    """The header of a journal."""
    data: dict[str, Any] = {}
    for key, value in read_records(connection, "meta", damage):
        with suppress(ValueError, RecursionError):
            data[key] = json.loads(value)
    entries = {key: data[key] for key, kind in ENTRIES.items() if isinstance(data.get(key), kind)}
    for key in ENTRIES.keys() - entries.keys():
        damage.note(f"the {key} of the tournament")
    try:
        entries = {**LOST, **entries}
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
    sound: dict[int, Contestant] = {}
    for number, name, engine, options, limits in read_records(connection, "players", damage):
        try:
            sound[number] = Contestant(name, engine, dict(json.loads(options)), limits)
        except (ValueError, TypeError, RecursionError):
            damage.note("a row of the table players")
    try:
        count = int(connection.execute("SELECT count(*) FROM players").fetchone()[0])
    except FAILURES:
        count = 0
    names = _names(canonical)
    size = max(count, len(sound), len(names))
    if sound.keys() != set(range(size)):
        damage.note("a row of the table players")
    names += [f"player {number} (damaged)" for number in range(len(names), size)]
    return tuple(
        sound.get(number, Contestant(name, "", {}, "")) for number, name in enumerate(names)
    )


def _names(canonical: dict[str, Any]) -> list[str]:
    """The names of the players in what the file says."""
    engines = canonical.get("engines")
    each = engines if isinstance(engines, list) else []
    return [str(engine["name"]) for engine in each if isinstance(engine, dict) and "name" in engine]


def add_checksums(connection: sqlite3.Connection) -> None:
    """Bring a journal of layout 1 to this one, in one step: every row gets its checksum."""
    others = [table for table in RECORDS if table != "openings"]
    for table in ("games", *others):
        for column in CHECKSUMS if table == "games" else CHECKSUMS[:1]:
            sql = f"ALTER TABLE {table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT -1"
            connection.execute(sql)
    for table in others:
        sql = f"SELECT {', '.join(RECORDS[table])} FROM {table}"
        for row in connection.execute(sql).fetchall():
            write_record(connection, table, row)
    connection.create_function("of_game", len(COLUMNS), _checksum_of_columns)
    connection.create_function("of_telemetry", 1, crc32)
    connection.execute(
        f"UPDATE games SET checksum = of_game({', '.join(COLUMNS)}), "
        "telemetry_checksum = of_telemetry(telemetry)"
    )
    connection.execute(f"PRAGMA user_version = {OURS.layout}")


def _checksum_of_columns(*values: Any) -> int:
    row = GameRow(**dict(zip(COLUMNS, values, strict=True)), telemetry=b"")
    return checksum_of_game(row)
