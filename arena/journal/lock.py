"""A writer's hold on its file: nobody else writes to it, and nobody takes it away unnoticed.

The system gives the lock back when its holder ends, however it ends, so a killed run never leaves
a journal locked. The file beside the journal only tells others the number of the process.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from weakref import WeakSet

from arena.journal.database import COMPANIONS
from arena.journal.errors import FAILURES, JournalBusy, JournalError

AGAIN = "the same command goes on from there"


class Lock:
    """The right to write to a journal, from its construction until `release`."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(journal.name + ".lock")
        self.file: int | None = None
        try:
            self._take(journal)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be locked: {error.strerror}") from None
        HELD.add(self)

    def release(self) -> None:
        """Give the lock back; a second time does nothing."""
        if self.file is None:
            return
        file, self.file = self.file, None
        with suppress(OSError):
            self.path.unlink()
        os.close(file)

    def _take(self, journal: Path) -> None:
        """Lock the file that bears the name: its holder may remove it while we wait."""
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.read(file, 20)
                os.close(file)
                raise JournalBusy(_busy(journal, owner)) from None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), os.stat(self.path)):
                    self.file = file
                    break
            os.close(file)
        os.ftruncate(file, 0)
        os.write(file, b"%d\n" % os.getpid())


HELD: WeakSet[Lock] = WeakSet()


def _busy(journal: Path, owner: bytes) -> str:
    number = owner.split(b"\n")[0].decode("ascii", "replace").strip()
    who = f"process {number}" if number else "another process"
    if number == str(os.getpid()):
        who = f"this process ({number})"
    return (
        f"{journal} is being written by {who}; wait for it or stop it, "
        "two runs never write to one place"
    )


def _leave_to_parent() -> None:
    """A forked child must not keep the lock of a parent that is killed."""
    for lock in list(HELD):
        if lock.file is not None:
            os.close(lock.file)
            lock.file = None


os.register_at_fork(after_in_child=_leave_to_parent)


class Place:
    """The files that a connection writes to, by name and by what the system knows them by.

    Whoever has a file open can still write to it after its name is gone, and nobody would ever see
    it: that is noticed, and the games are saved.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = Path(os.path.abspath(path))
        self.as_named = path
        self.connection = connection
        self.identities = {suffix: self._identity(suffix) for suffix in ("", *COMPANIONS)}
        self.lost = False

    def check(self) -> None:
        """Nothing, if the files are where they were; else save the games and raise JournalError."""
        for suffix, before in self.identities.items():
            now = self._identity(suffix)
            if now == before or self.lost:
                continue
            if before is None and suffix:
                self.identities[suffix] = now  # SQLite makes it when it needs it
                continue
            self.lost = True
            what = "removed or moved" if now is None else "replaced by another file"
            saved = self._fold() if suffix else self._save(now is None)
            raise JournalError(f"{self.as_named}{suffix} was {what} during the run; {saved}")

    def _identity(self, suffix: str) -> tuple[int, int] | None:
        try:
            status = os.stat(f"{self.path}{suffix}")
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _fold(self) -> str:
        """Write all that only the log holds, which has lost its name, to the file itself."""
        try:
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            count = self.connection.execute("SELECT count(*) FROM games").fetchone()[0]
        except FAILURES as error:
            return f"the games since {self.as_named} was last complete are lost: {error}"
        return f"its {_games(count)} saved in {self.path}; {AGAIN}"

    def _save(self, is_free: bool) -> str:
        """Write all that the connection still holds to its old place, or beside what lies there."""
        target = self.path if is_free else self.path.with_name(f"{self.path.stem}-saved.db")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            for suffix in COMPANIONS:  # those of a journal that is gone fit no other
                with suppress(FileNotFoundError):
                    os.unlink(f"{target}{suffix}")
            with closing(sqlite3.connect(target)) as copy:
                self.connection.backup(copy)
                count = copy.execute("SELECT count(*) FROM games").fetchone()[0]
        except FAILURES as error:
            words = getattr(error, "strerror", None) or error
            return f"its games could not be saved in {target} and are lost: {words}"
        return f"its {_games(count)} saved in {target}{f'; {AGAIN}' if is_free else ''}"


def _games(count: int) -> str:
    return "1 game is" if count == 1 else f"{count} games are"
