"""The records of a journal and their tables: the tournament, its runs, its events, its games.

Every row has a checksum, and the telemetry of a game, which is seldom read, one of its own. CRC-32
finds every change of up to 32 neighbouring bits, and of random damages it misses one in four
thousand million. It costs a game a microsecond, where writing it costs five and more.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeVar
from zlib import crc32

from pydantic import Field, TypeAdapter

from arena.errors import BadRules, UnknownName
from arena.game.rules import Rules
from arena.journal.errors import BadJournal, damaged
from arena.table.game import Game
from arena.tournament.openings import SolvedOpening

MAX_TIME = 253_402_300_799  # the last second of the year 9999, in seconds since 1970
Time = Annotated[float, Field(ge=0, le=MAX_TIME)]
Count = Annotated[int, Field(ge=0, lt=2**63)]


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
    created: Time  # seconds since 1970
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
        """All of it as JSON gives it back: lists for tuples, text for other types."""
        return dict(json.loads(json.dumps(asdict(self), default=str)))


@dataclass(frozen=True, slots=True)
class Session:
    """One run of the tournament; one that was killed has no end."""

    command: str
    workers: Count
    environment: dict[str, Any]
    started: Time
    ended: Time | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened besides a game: a worker lost, a run interrupted."""

    at: Time
    kind: str
    text: str


AnyRecord = Contestant | Session | Event | SolvedOpening
Record = TypeVar("Record", bound=AnyRecord)
HEADER = TypeAdapter(Header)

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
# Created with the first opening: most tournaments have none.
OPENINGS = """
CREATE TABLE IF NOT EXISTS openings (number INTEGER PRIMARY KEY, tried INTEGER NOT NULL,
    moves TEXT, checksum INTEGER NOT NULL)
"""


# ---- games

COLUMNS = [field.name for field in fields(Game)]
INSERT = (
    f"INSERT INTO games ({', '.join(COLUMNS)}, checksum, telemetry_checksum) "
    f"VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"
)
FIXED = struct.Struct("<qqqqqqddIIII")  # the numbers of a game, and how long its other parts are


def checksum_of_game(game: Game) -> int:
    """The checksum of all of a game but its telemetry."""
    numbers = FIXED.pack(
        game.number, game.round, game.first, game.second, game.result, game.seed, game.started,
        game.seconds, len(game.opening), len(game.moves), len(game.reason), len(game.detail),
    )  # fmt: skip
    words = (game.reason + game.detail + game.log).encode()
    return crc32(b"".join((numbers, game.opening, game.moves, words)))


def row_of(game: Game) -> tuple[Any, ...]:
    """The values that INSERT writes for a game."""
    return (*game.values, checksum_of_game(game), crc32(game.telemetry))


def select_games(telemetry: bool) -> str:
    """The start of a query for rows that `game_of` reads; without telemetry it goes faster."""
    columns = ", ".join([*COLUMNS, "checksum", "telemetry_checksum"])
    if not telemetry:
        columns = columns.replace("telemetry_checksum", "0").replace("telemetry", "x''")
    return f"SELECT {columns} FROM games"


def game_of(row: tuple[Any, ...], players: int) -> Game | None:
    """The game of a row; None if it is not what was written."""
    game = Game(*row[:-2])
    try:
        is_sound = (
            checksum_of_game(game) == row[-2]
            and crc32(game.telemetry) == row[-1]
            and max(game.first, game.second) < players
        )
    except (ValueError, TypeError, struct.error):  # values of other types
        return None
    return game if is_sound else None


def without_surrogates(game: Game) -> Game:
    """The same game with lone surrogates spelt out, as UTF-8 cannot hold them."""
    reason, detail, log = map(_spelt_out, (game.reason, game.detail, game.log))
    return replace(game, reason=reason, detail=detail, log=log)


def _spelt_out(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# ---- the other tables

# The table of each record, with its columns between `number` and `checksum`.
TABLE_OF: dict[type, tuple[str, str]] = {
    Contestant: ("players", "name, engine, options, limits"),
    Session: ("sessions", "command, workers, environment, started, ended, why"),
    Event: ("events", "at, kind, text"),
    SolvedOpening: ("openings", "tried, moves"),
}


def checksum_of_values(*values: object) -> int:
    """The checksum of a row of another table than that of the games."""
    return crc32(json.dumps(values).encode())


def write_record(connection: sqlite3.Connection, number: int, record: AnyRecord) -> None:
    """Write the row of a record, in place of one that is there."""
    table, columns = TABLE_OF[type(record)]
    values = record if isinstance(record, tuple) else astuple(record)
    row = [number, *map(_stored, values)]
    marks = ", ".join("?" * (len(row) + 1))
    sql = f"INSERT OR REPLACE INTO {table} (number, {columns}, checksum) VALUES ({marks})"
    connection.execute(sql, [*row, checksum_of_values(*row)])


def _stored(value: Any) -> Any:
    if isinstance(value, str):
        return _spelt_out(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return json.dumps(value, default=str) if isinstance(value, dict) else value


def read_records(connection: sqlite3.Connection, kind: type[Record]) -> Iterator[Record | None]:
    """The records of a kind, in their order; None for one that is not what was written."""
    table, columns = TABLE_OF[kind]
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
        return  # no opening has been solved
    names = columns.split(", ")
    sql = f"SELECT number, {columns}, checksum FROM {table} ORDER BY number"
    for *row, checksum in connection.execute(sql):
        try:
            is_sound = checksum_of_values(*row) == checksum
            yield kind(*map(_restored, names, row[1:])) if is_sound else None
        except (ValueError, TypeError):  # values of other types
            yield None


def _restored(name: str, value: Any) -> Any:
    if name in ("options", "environment"):
        return json.loads(value)
    return tuple(map(int, value.split())) if name == "moves" and value is not None else value


def write_header(connection: sqlite3.Connection, header: Header) -> None:
    """Write the header, in place of one that is there."""
    connection.execute("DELETE FROM meta")
    connection.execute("DELETE FROM players")
    for number, player in enumerate(header.players):
        write_record(connection, number, player)
    for key, value in header.plain().items():
        if key != "players":
            row = key, json.dumps(value)
            sql = "INSERT INTO meta (key, value, checksum) VALUES (?, ?, ?)"
            connection.execute(sql, [*row, checksum_of_values(*row)])


def read_header(connection: sqlite3.Connection, path: Path, is_damaged: bool = False) -> Header:
    """The header of a journal; of a damaged one, its values may differ from their checksums."""
    data: dict[str, Any] = {}
    try:
        for *row, checksum in connection.execute("SELECT key, value, checksum FROM meta"):
            if checksum_of_values(*row) != checksum and not is_damaged:
                raise damaged(path, "a row of the table meta")
            data[row[0]] = json.loads(row[1])
        players = tuple(read_records(connection, Contestant))
        if None in players:
            raise damaged(path, "a row of the table players")
        last = connection.execute("SELECT max(number) FROM players").fetchone()[0]
        if players and last != len(players) - 1:
            raise damaged(path, "a row of the table players is missing")
        header = HEADER.validate_python({**data, "players": players})
        assert header.rules  # or an error that names the game
        return header
    except (TypeError, ValueError, UnknownName, BadRules):
        raise BadJournal(
            f"{path} is damaged: its description of the tournament is incomplete"
        ) from None
