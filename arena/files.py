"""Files that appear whole: what is written takes its name when it is complete.

An earlier file of that name stays as it was until then, and a mistake leaves nothing behind. A file
that must not be believed when it is damaged is sealed: a line of JSON that describes it and has the
hash of all that the file says, and then its contents.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path
from typing import Any, TextIO

from arena.errors import ArenaError
from arena.text import printable


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """What the disk refuses is an error of the user's, with the file in it."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = printable(str(path))
        raise ArenaError(f"{name} cannot be written: {error.strerror or error}") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The name of a file beside the path, to be written inside; it takes the path's name then."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    part = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_atomic(path: Path, data: bytes) -> Path:
    """Write a file whole or not at all; its folder must exist."""
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


class BadSeal(ValueError):
    """A sealed file of another kind, or a damaged one; what it is, as the end of a sentence."""


def sealed(head: Mapping[str, Any], body: bytes) -> bytes:
    """A file's description, which names its `form`, and its contents, under their seal."""
    return json.dumps({**head, "sha256": _seal(head, body)}).encode() + b"\n" + body


def unsealed(data: bytes, form: str, kind: str) -> tuple[dict[str, Any], bytes]:
    """The description and the contents of a sealed file of this form."""
    first, _, body = data.partition(b"\n")
    try:
        head = dict(json.loads(first))
    except (ValueError, TypeError, RecursionError):
        head = {}
    if head.get("form") != form:
        raise BadSeal(f"is no {kind} of this version")
    if head.pop("sha256", None) != _seal(head, body):
        raise BadSeal("is damaged: its contents do not match its seal")
    return head, body


def _seal(head: Mapping[str, Any], body: bytes) -> str:
    """The hash of all that a file says."""
    return hashlib.sha256(json.dumps(head, sort_keys=True).encode() + b"\n" + body).hexdigest()
