"""Standard streams and the working directory, which a process may be started without."""

from __future__ import annotations

import codecs
import os
import select
import sys
from contextlib import suppress

PLAIN = {"µ": "u", "—": "-", "\N{EN DASH}": "-", "·": "-", "…": "~", "±": "+-", "½": "1/2"}
PLAIN_SIGNS = "arena.plain"  # how a stream writes what it cannot encode


def _ascii_fallback(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(PLAIN.get(char, "?") for char in missing), error.end


codecs.register_error(PLAIN_SIGNS, _ascii_fallback)


def fill_standard_streams() -> None:
    """Open missing standard streams: otherwise the next file becomes stdin or stdout.

    They read nothing and print nowhere.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            stream = open(number, "w" if number else "r", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)  # for the life of the process


def replace_unprintable() -> None:
    """On a stream without Unicode, show ASCII for our signs and a question mark for the rest."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=PLAIN_SIGNS)


def output_closed() -> bool:
    """Check whether a broken pipe is that of our own output, not one to another process."""
    look = select.poll()
    for stream in (sys.stdout, sys.stderr):
        try:
            look.register(stream.fileno(), 0)
        except (OSError, ValueError):  # closed, or not a file
            return True
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in look.poll(0))


def discard_output() -> None:
    """Send the rest of the output nowhere, so that Python does not fail to write it at its exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def ensure_cwd() -> None:
    """Go to the root if the working directory was removed: much of Python needs one."""
    try:
        os.getcwd()
    except FileNotFoundError:
        os.chdir(os.sep)
