"""An engine and all it needs as one archive."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.export import needs as program
from arena.export.apart import answer_of
from arena.export.imports import imported_names, with_imports
from arena.export.loader import BOOKS, BOT, CODE, FILES, FOLDER
from arena.export.needs import OURS, Needs
from arena.solver.book import own_books

EVERYWHERE = frozenset(
    {"numpy", "numba", "llvmlite", "yaml", "platformdirs"}
)  # or not needed there
NOT_PACKED = "arena.export"
IN_FILE = re.compile(r"(.+\.py)(:\w*)?")
SOURCE = (".py", ".pyc")
WORD = re.compile(r"[^\s='\"]+")


@dataclass
class Package:
    """What an exported file consists of: the engine in words, and files by their place."""

    words: list[str]  # the engine's name, or its file and class, and its options
    packages: list[str] = field(default_factory=list)
    engines: dict[str, str] = field(default_factory=dict)  # by name: where they are
    contents: dict[str, Path] = field(default_factory=dict)  # by place in the archive
    others: list[str] = field(default_factory=list)  # packages that must be installed

    def archive(self) -> bytes:
        """All files, compressed; the same files make the same archive."""
        buffer = BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as packed:
            for place, file in sorted(self.contents.items()):
                entry = ZipInfo(place)
                entry.compress_type = ZIP_DEFLATED
                packed.writestr(entry, file.read_bytes())
        return buffer.getvalue()


def needs_of(words: Sequence[str]) -> Needs:
    """Let the engine of these words, its name and its options, play in a process of its own."""
    return answer_of(
        Needs, ["-P", "-m", program.__name__, *words], f"engine {words[0]} cannot play"
    )


def pack(words: Sequence[str]) -> Package:
    """The engine of these words, its name and its options, with what it was seen to need."""
    needs = needs_of(words)
    package = Package([*words])
    tops = {place.partition(":")[0].partition(".")[0] for place in needs.engines.values()}
    package.packages, package.engines = sorted({*OURS, *tops}), needs.engines
    sources = _add_packages(package, needs)
    sources += _add_bot(package, needs)
    _add_named_files(package, needs)
    _add_books(package, needs)
    package.others = _others(package, needs, sources)
    return package


def _add_packages(package: Package, needs: Needs) -> list[Path]:
    """The modules of the packages, what they may import, and what they read; their sources."""
    sources: list[Path] = []
    for top in package.packages:
        if top not in needs.modules:
            continue
        first = Path(needs.modules[top]).resolve()
        home = first.parent
        root = home.parent if first.name == "__init__.py" else home
        own = [
            Path(file).resolve()
            for name, file in needs.modules.items()
            if name.partition(".")[0] == top and not name.startswith(NOT_PACKED)
        ]
        files = [*with_imports(own, [root]), *(_read_below(home, needs) if home != root else [])]
        package.contents |= {f"{CODE}/{file.relative_to(root).as_posix()}": file for file in files}
        sources += files
    return sources


def _add_bot(package: Package, needs: Needs) -> list[Path]:
    """The file of an engine, and of what stands beside it what it imports and reads."""
    named = IN_FILE.fullmatch(package.words[0])
    if named is None:
        return []
    file = Path(named[1]).resolve()
    folder, packed = file.parent, {*package.contents.values()}
    loaded = [Path(path).resolve() for path in needs.modules.values()]
    own = [path for path in loaded if folder in path.parents and not _is_installed(path, folder)]
    read = [path for path in _read_below(folder, needs) if not _is_installed(path, folder)]
    files = [path for path in [*with_imports([file, *own], [folder]), *read] if path not in packed]
    package.contents |= {f"{BOT}/{path.relative_to(folder).as_posix()}": path for path in files}
    package.words[0] = f"{FOLDER}/{BOT}/{file.name}{named[2] or ''}"
    return files


def _read_below(folder: Path, needs: Needs) -> list[Path]:
    """The files below a folder that were read, but for sources."""
    read = [Path(path).resolve() for path in needs.read]
    return [path for path in read if folder in path.parents and path.suffix not in SOURCE]


def _is_installed(path: Path, folder: Path) -> bool:
    """Whether a file below a folder is of Python, or of a hidden place there, as caches are."""
    if any(part.startswith(".") for part in path.relative_to(folder).parts):
        return True
    pythons = (Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix))
    return any(folder in python.parents and python in path.parents for python in pythons)


def _add_named_files(package: Package, needs: Needs) -> None:
    """The files that options name, as in weights=my.net, or in the words of another engine."""
    read = {Path(path).resolve() for path in needs.read}
    for number, word in enumerate(package.words[1:], start=1):
        option, _, value = word.partition("=")
        for text in dict.fromkeys([value, *WORD.findall(value)]):
            file = Path(text).resolve()
            if file in read and text in value:
                place = f"{FILES}/{option}/{file.name}"
                package.contents[place] = file
                value = value.replace(text, f"{FOLDER}/{place}")
        package.words[number] = f"{option}={value}"


def _add_books(package: Package, needs: Needs) -> None:
    """The user's own books of exact scores."""
    for file in _read_below(own_books().resolve(), needs):
        package.contents[f"{BOOKS}/{file.name}"] = file


def _others(package: Package, needs: Needs, sources: Sequence[Path]) -> list[str]:
    """Packages of others that were imported and are not installed everywhere."""
    names = {name.partition(".")[0] for file in sources for name in imported_names(file)}
    own = {place.split("/")[1].removesuffix(".py") for place in package.contents}
    common = sys.stdlib_module_names | EVERYWHERE | own
    return sorted(name for name in names - common if name in needs.modules)
