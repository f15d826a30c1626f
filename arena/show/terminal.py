"""The terminal: data on stdout, messages on stderr, colours and signs only where they can be shown.

All questions about a terminal, and all keys from it, go through here.
"""

from __future__ import annotations

import json
import os
import re
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

# Keys: ESC [ A, ESC O A, ESC [ 5 ~, with modifiers as in ESC [ 1 ; 2 A, or characters.
KEY = re.compile(rb"\x1b(?:\[([0-9;]*)([A-Za-z~])|O([A-Za-z]))?|[\x00-\x7f]|[\x80-\xff]+")
LETTERS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end"}
NUMBERS = {b"1": "home", b"4": "end", b"5": "page up", b"6": "page down", b"7": "home", b"8": "end"}


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
    names = key_names(typed + rest)
    return names[0] if len(names) == 1 else "unknown"


def pressed_keys(keyboard: int) -> list[str]:
    """The keys pressed since the last look, by name; none without a keyboard."""
    try:
        if select.select([keyboard], [], [], 0)[0]:
            return key_names(os.read(keyboard, 1024))
    except (OSError, ValueError):
        pass  # it is gone, or no terminal at all
    return []


def key_names(typed: bytes) -> list[str]:
    """The keys in what was typed; one without a name of its own is "unknown"."""
    return [_key_name(match) for match in KEY.finditer(typed)]


def _key_name(match: re.Match[bytes]) -> str:
    parameters, final, application = match.groups()
    if final == b"~":
        return NUMBERS.get(parameters.partition(b";")[0], "unknown")
    if final or application:
        return LETTERS.get(final or application, "unknown")
    key = match[0].decode("ascii", "replace")
    return "escape" if key == "\x1b" else key if key.isascii() and key.isprintable() else "unknown"


def is_in_front(terminal: int) -> bool:
    """Whether this process may draw: another one may have the terminal now."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except (OSError, AttributeError):
        return True


def keyboard_of(terminal: int) -> int | None:
    """The standard input, if it is the same terminal: keys pressed there are meant for us."""
    try:
        keyboard = sys.stdin.fileno()
        same = os.ttyname(keyboard) == os.ttyname(terminal)
    except (OSError, ValueError, AttributeError):  # closed, no terminal, or no such thing here
        return None
    return keyboard if same else None
