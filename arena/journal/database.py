"""SQLite files of ours: how they are opened, whose they are, and how an old one is set aside.

Every commit goes to the write-ahead log with one plain write and no wait for the disk
(`synchronous = NORMAL`). The system keeps what was written when the process is killed, so no game
that `write` has returned from is lost. A power cut can take back the last commits, those since the
log was last folded into the file, but never leaves the file inconsistent: these games are played
again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from arena.journal.errors import FAILURES, BadJournal, JournalError, explained, explaining
from arena.text import printable

LOG_PAGES = 8000  # of 4 kB; a full log is folded into the file, which waits for the disk
PATIENCE = 10.0  # seconds to wait for another program
COMPANIONS = ("-wal", "-shm")  # SQLite's own files beside it


class Owner(NamedTuple):
    """Whose a file is: a mark where `file` looks for it, its newest layout, and a refusal."""

    mark: int
    layout: int
    refusal: str  # of a file with another mark

    def claim(self, connection: sqlite3.Connection) -> None:
        """Mark a file, as one of the newest layout."""
        connection.execute(f"PRAGMA application_id = {self.mark}")
        connection.execute(f"PRAGMA user_version = {self.layout}")

    def check(self, connection: sqlite3.Connection, path: Path) -> None:
        """Refuse the file of another program, or of a version to come."""
        if _mark_of(connection) != self.mark:
            raise BadJournal(f"{path} is {self.refusal}")
        layout = layout_of(connection)
        if layout > self.layout:
            raise BadJournal(
                f"{path} was written by a newer version (layout {layout}, this one knows "
                f"{self.layout}); update arena to read it"
            )


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
    return not tables and not _mark_of(connection)


def layout_of(connection: sqlite3.Connection) -> int:
    """The layout that a file was written in."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _mark_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


@contextmanager
def opened(path: Path, owner: Owner, writing: bool) -> Iterator[sqlite3.Connection]:
    """A connection that stays open, unless something goes wrong with it inside.

    To write, a file is begun if there is none; one to read must exist.
    """
    with explaining(path):
        connection = connect(path) if writing else _connect_to_read(path)
        # Text may be damaged: what is no UTF-8 stands out, and no row hides the others.
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        try:
            if not is_new(connection):
                owner.check(connection, path)  # before anything of another program is changed
            elif not writing:
                raise BadJournal(f"{path} is empty: nothing has been recorded in it")
            if writing:
                _prepare_to_write(connection)
            yield connection
        except BaseException:
            connection.close()
            raise


def _prepare_to_write(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("PRAGMA user_version = 0")  # fails now rather than after the first game
    connection.execute("ROLLBACK")


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that must exist, also while somebody writes to it."""
    if not path.is_file():
        raise BadJournal(f"there is no journal {printable(str(path))}")
    if path.stat().st_size == 0:
        raise BadJournal(f"{path} is empty: nothing has been recorded in it")
    try:
        return connect(path, "mode=ro")
    except sqlite3.OperationalError as error:
        is_forbidden = error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))
        if not is_forbidden or path.with_name(path.name + "-wal").exists():
            raise
    return connect(path, "immutable=1")  # nobody may write beside it, so nobody does


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


def set_aside(path: Path) -> None:
    """Give a file, with its log, the next free name; nothing is deleted."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        # Fold the log in; a damaged file keeps it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for number in count(1):
        aside = path.with_name(f"{path.stem}-{number}{path.suffix}")
        moves = {end: aside.with_name(aside.name + end) for end in (*COMPANIONS, "")}
        if not any(target.exists() for target in moves.values()):
            break
    try:
        for end, target in moves.items():
            if path.with_name(path.name + end).exists():
                path.with_name(path.name + end).rename(target)
    except OSError as error:
        raise JournalError(f"{path} cannot be set aside: {explained(error, path)}") from None
