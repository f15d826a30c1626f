"""SQLite files of ours: opened, held by one writer, watched while it writes, and set aside.

Every commit goes to the write-ahead log with one plain write and no wait for the disk
(`synchronous = NORMAL`). The system keeps what was written when the process is killed, so no game
that `Journal.write` has returned from is lost. A power cut can take back the last commits, those
since the log was last folded into the file, but never leaves the file inconsistent: these games are
played again.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from arena.journal.errors import (
    FAILURES,
    BadJournal,
    JournalBusy,
    JournalError,
    explained,
    explaining,
    in_words,
)
from arena.text import printable

LOG_PAGES = 8000  # of 4 kB; a full log is folded into the file, which waits for the disk
PATIENCE = 10.0  # seconds to wait for another program
LOG = "-wal"  # the end of its name
ENDS = (LOG, "-shm", "")  # SQLite's files beside a database, and the database


class Owner(NamedTuple):
    """A kind of our files: its mark, where `file` looks for it, its layout, and a refusal."""

    mark: int
    layout: int
    refusal: str  # of a file with another mark

    def claim(self, connection: sqlite3.Connection) -> None:
        """Mark a file as ours, of this layout."""
        connection.execute(f"PRAGMA application_id = {self.mark}")
        connection.execute(f"PRAGMA user_version = {self.layout}")

    def check(self, connection: sqlite3.Connection, path: Path) -> None:
        """Refuse the file of another program or of another version."""
        if _number(connection, "application_id") != self.mark:
            raise BadJournal(f"{path} is {self.refusal}")
        layout = _number(connection, "user_version")
        if layout == self.layout:
            return
        age, verb = ("a newer", "update arena") if layout > self.layout else ("an early", "use it")
        raise BadJournal(
            f"{path} was written by {age} version (layout {layout}, this one knows {self.layout}); "
            f"{verb} to read it"
        )


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def connect(path: Path, how: str = "mode=rwc", is_damaged: bool = False) -> sqlite3.Connection:
    """Open an SQLite file; every statement is a transaction, unless it is inside `changing`."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if is_damaged:  # so that SQLite does not refuse one that was cut
            connection.execute("PRAGMA writable_schema = ON")
        connection.execute("PRAGMA schema_version")
    except sqlite3.Error:
        connection.close()
        raise
    # A damaged text must not hide the rest of its row.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    return connection


def connect_to_read(path: Path, is_damaged: bool = False) -> sqlite3.Connection:
    """Open a file that must exist, also while another program writes to it."""
    if not path.is_file():
        raise BadJournal(f"there is no journal {printable(str(path))}")
    if path.stat().st_size == 0:
        raise empty(path)
    try:
        return connect(path, "mode=ro", is_damaged)
    except sqlite3.OperationalError as error:
        is_forbidden = error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))
        if not is_forbidden or Path(f"{path}{LOG}").exists():
            raise
    return connect(path, "immutable=1", is_damaged)  # nor can others write a log there


def empty(path: Path) -> BadJournal:
    """The error about a file without tables."""
    return BadJournal(f"{path} is empty: nothing has been recorded in it")


@contextmanager
def opened(path: Path, owner: Owner, writing: bool) -> Iterator[sqlite3.Connection]:
    """A connection that stays open unless the block fails.

    To write, the file is created if need be; to read, it must exist.
    """
    with explaining(path):
        connection = connect(path) if writing else connect_to_read(path)
        try:
            if not is_new(connection):
                owner.check(connection, path)  # before anything of another program is changed
            elif not writing:
                raise empty(path)
            if writing:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("PRAGMA user_version = 0")  # fails now if it is read-only
                connection.execute("ROLLBACK")
            yield connection
        except BaseException:
            connection.close()
            raise


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether a file has neither tables nor an owner yet."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not tables and not _number(connection, "application_id")


@contextmanager
def changing(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes made inside, or none if something fails."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def find_damage(connection: sqlite3.Connection) -> str | None:
    """What SQLite finds wrong with the structure of a file, which it reads as a whole."""
    try:
        lines = [line for (text,) in connection.execute("PRAGMA quick_check(10)")
                 for line in str(text).split("\n") if not line.startswith("***")]  # fmt: skip
    except FAILURES as error:
        return str(error) or "it cannot be read"
    return None if lines == ["ok"] else lines[0]


def set_aside(path: Path) -> None:
    """Rename a file and its log to the next free name; nothing is deleted."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        fold(connection)  # a damaged file keeps its log
    aside = free_name(path)
    try:
        for end in ENDS:
            if os.path.exists(f"{path}{end}"):
                os.rename(f"{path}{end}", f"{aside}{end}")
    except OSError as error:
        raise JournalError(f"{path} cannot be set aside: {explained(error, path)}") from None


def free_name(path: Path) -> Path:
    """The first of `games-1.db`, `games-2.db`, .. that neither a file has nor its log."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in count(1))
    return next(n for n in names if not any(os.path.exists(f"{n}{end}") for end in ENDS))


def fold(connection: sqlite3.Connection) -> None:
    """Write the log to the file."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class Lock:
    """The right to write to a file, until `release` or the end of the process.

    The system gives the lock back however its holder ends, so a killed run never leaves a journal
    locked. The file beside the journal only holds the number of the process.
    """

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(journal.name + ".lock")
        self.file: int | None = None
        try:
            file = self._take(journal)
            os.ftruncate(file, 0)
            os.write(file, b"%d\n" % os.getpid())
        except OSError as error:
            raise JournalError(f"{self.path} cannot be locked: {error.strerror}") from None
        self.file = file

    def _take(self, journal: Path) -> int:
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.read(file, 20).decode("ascii", "replace").strip()
                os.close(file)
                raise JournalBusy(_busy(journal, owner)) from None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), os.stat(self.path)):
                    return file
            os.close(file)  # its holder has removed it meanwhile

    def release(self) -> None:
        """Give the lock back; a second time does nothing."""
        if self.file is not None:
            with suppress(OSError):
                self.path.unlink()
            os.close(self.file)
            self.file = None


def _busy(journal: Path, owner: str) -> str:
    who = f"process {owner}" if owner else "another process"
    if owner == str(os.getpid()):
        who = f"this process ({owner})"
    return f"{journal} is being written by {who}; wait for it or stop it"


class Place:
    """Notices when the file of a writer, or its log, is removed or replaced, and saves the games.

    A process can write to an open file whose name is gone, and these games would be lost with the
    process. So the writer checks the names after each commit, which takes a microsecond.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self.name = Path(os.path.abspath(path)), path
        self.connection = connection
        self.files = {end: _identity(f"{self.path}{end}") for end in ("", LOG)}

    def check(self) -> None:
        """Save the games and raise a JournalError, once, if a file is not where it was."""
        for end, before in self.files.items():
            now = _identity(f"{self.path}{end}")
            if now == before:
                continue
            if before is None:
                self.files[end] = now  # the log, which SQLite begins when it needs it
                continue
            self.files = {}
            what = "removed or moved" if now is None else "replaced by another file"
            saved = self._fold() if end else self._save(is_free=now is None)
            raise JournalError(f"{self.name}{end} was {what} during the run; {saved}")

    def _fold(self) -> str:
        """Write to the file what only the log holds, which has lost its name."""
        try:
            fold(self.connection)
            return _saved(self.connection, self.path)
        except FAILURES as error:
            return f"the games since {self.name} was last complete are lost: {error}"

    def _save(self, is_free: bool) -> str:
        """Write all games to a file in the old place, or beside it, or else to a temporary one."""
        aside = self.path.with_stem(f"{self.path.stem}-saved")
        target = self.path if is_free else free_name(aside)
        with suppress(*FAILURES):
            return self._copy(target)
        target = Path(mkdtemp(prefix="arena-"), self.path.name)
        try:
            return self._copy(target)
        except FAILURES as error:
            return f"its games could not be saved in {target} and are lost: {in_words(error)}"

    def _copy(self, target: Path) -> str:
        target.parent.mkdir(parents=True, exist_ok=True)
        for end in ENDS[:-1]:  # those of a journal that is gone fit no other
            Path(f"{target}{end}").unlink(missing_ok=True)
        with closing(sqlite3.connect(target)) as copy:
            self.connection.backup(copy)
            return _saved(copy, target)


def _identity(file: str) -> tuple[int, int] | None:
    """What stays the same as long as a file is the same; None of one that is not there."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _saved(connection: sqlite3.Connection, path: Path) -> str:
    count = connection.execute("SELECT count(*) FROM games").fetchone()[0]
    games = "1 game is" if count == 1 else f"{count} games are"
    return f"its {games} saved in {path}"
