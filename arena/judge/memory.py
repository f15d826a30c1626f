"""What was judged before: a small file beside the journal, whose loss costs nothing but time.

A verdict depends on the board and on the moves alone, so they are the key: whatever happens to
the journal, an entry is right or not found. The file is read and written where that is possible;
where it is not, all goes on without it.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Any

from arena.game.rules import Rules
from arena.journal import Journal
from arena.journal.database import changing, connect, layout_of
from arena.journal.errors import FAILURES
from arena.judge.game import Judged

ENDING = ".judged"
LAYOUT = 2  # changes with the meaning of an entry, and whenever scores have been wrong
PATIENCE = 2.0  # seconds to wait for another program
TOGETHER = 500  # games written at once
TABLE = (
    "CREATE TABLE judged (game TEXT NOT NULL, moves BLOB NOT NULL, opening INTEGER NOT NULL, "
    "nodes INTEGER NOT NULL, found TEXT NOT NULL, PRIMARY KEY (game, moves, opening)) WITHOUT ROWID"
)

Key = tuple[bytes, int]
Entry = tuple[Judged, int]  # what is proven, and the nodes that each open question was given


class Memory:
    """Games that were judged, in this run or an earlier one; without a path, in this run only."""

    def __init__(self, rules: Rules, path: Path | None = None) -> None:
        self.game, self.path = str(rules), path
        self._entries: dict[Key, Entry] = {}
        self._fresh: dict[Key, Entry] = {}
        self._connection = self._open() if path is not None and path.is_file() else None

    @classmethod
    def beside(cls, journal: Journal) -> Memory:
        """The memory that belongs to a journal."""
        return cls(journal.header.rules, journal.path.with_name(journal.path.stem + ENDING))

    def get(self, moves: bytes, opening: int) -> Entry:
        """What is known of a game, and with how many nodes a question the rest was tried."""
        key = moves, opening
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = self._read(key) or (Judged.blank(moves, opening), 0)
        return entry

    @property
    def count(self) -> int:
        """How many games are known, perhaps some of them no longer in the journal."""
        self.save()
        if self._connection is None:
            return len(self._entries)
        with suppress(*FAILURES):
            query = "SELECT count(*) FROM judged WHERE game = ?"
            return int(self._connection.execute(query, (self.game,)).fetchone()[0])
        return 0

    def put(self, judged: Judged, nodes: int) -> None:
        """Remember a game."""
        key = judged.moves, judged.opening
        self._entries[key] = self._fresh[key] = judged, nodes
        if len(self._fresh) >= TOGETHER:
            self.save()

    def save(self) -> None:
        """Write what is new, if it can be written."""
        if self.path is None or not self._fresh:
            return
        rows = []
        for key, (judged, nodes) in self._fresh.items():
            facts = {name: getattr(judged, name) for name in ("scores", "critical", "keepers")}
            rows.append((self.game, *key, nodes, json.dumps(facts, separators=(",", ":"))))
        self._fresh = {}
        if self._connection is None:
            self._connection = self._open()
        if self._connection is not None:
            with suppress(*FAILURES), changing(self._connection):
                insert = "INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?, ?)"
                self._connection.executemany(insert, rows)

    def close(self) -> None:
        """Write what is new and let go of the file."""
        self.save()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection | None:
        """The file with its table; an unusable one is begun anew, one of others is left alone."""
        assert self.path is not None
        for _ in range(2):
            try:
                return _table_in(self.path)
            except sqlite3.OperationalError:  # no permission, no room, somebody else at work
                return None
            except sqlite3.DatabaseError:
                if not _is_ours(self.path):
                    return None
                with suppress(OSError):
                    self.path.unlink()
            except OSError:
                return None
        return None

    def _read(self, key: Key) -> Entry | None:
        if self._connection is None:
            return None
        try:
            row = self._connection.execute(
                "SELECT nodes, found FROM judged WHERE game = ? AND moves = ? AND opening = ?",
                (self.game, *key),
            ).fetchone()
            return None if row is None else (_judged(key, json.loads(row[1])), int(row[0]))
        except (*FAILURES, ValueError, TypeError, KeyError, AttributeError):
            return None


def _table_in(path: Path) -> sqlite3.Connection:
    """The file, opened, with a table of this layout."""
    connection = connect(path, patience=PATIENCE)
    try:
        if layout_of(connection) != LAYOUT:
            with changing(connection):
                connection.execute("DROP TABLE IF EXISTS judged")
                connection.execute(TABLE)
                connection.execute(f"PRAGMA user_version = {LAYOUT}")
        connection.execute("SELECT count(*) FROM judged WHERE nodes < 0").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _is_ours(path: Path) -> bool:
    """Whether a file that cannot be read began as a database."""
    try:
        with path.open("rb") as file:
            return file.read(6) in (b"", b"SQLite")
    except OSError:
        return False


def _judged(key: Key, facts: dict[str, Any]) -> Judged:
    """An entry as it was, if it fits the game; ValueError if it does not."""
    moves, opening = key
    blank = Judged.blank(moves, opening)
    scores, critical = tuple(facts["scores"]), tuple(facts["critical"])
    if len(scores) != len(blank.scores) or len(critical) != len(blank.critical):
        raise ValueError("an entry of another game")
    if not {*map(type, scores)} <= {int, NoneType} or not {*critical} <= {True, False, None}:
        raise ValueError("no scores")
    if any(a is not None and b is not None and -b > a for a, b in pairwise(scores)):
        raise ValueError("scores that no game can have")
    keepers = {int(ply): tuple(columns) for ply, columns in facts["keepers"].items()}
    return Judged(opening, moves, scores, critical, keepers)
