"""The personal journal: every finished game of this user, in one SQLite file.

A game is one commit, and the file is open only while it is read or written, so that two games at
once, in two windows, both get in.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.human.game import HumanGame
from arena.journal.errors import FAILURES, BadJournal, JournalError, explained
from arena.play.record import MoveRecord, pack_telemetry, unpack_telemetry

VARIABLE = "ARENA_HISTORY"  # the environment variable that names another file
APPLICATION = 0x41524E48  # "ARNH", where `file` looks for the owner of an SQLite file
LAYOUT = 1
PATIENCE = 10.0  # seconds to wait for another program

TABLE = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT, played REAL NOT NULL, game TEXT NOT NULL,
    first TEXT NOT NULL, second TEXT NOT NULL, first_engine TEXT NOT NULL,
    second_engine TEXT NOT NULL, result INTEGER NOT NULL CHECK (result BETWEEN -1 AND 1),
    reason TEXT NOT NULL, detail TEXT NOT NULL, moves BLOB NOT NULL, pace TEXT NOT NULL,
    helps INTEGER NOT NULL, seed INTEGER NOT NULL, seconds REAL NOT NULL, telemetry BLOB NOT NULL)
"""


@dataclass(frozen=True)
class FinishedGame:
    """A game as it is kept; `first_engine` and `second_engine` are empty for people."""

    number: int  # 0: not written yet
    played: float  # when it ended, in seconds since 1970
    game: str  # `Rules.named` reads it
    first: str
    second: str
    first_engine: str
    second_engine: str
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: str
    detail: str
    moves: bytes  # one byte a column
    pace: str  # the time control in words
    helps: int  # hints, opinions and moves taken back
    seed: int
    seconds: float
    telemetry: bytes

    @classmethod
    def of(cls, game: HumanGame, ended: float) -> FinishedGame:
        """A game that has ended just now, ready to be written down."""
        assert game.ending is not None
        first, second = game.players
        return cls(
            0, ended, game.rules.name, first.name, second.name, first.words, second.words,
            *game.ending, bytes([move.column for move in game.moves]), str(game.time_control),
            game.helps, game.referee.seed, sum(move.seconds for move in game.moves),
            pack_telemetry(game.moves),
        )  # fmt: skip

    @property
    def names(self) -> tuple[str, str]:
        """Both players, who moved first first."""
        return self.first, self.second

    @property
    def people(self) -> tuple[bool, bool]:
        """Which of them are people."""
        return not self.first_engine, not self.second_engine

    @cached_property
    def rules(self) -> Rules:
        """The board that was played on."""
        return Rules.named(self.game)

    def final(self) -> Position:
        """The position in which the game ended."""
        return play_moves(self.moves, self.rules)

    def move_records(self) -> list[MoveRecord]:
        """The moves with their telemetry."""
        return unpack_telemetry(self.moves, self.telemetry)


COLUMNS = ", ".join(field.name for field in fields(FinishedGame))
MARKS = ", ".join("?" for _ in fields(FinishedGame))


def history_path() -> Path:
    """Where the games of this user are, or will be."""
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE])
    import platformdirs

    return Path(platformdirs.user_data_dir("connect-arena")) / "history.db"


class History:
    """The games in a file, which need not exist before the first of them."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or history_path()

    def prepare(self) -> None:
        """Make sure that a game can be written, before one is played."""
        with self._writing():
            pass

    def add(self, game: FinishedGame) -> int:
        """Write a game down; its number."""
        values = [getattr(game, field.name) for field in fields(FinishedGame)]
        with self._writing() as connection:
            row = connection.execute(
                f"INSERT INTO games ({COLUMNS}) VALUES ({MARKS})", [None, *values[1:]]
            )
            return int(row.lastrowid or 0)

    def games(self) -> list[FinishedGame]:
        """All games, the oldest first."""
        if not self.path.exists():
            return []
        with self._connected("ro") as connection:
            if self._is_new(connection):
                return []
            self._check(connection)
            rows = connection.execute(f"SELECT {COLUMNS} FROM games ORDER BY number")
            return [FinishedGame(*row) for row in rows]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, in a file that has its table."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{self.path.parent} cannot be created: {error.strerror}") from None
        with self._connected("rwc") as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._create_or_check(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _connected(self, mode: str) -> Iterator[sqlite3.Connection]:
        connection: sqlite3.Connection | None = None
        try:
            address = f"{self.path.resolve().as_uri()}?mode={mode}"
            connection = sqlite3.connect(address, PATIENCE, isolation_level=None, uri=True)
            yield connection
        except FAILURES as error:
            raise explained(error, self.path) from error
        finally:
            if connection is not None:
                connection.close()

    def _create_or_check(self, connection: sqlite3.Connection) -> None:
        if not self._is_new(connection):
            self._check(connection)
            return
        connection.execute(TABLE)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {LAYOUT}")

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return not tables and not _pragma(connection, "application_id")

    def _check(self, connection: sqlite3.Connection) -> None:
        """Refuse the file of another program, or of a version to come."""
        if _pragma(connection, "application_id") != APPLICATION:
            raise BadJournal(f"{self.path} is an SQLite file of another kind, not a history")
        layout = _pragma(connection, "user_version")
        if layout > LAYOUT:
            raise BadJournal(
                f"{self.path} was written by a newer version (layout {layout}, this one knows "
                f"{LAYOUT}); update arena to read it"
            )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
