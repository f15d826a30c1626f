"""A pseudo-terminal with a program in it, as if somebody sat before it."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

# The child makes the terminal its own, so that Ctrl-C reaches it and nobody else.
OWN = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
START = f"{OWN}; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
UNSET = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")
CODES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[78])")
HOME, ENTER, LEAVE = "\x1b[H", "\x1b[?1049h", "\x1b[?1049l"
PATIENCE = 60.0  # seconds; a kernel may have to be compiled first
Size = tuple[int, int]  # columns and rows


class Terminal:
    """What a Python program writes to it, what is typed, and how large it is."""

    def __init__(
        self,
        *words: str,
        environment: Mapping[str, str],
        size: Size = (80, 24),
        cwd: Path | None = None,
    ) -> None:
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        self.modes = termios.tcgetattr(self.slave)
        self.text = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        kept = {name: value for name, value in os.environ.items() if name not in UNSET}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            cwd=cwd,
            env={**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
        )

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        """Press these keys."""
        os.write(self.master, keys.encode())

    def wait_for(self, words: str, start: int = 0) -> int:
        """Wait until these words are written; where they end in the text."""
        self.wait_until(lambda: words in self.text[start:], words)
        return self.text.index(words, start) + len(words)

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        """Read until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            ended = self.process.poll() is not None
            came = self._read(0.1)
            in_time = time.monotonic() < deadline and (came or not ended)
            assert in_time, f"no {what!r} in:\n{plain(self.text)[-3000:]}"

    def finish(self, keys: str = "") -> int:
        """Press keys and wait for the end of the program; its exit code."""
        self.press(keys)
        self.wait_until(lambda: self.process.poll() is not None, "end")
        while self._read(0):
            pass
        return self.process.returncode

    @property
    def echoes(self) -> bool:
        """Whether typed keys are shown."""
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    @property
    def is_as_before(self) -> bool:
        """Whether the terminal works as it did before the program began."""
        return termios.tcgetattr(self.slave) == self.modes

    def _read(self, seconds: float) -> bool:
        """Take what is written within so much time; whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.text += self.decoder.decode(os.read(self.master, 65536))
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


def plain(text: str) -> str:
    """The text without what moves the cursor or changes colours."""
    return CODES.sub("", text).replace("\r", "")


def shown_on_a_terminal(*words: str, size: Size = (80, 24), **environment: str) -> str:
    """All that a Python program writes to a terminal, with what moves the cursor in it."""
    with Terminal(*words, size=size, environment=environment) as terminal:
        assert terminal.finish() == 0, terminal.text
        return terminal.text
