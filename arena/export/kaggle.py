"""A submission to Kaggle's ConnectX: one file with an engine and all it needs, tried before use."""

from __future__ import annotations

import tempfile
from base64 import b85encode
from dataclasses import dataclass
from pathlib import Path
from pprint import pformat

from arena import __version__
from arena.errors import ArenaError
from arena.export import loader, trial
from arena.export.apart import answer_of
from arena.export.needs import BOARDS
from arena.export.pack import Package
from arena.files import disk_errors, write_whole

MARK = "# A submission to Kaggle's ConnectX, written by `arena export kaggle`"
LINE = 96  # characters of the archive
AGENT = '''
ask = load(ARCHIVE, ENGINE)


def agent(observation, configuration):
    """The column to drop into; the last callable of this file, as Kaggle wants it."""
    return ask(observation, configuration)
'''


@dataclass(frozen=True)
class Trial:
    """A first move, with all kernels still to be compiled: where, which, and how long it took."""

    board: str
    column: int
    loading: float  # seconds
    first_move: float
    processor: float  # seconds of both that a busy machine does not make longer


def submission(package: Package, words: str, seconds: float | None = None) -> str:
    """The text of the file; `words` name the engine to its readers."""
    engine = {
        "words": package.words,
        "engines": package.engines,
        "packages": package.packages,
        "seconds": seconds,
    }
    packed = b85encode(package.archive()).decode()
    lines = "\n".join(packed[at : at + LINE] for at in range(0, len(packed), LINE))
    head = f"{MARK}:\n# {' '.join(words.split())}, of Connect Arena {__version__}\n\n"
    source = Path(loader.__file__).read_text(encoding="utf-8")
    data = f"\n\nENGINE = {pformat(engine, width=LINE)}\n\nARCHIVE = '''\n{lines}\n'''\n"
    return head + source + data + AGENT


def check_target(path: Path, force: bool) -> None:
    """Refuse to write over a file that is no submission of ours, unless that is wished."""
    with disk_errors(path):
        if path.is_dir():
            raise ArenaError(f"{path} is a directory; name a file to write")
        if not path.parent.is_dir():
            raise ArenaError(f"{path} cannot be written: there is no directory {path.parent}")
        if path.exists() and not force:
            with path.open("rb") as file:
                if file.read(len(MARK)) != MARK.encode():
                    raise ArenaError(
                        f"{path} exists and was not written by arena export; --force replaces it"
                    )


def write_submission(path: Path, text: str) -> Path:
    """Write the file, whole or not at all."""
    with disk_errors(path):
        return write_whole(path, text.encode())


def try_out(text: str) -> Trial:
    """Play a first move with a submission in a process that has nothing compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "submission.py")
        file.write_text(text, encoding="utf-8")
        sizes = [rules.size for rules in BOARDS]
        program = ["-I", trial.__file__, str(file), *sizes]
        problem = "the exported file does not play"
        return answer_of(Trial, program, problem, Path(folder), TMPDIR=folder)
