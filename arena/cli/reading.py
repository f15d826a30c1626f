"""A journal whose reader is shown how far the games have been read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.journal import Journal
from arena.show.progress import Progress

if TYPE_CHECKING:
    from arena.play.record import GameRow


class WatchedJournal(Journal):
    """Tells its progress about each game that is read in order of the numbers."""

    progress: Progress | None = None

    def rows(self, **wanted: Any) -> Iterator[GameRow]:
        """As of any journal."""
        rows = super().rows(**wanted)
        if self.progress is None or wanted.get("numbers") is not None:
            return rows
        return passed(rows, self.progress, self.count())


def read_watched(path: Path, progress: Progress) -> Journal:
    """Open a journal for reading; every pass over its games is shown."""
    journal = WatchedJournal.read(path)
    assert isinstance(journal, WatchedJournal)
    journal.progress = progress
    return journal


def passed(rows: Iterable[GameRow], progress: Progress, total: int) -> Iterator[GameRow]:
    """The games as they are; the number of each says how far the reading is, filtered or not."""
    progress.begin(progress.doing, total)
    for row in rows:
        progress.at(row.number + 1)
        yield row
    progress.clear()


def is_silent(target: str | None = None) -> bool:
    """Whether nobody sees the output go by: it goes to a file, or not to a terminal."""
    return target not in (None, "-") or not sys.stdout.isatty()
