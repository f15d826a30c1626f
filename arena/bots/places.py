"""The files that an engine is played from: in full to be played anywhere, in short to be read.

A file or a program beside a tournament's file is found from there, wherever the run is started.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from arena.bots.kinds import KINDS, split_kind

FILE = re.compile(r"(?![A-Za-z]{2,}:)(.+\.py)(?::(\w*))?")  # and no KIND:FILE.py

Rename = Callable[[str], str]


def in_full(spec: str, folder: Path) -> str:
    """The engine with the full names of its files, which are looked for in this folder."""

    def rename(file: str) -> str:
        return os.path.abspath(folder / file)

    return _renamed(spec, rename, lambda word, place: _is_beside(word, place, folder))


def in_short(spec: str, folder: Path) -> str:
    """The engine with its files as they are seen from a folder."""

    def rename(file: str) -> str:
        return Path(os.path.relpath(file, folder)).as_posix()

    return _renamed(spec, rename, lambda word, place: os.path.isabs(word))


def without_folders(spec: str) -> str:
    """The engine as its user has named it, but for the folders that its files are in."""
    return _renamed(spec, lambda file: Path(file).name, _has_folder)


def files_of(spec: str) -> list[Path]:
    """The files that an engine names in full; what it imports is another matter."""
    files: list[Path] = []

    def note(file: str) -> str:
        files.append(Path(file))
        return file

    _renamed(spec, note, _is_full)
    return files


def file_of(spec: str) -> str | None:
    """The file of Python code that an engine is written as; None of a name or a program."""
    named = split_kind(spec)
    if named is not None and KINDS[named[0]].target not in ("file", "name or file"):
        return None
    file = FILE.fullmatch(spec if named is None else named[1])
    return file[1] if file else None


def with_file(spec: str, file: str) -> str:
    """The same engine in another file."""
    return _renamed(spec, lambda _: file, lambda word, place: False)


def with_files(spec: str, places: Mapping[str, str]) -> str:
    """The same engine, whose files stand in other places now, given by their full names."""
    return _renamed(spec, lambda file: places.get(file, file), lambda word, _: word in places)


def title_of(spec: str) -> str:
    """A short name for an engine: its class, its file or its program."""
    named = split_kind(spec)
    kind = None if named is None else KINDS[named[0]].target
    target = spec if named is None else named[1]
    if kind == "command":
        words = _words(target)
        scripts = [word for word in words[1:] if "." in word and not word.startswith("-")]
        return Path((scripts or words or [target])[0]).stem
    if kind == "address":
        return urlsplit(target).hostname or spec
    file = FILE.fullmatch(target)
    if file:
        return file[2] or Path(file[1]).stem
    if named is None:
        return spec
    return f"{named[0]} {target}"


def _renamed(spec: str, rename: Rename, is_file: Callable[[str, int], bool]) -> str:
    """An engine whose files have been given other names."""
    named = split_kind(spec)
    target = spec if named is None else named[1]
    kind = "" if named is None else f"{named[0]}:"
    file = FILE.fullmatch(target)
    if named is not None and KINDS[named[0]].target == "command":
        words = _words(target)
        renamed = [rename(word) if is_file(word, n) else word for n, word in enumerate(words)]
        return spec if renamed == words else f"{kind}{shlex.join(renamed)}"
    if file is None:
        return spec
    return kind + ":".join(filter(None, (rename(file[1]), file[2])))


def _is_beside(word: str, place: int, folder: Path) -> bool:
    """Whether a word of a command is a file of this folder, and no program that is installed."""
    if os.path.isabs(word) or not (folder / word).is_file():
        return False
    return place > 0 or os.sep in word or shutil.which(word) is None


def _is_full(word: str, place: int) -> bool:
    return os.path.isabs(word) and os.path.isfile(word)


def _has_folder(word: str, place: int) -> bool:
    return os.sep in word and not word.startswith("-") and "://" not in word


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quote, which is told where the command is read
        return command.split()
