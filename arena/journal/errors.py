"""What can go wrong with a journal: its errors, what is damaged, and SQLite's codes in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import CHANGED, ArenaError

FAILURES = (sqlite3.Error, OSError, OverflowError, UnicodeDecodeError, MemoryError)
MOST_CHANGES = 5  # in a sentence
MOST_NUMBERS = 8  # of games in a sentence

CANNOT_WRITE = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it is read-only",
    "SQLITE_BUSY": "another program is using it",
    "SQLITE_LOCKED": "another program is using it",
    "SQLITE_IOERR": "the disk reports an error",
    "SQLITE_PERM": "permission is denied",
    "SQLITE_CANTOPEN": "it cannot be opened or created",
}


class JournalError(ArenaError):
    """A journal could not be read or written; what it holds is intact."""


class BadJournal(JournalError):
    """The file is missing, damaged, of a newer layout, or no journal at all."""


class JournalBusy(JournalError):
    """Another run is writing to the journal."""


class JournalChanged(JournalError):
    """The journal was begun with a different tournament; `changes` lists the differences."""

    def __init__(self, path: Path, changes: Sequence[str]) -> None:
        self.changes = tuple(changes)
        words = _each_once(self.changes)
        more = len(words) - MOST_CHANGES
        first = "; ".join(words[:MOST_CHANGES]) + (f"; and {more} more" if more > 0 else "")
        if all(change.endswith(CHANGED) for change in self.changes):
            super().__init__(f"{first}; --new starts afresh and sets the games in {path} aside")
            return
        super().__init__(
            f"{path} was begun with a different tournament: {first}; undo the change to go on, "
            "or run with --new to set the old games aside and start afresh"
        )


def _each_once(changes: Sequence[str]) -> list[str]:
    """The same change of several engines as one."""
    same: dict[str, list[str]] = {}
    for change in changes:
        engine, dot, rest = change.partition("].")
        is_engine = bool(dot) and engine.startswith("engines[")
        same.setdefault(rest if is_engine else change, []).append(change)
    return [
        each[0] if len(each) == 1 else f"{rest} (of {len(each)} engines)"
        for rest, each in same.items()
    ]


@dataclass
class Damage:
    """What was damaged of all that has been read so far; it is left out."""

    games: set[int] = field(default_factory=set)
    others: dict[str, None] = field(default_factory=dict)  # in words, each once, in order

    def __bool__(self) -> bool:
        return bool(self.games or self.others)

    def note(self, what: str) -> None:
        """Something besides a game is damaged."""
        self.others[what] = None

    def __str__(self) -> str:
        return ", ".join([*self.others, *([numbered(self.games)] if self.games else [])])


def numbered(games: set[int]) -> str:
    """Games by their numbers: "3 games (4, 7, 9)"."""
    numbers = ", ".join(map(str, sorted(games)[:MOST_NUMBERS]))
    numbers += ", .." if len(games) > MOST_NUMBERS else ""
    return f"game {numbers}" if len(games) == 1 else f"{len(games)} games ({numbers})"


def damaged(path: Path, what: object) -> BadJournal:
    """A journal that no run may go on with."""
    return BadJournal(
        f"{path} is damaged ({what}); arena doctor {path} tells what is sound and how to save it"
    )


@contextmanager
def explaining(path: Path, *also: type[Exception]) -> Iterator[None]:
    """What SQLite or the system complains about inside becomes a JournalError about this file."""
    failures: tuple[type[Exception], ...] = (*FAILURES, *also)
    try:
        yield
    except failures as error:
        raise explained(error, path) from error


def explained(error: Exception, path: Path) -> JournalError:
    """What SQLite or the system complains about, as one sentence about this file."""
    code = str(getattr(error, "sqlite_errorname", ""))
    if code == "SQLITE_NOTADB":
        return BadJournal(f"{path} is not a journal: it is no SQLite file")
    if code.startswith("SQLITE_CORRUPT"):
        return damaged(path, error)
    if isinstance(error, sqlite3.DataError | UnicodeDecodeError | MemoryError):
        return damaged(path, "SQLite cannot make sense of it")
    for start, words in CANNOT_WRITE.items():
        if code.startswith(start):
            return JournalError(f"the journal {path} cannot be used: {words} ({error})")
    words = str(error)
    if isinstance(error, OSError):
        words = error.strerror or words
        words = words[:1].lower() + words[1:]
    return JournalError(f"the journal {path} cannot be used: {words}")
