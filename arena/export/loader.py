"""Unpacks an engine and asks it. The text of this file is the beginning of every exported file.

Such a file is run in an empty namespace, where nothing of ours is installed, or some other version
of it, which goes on undisturbed: our packages are those of the archive while the engine is asked,
and whatever they were before and after. The archive is unpacked to a folder for temporary files,
and kernels are compiled there, once for all games.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from base64 import b85decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZipFile

CODE, BOT, FILES, BOOKS, KERNELS = "code", "bot", "files", "books", "kernels"  # folders of it
CACHE = "NUMBA_CACHE_DIR"
OTHERS_MAY_WRITE = 0o022


class OwnPackages(MetaPathFinder):
    """The packages of the archive; they are what is imported only while they are `in_use`."""

    def __init__(self, folder: Path, packages: Sequence[str]) -> None:
        self.code = str(folder / CODE)
        self.packages = frozenset(packages)
        self.modules: dict[str, ModuleType] = {}
        self.settings = {CACHE: str(folder / KERNELS), "ARENA_BOOKS": str(folder / BOOKS)}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a package of the archive is; what is inside a package, Python finds itself."""
        if path is not None or fullname not in self.packages:
            return None
        return PathFinder.find_spec(fullname, [self.code])

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Our modules and settings, for as long as this lasts, and those of others again."""
        others, before = self._take_out(), {name: os.environ.get(name) for name in self.settings}
        kept_before = _numba_cache()
        sys.modules.update(self.modules)
        sys.meta_path.insert(0, self)
        os.environ.update(self.settings)
        _set_numba_cache(self.settings[CACHE])
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
            _set_numba_cache(before[CACHE] or "" if kept_before is None else kept_before)
            sys.meta_path.remove(self)
            self.modules = self._take_out()
            sys.modules.update(others)

    def _take_out(self) -> dict[str, ModuleType]:
        """Remove these packages from what has been imported."""
        names = [name for name in sys.modules if name.partition(".")[0] in self.packages]
        return {name: sys.modules.pop(name) for name in names}


def _numba_cache() -> str | None:
    """Where numba keeps compiled kernels; None if it is not loaded yet."""
    config = sys.modules.get("numba.core.config")
    return None if config is None else str(config.__dict__["CACHE_DIR"])


def _set_numba_cache(folder: str) -> None:
    config = sys.modules.get("numba.core.config")
    if config is not None:
        config.__dict__["CACHE_DIR"] = folder


def unpack(archive: bytes) -> Path:
    """The folder of an archive, in which every file is complete."""
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
    """A folder for temporary files that lasts, unless somebody else could have put things there."""
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
    """The engine of an archive, ready to be asked as Kaggle asks."""
    folder = unpack(b85decode("".join(archive.split())))
    own = OwnPackages(folder, engine["packages"])
    with own.in_use():
        from arena.engine.registry import find, know_only
        from arena.errors import ArenaError
        from arena.game.rules import CONNECT4
        from arena.outside.agent import KaggleAgent, counts_in

        know_only(engine["engines"])
        options = {**engine["options"]}
        options |= {name: str(folder / file) for name, file in engine["files"].items()}
        name = str(folder / engine["name"]) if engine["is_file"] else engine["name"]
        player = KaggleAgent(find(name).build(options), engine["seconds"], counts_in(options))
        with suppress(ArenaError):  # another board may be what it is made for
            player.warm_up(CONNECT4)

    def ask(observation: Any, configuration: Any) -> int:
        with own.in_use():
            return player(observation, configuration)

    return ask
