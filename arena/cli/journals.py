"""Journals that commands are asked about: where they are, and how far they have been read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from arena.journal import GAMES, BadJournal, Journal
from arena.show.progress import Progress
from arena.table.game import Game

TOURNAMENTS = (".yaml", ".yml")


def open_journal(path: Path) -> Journal:
    """The journal in a file, in a directory, or of a tournament file, for reading."""
    return Journal.read(journal_path(path))


def journal_path(path: Path) -> Path:
    """Where a journal is; a tournament file stands for the one it has."""
    if path.suffix.lower() not in TOURNAMENTS:
        return path
    from arena.tournament.load import load  # slow, and seldom needed

    games = Path(load(path, skip_missing=True).output) / GAMES
    if not games.exists():
        raise BadJournal(f"{path} has not been run: there is no journal {games}")
    return games


class WatchedJournal(Journal):
    """Tells its progress about each game that is read in order of the numbers."""

    progress: Progress | None = None

    def rows(self, **wanted: Any) -> Iterator[Game]:
        """The games that meet these conditions, each of them counted."""
        rows = super().rows(**wanted)
        if self.progress is None or wanted.get("numbers") is not None:
            return rows
        return with_progress(rows, self.progress, self.count())


def read_watched(path: Path, progress: Progress) -> Journal:
    """Open a journal for reading; every pass over its games is shown."""
    journal = WatchedJournal.read(path)
    assert isinstance(journal, WatchedJournal)
    journal.progress = progress
    return journal


def with_progress(rows: Iterable[Game], progress: Progress, total: int) -> Iterator[Game]:
    """The games as they are; the number of each says how far the reading is, filtered or not."""
    progress.begin(progress.doing, total)
    for row in rows:
        progress.at(row.number + 1)
        yield row
    progress.clear()


def is_silent(target: str | None = None) -> bool:
    """Whether nobody sees the output go by: it goes to a file, or not to a terminal."""
    return target not in (None, "-") or not sys.stdout.isatty()
