"""Golden files of wrong input: each block has files and commands, and the messages they cause.

A block ends at a blank line and runs in an empty folder. Its lines:

    # text          a comment
    @ NAME          the `|` lines below are this file (t.yaml unless named)
    | text          a line of the file; `|= EXPRESSION` is its exact content, in Python
    % words         a shell command, to prepare the folder
    $ arena words   a command; a block without one runs the command of the line `$$ arena words`
    [2] message     the recorded exit code and output of the command above
        message     more of the output

A block with `@@ NAME` (a file) or `%% arena words` (a command) is done once; all later blocks
begin with a copy of its folder. To add a case, write its input and run `pytest --record`.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir, closing
from dataclasses import dataclass, field
from pathlib import Path

from typer.testing import Result

from tests.support.golden import FOLDER
from tests.support.outputs import without_progress

Cli = Callable[..., Result]
MEASURED = re.compile(
    r"(was not ready in|gave no answer in) [\d.]+ s(?: \([\d.]+ s of it waiting for a processor\))?"
)
OUTPUT = re.compile(r"\[\d+\]|    ")


@dataclass
class Messages:
    """Runs the blocks of one file and writes the file anew, with the messages of today."""

    cli: Cli
    folder: Path
    default: str = ""
    cases: int = 0
    failures: list[str] = field(default_factory=list)

    def rewrite(self, text: str) -> str:
        (self.folder / "start").mkdir()
        blocks = re.split(r"\n{2,}", text.strip("\n"))
        return "\n\n".join("\n".join(self._block(block.split("\n"))) for block in blocks) + "\n"

    def _block(self, block: list[str]) -> Iterator[str]:
        lines = [line for line in block if not OUTPUT.match(line)]
        self.default = next((line[3:] for line in lines if line.startswith("$$ ")), self.default)
        if any(line.startswith(("@@ ", "%% ")) for line in lines):
            yield from self._start(lines)
        elif all(line.startswith(("#", "$$ ")) for line in lines):
            yield from lines
        else:
            yield from self._case(lines)

    def _start(self, lines: list[str]) -> list[str]:
        """Prepare the folder that later blocks begin with."""
        folder = self.folder / "start"
        write_files(folder, lines, "@@ ")
        for line in lines:
            if line.startswith("%% "):
                code, output = self._run(line[3:], folder)
                assert code == 0, output
        return lines

    def _case(self, lines: list[str]) -> Iterator[str]:
        """Run the commands of a block; its lines with what each command answers."""
        self.cases += 1
        folder = self.folder / f"case-{self.cases}"
        shutil.copytree(self.folder / "start", folder)
        write_files(folder, lines, "@ ")
        explicit = any(line.startswith("$ ") for line in lines)
        code = 0
        for line in lines if explicit else [*lines, self.default]:
            if line is not self.default:
                yield line
            if line.startswith("% "):
                shell(line[2:], folder)
            elif line.startswith("$ ") or line is self.default:
                code, output = self._run(line.removeprefix("$ "), folder)
                yield from output
        if code == 0:
            self.failures.append("accepted:\n" + "\n".join(lines))

    def _run(self, command: str, folder: Path) -> tuple[int, list[str]]:
        """Run a command line in a folder; its exit code, and lines that show both."""
        name, *words = shlex.split(command)
        assert name == "arena", command
        with chdir(folder):
            result = self.cli(*words, ARENA_HISTORY=str(folder / "history.db"))
        said = (result.stdout + result.stderr).replace(str(folder), "FOLDER")
        said = MEASURED.sub(r"\1 SECONDS", without_progress(said))
        if "Traceback" in said or not isinstance(result.exception, SystemExit | None):
            self.failures.append(f"traceback: {command}: {result.exception!r}\n{said}")
        first, *more = [shown(line) for line in said.rstrip("\n").split("\n")]
        return result.exit_code, [
            f"[{result.exit_code}] {first}".rstrip(),
            *(f"    {line}".rstrip() for line in more),
        ]


def write_files(folder: Path, lines: list[str], mark: str) -> None:
    """Write the files that these lines describe."""
    content: dict[str, bytes] = {}
    name = "t.yaml"
    for line in lines:
        if line.startswith(mark):
            name = line.removeprefix(mark)
            content[name] = b""
        elif line.startswith("|"):
            content[name] = content.get(name, b"") + content_of(line)
    for name, written in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(written)


def content_of(line: str) -> bytes:
    """What a `|` line adds to its file."""
    if not line.startswith("|="):
        return f"{line[1:].removeprefix(' ')}\n".encode()
    value = eval(line[2:], {"__builtins__": {"range": range}})
    return value if isinstance(value, bytes) else str(value).encode()


def shell(command: str, folder: Path) -> None:
    """Run a shell command; `sql FILE STATEMENT` changes a database."""
    if command.startswith("sql "):
        _, file, statement = command.split(" ", 2)
        with closing(sqlite3.connect(folder / file)) as connection, connection:
            connection.execute(statement)
        return
    subprocess.run(command, shell=True, cwd=folder, check=True)


def shown(line: str) -> str:
    """A line of output with control characters spelt out, so that they show in the file."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)


def check(cli: Cli, name: str, folder: Path) -> str:
    """A golden file with the messages of today; no input may be accepted or end in a traceback."""
    messages = Messages(cli, folder)
    text = messages.rewrite((FOLDER / name).read_text(encoding="utf-8"))
    assert not messages.failures, "\n".join(messages.failures)
    return text
