"""A submission to Kaggle's ConnectX: one file with an engine and everything it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from pprint import pformat

from arena import __version__
from arena.bots.find import build_engine
from arena.bots.names import engine_words
from arena.errors import ArenaError, EngineFailure
from arena.export import loader
from arena.export.agent import KaggleAgent
from arena.export.package import Package
from arena.files import disk_errors, write_atomic
from arena.game.rules import CONNECT4
from arena.processes import ended_process
from arena.text import printable

MARK = "# A submission to Kaggle's ConnectX, written by `arena export kaggle`"
LINE = 96  # characters of the archive
SIZES = ("7x6", "6x5", "8x7")  # boards; it must play on one of them
PATIENCE = 600.0  # seconds, as kernels have to be compiled
MEMORY = 2048  # megabytes of data
AGENT = '''
ask = load(ARCHIVE, ENGINE)


def agent(observation, configuration):
    """The column to drop into; the last callable of this file, as Kaggle wants it."""
    return ask(observation, configuration)
'''

TRIAL = """
import json, os, resource, sys, time
file, memory, *sizes = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_DATA, (int(memory) << 20,) * 2)
answer = os.dup(1)
os.dup2(2, 1)  # keep prints out of the answer
def move(agent, size):
    columns, rows = map(int, size.split("x"))
    observation = {"board": [0] * (columns * rows), "mark": 1, "step": 0}
    configuration = {"columns": columns, "rows": rows, "inarow": 4, "actTimeout": 2}
    return int(agent(observation, configuration))
try:
    began, names = time.monotonic(), {}
    exec(compile(open(file, encoding="utf-8").read(), file, "exec", dont_inherit=True), names)
    agent = [value for value in names.values() if callable(value)][-1]
    loaded, failure = time.monotonic() - began, None
    for size in sizes:
        began = time.monotonic()
        try:
            result = {"board": size, "column": move(agent, size), "loading": loaded}
        except Exception as error:
            failure = failure or error
            continue
        result |= {"first_move": time.monotonic() - began, "processor": time.process_time()}
        break
    else:
        raise failure
except Exception as error:
    result = {"error": f"{type(error).__name__}: {error}"}
os.write(answer, json.dumps(result).encode())
"""


@dataclass(frozen=True)
class Trial:
    """A first move, which compiles all kernels."""

    board: str
    column: int
    loading: float  # seconds
    first_move: float
    processor: float  # processor seconds of both


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
        if path.exists() and not force:
            with path.open("rb") as file:
                if file.read(len(MARK)) != MARK.encode():
                    raise ArenaError(
                        f"{path} exists and was not written by arena export; --force replaces it"
                    )


def write_submission(path: Path, text: str) -> Path:
    """Write the file atomically."""
    with disk_errors(path):
        return write_atomic(path, text.encode())


def try_out(text: str) -> Trial:
    """Play a first move with a submission in a process without compiled kernels."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "submission.py")
        file.write_text(text, encoding="utf-8")
        command = [sys.executable, "-I", "-c", TRIAL, str(file), str(MEMORY), *SIZES]
        places = {"TMPDIR": folder, "NUMBA_CACHE_DIR": folder}
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, **places},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            raise EngineFailure(f"the exported file has not moved in {PATIENCE:g} s") from None
    try:
        answer = json.loads(done.stdout)
        problem = answer.get("error")
    except (ValueError, AttributeError):
        problem = ended_process(done.returncode)
    if problem is not None:
        raise EngineFailure(f"the exported file does not play: {printable(problem)}")
    return Trial(**answer)


def kaggle_agent(engine: str, seconds: float | None = None) -> KaggleAgent:
    """A callable (observation, configuration) that plays Kaggle's ConnectX.

    `engine` is a name with options, as on the command line. It uses `seconds` for a move, or the
    time of the configuration. It is warmed up for 7x6; other boards compile with their first move.
    """
    options = dict(word.split("=", 1) for word in engine_words(engine)[1:] if "=" in word)
    agent = KaggleAgent(build_engine(engine), seconds, options)
    agent.warm_up(CONNECT4)
    return agent
