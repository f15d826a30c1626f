"""Single keys from a terminal, without waiting for Enter."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}


@contextmanager
def single_keys() -> Iterator[None]:
    """Keys are read one by one inside; the terminal is as before afterwards."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_key() -> str:
    """The next key: a character, the name of an arrow, or nothing at the end of the input."""
    terminal = sys.stdin.fileno()
    typed = os.read(terminal, 1)
    if typed != b"\x1b":
        return typed.decode("ascii", "replace")
    rest = b""
    while select.select([terminal], [], [], 0.05)[0] and len(rest) < 8:
        rest += os.read(terminal, 1)
        if (rest[-1:].isalpha() and rest != b"O") or rest[-1:] == b"~":
            break
    return ARROWS.get(rest[-1:].decode("ascii", "replace"), "unknown" if rest else "escape")
