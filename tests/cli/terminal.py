"""A command on a pseudo-terminal, as a user runs it."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

UNSET = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM")
MAIN = [sys.executable, "-c", "from arena.cli import main; main()"]


def played_on_a_terminal(words: list[str], **environment: str) -> str:
    """All that an arena command writes to a terminal, with what moves the cursor in it."""
    return run_on_a_terminal([*MAIN, *words], environment)


def run_on_a_terminal(
    command: list[str], environment: dict[str, str], rows: int = 24, columns: int = 80
) -> str:
    """All that a program writes to a terminal of this size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    plain = {**kept, "TERM": "xterm-256color", **environment}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=plain
    ) as process:
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
    os.close(ours)
    assert process.returncode == 0, shown.decode()
    return shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # everybody has left the other side
        return b""
