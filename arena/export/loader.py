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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
FOLDER = "@folder@"  # stands in words for where the archive is unpacked
CACHE = "NUMBA_CACHE_DIR"
OTHERS_MAY_WRITE = 0o022


class OwnPackages(MetaPathFinder):
    """The modules of the archive; they are what is imported only while they are `in_use`."""

    def __init__(self, folder: Path, packages: Sequence[str]) -> None:
        self.folder = folder
        self.code = str(folder / CODE)
        self.packages = frozenset(packages)
        self.modules = _modules_of(folder)
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
        before = {name: os.environ.get(name) for name in self.settings}
        others = _taken_out(name for name in sys.modules if self._is_packed(name))
        there = {*sys.modules}
        cache = before[CACHE] or "" if _numba() is None else _numba().CACHE_DIR
        sys.modules.update(self.modules)
        sys.meta_path.insert(0, self)
        _set(self.settings, self.settings[CACHE])
        try:
            yield
        finally:
            _set(before, cache)
            sys.meta_path.remove(self)
            new = [name for name in sys.modules if name not in there]
            self.modules.update(_taken_out(name for name in new if self._is_own(name)))
            sys.modules.update(others)

    def _is_packed(self, name: str) -> bool:
        """Whether a module belongs to one of the packages, whoever has loaded it."""
        return name.partition(".")[0] in self.packages

    def _is_own(self, name: str) -> bool:
        """Whether a module comes from the archive, as one of a package or as somebody's bot."""
        file = getattr(sys.modules[name], "__file__", None)
        return self._is_packed(name) or (bool(file) and self.folder in Path(str(file)).parents)


def _modules_of(folder: Path) -> dict[str, ModuleType]:
    """What has been imported from an archive: a file that is run for each game shares it."""
    name = "connect_arena_exports"
    shared = sys.modules.setdefault(name, ModuleType(name)).__dict__
    modules: dict[str, ModuleType] = shared.setdefault(str(folder), {})
    return modules


def _taken_out(names: Iterable[str]) -> dict[str, ModuleType]:
    """Modules by their names, which are no longer imported."""
    return {name: sys.modules.pop(name) for name in [*names]}


def _numba() -> Any:
    """The settings of numba; None if it is not loaded yet, and will read them as they are then."""
    return sys.modules.get("numba.core.config")


def _set(environment: Mapping[str, str | None], cache: str) -> None:
    """Set variables of the environment, and the folder in which numba keeps compiled kernels."""
    for name, value in environment.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    if _numba() is not None:
        _numba().CACHE_DIR = cache


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
        name, *words = (word.replace(FOLDER, str(folder)) for word in engine["words"])
        options = dict(word.split("=", 1) for word in words)
        player = KaggleAgent(find(name).build(options), engine["seconds"], counts_in(options))
        with suppress(ArenaError):  # another board may be what it is made for
            player.warm_up(CONNECT4)

    def ask(observation: Any, configuration: Any) -> int:
        with own.in_use():
            return player(observation, configuration)

    return ask
