"""What every process stands on: three streams, perhaps closed by others, and a directory."""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress


def fill_standard_streams() -> None:
    """Open what a process was started without: the next file would become its stdin or stdout.

    Python has no stream for those; they read nothing and print nowhere.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115  # for the life of the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def replace_unprintable() -> None:
    """A stream without Unicode shows a question mark for what it lacks."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def reader_left() -> bool:
    """Whether it is our own output that nobody reads any more, and no pipe to another process."""
    look = select.poll()
    for stream in (sys.stdout, sys.stderr):
        try:
            look.register(stream.fileno(), 0)
        except (OSError, ValueError):  # closed, or not a file
            return True
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in look.poll(0))


def discard_output() -> None:
    """What could not be written must not be tried again when Python takes its leave."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def stand_somewhere() -> None:
    """Go to the root where the working directory was removed: much of Python asks where it is."""
    try:
        os.getcwd()
    except FileNotFoundError:
        os.chdir(os.sep)
