"""The SQLite file itself: how it is opened, whose it is, and how an old one is set aside.

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

from arena.journal.errors import FAILURES, BadJournal, JournalError, explained

APPLICATION = 0x41524E41  # "ARNA", where `file` looks for the owner of an SQLite file
LAYOUT = 2  # the first had no checksums
LOG_PAGES = 8000  # of 4 kB; a full log is folded into the file, which waits for the disk
PATIENCE = 10.0  # seconds to wait for another program
FORBIDDEN = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
COMPANIONS = ("-wal", "-shm")

Opener = Callable[[Path], sqlite3.Connection]


def open_writer(path: Path) -> sqlite3.Connection:
    """Open a journal for writing, or begin an empty file."""
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = _decoded
    try:
        if not is_new(connection):
            check(connection, path)  # before anything of another program is changed
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


def fold(connection: sqlite3.Connection) -> None:
    """Fold the log into the file at the end of a run, unless somebody reads just now.

    A finished journal is then one file, beside which its readers leave nothing.
    """
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA journal_mode = DELETE")


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a journal that must exist for reading, also while a run writes to it."""
    if not path.is_file():
        raise BadJournal(f"there is no journal {path}")
    if path.stat().st_size == 0:
        raise BadJournal(f"{path} is empty: nothing has been recorded in it")
    try:
        return _connect(path, "mode=ro")
    except sqlite3.OperationalError as error:
        log = path.with_name(path.name + "-wal")
        if not error.sqlite_errorname.startswith(FORBIDDEN) or log.exists():
            raise
        return _connect(path, "immutable=1")  # nobody may write beside it, so nobody does


@contextmanager
def connected(opener: Opener, path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that stays open, unless something goes wrong with it inside."""
    connection: sqlite3.Connection | None = None
    try:
        connection = opener(path)
        yield connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, FAILURES):
            raise explained(error, path) from error
        raise


def _connect(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = _decoded
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _decoded(text: bytes) -> str:
    """Text that may be damaged: what is no UTF-8 stands out, and no row hides the others."""
    return text.decode("utf-8", "surrogateescape")


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether nothing is there yet: no tables, no owner."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not tables and not _pragma(connection, "application_id")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no journal, or one that we cannot read."""
    if is_new(connection):
        raise BadJournal(f"{path} is empty: nothing has been recorded in it")
    if _pragma(connection, "application_id") != APPLICATION:
        raise BadJournal(f"{path} is an SQLite file of another program, not a journal")
    layout = layout_of(connection)
    if layout > LAYOUT:
        raise BadJournal(
            f"{path} was written by a newer version (layout {layout}, this one knows {LAYOUT}); "
            "update arena to read it"
        )


def layout_of(connection: sqlite3.Connection) -> int:
    """The layout that a journal was written in."""
    return _pragma(connection, "user_version")


def structure(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the file itself; all of it is read, but no row is looked at."""
    try:
        told = [
            line
            for (text,) in connection.execute("PRAGMA quick_check(10)")
            for line in str(text).split("\n")
            if not line.startswith("***")
        ]
    except FAILURES as error:
        return [str(error) or "it cannot be read"]
    return [] if told == ["ok"] else told


def set_aside(path: Path) -> Path:
    """Give a journal, with its log, the next free name; nothing is deleted."""
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
