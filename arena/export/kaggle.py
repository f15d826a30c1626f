"""A submission to Kaggle's ConnectX: one file with an engine and everything it needs.

Sources, networks and books of Arena are packed under a package name of their own, so that the file
plays beside any installed version.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from pprint import pformat
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena import __version__
from arena.bots.find import build_engine
from arena.bots.names import read_engine
from arena.engine.registry import entry_point, names, package_path, split_file
from arena.errors import ArenaError, EngineFailure
from arena.export import loader
from arena.export.agent import KaggleAgent
from arena.export.loader import BOT, FOLDER
from arena.files import disk_errors
from arena.game.rules import CONNECT4
from arena.imports import import_closure, imported_names
from arena.processes import ended_process
from arena.text import printable

ARENA = Path(__file__).resolve().parents[1]
STARTS = ("engines/*.py", "engine/*.py", "export/agent.py")  # and everything they import
DATA = ("network/shipped", "solver/books")
REQUIRED = {"arena", "numpy", "numba", "llvmlite", "yaml", "platformdirs", "psutil"}
MAX_MEGABYTES = 20  # of a bot's folder
SKIPPED = ("reports", "__pycache__")

IMPORT = re.compile(r"^(\s*)import +([^#\n]*\barena\b[^#\n]*)", re.MULTILINE)
FROM = re.compile(r"^(\s*from +)arena\b", re.MULTILINE)
QUOTED = re.compile(r"([\"'])arena(?=\.[a-z])")  # as in resources.files("arena.network")
WORD = re.compile(r"[^\s='\"]+")

MARK = "# A submission to Kaggle's ConnectX, written by `arena export`"
LINE = 96  # characters of the archive
AGENT = '''
ask = load(ARCHIVE, ENGINE)


def agent(observation, configuration):
    """The column to drop into; the last callable of this file, as Kaggle wants it."""
    return ask(observation, configuration)
'''

PATIENCE = 600.0  # seconds, as kernels have to be compiled
MEMORY = 2048  # megabytes of data
TRIAL = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[1]) << 20,) * 2)
observation = {"board": [0] * 42, "mark": 1, "step": 0}
configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 2}
try:
    began, names = time.monotonic(), {}
    text = open("submission.py", encoding="utf-8").read()
    exec(compile(text, "submission.py", "exec", dont_inherit=True), names)
    agent = [value for value in names.values() if callable(value)][-1]
    loaded = time.monotonic()
    result = {"column": int(agent(observation, configuration)), "loading": loaded - began}
    result |= {"first_move": time.monotonic() - loaded, "processor": time.process_time()}
except Exception as error:
    result = {"error": f"{type(error).__name__}: {error}"}
open("trial.json", "w").write(json.dumps(result))
"""


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


@dataclass(frozen=True)
class Trial:
    """A first move on Kaggle's board, which compiles all kernels."""

    column: int
    loading: float  # seconds
    first_move: float
    processor: float  # processor seconds of both


def pack(words: Sequence[str]) -> Package:
    """Pack the engine of these words, its name and its options."""
    in_options = _files_in_options(words)
    engine, *options = (_replace_files(word, in_options) for word in words)
    sources = import_closure(
        [each for start in STARTS for each in ARENA.glob(start)], ARENA, "arena"
    )
    files = {f"arena/{_below(ARENA, each)}": each for each in sources}
    files |= {f"arena/{_below(ARENA, each)}": each for top in DATA for each in _files(ARENA / top)}
    theirs: dict[str, Path] = {}
    point = entry_point(engine)
    if in_file := split_file(engine):
        folder = Path(in_file[0]).resolve().parent
        theirs = {f"{BOT}/{_below(folder, each)}": each for each in _files(folder)}
        engine = f"{FOLDER}/{BOT}/{Path(engine).name}"
    elif point is not None and not point.value.startswith("arena."):
        top = package_path(engine) or Path()
        modules = _files(top) if top.is_dir() else [top]
        theirs = {f"{BOT}/{_below(top.parent, each)}": each for each in modules}
    files |= theirs | in_options

    contents = {place: file.read_bytes() for place, file in sorted(files.items())}
    digest = sha256()
    for place, content in contents.items():
        digest.update(place.encode() + content)
    name = f"arena_{digest.hexdigest()[:8]}"
    points = {each: entry_point(each) for each in names()}
    return Package(
        [engine, *options],
        name,
        {
            each: point.value.replace("arena.", f"{name}.", 1)
            for each, point in points.items()
            if point
        },
        {re.sub("^arena/", f"{name}/", p): rename_imports(c, name, p) for p, c in contents.items()},
        _others(theirs),
    )


def rename_imports(content: bytes, name: str, place: str) -> bytes:
    """Rename our package in the imports of a source file."""
    if not place.endswith(".py"):
        return content
    text = FROM.sub(rf"\1{name}", content.decode())
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


def _files_in_options(words: Sequence[str]) -> dict[str, Path]:
    """The files in options, as in weights=my.net, also in the words of another engine."""
    files = {}
    for word in words[1:]:
        option, _, value = word.partition("=")
        for text in (value, *WORD.findall(value)):
            if os.path.isfile(text):
                files[f"files/{option}/{Path(text).name}"] = Path(text)
    return files


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
            each
            for each in folders
            if not each.startswith(".")
            and each not in SKIPPED
            and not Path(place, each, "pyvenv.cfg").exists()
        ]
        for file in (Path(place, each) for each in files if not each.startswith(".")):
            size += file.stat().st_size
            if size > MAX_MEGABYTES * 2**20:
                raise ArenaError(
                    f"{folder} has more than {MAX_MEGABYTES} MB, and all of it would be exported; "
                    "move the engine into a folder of its own"
                )
            yield file


def _others(files: dict[str, Path]) -> list[str]:
    """The packages that a bot imports and that may not be installed elsewhere."""
    sources = [file for file in files.values() if file.suffix == ".py"]
    imported = {name.partition(".")[0] for file in sources for name in imported_names(file)}
    beside = {place.split("/")[1].removesuffix(".py") for place in files}
    return sorted(imported - sys.stdlib_module_names - REQUIRED - beside)


def _below(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()


def submission(package: Package, words: str, seconds: float | None = None) -> str:
    """The text of the file; `words` name the engine in its first line."""
    engine = {
        "words": package.words,
        "engines": package.engines,
        "package": package.name,
        "seconds": seconds,
    }
    packed = b64encode(package.archive()).decode()
    lines = "\n".join(packed[at : at + LINE] for at in range(0, len(packed), LINE))
    head = f"{MARK}:\n# {' '.join(words.split())}, of Connect Arena {__version__}\n\n"
    source = Path(loader.__file__).read_text(encoding="utf-8")
    data = f"\n\nENGINE = {pformat(engine, width=LINE)}\n\nARCHIVE = '''\n{lines}\n'''\n"
    return head + source + data + AGENT


def check_target(path: Path, force: bool) -> None:
    """Refuse to overwrite a file that Arena has not exported, unless `force` is set."""
    with disk_errors(path):
        if path.is_dir():
            raise ArenaError(f"{path} is a directory; name a file to write")
        if not path.parent.is_dir():
            raise ArenaError(f"{path} cannot be written: there is no directory {path.parent}")
        if path.exists() and not force and not path.read_bytes().startswith(MARK.encode()):
            raise ArenaError(
                f"{path} exists and was not written by arena export; --force replaces it"
            )


def try_out(text: str) -> Trial:
    """Play a first move with a submission in a process without compiled kernels."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "submission.py").write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-c", TRIAL, str(MEMORY)],
                cwd=folder,
                env={**os.environ, "TMPDIR": folder, "NUMBA_CACHE_DIR": folder},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            raise EngineFailure(f"the exported file has not moved in {PATIENCE:g} s") from None
        try:
            answer = json.loads(Path(folder, "trial.json").read_bytes())
        except (OSError, ValueError):
            answer = {"error": ended_process(done.returncode)}
    if "error" in answer:
        raise EngineFailure(f"the exported file does not play: {printable(answer['error'])}")
    return Trial(**answer)


def kaggle_agent(engine: str, seconds: float | None = None) -> KaggleAgent:
    """A callable (observation, configuration) that plays Kaggle's ConnectX.

    `engine` is a name with options, as on the command line. It uses `seconds` for a move, or the
    time of the configuration. It is warmed up for 7x6; other boards compile with their first move.
    """
    agent = KaggleAgent(build_engine(engine), seconds, read_engine(engine)[1])
    agent.warm_up(CONNECT4)
    return agent
