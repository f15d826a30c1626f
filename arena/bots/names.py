"""The files that an engine is played from: in full to be played anywhere, in short to be read.

A file or a program beside a tournament's file is found from there, wherever the run is started.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.bots.adapter import Adapter


class Kind(NamedTuple):
    """Where the adapter of a kind is, what its target is, and an example of it."""

    module: str
    adapter: str
    target: str  # "file", "name or file", "command" or "address"
    example: str
    about: str

    def load(self) -> type[Adapter]:
        """The adapter; it imports nothing of anybody else's."""
        adapter: type[Adapter] = getattr(import_module(self.module), self.adapter)
        return adapter


def _kind(module: str, adapter: str, target: str, example: str, about: str) -> Kind:
    return Kind(f"arena.bots.{module}", adapter, target, example, about)


KINDS: Mapping[str, Kind] = {
    "kaggle": _kind("kaggle", "Kaggle", "file", "submission.py", "a Kaggle ConnectX submission"),
    "gym": _kind("gym", "Gym", "file", "player.py:Player", "a player of gym_connect_four"),
    "openspiel": _kind("openspiel", "OpenSpiel", "name or file", "mcts", "a bot of OpenSpiel"),
    "pettingzoo": _kind("pettingzoo", "PettingZoo", "file", "bot.py:policy", "a PettingZoo policy"),
    "uci": _kind("uci", "UCI", "command", "fairy-stockfish", "a UCI program with drop moves"),
    "aigames": _kind("lines", "AiGames", "command", "./bot", "a bot of theaigames"),
    "riddles": _kind("lines", "Riddles", "command", "java Bot", "a bot of riddles.io"),
    "codingame": _kind("lines", "CodinGame", "command", "./bot", "a bot of CodinGame"),
    "lines": _kind("lines", "Lines", "command", "./bot", "a program that says columns"),
    "url": _kind("url", "Url", "address", "http://localhost:8000/move", "a service on the net"),
}

NAMED = re.compile(rf"({'|'.join(KINDS)}):(.*)", re.DOTALL)


def split_kind(spec: str) -> tuple[str, str] | None:
    """The kind and the target of KIND:TARGET; None if it is none of these."""
    named = NAMED.fullmatch(spec.strip())
    return (named[1], named[2].strip()) if named else None


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
        words = _split(target)
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
        words = _split(target)
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


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quote, which is told where the command is read
        return command.split()


WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|\S)+""")
SPEC_FILE = r"""((?:'[^']+\.py(?::\w*)?'|"[^"]+\.py(?::\w*)?"|.+?\.py(?::\w*)?))"""
IN_WORDS = re.compile(rf"""\s*{SPEC_FILE}((?:\s+[^\s=]+=(?:'[^']*'|"[^"]*"|\S*))*)\s*""")
LOOSE = re.compile(rf"\s*{SPEC_FILE}(\s.*)?", re.DOTALL)  # a file, and what is no option
OPTION = re.compile(r"[A-Za-z_]\w*=")


def engine_words(text: str) -> list[str]:
    """The words for an engine: its name or file, which may hold spaces, and then its options.

    "my bots/a.py depth=6" is the file "my bots/a.py" with an option; quotes hold a value together.
    A command takes the words up to the first that is an option.
    """
    named = split_kind(_unquoted(text.strip())) or split_kind(text)
    if named is not None and KINDS[named[0]].target == "command":
        return _command_words(*named)
    parts = IN_WORDS.fullmatch(text) or LOOSE.fullmatch(text)
    spec, rest = (parts[1], parts[2]) if parts else (*text.strip().split(None, 1), "", "")[:2]
    return [_unquoted(spec), *_options(WORD.findall(rest or ""))]


def join_words(words: Sequence[str]) -> str:
    """Words that `engine_words` reads back: options with spaces in them are quoted."""
    quoted = [*words[:1]]
    for word in words[1:]:
        name, equals, value = word.partition("=")
        quote = '"' if "'" in value else "'"
        spaced = re.search(r"\s", value)
        quoted.append(f"{name}{equals}{quote}{value}{quote}" if spaced else word)
    return " ".join(quoted)


def _command_words(kind: str, rest: str) -> list[str]:
    """A command, of however many words, in the quotes that it has, and the options after it."""
    words = WORD.findall(rest)
    is_option = [bool(OPTION.match(word)) for word in words]
    end = is_option.index(True, 1) if True in is_option[1:] else len(words)
    return [f"{kind}:{' '.join(words[:end])}", *_options(words[end:])]


def _options(words: Sequence[str]) -> list[str]:
    options = []
    for word in words:
        name, equals, value = _unquoted(word).partition("=")
        options.append(name + equals + _unquoted(value))
    return options


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
