"""A pseudo-terminal with `arena run` in it, as if somebody sat before it."""

from __future__ import annotations

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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.cells import cell_len

# The child makes the terminal its own, so that Ctrl-C reaches it and nobody else.
OWN = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
START = f"{OWN}; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
ENTER, LEAVE, HIDE, SHOW = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25l", "\x1b[?25h"
Size = tuple[int, int]

HOME = "\x1b[H"
PATIENCE = 60.0


class Terminal:
    """What a process writes to it, what is typed, and how large it is."""

    def __init__(
        self, *words: str, cwd: Path, environment: Mapping[str, str], size: Size = (80, 24)
    ) -> None:
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        self.modes = termios.tcgetattr(self.slave)
        self.text = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            cwd=cwd,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
        )

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def read(self, seconds: float) -> None:
        """Take what is written within so much time."""
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.text += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:  # nobody has it open any more
                time.sleep(0.01)

    def wait_for(self, words: str, start: int = 0) -> int:
        """Wait until these words are written; where they end in the text."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.text[start:]:
            assert time.monotonic() < deadline, f"no {words!r} in {self.text[-3000:]!r}"
            assert self.process.poll() is None or self._rest(), f"it ended: {self.text[-3000:]!r}"
            self.read(0.1)
        return self.text.index(words, start) + len(words)

    def wait_for_frame(self, columns: int, rows: int) -> None:
        """Wait until a whole frame of this size is drawn."""
        deadline = time.monotonic() + PATIENCE
        while shape(self.text) != (rows, {columns}):
            assert time.monotonic() < deadline, (shape(self.text), self.text[-3000:])
            self.read(0.1)

    def finish(self) -> int:
        """Wait for the end of the process; its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.text[-3000:]
            self.read(0.05)
        self._rest()
        return self.process.returncode

    def _rest(self) -> bool:
        """Take all that is left; whether there was anything."""
        before = len(self.text)
        while select.select([self.master], [], [], 0)[0]:
            length = len(self.text)
            self.read(0)
            if len(self.text) == length:
                break
        return len(self.text) > before

    @property
    def echoes(self) -> bool:
        """Whether typed keys are shown."""
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def after_the_dashboard(self) -> str:
        """What stands on the terminal when the dashboard is gone; its codes must be in order."""
        assert self.text.count(ENTER) == self.text.count(LEAVE) > 0
        assert self.text.rindex(ENTER) < self.text.rindex(LEAVE)
        assert self.text.rindex(HIDE) < self.text.rindex(SHOW)
        assert termios.tcgetattr(self.slave) == self.modes
        return CODES.sub("", self.text[self.text.rindex(LEAVE) :]).replace("\r\n", "\n")

    def close(self) -> None:
        """Take everything away."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def shape(text: str) -> tuple[int, set[int]]:
    """How many lines the last whole frame in a text has, and how wide they are."""
    whole = text[text.rindex(HOME) :]
    drawn = re.split(r"\x1b\[\d+;1H", whole)[0]  # up to the first line that is drawn again
    lines = CODES.sub("", drawn).split("\r\n")
    return len(lines), {cell_len(line) for line in lines}
