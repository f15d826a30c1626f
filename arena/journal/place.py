"""Where a journal lies: a file that is taken away during a run is noticed, and its games are saved.

Whoever has a file open can still write to it after its name is gone, and nobody would ever see it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from arena.journal.errors import FAILURES, JournalError

BESIDE = ("-wal", "-shm")  # SQLite's own files; those of a journal that is gone fit no other


class Place:
    """The file that a connection writes to, by its name and by what the system knows it by."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = Path(os.path.abspath(path))
        self.shown = path
        self.connection = connection
        self.identity = self._found()
        self.lost = False

    def check(self) -> None:
        """Nothing, if the file is where it was; else save the games and raise a JournalError."""
        found = self._found()
        if found == self.identity or self.lost:
            return
        self.lost = True
        what = "removed or moved" if found is None else "replaced by another file"
        raise JournalError(f"{self.shown} was {what} during the run; {self._save(found is None)}")

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _save(self, is_free: bool) -> str:
        """Write all that the connection still holds to its old place, or beside what lies there."""
        target = self.path if is_free else self.path.with_name(f"{self.path.stem}-saved.db")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            for suffix in BESIDE:
                with suppress(FileNotFoundError):
                    os.unlink(f"{target}{suffix}")
            with closing(sqlite3.connect(target)) as copy:
                self.connection.backup(copy)
                count = copy.execute("SELECT count(*) FROM games").fetchone()[0]
        except (OSError, *FAILURES) as error:
            return f"its games could not be saved: {error}"
        again = "; the same command goes on from there" if is_free else ""
        return f"its {count} games are saved in {target}{again}"
