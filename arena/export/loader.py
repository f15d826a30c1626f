"""Unpack an engine and ask it. The text of this file is the beginning of every exported file.

Such a file runs in an empty namespace, without Arena or beside another version of it: the package
in the archive has a name of its own. It is unpacked once into a temporary folder.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

BOT = "bot"  # the folder of a user's engine in the archive
FOLDER = "@folder@"  # in place of the folder that the archive is unpacked into
OTHERS_MAY_WRITE = 0o022


def unpack(archive: bytes) -> Path:
    """Unpack an archive; return the folder, in which every file is complete."""
    folder = _own_folder(f"connect-arena-{sha256(archive).hexdigest()[:16]}")
    with ZipFile(BytesIO(archive)) as packed:
        for entry in packed.infolist():
            file = folder / entry.filename
            if not file.is_file() or file.stat().st_size != entry.file_size:
                file.parent.mkdir(parents=True, exist_ok=True)
                part = file.with_name(f".{file.name}-{os.getpid()}")
                part.write_bytes(packed.read(entry))
                os.replace(part, file)
    return folder


def _own_folder(name: str) -> Path:
    """A lasting folder for temporary files, or a new one if others could write to it."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"{name}-{user}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == user
        if is_own and not status.st_mode & OTHERS_MAY_WRITE:
            return folder
    return Path(tempfile.mkdtemp(prefix=name))


def load(archive: str, engine: Mapping[str, Any]) -> Callable[[Any, Any], int]:
    """The engine of an archive as a Kaggle agent."""
    folder = unpack(b64decode(archive))
    for place in (str(folder), str(folder / BOT)):
        if place not in sys.path:
            sys.path.append(place)
    package = engine["package"]
    registry = import_module(f"{package}.engine.registry")
    agent = import_module(f"{package}.export.agent")
    registry.set_entry_points(engine["engines"])
    name, *words = (word.replace(FOLDER, str(folder)) for word in engine["words"])
    options = dict(word.split("=", 1) for word in words)
    built = registry.find(name).build(options)
    player = agent.KaggleAgent(built, engine["seconds"], options)
    with suppress(import_module(f"{package}.errors").ArenaError):  # made for another board
        player.warm_up(import_module(f"{package}.game.rules").CONNECT4)
    answer: Callable[[Any, Any], int] = player
    return answer
