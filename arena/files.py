"""Files that appear whole: what is written takes its name when it is complete.

An earlier file of that name stays as it was until then, and a mistake leaves nothing behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from arena.errors import ArenaError

SQLITE = b"SQLite format 3\0"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The name of a file beside the path, to be written inside; it takes the path's name then."""
    part = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> Path:
    """Write a file at one go; its folder must exist."""
    with replacing(path) as part:
        part.write_bytes(data)
    return path


@contextmanager
def writing(target: str) -> Iterator[TextIO]:
    """A text file named by the user, or stdout for `-`; no journal is overwritten by text."""
    if target == "-":
        yield sys.stdout
        return
    path = Path(target)
    try:
        _refuse_database(path)
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ArenaError(f"{path} cannot be written: {error.strerror or error}") from None


def _refuse_database(path: Path) -> None:
    if path.is_dir():
        raise ArenaError(f"{path} is a directory; name a file to write")
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(SQLITE)) == SQLITE:
                raise ArenaError(
                    f"{path} is a journal or database; choose another name to write to"
                )
