"""The personal journal: every finished game of this user, in one SQLite file.

A game is one commit, and the file is open only while it is read or written, so that two games at
once, in two windows, both get in.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import platformdirs

from arena.game.rules import Rules
from arena.human.game import HumanGame
from arena.journal.database import Owner, changing, connect, is_new
from arena.journal.errors import JournalError, explaining
from arena.table.game import pack_telemetry

VARIABLE = "ARENA_HISTORY"  # the environment variable that names another file
OWNER = Owner(0x41524E48, 1, "an SQLite file of another kind, not a history")  # "ARNH"
Key = tuple[str, bool]  # a name, and whether it is a person's

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
        first, second = game.participants
        return cls(
            0, ended, game.rules.name, first.name, second.name, first.words, second.words,
            *game.ending, bytes([move.column for move in game.moves]), str(game.time_control),
            game.helps, game.scheduled.seed, sum(move.seconds for move in game.moves),
            pack_telemetry(game.moves),
        )  # fmt: skip

    @property
    def names(self) -> tuple[str, str]:
        """Both players, who moved first first."""
        return self.first, self.second

    @property
    def keys(self) -> tuple[Key, Key]:
        """The identities of both players."""
        return (self.first, not self.first_engine), (self.second, not self.second_engine)

    @property
    def is_rated(self) -> bool:
        """Whether the game is evidence of strength: not with help, nor against itself."""
        return self.helps == 0 and self.keys[0] != self.keys[1]

    @cached_property
    def rules(self) -> Rules:
        """The board that was played on."""
        return Rules.named(self.game)


COLUMNS = ", ".join(field.name for field in fields(FinishedGame))
MARKS = ", ".join("?" for _ in fields(FinishedGame))


def history_path() -> Path:
    """Where the games of this user are, or will be."""
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE])
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
        with self._connected("mode=ro") as connection:
            if is_new(connection):
                return []
            OWNER.check(connection, self.path)
            rows = connection.execute(f"SELECT {COLUMNS} FROM games ORDER BY number")
            return [FinishedGame(*row) for row in rows]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, in a file that has its table."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{self.path.parent} cannot be created: {error.strerror}") from None
        with self._connected("mode=rwc") as connection, changing(connection):
            if is_new(connection):
                connection.execute(TABLE)
                OWNER.claim(connection)
            else:
                OWNER.check(connection, self.path)
            yield connection

    @contextmanager
    def _connected(self, how: str) -> Iterator[sqlite3.Connection]:
        with explaining(self.path), closing(connect(self.path, how)) as connection:
            yield connection
