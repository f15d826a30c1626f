"""What installed engines are made of, so that a change between two runs does not go unseen.

An engine in a file is known by the digest of that file. One that is installed is known by its
package: its version, and a digest of the sources that it is played from.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from arena.engine.loading import KEPT
from arena.engine.registry import Entry, find, package_of
from arena.errors import CHANGED
from arena.tournament.spec.players import in_short

OWN = "connect-arena"  # the package whose engines are known by what they import, not as a whole


class Source(NamedTuple):
    """The package that offers an engine, its version, and the digest of its sources."""

    package: str
    version: str
    sha256: str

    @property
    def is_own(self) -> bool:
        """Whether the engine is one of ours."""
        return self.package == OWN


def sources(engines: Iterable[str]) -> dict[str, Source]:
    """What each installed engine is made of; of one in a file, what it imports from its folder."""
    digests = {}
    for engine in dict.fromkeys(engines):
        file = in_short(engine, Path())[1]
        if file is not None:
            beside = sorted(_imported(file.parent, [file], is_package=False) - {file})
            if beside:
                name = f"what {file.parent.name}/{file.name} imports from its folder"
                digests[name] = Source("", "", _digest_of(beside, file.parent))
        else:
            package, version = package_of(engine) or ("", "")
            entry = find(engine)
            digests[engine] = Source(package, version, _digest(entry, package == OWN))
    return digests


def changed_sources(
    before: Mapping[str, Source], now: Mapping[str, Source]
) -> dict[str, tuple[Source, Source]]:
    """The engines whose sources are others than before; of unknown ones nothing is said."""
    return {
        engine: (before[engine], source)
        for engine, source in now.items()
        if engine in before and before[engine].sha256 != source.sha256
    }


def change_in_words(engine: str, before: Source, now: Source) -> str:
    """The change of an engine as a sentence, without its end."""
    versions = "" if before.version == now.version else f" {before.version} -> {now.version}"
    package = f" ({now.package}{versions})" if now.package else ""
    return f"{engine}{package} {CHANGED}"


def _digest(entry: Entry, is_own: bool) -> str:
    """The digest of all files that an engine may be played from, and of its preset options."""
    module = sys.modules.get(entry.engine.__module__)
    file = getattr(module, "__file__", None)
    digest = sha256(repr(sorted(entry.preset.items())).encode())
    if file is not None:
        top = _top(Path(file), entry.engine.__module__)
        if not top.is_dir():
            files = [top]
        elif is_own:
            files = sorted(_imported(top, [Path(file)]))
        else:
            files = sorted(_package_files(top))
        _add(digest, files, top.parent)
    return digest.hexdigest()


def _digest_of(files: Iterable[Path], folder: Path) -> str:
    digest = sha256()
    _add(digest, files, folder)
    return digest.hexdigest()


def _add(digest: Any, files: Iterable[Path], folder: Path) -> None:
    """Take files into a digest, by their names in a folder and what they hold."""
    for each in files:
        name = each.relative_to(folder).as_posix()
        digest.update(f"\0{name}\0".encode() + sha256(each.read_bytes()).digest())


def _top(file: Path, module: str) -> Path:
    """The folder of the topmost package that a module's file belongs to, or the file itself."""
    depth = module.count(".") - (file.name != "__init__.py")
    return file.parents[depth] if depth >= 0 else file


def _package_files(folder: Path) -> Iterator[Path]:
    """Every file of a package: its weights decide moves as well as its code."""
    for file in folder.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file


def _imported(top: Path, files: list[Path], is_package: bool = True) -> set[Path]:
    """These files and all of the same package, or folder, that they import, one way or another."""
    reached: set[Path] = set()
    while files:
        file = files.pop()
        if file not in reached:
            reached.add(file)
            files += _imports(top, file, is_package)
    return reached


def _imports(top: Path, file: Path, is_package: bool) -> Iterator[Path]:
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError:  # it was loaded before it became so
        return
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not (node.level and is_package):
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            first = name.split(".")[0]
            if first == top.name if is_package else first not in KEPT:
                path = (top.parent if is_package else top).joinpath(*name.split("."))
                ways = (path.with_suffix(".py"), path / "__init__.py")
                yield from (way for way in ways if way.is_file())
