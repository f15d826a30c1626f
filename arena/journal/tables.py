"""The tables of a journal: their columns, and how everything but games is written and read.

Every row has a checksum of all that is in it. Journals of layout 1 have none: they are read as they
are, and get theirs when a run goes on with them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any
from zlib import crc32

from arena.errors import ArenaError
from arena.journal import layout
from arena.journal.checksums import of_game, of_words
from arena.journal.damage import Damage
from arena.journal.errors import FAILURES, BadJournal
from arena.journal.header import Contestant, Header
from arena.play.record import GameRow

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

Kind = type | tuple[type, ...]
Nothing = type(None)
WORDS: dict[str, dict[str, Kind]] = {  # the other tables: their columns with their kinds
    "meta": {"key": str, "value": str},
    "players": {"number": int, "name": str, "engine": str, "options": str, "limits": str},
    "sessions": {
        "number": int, "command": str, "workers": int, "environment": str, "started": float,
        "ended": (float, Nothing), "why": (str, Nothing),
    },
    "events": {"number": int, "at": float, "kind": str, "text": str},
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
        connection.execute(f"PRAGMA application_id = {layout.APPLICATION}")
        connection.execute(f"PRAGMA user_version = {layout.LAYOUT}")


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
            write_words(connection, table, row)


def write_words(connection: sqlite3.Connection, table: str, values: Sequence[Any]) -> None:
    """Write a row of a table other than that of the games, in place of one that is there."""
    names = [*WORDS[table], "checksum"]
    sql = f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({_marks(names)})"
    connection.execute(sql, [*values, of_words(values)])


def read_words(
    connection: sqlite3.Connection, table: str, damage: Damage
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table other than that of the games; what is damaged is noted and left out."""
    kinds = WORDS[table]
    checked = layout.layout_of(connection) > 1
    told = "checksum" if checked else "NULL"
    try:
        sql = f"SELECT {', '.join(kinds)}, {told} FROM {table} ORDER BY rowid"
        for *values, checksum in connection.execute(sql):
            fits = all(map(isinstance, values, kinds.values()))
            if fits and (not checked or of_words(values) == checksum):
                yield tuple(values)
            else:
                damage.note(f"a row of the table {table}")
    except FAILURES:
        damage.note(f"a part of the table {table}")


def read_header(connection: sqlite3.Connection, path: Path, damage: Damage) -> Header:
    """The header of a journal, once it is clear that the file is one."""
    layout.check(connection, path)
    data: dict[str, Any] = {}
    for key, value in read_words(connection, "meta", damage):
        with suppress(ValueError, RecursionError):
            data[key] = json.loads(value)
    entries = {key: data[key] for key, kind in ENTRIES.items() if isinstance(data.get(key), kind)}
    for key in ENTRIES.keys() - entries.keys():
        damage.note(f"the {key} of the tournament")
    try:
        told = {**LOST, **entries}
        header = Header(**told, players=_line_up(connection, told["canonical"], damage))
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
    known: dict[int, Contestant] = {}
    for number, name, engine, options, limits in read_words(connection, "players", damage):
        try:
            known[number] = Contestant(name, engine, dict(json.loads(options)), limits)
        except (ValueError, TypeError, RecursionError):
            damage.note("a row of the table players")
    try:
        count = int(connection.execute("SELECT count(*) FROM players").fetchone()[0])
    except FAILURES:
        count = 0
    names = _names(canonical)
    size = max(count, len(known), len(names))
    if known.keys() != set(range(size)):
        damage.note("a row of the table players")
    names += [f"player {number} (damaged)" for number in range(len(names), size)]
    return tuple(
        known.get(number, Contestant(name, "", {}, "")) for number, name in enumerate(names)
    )


def _names(canonical: dict[str, Any]) -> list[str]:
    """The names of the players in what the file says."""
    engines = canonical.get("engines")
    each = engines if isinstance(engines, list) else []
    return [str(engine["name"]) for engine in each if isinstance(engine, dict) and "name" in engine]


def add_checksums(connection: sqlite3.Connection) -> None:
    """Bring a journal of layout 1 to this one, in one step: every row gets its checksum."""
    for table in ("games", *WORDS):
        for column in CHECKSUMS if table == "games" else CHECKSUMS[:1]:
            sql = f"ALTER TABLE {table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT -1"
            connection.execute(sql)
    for table, kinds in WORDS.items():
        rows = connection.execute(f"SELECT {', '.join(kinds)} FROM {table}").fetchall()
        for row in rows:
            write_words(connection, table, row)
    connection.create_function("of_game", len(COLUMNS), _of_game)
    connection.create_function("of_telemetry", 1, crc32)
    connection.execute(
        f"UPDATE games SET checksum = of_game({', '.join(COLUMNS)}), "
        "telemetry_checksum = of_telemetry(telemetry)"
    )
    connection.execute(f"PRAGMA user_version = {layout.LAYOUT}")


def _of_game(*values: Any) -> int:
    return of_game(GameRow(**dict(zip(COLUMNS, values, strict=True)), telemetry=b""))


@contextmanager
def changing(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside is recorded at once, or, if something fails, not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
