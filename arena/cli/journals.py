"""What commands about a journal share: where it is, and where their output goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.journal import Journal

TOURNAMENTS = (".yaml", ".yml")
SQLITE = b"SQLite format 3\0"


def open_journal(path: Path) -> Journal:
    """The journal in a file, in a directory, or of a tournament file, for reading."""
    from arena.journal import Journal

    return Journal.read(journal_path(path))


def journal_path(path: Path) -> Path:
    """Where a journal is; a tournament file stands for the one it has."""
    from arena.journal import GAMES, BadJournal

    if path.suffix.lower() not in TOURNAMENTS:
        return path
    from arena.tournament.spec import load

    games = Path(load(path).output) / GAMES
    if not games.exists():
        raise BadJournal(f"{path} has not been run: there is no journal {games}")
    return games


@contextmanager
def writing(target: str) -> Iterator[TextIO]:
    """A text file that takes its name when it is complete; `-` is stdout."""
    if target == "-":
        yield sys.stdout
        return
    path = Path(target)
    try:
        _refuse_database(path)
        with _part(path) as (file, part):
            yield file
            file.close()
            os.replace(part, path)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ArenaError(f"{path} cannot be written: {error.strerror or error}") from None


@contextmanager
def _part(path: Path) -> Iterator[tuple[TextIO, Path]]:
    """A file beside the path that is gone afterwards, unless it was renamed."""
    part = path.with_name(f".{path.name}-{os.getpid()}")
    with part.open("w", encoding="utf-8", newline="") as file:
        try:
            yield file, part
        finally:
            file.close()
            part.unlink(missing_ok=True)


def _refuse_database(path: Path) -> None:
    """A journal is never overwritten by text."""
    if path.is_dir():
        raise ArenaError(f"{path} is a directory; name a file to write")
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(SQLITE)) == SQLITE:
                raise ArenaError(
                    f"{path} is a journal or database; choose another name to write to"
                )
