"""What can go wrong with a journal, with SQLite's error codes in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.errors import CHANGED, ArenaError

FAILURES = (sqlite3.Error, OSError, OverflowError, UnicodeDecodeError, MemoryError)
MAX_CHANGES = 5  # in a sentence
MAX_NUMBERS = 8  # of games in a sentence
REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it is read-only",
    "SQLITE_BUSY": "another program is using it",
    "SQLITE_LOCKED": "another program is using it",
    "SQLITE_IOERR": "the disk reports an error",
    "SQLITE_PERM": "permission is denied",
    "SQLITE_CANTOPEN": "it cannot be opened or created",
}


class JournalError(ArenaError):
    """A journal could not be read or written; its games are intact."""


class BadJournal(JournalError):
    """The file is missing, damaged, of a newer layout, or no journal at all."""


class JournalBusy(JournalError):
    """Another run is writing to the journal."""


class JournalChanged(JournalError):
    """The journal holds games of a different tournament; `changes` lists the differences."""

    def __init__(self, path: Path, changes: Sequence[str]) -> None:
        self.changes = tuple(changes)
        words = _merge_engines(self.changes)
        more = len(words) - MAX_CHANGES
        first = "; ".join(words[:MAX_CHANGES]) + (f"; and {more} more" if more > 0 else "")
        if not all(change.endswith(CHANGED) for change in self.changes):
            first = f"the tournament has changed ({first})"
        super().__init__(
            f"cannot resume {path}: {first}; undo the change, or use --new to start over (the old "
            "games are kept)"
        )


def _merge_engines(changes: Sequence[str]) -> list[str]:
    """The changes, with the same change of several engines as one."""
    same: dict[str, list[str]] = {}
    for change in changes:
        engine, dot, rest = change.partition("].")
        is_engine = bool(dot) and engine.startswith("engines[")
        same.setdefault(rest if is_engine else change, []).append(change)
    return [
        each[0] if len(each) == 1 else f"{rest} (of {len(each)} engines)"
        for rest, each in same.items()
    ]


def numbered(games: Collection[int]) -> str:
    """Games by their numbers: "3 games (4, 7, 9)"."""
    numbers = ", ".join(map(str, sorted(games)[:MAX_NUMBERS]))
    numbers += ", .." if len(games) > MAX_NUMBERS else ""
    return f"game {numbers}" if len(games) == 1 else f"{len(games)} games ({numbers})"


def damaged(path: Path, what: object) -> BadJournal:
    """The error about a damaged journal, with its remedy."""
    return BadJournal(
        f"{path} is damaged ({what}); arena doctor {path} --save NEW.db copies all sound games"
    )


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into a JournalError about this file."""
    try:
        yield
    except FAILURES as error:
        raise explained(error, path) from error


def explained(error: Exception, path: Path) -> JournalError:
    """An error of SQLite or the system as one sentence about this file."""
    code = str(getattr(error, "sqlite_errorname", ""))
    if code == "SQLITE_NOTADB":
        return BadJournal(f"{path} is not a journal: it is not an SQLite file")
    if code.startswith("SQLITE_CORRUPT"):
        return damaged(path, error)
    if isinstance(error, sqlite3.DataError | UnicodeDecodeError | MemoryError):
        return damaged(path, "SQLite cannot read its values")
    reasons = (f"{words} ({error})" for start, words in REASONS.items() if code.startswith(start))
    return JournalError(f"the journal {path} cannot be used: {next(reasons, in_words(error))}")


def in_words(error: Exception) -> str:
    """An error as a part of a sentence: one of the system without its number and its file."""
    words = (isinstance(error, OSError) and error.strerror) or str(error)
    return words[:1].lower() + words[1:]
