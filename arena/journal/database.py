"""SQLite files of ours: how they are opened, whose they are, and how an old one is set aside.

Every commit goes to the write-ahead log with one plain write and no wait for the disk
(`synchronous = NORMAL`). The system keeps what was written when the process is killed, so no game
that `write` has returned from is lost. A power cut can take back the last commits, those since the
log was last folded into the file, but never leaves the file inconsistent: these games are played
again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from arena.journal.errors import FAILURES, BadJournal, JournalError, explained, explaining

LOG_PAGES = 8000  # of 4 kB; a full log is folded into the file, which waits for the disk
PATIENCE = 10.0  # seconds to wait for another program
FORBIDDEN = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
COMPANIONS = ("-wal", "-shm")  # SQLite's own files beside it


class Owner(NamedTuple):
    """Whose a file is: a mark where `file` looks for it, its newest layout, and a refusal."""

    mark: int
    layout: int
    refusal: str  # of a file with another mark

    def claim(self, connection: sqlite3.Connection) -> None:
        """Mark a new file."""
        connection.execute(f"PRAGMA application_id = {self.mark}")
        connection.execute(f"PRAGMA user_version = {self.layout}")

    def check(self, connection: sqlite3.Connection, path: Path) -> None:
        """Refuse the file of another program, or of a version to come."""
        if _pragma(connection, "application_id") != self.mark:
            raise BadJournal(f"{path} is {self.refusal}")
        layout = layout_of(connection)
        if layout > self.layout:
            raise BadJournal(
                f"{path} was written by a newer version (layout {layout}, this one knows "
                f"{self.layout}); update arena to read it"
            )


Opener = Callable[[Path, Owner], sqlite3.Connection]


def connect(path: Path, how: str = "mode=rwc", patience: float = PATIENCE) -> sqlite3.Connection:
    """Open an SQLite file, in which every statement counts at once unless it is in `changing`."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


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


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether nothing is there yet: no tables, no owner."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not tables and not _pragma(connection, "application_id")


def layout_of(connection: sqlite3.Connection) -> int:
    """The layout that a file was written in."""
    return _pragma(connection, "user_version")


def open_writer(path: Path, owner: Owner) -> sqlite3.Connection:
    """Open a file for one long writer, or begin an empty one."""
    connection = connect(path)
    connection.text_factory = _decoded
    try:
        if not is_new(connection):
            owner.check(connection, path)  # before anything of another program is changed
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("PRAGMA user_version = 0")  # fails now rather than after the first game
        connection.execute("ROLLBACK")
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path, owner: Owner) -> sqlite3.Connection:
    """Open a file that must exist for reading, also while somebody writes to it."""
    if not path.is_file():
        raise BadJournal(f"there is no journal {path}")
    if path.stat().st_size == 0:
        raise BadJournal(f"{path} is empty: nothing has been recorded in it")
    try:
        connection = connect(path, "mode=ro")
    except sqlite3.OperationalError as error:
        log = path.with_name(path.name + "-wal")
        if not error.sqlite_errorname.startswith(FORBIDDEN) or log.exists():
            raise
        connection = connect(path, "immutable=1")  # nobody may write beside it, so nobody does
    connection.text_factory = _decoded
    try:
        if is_new(connection):
            raise BadJournal(f"{path} is empty: nothing has been recorded in it")
        owner.check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def opened(opener: Opener, path: Path, owner: Owner) -> Iterator[sqlite3.Connection]:
    """A connection that stays open, unless something goes wrong with it inside."""
    connection: sqlite3.Connection | None = None
    with explaining(path):
        try:
            connection = opener(path, owner)
            yield connection
        except BaseException:
            if connection is not None:
                connection.close()
            raise


def _decoded(text: bytes) -> str:
    """Text that may be damaged: what is no UTF-8 stands out, and no row hides the others."""
    return text.decode("utf-8", "surrogateescape")


def fold(connection: sqlite3.Connection) -> None:
    """Fold the log into the file at the end of a run, unless somebody reads just now.

    A finished journal is then one file, beside which its readers leave nothing.
    """
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA journal_mode = DELETE")


def structure(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the file itself; all of it is read, but no row is looked at."""
    try:
        lines = [
            line
            for (text,) in connection.execute("PRAGMA quick_check(10)")
            for line in str(text).split("\n")
            if not line.startswith("***")
        ]
    except FAILURES as error:
        return [str(error) or "it cannot be read"]
    return [] if lines == ["ok"] else lines


def set_aside(path: Path) -> Path:
    """Give a file, with its log, the next free name; nothing is deleted."""
    with suppress(sqlite3.Error):  # fold the log in; a damaged file keeps it
        connection = sqlite3.connect(path, timeout=PATIENCE)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
    aside = _free_name(path)
    try:
        for end in (*COMPANIONS, ""):
            if path.with_name(path.name + end).exists():
                path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    except OSError as error:
        raise JournalError(f"{path} cannot be set aside: {explained(error, path)}") from None
    return aside


def _free_name(path: Path) -> Path:
    for number in count(1):
        name = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not any(name.with_name(name.name + end).exists() for end in ("", *COMPANIONS)):
            return name
    raise AssertionError


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
