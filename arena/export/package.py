"""Pack an engine and the files that it needs into one archive, with a package name of its own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.engine.registry import entry_point, names, place_of
from arena.errors import ArenaError
from arena.export.loader import BOT, FOLDER
from arena.imports import import_closure, imported_names

ARENA = Path(__file__).resolve().parents[1]
STARTS = ("engines/*.py", "engine/*.py", "export/agent.py")  # and everything they import
DATA = ("network/shipped", "solver/books")
EVERYWHERE = frozenset({"arena", "numpy", "numba", "llvmlite", "yaml", "platformdirs", "psutil"})
IN_FILE = re.compile(r"(.+\.py)(:\w*)?")
WORD = re.compile(r"[^\s='\"]+")
IMPORT = re.compile(r"^(\s*)import +([^#\n]*\barena\b[^#\n]*)", re.MULTILINE)
FROM = re.compile(r"^(\s*from +)arena\b", re.MULTILINE)
QUOTED = re.compile(r"([\"'])arena(?=\.[a-z])")  # as in resources.files("arena.network")
MEGABYTES = 20  # of a bot's folder
SKIPPED = ("reports", "__pycache__")


@dataclass
class Package:
    """The contents of an exported file."""

    words: list[str]  # the engine's name, or its file and class, and its options
    name: str = "arena"  # of the package in the archive
    engines: dict[str, str] = field(default_factory=dict)  # entry points by name
    contents: dict[str, bytes] = field(default_factory=dict)  # by path in the archive
    others: list[str] = field(default_factory=list)  # packages that must be installed there

    def archive(self) -> bytes:
        """All files, compressed; the same files make the same archive."""
        buffer = BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as packed:
            for place, content in sorted(self.contents.items()):
                entry = ZipInfo(place)
                entry.compress_type = ZIP_DEFLATED
                packed.writestr(entry, content)
        return buffer.getvalue()


def pack(words: Sequence[str]) -> Package:
    """Pack the engine of these words, its name and its options."""
    files = _named_files(words)
    words = [_replace_files(word, files) for word in words]
    named = IN_FILE.fullmatch(words[0])
    sources = [file for pattern in STARTS for file in ARENA.glob(pattern)]
    own = {f"arena/{_below(ARENA, each)}": each for each in import_closure(sources, ARENA, "arena")}
    own |= {f"arena/{_below(ARENA, each)}": each for top in DATA for each in _files(ARENA / top)}
    theirs: dict[str, Path] = {}
    if named is not None:
        folder = Path(named[1]).resolve().parent
        theirs = {f"{BOT}/{_below(folder, each)}": each for each in _files(folder)}
        words[0] = f"{FOLDER}/{BOT}/{Path(named[1]).name}{named[2] or ''}"
    elif (point := entry_point(words[0])) and not point.value.startswith("arena."):
        top = place_of(words[0]) or Path()
        each_file = _files(top) if top.is_dir() else [top]
        theirs = {f"{BOT}/{_below(top.parent, each)}": each for each in each_file}
    contents = {place: file.read_bytes() for place, file in (own | theirs | files).items()}
    digest = sha256(
        b"\0".join(
            part for item in sorted(contents.items()) for part in (item[0].encode(), item[1])
        )
    )
    name = f"arena_{digest.hexdigest()[:8]}"
    return Package(
        words,
        name,
        {
            each: point.value.replace("arena.", f"{name}.", 1)
            for each in names()
            if (point := entry_point(each)) is not None
        },
        {re.sub("^arena/", f"{name}/", p): rename_imports(c, name, p) for p, c in contents.items()},
        _others(theirs),
    )


def rename_imports(content: bytes, name: str, place: str) -> bytes:
    """Rename our package in the imports of a source file."""
    if not place.endswith(".py"):
        return content
    text = content.decode()
    text = FROM.sub(rf"\1{name}", text)
    text = IMPORT.sub(lambda found: f"{found[1]}import {_rename_modules(found[2], name)}", text)
    if place.startswith("arena/"):
        text = QUOTED.sub(rf"\1{name}", text)
    return text.encode()


def _rename_modules(modules: str, name: str) -> str:
    """Rename modules after `import`; the code below `import arena.x` uses the name `arena`."""
    parts = []
    for module in (part.strip() for part in modules.split(",")):
        is_ours = re.match(r"arena\b", module) is not None
        parts.append(re.sub(r"^arena\b", name, module))
        if is_ours and " as " not in module:
            parts.append(f"{name} as arena")
    return ", ".join(parts)


def _named_files(words: Sequence[str]) -> dict[str, Path]:
    """The files in options, as in weights=my.net, also in the words of another engine."""
    named = {}
    for word in words[1:]:
        option, _, value = word.partition("=")
        for text in (value, *WORD.findall(value)):
            if os.path.isfile(text):
                named[f"files/{option}/{Path(text).name}"] = Path(text)
    return named


def _replace_files(word: str, files: dict[str, Path]) -> str:
    """The word with its files replaced by their paths in the archive."""
    for place, file in files.items():
        if place.startswith(f"files/{word.partition('=')[0]}/"):
            word = word.replace(str(file), f"{FOLDER}/{place}")
    return word


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, except hidden ones and virtual environments."""
    size = 0
    for place, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and name not in SKIPPED
            and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
        ]
        for name in files:
            if name.startswith("."):
                continue
            size += os.path.getsize(os.path.join(place, name))
            if size > MEGABYTES * 2**20:
                raise ArenaError(
                    f"{folder} has more than {MEGABYTES} MB, and all of it would be exported; "
                    "move the engine into a folder of its own"
                )
            yield Path(place, name)


def _others(files: dict[str, Path]) -> list[str]:
    """The packages that a bot imports and that may not be installed elsewhere."""
    imported = {
        name.partition(".")[0]
        for file in files.values()
        if file.suffix == ".py"
        for name in imported_names(file)
    }
    beside = {place.split("/")[1].removesuffix(".py") for place in files}
    return sorted(imported - sys.stdlib_module_names - EVERYWHERE - beside)


def _below(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()
