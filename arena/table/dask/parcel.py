"""What a worker is sent before its first game: who plays, and the files that they are made of.

A file that a worker has under the same name, byte for byte, stays where it is, so that on one
machine, or where disks are shared, nothing is copied. Any other is written into a folder of the
worker's own, together with the modules that stand beside it, and with what these may open: files
whose names stand in their text.
"""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import arena
from arena.bots.names import BotName
from arena.errors import ClusterFailure
from arena.network.option import SUFFIX
from arena.table.runner import Seating
from arena.tournament.schedule import Player
from arena.tournament.spec.canonical import Source, files_beside, sources

LONGEST_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it is at home."""

    content: bytes
    is_program: bool

    def is_at(self, path: Path) -> bool:
        """Whether the same stands there already."""
        try:
            return path.stat().st_size == len(self.content) and path.read_bytes() == self.content
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class Parcel:
    """All that a worker needs; `run` tells one run of one client from all others."""

    run: str
    seating: Seating
    files: Mapping[str, SentFile]  # by their full names at home
    folders: tuple[str, ...]  # that options name, and that must be on the worker


def pack(run: str, seating: Seating) -> Parcel:
    """The parcel of a tournament."""
    files: dict[str, SentFile] = {}
    folders: set[str] = set()
    for player in seating.players:
        for file in _files(player):
            files[str(file)] = SentFile(file.read_bytes(), os.access(file, os.X_OK))
        folders.update(place for place in _places(player) if os.path.isdir(place))
    return Parcel(run, seating, files, tuple(sorted(folders)))


def _files(player: Player) -> Iterator[Path]:
    """The files that a player is made of, but for programs that are installed."""
    for file in BotName.parse(player.engine).files:
        if shutil.which(file.name) != str(file):
            yield file
            if file.suffix == ".py":
                modules = [*_beside(file)]
                yield from modules
                yield from _named_in([file, *modules], file.parent)
    yield from (Path(place) for place in _places(player) if os.path.isfile(place))


def _beside(file: Path) -> Iterator[Path]:
    """The modules that a file imports from its folder; of a package there, all of it."""
    for module in files_beside(file):
        yield module
        if module.parent != file.parent:
            top = file.parent / module.relative_to(file.parent).parts[0]
            yield from top.rglob("*.py")


def _named_in(sources: Iterable[Path], top: Path) -> Iterator[Path]:
    """The files below a folder that are named in sources there: weights, books, tables of theirs.

    A name may stand for a file beside its source or beside the first one, also in a folder that
    is named as well.
    """
    for source in sources:
        names = sorted(_words_in(source))
        near = dict.fromkeys((source.parent, top))
        folders = [*near, *(place / name for place in near for name in names)]
        for folder in filter(os.path.isdir, folders):
            for name in names:
                path = Path(os.path.normpath(folder / name))
                if path.is_relative_to(top) and path.is_file():
                    yield path


def _words_in(source: Path) -> set[str]:
    """What stands in quotes in a source and could be the name of a file."""
    try:
        tree = ast.parse(source.read_bytes())
    except (SyntaxError, ValueError):  # that it cannot be loaded is told elsewhere
        return set()
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {word for word in constants if isinstance(word, str) and 0 < len(word) <= LONGEST_NAME
            and word.isprintable()}  # fmt: skip


def _places(player: Player) -> Iterator[str]:
    """The files and folders that its options name in full."""
    places = BotName.parse(player.engine).path_options
    for name, value in player.options.items():
        is_place = isinstance(value, str) and os.path.isabs(value)
        if is_place and (name in places or value.endswith(SUFFIX)):
            yield value


def unpack(parcel: Parcel, folder: Path) -> Seating:
    """The seating as it can be played here; what has to be written goes into this folder."""
    for place in parcel.folders:
        if not os.path.isdir(place):
            raise ClusterFailure(f"there is no folder {place}, which an engine needs")
    moved: dict[str, str] = {}
    for number, (top, names) in enumerate(_by_folder(parcel.files).items()):
        if not all(parcel.files[name].is_at(Path(name)) for name in names):
            own = folder / str(number) / top.name
            for name in names:
                moved[name] = str(own / Path(name).relative_to(top))
                _write(Path(moved[name]), parcel.files[name])
    players = tuple(_moved(player, moved) for player in parcel.seating.players)
    return replace(parcel.seating, players=players)


def _by_folder(names: Iterable[str]) -> dict[Path, list[str]]:
    """Files by the folder that they are in, or by one above it that others are in."""
    folders = {Path(name).parent for name in names}
    tops = sorted(each for each in folders if folders.isdisjoint(each.parents))
    return {top: [name for name in names if Path(name).is_relative_to(top)] for top in tops}


def _write(path: Path, file: SentFile) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    path.chmod(0o700 if file.is_program else 0o600)


def _moved(player: Player, moved: Mapping[str, str]) -> Player:
    """A player whose files have been given other places."""
    options: dict[str, Any] = {
        name: moved.get(value, value) if isinstance(value, str) else value
        for name, value in player.options.items()
    }
    return replace(
        player, engine=str(BotName.parse(player.engine).with_files(moved)), options=options
    )


@cache
def digest_of_arena() -> str:
    """The digest of the sources of the arena itself."""
    folder, digest = Path(arena.__file__).parent, sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(f"\0{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def installed_sources(seating: Seating) -> dict[str, Source]:
    """What the engines are made of that are not sent."""
    engines = (player.engine for player in seating.players if not player.broken)
    return sources(engine for engine in engines if not BotName.parse(engine).files)
