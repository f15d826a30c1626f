"""The bundle of a run: who plays, and a zip of the folders that the bots are in.

A worker that has the same files under the same names uses them; so nothing is copied on one
machine, or where disks are shared. Otherwise it unpacks them into a temporary folder.
"""

from __future__ import annotations

import io
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import arena
from arena.bots.names import BotName
from arena.errors import ClusterFailure
from arena.network.option import SUFFIX
from arena.table.runner import Seating
from arena.tournament.games import Player
from arena.tournament.identity import Source, sources

MAX_FOLDER = 20 * 2**20  # bytes
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages"})
OUTPUT = "games.db"  # marks the output folder of a tournament


class Bundle(NamedTuple):
    """Everything that a worker needs to play the games of a run."""

    run: str  # tells this run of this client from all others
    seating: Seating
    tops: tuple[str, ...]  # the folders that the archive holds, by their number there
    archive: bytes
    required: tuple[str, ...]  # folders that options name, and that a worker must have


def pack(run: str, seating: Seating, is_local: bool = False) -> Bundle:
    """The bundle of a tournament; workers of this machine need no copies."""
    if is_local:
        return Bundle(run, seating, (), b"", ())
    folders: dict[Path, set[Path]] = {}
    required: set[str] = set()
    for player in seating.players:
        for file in _bot_files(player):
            files = folders.setdefault(file.parent, set())
            if file not in files:
                files.update(_files_below(file) if file.suffix == ".py" else [file])
        required.update(place for place in _places(player) if os.path.isdir(place))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for number, (top, files) in enumerate(folders.items()):
            for file in sorted(files):
                archive.write(file, f"{number}/{file.relative_to(top).as_posix()}")
    tops = tuple(map(str, folders))
    return Bundle(run, seating, tops, target.getvalue(), tuple(sorted(required)))


def _bot_files(player: Player) -> Iterator[Path]:
    """The files that a player names, without installed programs."""
    for file in BotName.parse(player.engine).files:
        if shutil.which(file.name) != str(file):
            yield file
    yield from (Path(place) for place in _places(player) if os.path.isfile(place))


def _places(player: Player) -> Iterator[str]:
    """The absolute paths of files and folders in a player's options."""
    places = BotName.parse(player.engine).path_options
    for name, value in player.options.items():
        is_path = isinstance(value, str) and os.path.isabs(value)
        if is_path and (name in places or value.endswith(SUFFIX)):
            yield value


def _files_below(bot: Path) -> Iterator[Path]:
    """The files of a bot's folder, without hidden ones, caches and outputs of tournaments."""
    top, size = bot.parent, 0
    for folder, names, files in os.walk(top):
        if OUTPUT in files and Path(folder) != top:
            names.clear()
            continue
        names[:] = [name for name in names if name[0] != "." and name not in SKIPPED_FOLDERS]
        for name in files:
            path = Path(folder, name)
            if name[0] == "." or name == OUTPUT or not os.access(path, os.R_OK):
                continue
            size += path.stat().st_size
            if size > MAX_FOLDER:
                raise ClusterFailure(
                    f"cannot send {bot.name} to the workers: its folder {top} has more than "
                    f"{MAX_FOLDER >> 20} MB; move the bot to a folder of its own"
                )
            yield path


def unpack(bundle: Bundle, folder: Path) -> Seating:
    """The seating as this worker can play it; missing files are written into the folder."""
    for place in bundle.required:
        if not os.path.isdir(place):
            raise ClusterFailure(f"there is no folder {place}, which an engine needs")
    moved: dict[str, str] = {}
    if bundle.tops:
        with zipfile.ZipFile(io.BytesIO(bundle.archive)) as archive:
            for number, top in enumerate(bundle.tops):
                moved |= _unpack_folder(archive, number, Path(top), folder)
    players = tuple(_moved(player, moved) for player in bundle.seating.players)
    return replace(bundle.seating, players=players)


def _unpack_folder(
    archive: zipfile.ZipFile, number: int, top: Path, folder: Path
) -> dict[str, str]:
    """Write the files of a folder, unless all of them are here; return where each one is now."""
    prefix = f"{number}/"
    members = [each for each in archive.infolist() if each.filename.startswith(prefix)]
    relative = {each.filename: each.filename.removeprefix(prefix) for each in members}
    if all(_is_same(each, top / relative[each.filename]) for each in members):
        return {}
    moved: dict[str, str] = {}
    for each in members:
        path = folder / str(number) / top.name / relative[each.filename]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read(each))
        path.chmod(each.external_attr >> 16 & 0o700)
        moved[str(top / relative[each.filename])] = str(path)
    return moved


def _is_same(member: zipfile.ZipInfo, path: Path) -> bool:
    try:
        is_size = path.stat().st_size == member.file_size
        return is_size and zlib.crc32(path.read_bytes()) == member.CRC
    except OSError:
        return False


def _moved(player: Player, moved: Mapping[str, str]) -> Player:
    """A player with the new places of its files."""
    options: dict[str, Any] = {
        name: moved.get(value, value) if isinstance(value, str) else value
        for name, value in player.options.items()
    }
    engine = str(BotName.parse(player.engine).rename(lambda word: moved.get(word, word)))
    return replace(player, engine=engine, options=options)


@cache
def digest_of_arena() -> str:
    """The digest of Arena's own sources."""
    folder, digest = Path(arena.__file__).parent, sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(f"\0{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def installed_sources(seating: Seating) -> dict[str, Source]:
    """The sources of the engines that are not in the bundle."""
    engines = (player.engine for player in seating.players if not player.broken)
    return sources(engine for engine in engines if not BotName.parse(engine).files)
