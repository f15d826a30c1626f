"""The terminal: data on stdout, messages on stderr, colours and signs only where they can be shown.

Whoever asks something about a terminal, or wants a key from it, asks here.
"""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

PAGE = 100  # columns, where no terminal says how wide it is
NARROW_PAGE = 80  # the same for a line that is drawn again and again

ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}


def console(stderr: bool = False) -> Console:
    """Where to print: as wide as the terminal, or a page where there is none."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PAGE
    return Console(file=stream, highlight=False, markup=False, emoji=False, width=width)


def colour_wanted() -> bool | None:
    """What the environment says about colours; None leaves it to the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def is_live(stream: TextIO) -> bool:
    """Whether a line that was printed can be drawn again: forced colours make no terminal."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def width_of(stream: TextIO) -> int:
    """How many columns the terminal behind a stream has."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or NARROW_PAGE
    except (OSError, ValueError):
        return NARROW_PAGE


def can_show(text: str) -> bool:
    """Whether stdout can write these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def symbol(good: str, plain: str) -> str:
    """A symbol, or its plain twin where the output cannot show it."""
    return good if can_show(good) else plain


tick = partial(symbol, "✓", "ok")
cross = partial(symbol, "✗", "NO")
dot = partial(symbol, "·", "-")


def print_json(data: Any) -> None:
    """Print data for other programs to read."""
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=str))


@contextmanager
def single_keys() -> Iterator[None]:
    """Keys are read one by one inside, without Enter; the terminal is as before afterwards."""
    import termios
    import tty

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
