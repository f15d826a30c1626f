"""A pseudo-terminal in which tests type what a person would, and see what a person sees."""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import struct
import sys
import time
from pathlib import Path
from types import TracebackType

PATIENCE = 60.0  # seconds; a kernel may have to be compiled first
HOME, LEAVE_SCREEN = "\x1b[H", "\x1b[?1049l"
CODES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[78])")
UNSET = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")


class Typist:
    """Somebody at a terminal of this size in which `arena` is running."""

    def __init__(
        self, *words: str, history: Path, rows: int = 24, columns: int = 80, **environment: str
    ) -> None:
        import fcntl
        import pty
        import termios

        self.shown = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.child, self.file = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            kept = {name: value for name, value in os.environ.items() if name not in UNSET}
            ours = {"TERM": "xterm-256color", "ARENA_HISTORY": str(history), "LANG": "C.UTF-8"}
            command = [sys.executable, "-m", "arena", *words]
            os.execve(sys.executable, command, {**kept, **ours, **environment})

    def __enter__(self) -> Typist:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        os.close(self.file)

    def type(self, line: str, then: str) -> str:
        """Type a line, and wait until a page shows this; the page as plain text."""
        self.shown = ""
        self.press(f"{line}\n")
        return self.see(then)

    def press(self, keys: str) -> None:
        """Press these keys."""
        os.write(self.file, keys.encode())

    def see(self, words: str) -> str:
        """Wait until a page shows this; the page as plain text."""
        until = time.monotonic() + PATIENCE
        while words not in self.page():
            if not self._read(until - time.monotonic()):
                raise AssertionError(f"{words!r} was not shown, but:\n{self.page()}")
        return self.page()

    def page(self) -> str:
        """What has been drawn since the screen was last begun anew."""
        return plain(self.shown.rpartition(HOME)[2])

    def end(self, keys: str = "") -> tuple[int, str]:
        """Press keys and wait for the end; the exit code, and what is left without the screen."""
        self.press(keys)
        until = time.monotonic() + PATIENCE
        while self._read(until - time.monotonic()):
            pass
        _, status = os.waitpid(self.child, 0)
        self.child = 0
        return os.waitstatus_to_exitcode(status), plain(self.shown.rpartition(LEAVE_SCREEN)[2])

    def _read(self, seconds: float) -> bool:
        """Read what there is; False at the end, or after so many seconds."""
        if seconds <= 0 or not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            block = os.read(self.file, 65536)
        except OSError:  # the other side is gone
            return False
        self.shown += self.decoder.decode(block)
        return bool(block)


def plain(text: str) -> str:
    """The text without what moves the cursor or changes colours."""
    return CODES.sub("", text).replace("\r", "")
