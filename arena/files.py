"""Write files atomically: a file takes its name when it is complete.

Until then an earlier file of that name stays unchanged, and an error leaves nothing behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path
from typing import TextIO

from arena.errors import ArenaError
from arena.text import printable


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an error of the disk into one sentence that names the file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = printable(str(path))
        raise ArenaError(f"{name} cannot be written: {error.strerror or error}") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside the path to write to, which replaces it when the block ends well."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    part = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_atomic(path: Path, data: bytes) -> Path:
    """Write a file atomically, into a folder that exists."""
    with replacing(path) as part:
        part.write_bytes(data)
    return path


@contextmanager
def writing(target: str) -> Iterator[TextIO]:
    """A text file to write, or stdout for `-`; refuse to overwrite a journal."""
    if target == "-":
        yield sys.stdout
        return
    path = Path(target)
    with disk_errors(path):
        if path.is_dir():
            raise ArenaError(f"{path} is a directory; name a file to write")
        if path.is_file() and _is_database(path):
            raise ArenaError(f"{path} is a journal or database; choose another name to write to")
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
            yield file


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
