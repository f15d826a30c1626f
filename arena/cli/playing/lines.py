"""Typed lines, one by one, waiting for each no longer than there is time."""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

BLOCK = 4096


class Lines:
    """The lines of a terminal, a pipe or a file, as they come."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdin
        self.encoding = getattr(self.stream, "encoding", None) or "utf-8"
        self.waiting = b""
        self.ended = False
        try:
            self.file: int | None = self.stream.fileno()
        except (OSError, ValueError, AttributeError):
            self.file = None  # not a real file: a test's, or none at all

    def read(self, seconds: float | None = None) -> str | None:
        """The next line without its end; None if it does not come in time.

        EOFError: there are no more.
        """
        if self.file is None:
            line = self.stream.readline()
            if not line:
                raise EOFError
            return line.rstrip("\r\n")
        until = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self.waiting and not self.ended:
            if not _comes(self.file, until):
                return None
            block = os.read(self.file, BLOCK)
            self.waiting += block
            self.ended = not block
        return self._next()

    def forget(self) -> None:
        """Drop what has been typed on a terminal so far: it answered an older question."""
        if self.file is None or not self.stream.isatty():
            return
        import termios

        termios.tcflush(self.file, termios.TCIFLUSH)
        self.waiting = b""

    def _next(self) -> str:
        if not self.waiting:
            raise EOFError
        line, _, self.waiting = self.waiting.partition(b"\n")
        return line.decode(self.encoding, "replace").rstrip("\r")


def _comes(file: int, until: float | None) -> bool:
    """Whether there is something to read before it is too late."""
    import select

    left = None if until is None else max(0.0, until - time.monotonic())
    return bool(select.select([file], [], [], left)[0])
